"""The findings of the hazard rules: the message with both instructions, and the fix."""

from collections.abc import Iterator, Sequence

from gcn_lsp.analysis import bounds
from gcn_lsp.analysis.control import straight
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.hazards import hazards
from gcn_lsp.analysis.hazards.hazards import Hazards
from gcn_lsp.analysis.hazards.walk import Hazard
from gcn_lsp.analysis.machine import registers
from gcn_lsp.findings import sites
from gcn_lsp.findings.model import Finding, Fix, Related, Severity
from gcn_lsp.findings.rule import Rule
from gcn_lsp.isa.hazards.model import LLVM_ALONE, NOP, VALUS
from gcn_lsp.isa.machine import roles
from gcn_lsp.program.program import Program
from gcn_lsp.text import Location, Message, TextEdit, message

_UNITS = {True: ("VALU instruction", "VALU instructions"), False: ("wait state", "wait states")}
_MANY = 8  # places in a kernel that ignores an unsure row on purpose


def hazard_findings(
    program: Program, known: Hazards, found: Sequence[Hazard], rule: Rule, severity: Severity
) -> Iterator[Finding]:
    """A finding for each hazard; in the body of a macro with a fix only if every call needs it.

    severity: of hazards that the hardware is known to have; others are information. A kernel that ignores an unsure row
    at many places does so on purpose, so only the first place is reported, with the count. So is a kernel that ignores
    what no document of AMD requires, whichever row that is.
    """
    if not found:
        return
    fixable = sites.fixable(program, known.graph, (hazard.second for hazard in found))
    most: dict[sites.Written, int] = {}
    for hazard in found:
        if hazard.row.fix == NOP:
            where = sites.written(known.graph, hazard.second)
            most[where] = max(most.get(where, 0), hazard.need - hazard.present)
    places = _disputed(known, found)
    reported: set[str] = set()
    for hazard in found:
        where = sites.written(known.graph, hazard.second)
        missing = most[where] if hazard.row.fix == NOP else hazard.need - hazard.present
        others = 0
        if hazard.row.id in places:
            if hazard.row.id in reported:
                continue
            reported.add(hazard.row.id)
            others = len(places[hazard.row.id]) - 1
        if others or where not in fixable:  # fixing one of many intended places would not help
            missing = 0
        unsure = not hazard.row.sure or hazard.row.id in places
        given = Severity.INFORMATION if unsure and severity is not Severity.HINT else severity
        yield _finding(program, known, hazard, rule, given, missing, others)


def _disputed(known: Hazards, found: Sequence[Hazard]) -> dict[str, set[sites.Written]]:
    """The places at which the kernels ignore a row on purpose, by the row."""
    places: dict[str, dict[str, set[sites.Written]]] = {}
    for hazard in found:
        if not hazard.row.sure or hazard.row.required_by == LLVM_ALONE:
            rows = places.setdefault(hazard.row.required_by or hazard.row.id, {})
            rows.setdefault(hazard.row.id, set()).add(sites.written(known.graph, hazard.second))
    return {
        row: of_row
        for rows in places.values()
        if len(set().union(*rows.values())) > bounds.UNCERTAIN_PLACES
        for row, of_row in rows.items()
    }


def _finding(
    program: Program, known: Hazards, hazard: Hazard, rule: Rule, severity: Severity, missing: int, others: int
) -> Finding:
    """missing: units that the fix adds, 0 for no fix. others: places that this finding stands for besides its own."""
    second = sites.place(program, known.graph, hazard.second)
    first = sites.place(program, known.graph, hazard.first)
    names = registers.describe(hazard.registers)
    origin = Related(first.where, f"the first instruction of the hazard{': ' if names else ''}{names}")
    fixes = _fixes(program, known, hazard, second, missing) if missing else ()
    said = _message(hazard, sites.line(program, known.graph, hazard.first), names)
    if others:
        said = message("{}; {} more places are similar", said, others)
    return rule.at(second.where, said, (origin, *first.related, *second.related), fixes, severity=severity)


def _message(hazard: Hazard, line: Location, names: str) -> Message:
    row = hazard.row
    because = f" because of {names}" if names else ""
    after = message("after `{}` on {}{}", _mnemonic(hazard.first), line, because)
    why = f"{row.reason}{', ' if row.required_by else ''}{row.required_by} ({row.id})"
    if row.fix == NOP or row.fix.repeat:
        unit = unit_of(hazard)
        needed = f"{hazard.need} {unit}"
        return message("`{}` needs {} {}, but has {}: {}", _mnemonic(hazard.second), needed, after, hazard.present, why)
    return message("`{}` needs `{}` before it {}: {}", _mnemonic(hazard.second), _text(hazard), after, why)


def unit_of(hazard: Hazard) -> str:
    """What the distance of a hazard counts, in as many as it needs."""
    return _UNITS[hazard.row.unit == VALUS][hazard.need != 1]


def _mnemonic(site: Site) -> str:
    return site.item.statement.name


def _text(hazard: Hazard) -> str:
    """The instruction that resolves a hazard, with the operand that it takes from the second instruction."""
    fix = hazard.row.fix
    instruction = hazard.second.item.instruction
    operands = instruction.operands if instruction is not None else ()
    operand = next((operand.text for operand in operands if operand.slot == fix.slot), "")
    return fix.text.replace("{}", operand)


def _fixes(
    program: Program, known: Hazards, hazard: Hazard, second: sites.WrittenPlace, missing: int
) -> tuple[Fix, ...]:
    longer = _longer_nop(program, known, hazard.second, missing) if hazard.row.fix == NOP else ()
    return longer or _insertion(program, second, separating(hazard, missing, known.rows.nop_limit))


def separating(hazard: Hazard, missing: int, nop_limit: int) -> tuple[str, ...]:
    """The instructions that add `missing` units between the two of a hazard. nop_limit: the most states of `s_nop`."""
    if hazard.row.fix == NOP:
        return tuple(f"{roles.NOP} {count - 1}" for count in _parts(missing, nop_limit))
    return (_text(hazard),) * (missing if hazard.row.fix.repeat else 1)


def _insertion(program: Program, second: sites.WrittenPlace, lines: Sequence[str]) -> tuple[Fix, ...]:
    shown = " and ".join(f"`{line}`" for line in dict.fromkeys(lines))
    times = f" {len(lines)} times" if len(lines) > 1 and len(set(lines)) == 1 else ""
    return (Fix(f"Insert {shown}{times}", (sites.insertion(program, second, *lines),)),)


def _parts(count: int, limit: int) -> Iterator[int]:
    while count > 0:
        yield min(count, limit)
        count -= limit


def _longer_nop(program: Program, known: Hazards, site: Site, missing: int) -> tuple[Fix, ...]:
    """The fix that lengthens an `s_nop` directly before a site; none if there is no such `s_nop`."""
    neighbour = next(straight.back(known.graph, site), None)
    count = hazards.nop_states(known, neighbour) if neighbour is not None else None
    if neighbour is None or count is None or count + missing > known.rows.nop_limit:
        return ()
    if not sites.fixable(program, known.graph, (neighbour,)):
        return ()
    text = f"{roles.NOP} {count + missing - 1}"
    edit: TextEdit | None = sites.replacement(sites.place(program, known.graph, neighbour), text)
    return (Fix(f"Change the `{roles.NOP}` to `{text}`", (edit,)),) if edit is not None else ()
