"""useless-wait: a wait allows as much as its counters can count, so it never waits.

What it checks

Waits that leave every counter at its maximum: `s_waitcnt vmcnt(63)` on gfx9, or a number with all bits of every field
set.

Why it matters

It looks like a wait but never waits. If its count was computed or saturated, the wait that was meant is missing.

Example

    ; gcn-lsp: target=gfx900
    kernel:
      global_load_dword v1, v0, s[2:3]
      s_waitcnt vmcnt(63)
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx900
    kernel:
      global_load_dword v1, v0, s[2:3]
      s_waitcnt vmcnt(0)
      s_endpgm

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.flow.kept import once
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each wait that never waits in any expansion of its line."""
    graph = graphs.of(program)
    if graph is None:
        return
    useless = [site for _, idle in _all_idle(graph) for site in idle]
    if not useless:
        return
    everywhere = sites.fixable(program, graph, useless)
    for site in useless:
        if sites.written(graph, site) in everywhere:
            place = sites.place(program, graph, site)
            message = "this never waits: every count is the maximum of its counter"
            yield RULE.at(place.where, message, place.related)


RULE = Rule("useless-wait", Severity.HINT, __doc__, Stage.PATHS, check=check)


@once
def _idle(segment: Segment) -> tuple[Site, ...]:
    """The waits of a segment that never wait."""
    return tuple(site for site in segment.sites if site.effects.is_idle_wait)


_all_idle = in_segments(lambda segment, _: _idle(segment))
