"""On which other targets a rejected line would be legal as it stands: tried when somebody asks, not as a file opens.

One target stands for all that have its instructions. Of each only the mnemonics are read that are asked about, and it
is not kept: all targets together would take as much memory as the rest of the server.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from gcn_lsp import isa
from gcn_lsp.instruction import assembler
from gcn_lsp.instruction.match import TargetContext
from gcn_lsp.instruction.memo import Assembler
from gcn_lsp.instruction.model import Instruction, Problem, Symbols
from gcn_lsp.isa import target as targets
from gcn_lsp.isa.names import counterparts
from gcn_lsp.syntax.statement import Statement

# What a group of targets is called, and those of it that stand for the rest.
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
_LEAST_RANGE = 3  # groups that are told as a range
# Switches that mean the same on other targets, the first generation that has them, and who has not for all that.
_SWITCHES = ((re.compile("[-+]real-true16"), 11, ""), (re.compile(r"[-+]wavefrontsize\d+"), 10, "gfx1250"))
# Rules about the line itself, whatever the target is.
_EVERYWHERE = frozenset(("syntax-error", "undefined-symbol", "unknown-mnemonic", "duplicate-modifier"))


def is_asked(problem: Problem, statement: Statement) -> bool:
    """Whether a problem of a rejected instruction may be none on other targets, and does not say so itself."""
    return problem.rule not in _EVERYWHERE and not (
        problem.rule == "unsupported-on-target" and problem.start == statement.name_start
    )


def legal_on(assembling: Assembler, instructions: Iterable[Instruction]) -> Mapping[int, tuple[str, ...]]:
    """The targets, each for all like it, that take instructions which were rejected, by the instructions' identity.

    An instruction is left out when no target takes it, and when its symbols' values are not known any more. Targets on
    which its mnemonic is another instruction do not count.
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
    """Targets as a reader says them: `gfx6 to gfx8, gfx906 and gfx10`, `gfx7, gfx10 and later`."""
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
    """Of the features that were asked for, those that mean the same on another target."""
    generation = int(targets.generation(name)[3:])
    asked = (part.strip() for part in target.mattr.split(","))
    return ",".join(
        part
        for part in asked
        if any(
            generation >= first and name != without and switch.fullmatch(part) for switch, first, without in _SWITCHES
        )
    )
