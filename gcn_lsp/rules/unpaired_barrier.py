"""unpaired-barrier: a barrier operation has no counterpart, or is on a barrier that the kernel does not have.

What it checks

From the start of each kernel with a descriptor:

- `s_barrier_wait -1` that no path reaches after a signal, and a signal that every path reaches after another one
  without a wait between;
- operations on the trap handler's barriers -2 and -4;
- `s_barrier_init` and `s_barrier_join` of a barrier that is not a named one;
- signals to a named barrier in a program without `s_barrier_init`, and waits for one without `s_barrier_join`.

What a called function does is not known, so nothing is reported after a call until the next wait or signal.

Why it matters

A wave that waits without having signalled is missing at the barrier itself: the work-group hangs. A second signal
counts for a wave that has not arrived.

Example

    ; gcn-lsp: target=gfx1200
    kernel:
      s_barrier_wait -1
      s_endpgm
    .rodata
    .amdhsa_kernel kernel
      .amdhsa_next_free_vgpr 1
      .amdhsa_next_free_sgpr 1
    .end_amdhsa_kernel

Use instead

    ; gcn-lsp: target=gfx1200
    kernel:
      s_barrier_signal -1
      s_barrier_wait -1
      s_endpgm
    .rodata
    .amdhsa_kernel kernel
      .amdhsa_next_free_vgpr 1
      .amdhsa_next_free_sgpr 1
    .end_amdhsa_kernel

Targets

From gfx12; named barriers on gfx125x.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import barriers
from gcn_lsp.analysis.control import graph as graphs
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each barrier operation that cannot be meant."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    for each in sites.first_at_each(graph, barriers.misused(program, graph), lambda each: each.site):
        place = sites.place(program, graph, each.site)
        yield RULE.at(place.where, each.what, place.related)


RULE = Rule("unpaired-barrier", Severity.WARNING, __doc__, Stage.PATHS, check=check)
