"""dead-write: nothing reads the result of an instruction.

What it checks

VALU and SALU instructions whose results, including SCC, VCC and carries, are not read on any path before they are
overwritten or the wave ends, and loads of which no register is read. A VGPR counts as overwritten only if the same
lanes are overwritten: not if EXEC changed in between.

- Copies and constants are reported only if nothing uses the register afterwards: presetting a register does no harm.
- Other memory instructions, loads with a cache policy, and instructions that change EXEC, M0 or MODE are not reported.
- Masks computed from EXEC, and lanes and AGPRs that are read back, are not reported.
- Code after a call or after a jump to an unknown address counts as reading everything.
- A line of a macro is reported only if no call needs it.
- A file that stores nothing at all is an excerpt and is not checked.

Why it matters

The instruction costs cycles and a register; a load costs bandwidth and a wait too. Often it is left over from earlier
code. Sometimes it shows a mistake: another register is read where this one was meant, or the bound that was loaded is
never compared. Editors show it faded.

Example

    ; gcn-lsp: target=gfx900
    double:
      v_lshlrev_b32 v2, 2, v0
      v_lshlrev_b32 v3, 3, v0
      v_mov_b32 v1, 0
      global_store_dword v[0:1], v2, off
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx900
    double:
      v_lshlrev_b32 v2, 2, v0
      v_mov_b32 v1, 0
      global_store_dword v[0:1], v2, off
      s_endpgm

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.values import clobbered, dead, liveness, unread
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each instruction whose results nothing reads."""
    live = liveness.of(program)
    if live is None or program.final_state.incomplete:
        return
    lost = {each.setting for each in clobbered.conditions(program)}  # reported by clobbered-condition
    lost.update(unread.comparisons(program))  # and by unread-comparison
    found = tuple(site for site in dead.sites(live) if site not in lost)
    for site, is_everywhere in sites.with_fixable(program, live.graph, found, lambda site: site):
        if not is_everywhere:
            continue
        place = sites.place(program, live.graph, site)
        names = registers.describe(site.effects.writes & ~registers.SCC or site.effects.writes)
        message = f"nothing reads `{names}` after this: every path overwrites it or ends the wave"
        yield RULE.at(place.where, message, place.related, unnecessary=True)


RULE = Rule("dead-write", Severity.HINT, __doc__, Stage.HINTS, check=check)
