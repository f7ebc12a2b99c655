"""missing-carry: an address of 64 bits is added to in its low half alone.

What it checks

Accesses whose address is a pair that a scalar load has brought, if a sum is in its low half and the high half is as it
was loaded: `s_add_u32` of the first SGPR without `s_addc_u32` of the second, or an addition of the first SGPR into a
VGPR beside a copy of the second.

- In VGPRs the addition, the copy and the access have to follow one another without a label or a branch.
- Descriptors of buffers are not checked: a kernel often adds only small offsets to their base.

Why it matters

The sum is wrong if it passes a multiple of 4 GiB: the access is 4 GiB below what is meant, and faults or changes
something else. Most launches go well, since most buffers do not lie across such a place.

Example

    ; gcn-lsp: target=gfx900
    copy:
      s_load_dwordx2 s[2:3], s[0:1], 0x0
      s_waitcnt lgkmcnt(0)
      v_add_co_u32 v2, vcc, s2, v0
      v_mov_b32 v3, s3
      global_store_dword v[2:3], v0, off
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx900
    copy:
      s_load_dwordx2 s[2:3], s[0:1], 0x0
      s_waitcnt lgkmcnt(0)
      v_mov_b32 v3, s3
      v_add_co_u32 v2, vcc, s2, v0
      v_addc_co_u32 v3, vcc, 0, v3, vcc
      global_store_dword v[2:3], v0, off
      s_endpgm

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.values import missing_carry
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Related, Rule, Severity, Stage
from gcn_lsp.program.program import Program
from gcn_lsp.text import message


def check(program: Program) -> Iterator[Finding]:
    """A finding at each addition whose carry is left out."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    for each in sites.first_at_each(graph, missing_carry.found(program, graph), lambda each: each.addition):
        place, access = (sites.place(program, graph, site) for site in (each.addition, each.access))
        said = message(
            "the carry of this sum is not added to {}, the high half of the address that the access on {} uses",
            f"`s{each.high}`",
            sites.line(program, graph, each.access),
        )
        yield RULE.at(place.where, said, (Related(access.where, "the access"), *place.related))


RULE = Rule("missing-carry", Severity.INFORMATION, __doc__, Stage.HINTS, check=check)
