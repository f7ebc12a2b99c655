"""redundant-wait: a wait never waits, because its counters are never above the counts that it allows.

What it checks

Waits before which, on every path from the kernel's start, each counter is already at or below the count that the wait
allows: nothing was issued on it, or an earlier wait has completed it.

- Functions, code after calls, and code that may be entered from outside the file are not checked.
- A wait that resolves a hazard is not reported.

Why it matters

It costs an instruction and misleads the reader: nothing is in flight, or another wait has already completed it.

Example

    ; gcn-lsp: target=gfx900
    kernel:
      s_load_dwordx2 s[2:3], s[0:1], 0x0
      s_waitcnt lgkmcnt(0)
      s_mov_b32 s4, s2
      s_waitcnt lgkmcnt(0)
      s_endpgm
    .amdhsa_kernel kernel
      .amdhsa_next_free_vgpr 1
      .amdhsa_next_free_sgpr 6
      .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .end_amdhsa_kernel

Use instead

    ; gcn-lsp: target=gfx900
    kernel:
      s_load_dwordx2 s[2:3], s[0:1], 0x0
      s_waitcnt lgkmcnt(0)
      s_mov_b32 s4, s2
      s_endpgm
    .amdhsa_kernel kernel
      .amdhsa_next_free_vgpr 1
      .amdhsa_next_free_sgpr 6
      .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .end_amdhsa_kernel

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.hazards import hazards
from gcn_lsp.analysis.waits import waits
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Fix, Rule, Severity, Stage
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each wait that never waits in any expansion of its line."""
    found = waits.of(program)
    if found is None:
        return
    everywhere = sites.fixable(program, found.graph, found.redundant)
    idle = [site for site in found.redundant if sites.written(found.graph, site) in everywhere]  # in every call or step
    known = hazards.of(program) if idle else None
    needed = hazards.needed(known, frozenset(idle)) if known is not None else frozenset()
    for site in idle:
        if site in needed:
            continue
        place = sites.place(program, found.graph, site)
        counts = ((counter, f"at most {count}" if count else "0") for counter, count in site.effects.waits)
        named = " and ".join(f"{counter} is {count}" for counter, count in counts)
        removal = sites.removal(program, place)
        fixes = (Fix("Remove the wait", (removal,)),) if removal is not None else ()
        message = f"this never waits: {named} on every path"
        yield RULE.at(place.where, message, place.related, fixes, unnecessary=True)


RULE = Rule("redundant-wait", Severity.HINT, __doc__, Stage.HINTS, check=check)
