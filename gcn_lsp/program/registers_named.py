"""The registers named so far: the values of `.amdgcn.next_free_vgpr` and `.amdgcn.next_free_sgpr`.

Nothing is counted until a program asks for their values, which are then read from the instructions kept by each chunk.
"""

from collections.abc import Sequence

from gcn_lsp.instruction.model import Instruction
from gcn_lsp.isa.kernels.predefined import NEXT_FREE_SGPR, NEXT_FREE_VGPR
from gcn_lsp.records import NamedTuple

# The register file that each of the symbols counts.
FILES = {NEXT_FREE_VGPR: "v", NEXT_FREE_SGPR: "s"}


class Usage(NamedTuple):
    """The highest vector and scalar register named, plus one."""

    vectors: int = 0
    scalars: int = 0

    def of(self, name: str) -> int:
        """The value of one of the symbols."""
        return self.vectors if FILES[name] == "v" else self.scalars

    def with_value(self, name: str, value: int) -> "Usage":
        """The usage after one of the symbols is set."""
        return self._replace(vectors=value) if FILES[name] == "v" else self._replace(scalars=value)


class Setting(NamedTuple):
    """An assignment of `value` to one of the symbols, before item `item` of its chunk."""

    item: int
    name: str
    value: int


def after(before: Usage, instructions: "Sequence[Instruction | None]", settings: Sequence[Setting]) -> Usage:
    """The usage after `instructions` (None: an item that is none), given the one before them."""
    vectors, scalars = before
    start = 0
    for setting in settings:
        part = _highest(instructions[start : setting.item])
        merged = Usage(max(vectors, part.vectors), max(scalars, part.scalars))
        vectors, scalars = merged.with_value(setting.name, setting.value)
        start = setting.item
    part = _highest(instructions[start:])
    return Usage(max(vectors, part.vectors), max(scalars, part.scalars))


def _highest(instructions: "Sequence[Instruction | None]") -> Usage:
    vectors = scalars = 0
    for instruction in instructions:
        for operand in instruction.operands if instruction is not None else ():
            if operand.file == "v":
                vectors = max(vectors, operand.first + operand.count)
            elif operand.file == "s":
                scalars = max(scalars, operand.first + operand.count)
    return Usage(vectors, scalars)
