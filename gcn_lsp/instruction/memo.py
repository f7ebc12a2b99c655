"""Assembles each distinct statement once: keeps the results of `gcn_lsp.instruction.assembler`.

An instruction depends only on its text and on the values of the symbols in it. Real kernels repeat lines, and an edit
changes few, so nearly all results are known already.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import lru_cache

from gcn_lsp import isa
from gcn_lsp.flow.kept import ByTurns, ByValue
from gcn_lsp.instruction import assembler
from gcn_lsp.instruction.model import Instruction
from gcn_lsp.records import NamedTuple
from gcn_lsp.syntax.expressions import UNKNOWN, Address, MissingSymbol, Unknown
from gcn_lsp.syntax.statement import Statement

_Key = tuple["int | Unknown | None", ...]


class _Several(NamedTuple):
    """The instructions of a statement that names symbols, by their values."""

    names: tuple[str, ...]
    known: ByValue[_Key, Instruction]


_LEAST, _MOST = 128, 30_000  # statements: a file without a target has them on each target that it may be for
_VALUES = 4096  # of the symbols in one statement: a counter of a repetition has many, and so has typing a definition


class Assembler:
    """Assembles statements for one target."""

    def __init__(self, target: isa.Target) -> None:
        self.target = target
        # Of most statements, which name no symbol, there is one instruction; of others one for the values of these.
        self._memo: ByTurns[Statement, Instruction | _Several] = ByTurns(_LEAST)

    def reading_whole_text(self) -> AbstractContextManager[None]:
        """Meanwhile every instruction is kept, and afterwards there is room for as many."""
        return self._memo.whole(_MOST)

    def instruction(
        self, statement: Statement, lookup: "Callable[[str], int | Address | MissingSymbol]"
    ) -> Instruction:
        """The instruction of `statement`; `lookup` gives the current values of names."""
        entry = self._memo.get(statement) or self._memo.find(statement)
        if entry is None:
            names = assembler.symbol_names(self.target, statement)
            entry = _Several(names, ByValue(_VALUES)) if names else assembler.assemble(self.target, statement, {})
            self._memo.keep(statement, entry)
        if isinstance(entry, Instruction):
            return entry
        names, known = entry
        key = tuple([_value(lookup(name)) for name in names])
        instruction = known.get(key)
        if instruction is None:
            instruction = known.keep(key, assembler.assemble(self.target, statement, _values(names, key)))
        return instruction

    def values_of(self, statement: Statement, instruction: Instruction) -> "dict[str, int | None] | None":
        """The symbol values with which `statement` became this instruction; None if they are no longer kept."""
        entry = self._memo.find(statement)
        if isinstance(entry, Instruction):
            return {} if entry is instruction else None
        names, known = entry or _Several((), ByValue(_VALUES))
        return next((_values(names, key) for key, each in known.items() if each is instruction), None)

    def names(self, statement: Statement) -> tuple[str, ...]:
        """The names in an assembled instruction that may be symbols."""
        entry = self._memo.find(statement)
        if entry is None:
            return assembler.symbol_names(self.target, statement)
        return () if isinstance(entry, Instruction) else entry.names


def _values(names: tuple[str, ...], key: _Key) -> "dict[str, int | None]":
    """The values of symbols for the assembler: None if only the build knows it; labels are left out."""
    return {
        name: None if isinstance(value, Unknown) else value
        for name, value in zip(names, key, strict=True)
        if value is not None
    }


def _value(value: "int | Address | MissingSymbol") -> "int | Unknown | None":
    """A number; UNKNOWN if only the build knows it; None for a label or a name that may be defined later."""
    if type(value) is int:
        return value
    return UNKNOWN if isinstance(value, MissingSymbol) and value.unknown else None


@lru_cache(maxsize=256)
def assembler_for(target: isa.Target) -> Assembler:
    """The assembler for `target`; all programs share it and so its results."""
    return Assembler(target)
