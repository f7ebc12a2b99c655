"""unfinished-return: a function returns while an operation that it has begun may still be in flight.

What it checks

Each `s_setpc_b64 s[30:31]` of a function that `.type NAME,@function` declares: loads, and accesses to LDS or scalar
memory, that nothing has waited for. Where stores have the same counter as loads, stores too. Loads must also be done
in a part of a shader, which control leaves at the end that `.size` gives, to go on in the epilog that the linker puts
there.

Why it matters

By LLVM's calling convention nothing is in flight when a function returns, but for stores that have a counter of their
own. A compiled caller uses the result without a wait, and omits waits that it takes for unnecessary.

Example

    ; gcn-lsp: target=gfx900
    .type load,@function
    load:
      s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
      global_load_dword v0, v[0:1], off
      s_setpc_b64 s[30:31]

Use instead

    ; gcn-lsp: target=gfx900
    .type load,@function
    load:
      s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
      global_load_dword v0, v[0:1], off
      s_waitcnt vmcnt(0)
      s_setpc_b64 s[30:31]

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.waits import calls, waits
from gcn_lsp.analysis.waits.calls import Outstanding
from gcn_lsp.analysis.waits.waits import Waits
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Related, Rule, Severity, Stage
from gcn_lsp.findings.waits import wait_fix
from gcn_lsp.isa.waits import wait_text
from gcn_lsp.program.program import Program
from gcn_lsp.text import message


def check(program: Program) -> Iterator[Finding]:
    """A finding at each return with operations in flight."""
    found = waits.of(program)
    if found is None or program.final_state.incomplete:
        return
    early = list(calls.outstanding(program, found))
    for each, can_fix in sites.with_fixable(program, found.graph, early, lambda each: each.exit):
        yield _finding(program, found, each, can_fix=can_fix)


RULE = Rule("unfinished-return", Severity.WARNING, __doc__, Stage.PATHS, check=check)


def _finding(program: Program, found: Waits, each: Outstanding, *, can_fix: bool) -> Finding:
    graph, needed = found.graph, {counter: 0 for counter, _ in each.operations}
    place = sites.place(program, graph, each.exit)
    _, first = each.operations[0]
    line = sites.line(program, graph, first)
    leaves = "goes on in its epilog" if each.is_part else "returns"
    said = message(
        "`{}` {} while `{}` on {} may be in flight; wait for {} first",
        *(each.function, leaves, first.mnemonic, line, wait_text.spoken(needed)),
    )
    related = (
        *(Related(sites.place(program, graph, site).where, "this may be in flight") for _, site in each.operations),
        *place.related,
    )
    if each.is_part and each.exit.effects.flow != "next":
        can_fix = False
    fixes = (wait_fix(program, found, place, needed, after=each.is_part),) if can_fix else ()
    return RULE.at(place.where, said, related, fixes)
