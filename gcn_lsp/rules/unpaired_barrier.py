"""unpaired-barrier: a barrier operation has no counterpart, or is on a barrier that the kernel does not have.

What it checks

From the start of each kernel with a descriptor:

- `s_barrier_wait -1` that no path reaches after a signal, and a signal that every path reaches after another one
  without a wait between;
- as information, the end of a wave that every path reaches after a signal and without the wait;
- operations on the trap handler's barriers -2 and -4;
- a wait for the cluster (-3) in a program that never signals to it, a second signal to it without a wait, and a signal
  to it by every wave, unless the metadata gives all work-groups one wave;
- `s_barrier_init` and `s_barrier_join` of a barrier that is not a named one, and an `s_barrier_init` for no arrivals;
- signals to a named barrier in a program that never sets one up, and waits for one that the wave has not joined, or
  has left; `s_barrier_leave` of such a wave.

A number in M0 counts if the instruction that moves it there is near. The effect of a called function is not known,
so nothing is reported after a call until the next wait or signal. A wait for a named barrier waits for the one that the
wave has joined, whatever number it has; that is not reported, since compilers write any number.

Why it matters

A wave that waits without having signalled is missing at the barrier itself: the work-group hangs. A second signal
counts for a wave that has not arrived. The barrier of a cluster expects one signal of each work-group. A wave that ends
is no longer expected, though its signal may have been counted.

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

from gcn_lsp.analysis.control import barriers, graphs
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Fix, Rule, Severity, Stage
from gcn_lsp.program.kernels import metadata
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each barrier operation that cannot be meant."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    single = metadata.has_single_waves(program.metadata_so_far)
    found = list(barriers.misused(program, graph, has_single_waves=single))
    fixable = sites.fixable(program, graph, [each.site for each in found if each.missing])
    for each in sites.first_at_each(graph, found, lambda each: each.site):
        place = sites.place(program, graph, each.site)
        can_fix = each.missing and sites.written(graph, each.site) in fixable
        fixes = (Fix(f"Insert `{each.missing}`", (sites.insertion(program, place, each.missing),)),) if can_fix else ()
        severity = Severity.INFORMATION if each.is_odd else None
        yield RULE.at(place.where, each.what, place.related, fixes, severity=severity)


RULE = Rule("unpaired-barrier", Severity.WARNING, __doc__, Stage.PATHS, check=check, shown_by=("stopped-run",))
