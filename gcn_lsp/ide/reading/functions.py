"""Kernels and functions, from their label to the next one's: the range of register names, and the units of calls."""

from bisect import bisect_right
from typing import TYPE_CHECKING

import msgspec

from gcn_lsp.program.kernels import kernel_usage
from gcn_lsp.text import Location

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program


class FunctionLines(msgspec.Struct, frozen=True, gc=False):
    """A kernel or function. where: its label; its code is on lines `first` to `last` (inclusive)."""

    name: str
    is_kernel: bool
    where: Location
    first: int
    last: int


def functions(program: "Program") -> list[FunctionLines]:
    """The kernels and functions with labels in the main file, from top to bottom.

    A function is a label that `.type` declares as one; a kernel has a descriptor.
    """
    kernels = {block.name for block in program.kernel_blocks}
    names = kernels.union(*(kernel_usage.of_chunk(chunk).functions for chunk in program.chunks))
    heads: list[tuple[str, Location]] = []
    for base, chunk in zip(program.bases, program.chunks, strict=True):
        for name, _, _, index in chunk.labels:
            item = chunk.items[index]
            if name in names and item.written.container is None and item.written.frame is None:
                statement = item.statement
                heads.append(
                    (name, Location(program.path, base + item.written.line, statement.name_start, statement.name_end))
                )
    ends = [where.line - 1 for _, where in heads[1:]] + [len(program.source.lines) - 1]
    return [
        FunctionLines(name, name in kernels, where, where.line, max(end, where.line))
        for (name, where), end in zip(heads, ends, strict=False)
    ]


def function_at(program: "Program", line: int) -> FunctionLines | None:
    """The function whose code contains `line`."""
    found = functions(program)
    index = bisect_right([function.first for function in found], line) - 1
    return found[index] if index >= 0 else None


def region_at(program: "Program", line: int) -> tuple[int, int]:
    """The lines in which a register means the same as on `line`: its function, or the lines before the first."""
    found = functions(program)
    index = bisect_right([function.first for function in found], line) - 1
    if index >= 0:
        return found[index].first, found[index].last
    return 0, found[0].first - 1 if found else len(program.source.lines) - 1
