"""unchecked-allocation: nothing reads whether a wave has got the VGPRs that it asked for.

What it checks

Each `s_alloc_vgpr` after which no path reads SCC before it is overwritten or the wave ends. Silent are requests that
cannot fail: a number of at most 16, with which every wave starts, and one that a request further up was for, or more.

Why it matters

The wave gets all the VGPRs it asks for, or none: then SCC is 0, and the wave may ask again. A VGPR that it has not got
is out of range: what is written to it is lost.

Example

    ; gcn-lsp: target=gfx1200
    grow:
      s_alloc_vgpr 64
      v_mov_b32 v40, v0
      v_mov_b32 v1, 0
      global_store_b32 v1, v40, s[0:1]
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx1200
    grow:
      s_alloc_vgpr 64
      s_cbranch_scc0 grow
      v_mov_b32 v40, v0
      v_mov_b32 v1, 0
      global_store_b32 v1, v40, s[0:1]
      s_endpgm

Targets

gfx12.0.

References

RDNA4 ISA document, "Dynamic VGPR Allocation and Deallocation".
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.values import liveness
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.isa.machine import dynamic_vgprs
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each request that may fail and whose answer nothing reads."""
    graph = graphs.of(program)
    found = _all_requests(graph) if graph is not None else []
    live = liveness.of(program) if found else None
    if graph is None or live is None or program.final_state.incomplete:
        return
    most = dynamic_vgprs.FIRST
    for node, requests in found:
        for site in requests:
            number = next((each.value for each in site.operands if isinstance(each.value, int)), None)
            may_fail = number is None or number > most
            most = max(most, number or 0)
            if may_fail and not live.after_instruction(node, site.index).anywhere & registers.SCC:
                place = sites.place(program, graph, site)
                message = "nothing reads SCC after this, which is 0 if the wave does not get the VGPRs"
                yield RULE.at(place.where, message, place.related)


RULE = Rule("unchecked-allocation", Severity.INFORMATION, __doc__, Stage.PATHS, check=check)


_all_requests = in_segments(
    lambda segment, _: tuple(site for site in segment.sites if site.mnemonic in dynamic_vgprs.REQUESTS)
)
