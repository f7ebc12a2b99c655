"""dead-write: a result that nothing reads.

What it checks

VALU and SALU instructions none of whose results, SCC, VCC and carries among them, is read on any path before it is
overwritten or the wave ends. A result in a VGPR counts as overwritten only if the lanes that it was written for are:
not when EXEC changed in between. Copies and constants are only judged if nothing touches the register afterwards: to
preset a register is a habit that does no harm. Not judged are memory instructions, whatever changes EXEC, M0 or the
MODE, masks made of EXEC, lanes and AGPRs read back, what code behind calls and behind jumps to where nobody knows may
read, lines of a macro that another call needs, and code that stores nothing at all: it is an excerpt.

Why it matters

The instruction costs its cycles and a register. Often it is the remains of something, and sometimes it shows a mistake:
the value should have been read, and another register is read in its place. Editors show it faded.

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
from gcn_lsp.analysis.values import clobbered, dead, liveness
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each instruction whose results are not read."""
    live = liveness.of(program)
    if live is None or program.final_state.incomplete:
        return
    lost = {each.comparison for each in clobbered.conditions(live)}  # told by clobbered-condition
    found = tuple(site for site in dead.sites(live) if site not in lost)
    everywhere = sites.fixable(program, live.graph, found) if found else frozenset()
    told = set()
    for site in found:
        written = sites.written(live.graph, site)
        if written not in everywhere or written in told:
            continue
        told.add(written)
        place = sites.place(program, live.graph, site)
        names = registers.describe(site.effects.writes & ~registers.SCC or site.effects.writes)
        message = f"nothing reads `{names}` after this: on every path it is overwritten, or the wave ends"
        yield RULE.at(place.where, message, place.related, unnecessary=True)


RULE = Rule("dead-write", Severity.HINT, __doc__, Stage.HINTS, check=check)
