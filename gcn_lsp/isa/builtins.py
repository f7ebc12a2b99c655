"""Builtins of clang: what each becomes on a target, as clang itself compiled it (`isa.generation.builtins`)."""

from collections.abc import Mapping
from functools import cache

import msgspec

from gcn_lsp.isa import conditions
from gcn_lsp.isa.tables import reader
from gcn_lsp.isa.target import Target
from gcn_lsp.isa.versions import USUAL, VERSIONS
from gcn_lsp.patterns import regex

PREFIX = "__builtin_amdgcn_"
SEVERAL = "several"
_ARGUMENT = regex(r", (?![^<]*>)")  # a vector has a comma of its own: `_ExtVector<4, float>`


class Builtin(msgspec.Struct, frozen=True):
    """A builtin on the targets of a condition.

    name: whole. instructions: what it becomes; `several` alone for a loop or many, none for a builtin that has no
    instruction of its own. prototype: its type in clang's table. operands: those of the only instruction, in its order:
    `=` the result, `=2` the result in the register of argument 2, `%0` an argument, `#` the only argument, a constant,
    others as written, `-` alone if it has none; empty if more than the instruction is needed. constants: the values of
    the arguments that have to be constant, with which the operands are so.
    """

    name: str
    instructions: tuple[str, ...]
    targets: str
    prototype: str
    operands: tuple[str, ...] = ()
    constants: tuple[str, ...] = ()

    @property
    def declaration(self) -> str:
        """Its name with its type: `float __builtin_amdgcn_rcpf(float)`."""
        result, _, arguments = self.prototype.partition("(")
        return f"{result} {self.name}({arguments}"

    @property
    def result(self) -> str:
        """The type of its result, as in clang's table."""
        return self.prototype.partition("(")[0]

    @property
    def arguments(self) -> tuple[str, ...]:
        """The types of its arguments, as in clang's table."""
        listed = self.prototype.partition("(")[2].removesuffix(")")
        return tuple(_ARGUMENT.split(listed)) if listed else ()

    def is_on(self, target: str) -> bool:
        """Whether the row is about a target."""
        return conditions.covers(self.targets, target)


def named(name: str, llvm: int = USUAL) -> tuple[Builtin, ...]:
    """What the builtin of that name becomes, a row for each set of targets; none for an unknown name."""
    return _by_name(llvm).get(name, ())


def names() -> tuple[str, ...]:
    """The builtins of all versions, sorted."""
    return tuple(sorted({name for version in VERSIONS for name in _by_name(version)}))


def versions_with(name: str) -> tuple[int, ...]:
    """The versions of clang that have a builtin, the usual one first."""
    found = (version for version in VERSIONS if name in _by_name(version))
    return tuple(sorted(found, key=lambda version: version != USUAL))


def on(name: str, target: Target) -> Builtin | None:
    """What a builtin becomes on a target; None if the target does not have it."""
    return next((each for each in named(name, target.llvm) if each.is_on(target.name)), None)


def becoming(mnemonic: str, target: Target) -> tuple[Builtin, ...]:
    """The builtins that become an instruction and nothing else on a target, by name."""
    from gcn_lsp.isa.documentation import without_suffix  # late: a check of assembly needs no documentation

    sought = without_suffix(mnemonic)
    rows = (_builtin(cells) for cells in reader.of(target.llvm).builtin_rows.holding(sought))
    return tuple(each for each in rows if each.instructions == (sought,) and each.is_on(target.name))


@cache
def _by_name(llvm: int) -> Mapping[str, tuple[Builtin, ...]]:
    found: dict[str, list[Builtin]] = {}
    for line in reader.of(llvm).lines("builtins.tsv"):
        row = _builtin(line.split("\t"))
        found.setdefault(row.name, []).append(row)
    return {name: tuple(rows) for name, rows in found.items()}


def _builtin(cells: list[str]) -> Builtin:
    name, instructions, targets, prototype, operands, constants = [*cells, "", ""][:6]
    last = tuple(operands.split()), tuple(constants.split())
    return Builtin(PREFIX + name, tuple(instructions.split()), targets, prototype, *last)
