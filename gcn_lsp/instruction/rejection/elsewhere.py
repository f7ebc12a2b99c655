"""Finds the other targets on which a rejected line is legal as written: on request, not when a file is opened.

One target represents all with the same instructions. Only the requested mnemonics of a target are read, and it is not
kept: all targets together would take as much memory as the rest of the server.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping

from gcn_lsp import isa
from gcn_lsp.instruction import assembler
from gcn_lsp.instruction.match import TargetContext
from gcn_lsp.instruction.memo import Assembler
from gcn_lsp.instruction.model import Instruction, Problem, Symbols
from gcn_lsp.isa import target as targets
from gcn_lsp.isa.tables.other_names import counterparts
from gcn_lsp.patterns import regex
from gcn_lsp.syntax.statement import Statement

# The name of each group of targets, and the targets that represent it.
GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("gfx6", ("gfx600",)),
    ("gfx7", ("gfx700",)),
    ("gfx8", ("gfx803",)),
    ("gfx9", ("gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950")),
    ("gfx10", ("gfx1010", "gfx1030")),
    ("gfx11", ("gfx1100", "gfx1150")),
    ("gfx12", ("gfx1200",)),
    ("gfx1250", ("gfx1250",)),
)
_LEAST_RANGE = 3  # groups that are named as a range
# Switches that mean the same on other targets, the first generation that has them, and a later target that has not.
_SWITCHES = (
    (regex("[-+]real-true16"), 11, ""),
    (regex(r"[-+]wavefrontsize\d+"), 10, "gfx1250"),
    (regex(r"\+llvm\d+"), 0, ""),
)
# Rules about the line itself, on any target.
_EVERYWHERE = frozenset(("syntax-error", "undefined-symbol", "unknown-mnemonic", "duplicate-modifier"))


def is_asked(problem: Problem, statement: Statement) -> bool:
    """Whether the line may be legal on other targets and the problem does not say so already."""
    return problem.rule not in _EVERYWHERE and not (
        problem.rule == "unsupported-on-target" and problem.start == statement.name_start
    )


def legal_on(assembling: Assembler, instructions: Iterable[Instruction]) -> Mapping[int, tuple[str, ...]]:
    """The representative targets that accept rejected instructions, by the identity of the instruction.

    An instruction is left out if no target accepts it, or if its symbols' values are no longer known. Targets on which
    its mnemonic is another instruction do not count.
    """
    target = assembling.target
    asked = list(_asked(assembling, instructions))
    if target is None or not asked:
        return {}
    found: dict[int, tuple[str, ...]] = {}
    for _, names in GROUPS:
        for name in names:
            possible = [each for each in asked if name in each[3]]
            if possible:
                bases = {base for *_, base in possible}
                context = TargetContext(isa.target_with(bases, name, _switches(name, target)))
                for instruction, statement, values, _, _ in possible:
                    if assembler.accepts(context, statement, values):
                        found[id(instruction)] = (*found.get(id(instruction), ()), name)
    return found


_Asked = tuple[Instruction, Statement, Symbols, Collection[str], str]  # and who has the mnemonic, the last of them


def _asked(assembling: Assembler, instructions: Iterable[Instruction]) -> Iterator[_Asked]:
    seen: set[int] = set()
    for instruction in instructions:
        statement = instruction.statement
        if assembling.target is None or instruction.code or id(instruction) in seen:
            continue
        values = assembling.values_of(statement, instruction)
        if instruction.problems and values is not None:
            seen.add(id(instruction))
            base = assembler.context_of(assembling.target).candidates(statement.word).base
            others = (
                part.targets for part in counterparts(base, assembling.target)
            )  # to which it means something else
            yield instruction, statement, values, frozenset(isa.targets_with(base)).difference(*others), base


def words(names: tuple[str, ...]) -> str:
    """Targets in words: `gfx6 to gfx8, gfx906 and gfx10`, `gfx7, gfx10 and later`."""
    parts: list[str] = []
    run: list[str] = []
    for group, members in (*GROUPS, ("", ())):
        present = [name for name in members if name in names]
        if members and len(present) == len(members):
            run.append(group)
            continue
        if len(run) < _LEAST_RANGE:
            parts += run
        else:
            parts += [run[0], "later"] if not group else [f"{run[0]} to {run[-1]}"]
        parts += present
        run = []
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)


def _switches(name: str, target: isa.Target) -> str:
    """The requested features that mean the same on another target."""
    generation = int(targets.generation(name)[3:])
    asked = (part.strip() for part in target.mattr.split(","))
    return ",".join(
        part
        for part in asked
        if any(
            generation >= first and name != without and switch.fullmatch(part) for switch, first, without in _SWITCHES
        )
    )
