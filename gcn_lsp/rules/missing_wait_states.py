"""missing-wait-states: an instruction follows so closely on another that the hardware does not keep them apart.

What it checks

The hazards of the target, row by row, along every path: results that are not forwarded to the instruction that reads
them, registers that are still being read when they are overwritten, modes that take a moment to change. What a row asks
for is counted as the hardware counts: an instruction is one wait state, `s_nop 3` is four, labels and directives are
none. Of several paths the shortest counts. Nothing is assumed to be under way at the start of a kernel or of a
function, nor after a call. The message names the row of the tables.

A row that only LLVM's compiler takes care of, and no document asks for, is a warning.

Why it matters

The second instruction takes the register as it was, or as it is halfway. The result is wrong, often only now and then.

Example

    ; gcn-lsp: target=gfx90a
    kernel:
      v_readfirstlane_b32 s4, v0
      buffer_load_dword v1, v2, s[8:11], s4 offen
      s_waitcnt vmcnt(0)
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx90a
    kernel:
      v_readfirstlane_b32 s4, v0
      s_nop 4
      buffer_load_dword v1, v2, s[8:11], s4 offen
      s_waitcnt vmcnt(0)
      s_endpgm

Targets

All; most rows concern gfx6 to gfx9, whose successors wait by themselves.
"""

from collections.abc import Iterator

from gcn_lsp.analysis import hazards, registers
from gcn_lsp.analysis.hazards import Hazard, Hazards
from gcn_lsp.analysis.segments import Site
from gcn_lsp.asm.program import Program
from gcn_lsp.rules import sites
from gcn_lsp.rules.model import Finding, Fix, Related, Rule, Severity
from gcn_lsp.text import TextEdit

RULE = Rule("missing-wait-states", Severity.ERROR, page=__doc__)


def check(program: Program) -> Iterator[Finding]:
    """A finding at each instruction that comes too early."""
    known = hazards.of(program)
    if known is None or not known.found:
        return
    fixable = sites.fixable(program, known.graph, (hazard.second for hazard in known.found))
    most: dict[sites.Written, int] = {}
    for hazard in known.found:
        where = sites.written(known.graph, hazard.second)
        most[where] = max(most.get(where, 0), hazard.need - hazard.present)
    for hazard in known.found:
        where = sites.written(known.graph, hazard.second)
        yield _finding(program, known, hazard, most[where] if where in fixable else 0)


def _finding(program: Program, known: Hazards, hazard: Hazard, missing: int) -> Finding:
    """missing: how many units the fix is to add; 0 when there can be none."""
    second = sites.place(program, known.graph, hazard.second)
    first = sites.place(program, known.graph, hazard.first)
    names = registers.describe(hazard.registers)
    line = first.where.line + 1
    because = f" because of {names}" if names else ""
    message = (
        f"`{_mnemonic(hazard.second)}` needs {_count(hazard.need)} after `{_mnemonic(hazard.first)}` in line {line}"
        f"{because} and has {hazard.present}: {hazard.row.reason} ({hazard.row.id})"
    )
    origin = Related(first.where, f"what it has to keep away from{_written(names)}")
    severity = RULE.severity if hazard.row.sure else Severity.WARNING
    fixes = _fixes(program, known, hazard, second, missing) if missing else ()
    return Finding(RULE.name, severity, second.where, message, (origin, *first.related, *second.related), fixes)


def _count(need: int) -> str:
    return f"{need} wait state" if need == 1 else f"{need} wait states"


def _written(names: str) -> str:
    return f": {names}" if names else ""


def _mnemonic(site: Site) -> str:
    return site.item.statement.name


def _fixes(program: Program, known: Hazards, hazard: Hazard, second: sites.Place, missing: int) -> tuple[Fix, ...]:
    limit = hazards.nop_limit(known)
    before = _nop_before(program, known, hazard.second, missing, limit)
    if before is not None:
        edit, text = before
        return (Fix(f"Change the `s_nop` before it to `{text}`", (edit,)),)
    lines = []
    while missing > 0:
        lines.append(f"s_nop {min(missing, limit) - 1}")
        missing -= limit
    title = f"Insert {' and '.join(f'`{line}`' for line in lines)}"
    return (Fix(title, (sites.insertion(program, second, *lines),)),)


def _nop_before(
    program: Program, known: Hazards, site: Site, missing: int, limit: int
) -> "tuple[TextEdit, str] | None":
    """The edit that makes an `s_nop` directly before a site so much longer, and its text; None if there is none."""
    if site.index == 0:
        return None
    neighbour = site.segment.sites[site.index - 1]
    count = hazards.nop_states(known, neighbour)
    place = sites.place(program, known.graph, neighbour)
    if count is None or count + missing > limit or not sites.fixable(program, known.graph, (neighbour,)):
        return None
    text = f"s_nop {count + missing - 1}"
    edit = sites.replacement(place, text)
    return (edit, text) if edit is not None else None
