"""unread-comparison: nothing reads the result of a scalar comparison.

What it checks

`s_cmp`, `s_cmpk` and `s_bitcmp` whose SCC no path reads before it is overwritten or the wave ends.

- Vector comparisons without a reader are hints of `dead-write`: hand-written code leaves some behind.
- An SCC that is overwritten right before the branch that was to test it is a finding of `clobbered-condition`.
- A line of a macro is reported only if no call needs it.
- A file that stores nothing at all is an excerpt and is not checked. Code after a call, or after a jump to an unknown
  address, counts as reading everything.

Why it matters

A comparison does nothing but decide what comes next. Usually the branch after it was deleted, or tests VCC or EXEC in
place of SCC: a loop runs once, or code runs that a condition should guard.

Example

    ; gcn-lsp: target=gfx900
      s_mov_b32 s4, 16
    next:
      global_store_dword v[0:1], v2, off
      s_sub_u32 s4, s4, 1
      s_cmp_lg_u32 s4, 0
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx900
      s_mov_b32 s4, 16
    next:
      global_store_dword v[0:1], v2, off
      s_sub_u32 s4, s4, 1
      s_cmp_lg_u32 s4, 0
      s_cbranch_scc1 next
      s_endpgm

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.values import unread
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each scalar comparison without a reader."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    for site, is_everywhere in sites.with_fixable(program, graph, unread.comparisons(program), lambda site: site):
        if is_everywhere:
            place = sites.place(program, graph, site)
            said = "nothing reads the result of this comparison: every path overwrites SCC or ends the wave"
            yield RULE.at(place.where, said, place.related)


RULE = Rule("unread-comparison", Severity.WARNING, __doc__, Stage.PATHS, check=check)
