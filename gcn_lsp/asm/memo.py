"""Assembles each distinct statement once: a front to `gcn_lsp.asm.assembler` that remembers its answers.

What an instruction becomes depends on its text and on the values of the symbols in it. Real kernels repeat lines, and
an edit changes few, so nearly all answers are there already.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache

from gcn_lsp import isa
from gcn_lsp.asm import assembler, descriptor
from gcn_lsp.asm.model import Instruction, Problem
from gcn_lsp.preproc.state import UNKNOWN, Unknown
from gcn_lsp.syntax.expressions import Address, Missing
from gcn_lsp.syntax.statement import Statement

# With no target known, a line is judged only if all its mnemonic's targets are among those checked bit for bit.
JUDGED_WITHOUT_TARGET = ("gfx900", "gfx906", "gfx908", "gfx90a")

_MEMO_LIMIT = 300_000
_Key = tuple["int | Unknown | None", ...]


class Assembler:
    """Assembles statements for one target, or, with `target` None, for whichever target accepts them."""

    def __init__(self, target: "isa.Target | None") -> None:
        self.target = target
        self._memo: dict[Statement, tuple[tuple[str, ...], dict[_Key, Instruction]]] = {}

    def instruction(self, statement: Statement, lookup: "Callable[[str], int | Address | Missing]") -> Instruction:
        """What `statement` becomes; `lookup` says what names stand for now."""
        entry = self._memo.get(statement)
        if entry is None:
            if len(self._memo) >= _MEMO_LIMIT:
                self._memo.clear()
            entry = self._memo[statement] = (self._names(statement), {})
        names, known = entry
        key = tuple([_value(lookup(name)) for name in names]) if names else ()
        instruction = known.get(key)
        if instruction is None:
            values = {
                name: None if value is UNKNOWN else value
                for name, value in zip(names, key, strict=True)
                if value is not None
            }
            instruction = known[key] = self._assemble(statement, values)  # type: ignore[arg-type]
        return instruction

    def names(self, statement: Statement) -> tuple[str, ...]:
        """The names in an instruction that was assembled which may be symbols."""
        return self._memo[statement][0]

    def descriptor_problems(self, statement: Statement, value: "int | None") -> Iterable[Problem]:
        """What is wrong with a field of an `.amdhsa_kernel` block."""
        return descriptor.field_problems(self.target, statement, value)

    def _names(self, statement: Statement) -> tuple[str, ...]:
        target = self.target or isa.load_target(JUDGED_WITHOUT_TARGET[0])
        return assembler.symbol_names(target, statement)

    def _assemble(self, statement: Statement, values: "dict[str, int | None]") -> Instruction:
        if self.target is not None:
            return assembler.assemble(self.target, statement, values)
        return _for_any_target(statement, values)


def _value(value: "int | Address | Missing") -> "int | Unknown | None":
    """A number; UNKNOWN when only the build knows it; None for a label or a name that may come later."""
    if type(value) is int:
        return value
    return UNKNOWN if isinstance(value, Missing) and value.unknown else None


def _for_any_target(statement: Statement, values: "dict[str, int | None]") -> Instruction:
    """The instruction of the first target that accepts the statement; problems only when none can."""
    first: Instruction | None = None
    for name in JUDGED_WITHOUT_TARGET:
        instruction = assembler.assemble(isa.load_target(name), statement, values)
        if not instruction.problems:
            return instruction
        if first is None or (first.form is None and instruction.form is not None):
            first = instruction
    assert first is not None
    elsewhere = [name for name in isa.targets_with(statement.word) if name not in JUDGED_WITHOUT_TARGET]
    if elsewhere:
        return Instruction(statement, first.form, first.operands, first.code, first.size, first.fixups, (), False)
    return first


@lru_cache(maxsize=8)
def assembler_for(target: "isa.Target | None") -> Assembler:
    """The assembler for `target`, shared by every program so that what one assembled the others have."""
    return Assembler(target)
