"""over-wait: a wait waits for more than any instruction after it needs.

What it checks

The operations that each wait completes, against the registers that are used afterwards. If the registers of the
youngest of these operations are never used, a higher count is enough; if none are used, no wait is needed.

Waits that may order memory are not reported:

- The wait completes stores or writes to LDS.
- A barrier, a store, an atomic, cache maintenance, the end of a function or a jump to unknown code comes before the
  registers are used.

Why it matters

The wave stalls until the slowest of these operations is back, for nothing.

Example

    ; gcn-lsp: target=gfx900
    kernel:
      global_load_dword v1, v0, s[0:1]
      global_load_dword v2, v0, s[0:1] offset:4
      s_waitcnt vmcnt(0)
      v_mov_b32 v3, v1
      s_endpgm
    .amdhsa_kernel kernel
      .amdhsa_next_free_vgpr 4
      .amdhsa_next_free_sgpr 8
      .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .end_amdhsa_kernel

Use instead

    ; gcn-lsp: target=gfx900
    kernel:
      global_load_dword v1, v0, s[0:1]
      global_load_dword v2, v0, s[0:1] offset:4
      s_waitcnt vmcnt(1)
      v_mov_b32 v3, v1
      s_endpgm
    .amdhsa_kernel kernel
      .amdhsa_next_free_vgpr 4
      .amdhsa_next_free_sgpr 8
      .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .end_amdhsa_kernel

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.waits import slack, waits
from gcn_lsp.analysis.waits.slack import Excess
from gcn_lsp.analysis.waits.walk import lowest
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Fix, Rule, Severity, Stage
from gcn_lsp.findings.wait_lines import wait_lines
from gcn_lsp.isa.waits import wait_text
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each wait that is stronger than needed in every expansion of its line."""
    found = waits.of(program)
    if found is None or program.target is None:
        return
    excesses = list(slack.excesses(found))
    everywhere = sites.fixable(program, found.graph, [excess.site for excess in excesses])
    by_place: dict[sites.Written, list[Excess]] = {}
    for excess in excesses:
        written = sites.written(found.graph, excess.site)
        if written in everywhere:
            by_place.setdefault(written, []).append(excess)
    for group in by_place.values():
        enough = _enough(group)
        place = sites.place(program, found.graph, group[0].site)
        if enough:
            texts = wait_lines(program, enough)
            edit = sites.replacement(place, texts[0]) if len(texts) == 1 else None
            message = f"this waits for more than is needed; {wait_text.spoken(enough)} is enough"
        else:
            edit = sites.removal(program, place)
            message = "nothing used later depends on this wait"
        fixes = (Fix(f"Wait for {wait_text.spoken(enough)}" if enough else "Remove the wait", (edit,)),) if edit else ()
        yield RULE.at(place.where, message, place.related, fixes)


RULE = Rule("over-wait", Severity.HINT, __doc__, Stage.HINTS, check=check)


def _enough(group: list[Excess]) -> dict[str, int]:
    """The weakest counts that are enough for all expansions of one line."""
    return lowest((counter, count) for excess in group for counter, count in excess.enough if count is not None)
