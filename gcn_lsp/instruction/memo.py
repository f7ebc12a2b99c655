"""Assembles each distinct statement once: keeps the results of `gcn_lsp.instruction.assembler`.

An instruction depends only on its text and on the values of the symbols in it. Real kernels repeat lines, and an edit
changes few, so nearly all results are known already.
"""

from collections.abc import Callable
from functools import lru_cache

from gcn_lsp import isa
from gcn_lsp.flow.kept import ByValue
from gcn_lsp.instruction import assembler
from gcn_lsp.instruction.model import Instruction, Problem
from gcn_lsp.instruction.values import one_of
from gcn_lsp.syntax.expressions import UNKNOWN, Address, Missing, Unknown
from gcn_lsp.syntax.statement import Statement

# If the target is unknown, a line is wrong only if all of these reject it: one target for each instruction set, those
# that are tested bit for bit first.
REPRESENTATIVES = (
    "gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx600", "gfx700", "gfx803", "gfx1010", "gfx1030",
    "gfx1100", "gfx1200", "gfx1250",
)  # fmt: skip

_Key = tuple["int | Unknown | None", ...]


class Assembler:
    """Assembles statements for one target or, if `target` is None, for the first of `candidates` that accepts them."""

    def __init__(self, target: "isa.Target | None", candidates: tuple[str, ...] = ()) -> None:
        self.target = target
        self._candidates = candidates or REPRESENTATIVES
        self._memo: ByValue[Statement, tuple[tuple[str, ...], dict[_Key, Instruction]]] = ByValue(300_000)

    def instruction(self, statement: Statement, lookup: "Callable[[str], int | Address | Missing]") -> Instruction:
        """The instruction of `statement`; `lookup` gives the current values of names."""
        entry = self._memo.get(statement)
        if entry is None:
            entry = self._memo.keep(statement, (self._names(statement), {}))
        names, known = entry
        key = tuple([_value(lookup(name)) for name in names]) if names else ()
        instruction = known.get(key)
        if instruction is None:
            instruction = known[key] = self._assemble(statement, _values(names, key))
        return instruction

    def values_of(self, statement: Statement, instruction: Instruction) -> "dict[str, int | None] | None":
        """The symbol values with which `statement` became this instruction; None if they are no longer kept."""
        names, known = self._memo.get(statement, ((), {}))
        return next((_values(names, key) for key, each in known.items() if each is instruction), None)

    def names(self, statement: Statement) -> tuple[str, ...]:
        """The names in an assembled instruction that may be symbols."""
        entry = self._memo.get(statement)
        return entry[0] if entry is not None else self._names(statement)

    def _names(self, statement: Statement) -> tuple[str, ...]:
        target = self.target or isa.load_target(self._candidates[0])
        return assembler.symbol_names(target, statement)

    def _assemble(self, statement: Statement, values: "dict[str, int | None]") -> Instruction:
        if self.target is not None:
            return assembler.assemble(self.target, statement, values)
        return _for_any_target(statement, values, self._candidates)


def _values(names: tuple[str, ...], key: _Key) -> "dict[str, int | None]":
    """The values of symbols for the assembler: None if only the build knows it; labels are left out."""
    return {
        name: None if isinstance(value, Unknown) else value
        for name, value in zip(names, key, strict=True)
        if value is not None
    }


def _value(value: "int | Address | Missing") -> "int | Unknown | None":
    """A number; UNKNOWN if only the build knows it; None for a label or a name that may be defined later."""
    if type(value) is int:
        return value
    return UNKNOWN if isinstance(value, Missing) and value.unknown else None


def _for_any_target(statement: Statement, values: "dict[str, int | None]", candidates: tuple[str, ...]) -> Instruction:
    """The instruction of the first candidate that accepts the statement; problems only if none does."""
    nearest: Instruction | None = None
    having = frozenset(isa.targets_with(_without_suffix(statement.word)))
    for name in candidates:
        if having and name not in having:
            continue
        instruction = assembler.assemble(isa.load_target(name), statement, values)
        if instruction.code or not instruction.problems:  # cautions may come with valid code
            return instruction
        if nearest is None or (nearest.form is None and instruction.form is not None):
            nearest = instruction
        if not having:
            break
    if nearest is None:
        if candidates is REPRESENTATIVES:  # only targets that none of these represents have it
            return Instruction(statement, None, (), b"", 4, judged=False)
        message = (
            f"`{statement.name}` exists on {', '.join(sorted(having))}, but the file is for {one_of(list(candidates))}"
        )
        problem = Problem("unsupported-on-target", statement.name_start, statement.name_end, message)
        return Instruction(statement, None, (), b"", 4, (), (problem,))
    if having:
        return nearest
    problems = tuple(_on_no_target(problem, statement) for problem in nearest.problems)
    return Instruction(statement, None, (), b"", nearest.size, (), problems)


def _without_suffix(word: str) -> str:
    """The mnemonic without a suffix that forces an encoding."""
    for suffix in ("_e64_dpp", "_e32", "_e64", "_dpp", "_sdwa"):
        if word.endswith(suffix):
            return word[: -len(suffix)]
    return word


def _on_no_target(problem: Problem, statement: Statement) -> Problem:
    if problem.rule != "unknown-mnemonic":
        return problem
    near = isa.nearest_mnemonics(statement.word, isa.load_target(REPRESENTATIVES[0]))
    hint = "; did you mean " + " or ".join(f"`{name}`" for name in near[:2]) + "?" if near else ""
    message = f"`{statement.name}` is not an instruction of any target{hint}"
    return Problem(problem.rule, problem.start, problem.end, message, problem.fixes)


@lru_cache(maxsize=32)
def assembler_for(target: "isa.Target | None", candidates: tuple[str, ...] = ()) -> Assembler:
    """The assembler for `target`; all programs share it and so its results."""
    return Assembler(target, candidates)
