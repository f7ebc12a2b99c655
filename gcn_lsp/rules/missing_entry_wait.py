"""missing-entry-wait: a function uses registers before it has waited for what its caller may have in flight.

What it checks

Functions that `.type NAME,@function` declares and that return by `s_setpc_b64 s[30:31]`: the first instruction on each
path that reads or writes a VGPR, an AccVGPR or an SGPR, if a counter of loads has not been waited for. A function that
no other file can call is not checked if nothing is in flight at any of its calls.

Why it matters

By LLVM's calling convention the function waits, not the caller: arguments may still be on their way from memory, and so
may values for registers that the function overwrites.

Example

    ; gcn-lsp: target=gfx900
    .globl twice
    .type twice,@function
    twice:
      v_add_f32 v0, v0, v0
      s_setpc_b64 s[30:31]

Use instead

    ; gcn-lsp: target=gfx900
    .globl twice
    .type twice,@function
    twice:
      s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
      v_add_f32 v0, v0, v0
      s_setpc_b64 s[30:31]

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.waits import calls, waits
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Related, Rule, Severity, Stage
from gcn_lsp.findings.waits import wait_fix
from gcn_lsp.isa.waits import wait_text
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at the first instruction of each function that uses registers too early."""
    found = waits.of(program)
    if found is None or program.final_state.incomplete:
        return
    early = list(calls.unguarded(program, found))
    fixable = sites.fixable(program, found.graph, [each.start for each in early]) if early else frozenset()
    for each in early:
        place, start = (sites.place(program, found.graph, site) for site in (each.user, each.start))
        needed = dict.fromkeys(each.counters, 0)
        message = (
            f"`{each.function}` uses registers that its caller may still be loading; "
            f"wait for {wait_text.spoken(needed)} at its entry"
        )
        can_fix = sites.written(found.graph, each.start) in fixable
        fixes = (wait_fix(program, found, start, needed),) if can_fix else ()
        yield RULE.at(place.where, message, (Related(start.where, "the function begins here"), *place.related), fixes)


RULE = Rule("missing-entry-wait", Severity.WARNING, __doc__, Stage.PATHS, check=check)
