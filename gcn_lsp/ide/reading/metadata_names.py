"""The names of kernels in `.amdgpu_metadata`, which no statement has: the text there is YAML."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gcn_lsp.program.kernels import metadata
from gcn_lsp.text import Location

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program

_SUFFIX = ".kd"  # of the symbol of a descriptor


def places(program: "Program", name: str) -> Iterator[Location]:
    """Where a kernel's `.name` and `.symbol` are this name; the suffix of a descriptor's symbol is left out."""
    for found, where in _all(program):
        if found == name:
            yield where


def name_at(program: "Program", line: int, column: int) -> str:
    """The kernel whose name is at a byte column of a line of the main file; empty if there is none."""
    for found, where in _all(program):
        end = where.end + len(_SUFFIX)
        if where.path == program.path and where.line == line and where.start <= column <= end:
            return found
    return ""


def _all(program: "Program") -> Iterator[tuple[str, Location]]:
    for block, kernel, _ in metadata.described(program.metadata):
        for key in (".name", ".symbol"):
            value = kernel.get(key)
            if value is None or value.text is None:
                continue
            name = value.text.removesuffix(_SUFFIX)
            start = block.lines[value.line].find(name.encode(), value.start)
            if name and start >= 0:
                where = block.where
                yield name, Location(where.path, where.line + value.line, start, start + len(name.encode()))
