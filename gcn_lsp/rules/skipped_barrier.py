"""skipped-barrier: some waves of a work-group skip a barrier and arrive at another one.

What it checks

Branches on an EXEC of zero that lead around a barrier, if EXEC comes from a comparison of the work-item id with a
constant that some waves of a work-group pass and others do not, and if another barrier follows. Only kernels that use
the work-item id of one axis are checked, and no other conditions: they may be equal for all waves.

The constant may be in an SGPR that the kernel computes, such as one that a loop halves, unless a compiler wrote the
kernel. Waves that end after a skipped barrier are not waited for: nothing is wrong then.

A check of the grid's bounds, such as `v_cmp_gt_u32 vcc, s8, v4` with a `v4` that has the work-group's number and the
work-item's in it, is information: it cuts the last work-group in two, unless the number of elements is always a
multiple of the work-group's size. The kernel has to access LDS, and a kernel of a compiler to require a size.

In kernels that copy to LDS also branches on a comparison of the wave's number, as in `unpublished-lds-copy`: if both
ways have the same accesses of LDS between barriers, but one of them one barrier fewer.

Why it matters

A barrier has no name: a wave that skips one meets the others at the next, which they take for the skipped one. From
there on the waves are at different places, and the barriers order nothing between them.

Example

    ; gcn-lsp: target=gfx900
    kernel:
      v_cmp_gt_u32 vcc, 64, v0
      s_and_saveexec_b64 s[6:7], vcc
      s_cbranch_execz after
      s_barrier
    after:
      s_or_b64 exec, exec, s[6:7]
      s_barrier
      s_endpgm
    .rodata
    .amdhsa_kernel kernel
      .amdhsa_next_free_vgpr 1
      .amdhsa_next_free_sgpr 8
      .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .end_amdhsa_kernel

Use instead

    ; gcn-lsp: target=gfx900
    kernel:
      v_cmp_gt_u32 vcc, 64, v0
      s_and_saveexec_b64 s[6:7], vcc
      s_cbranch_execz after
      s_nop 0
    after:
      s_or_b64 exec, exec, s[6:7]
      s_barrier
      s_barrier
      s_endpgm
    .rodata
    .amdhsa_kernel kernel
      .amdhsa_next_free_vgpr 1
      .amdhsa_next_free_sgpr 8
      .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .end_amdhsa_kernel

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.lds import protocol
from gcn_lsp.analysis.values import skipped_barriers
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Related, Rule, Severity, Stage
from gcn_lsp.program.kernels import metadata
from gcn_lsp.program.program import Program
from gcn_lsp.text import message


def check(program: Program) -> Iterator[Finding]:
    """A finding at each barrier that some waves skip."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    if metadata.has_single_waves(program.metadata_so_far):
        return
    for each in sites.first_at_each(graph, skipped_barriers.skipped(program, graph), lambda each: each.barrier):
        place, branch, comparison, later = (
            sites.place(program, graph, site) for site in (each.barrier, each.branch, each.comparison, each.later)
        )
        line = sites.line(program, graph, each.branch)
        said = message(_OF_BOUNDS if each.is_likely else _SKIPPED, line)
        related = (
            Related(comparison.where, "waves differ in this comparison"),
            Related(branch.where, "waves without active lanes branch here"),
            Related(later.where, "they arrive here next"),
            *place.related,
        )
        severity = Severity.INFORMATION if each.is_likely else None
        yield RULE.at(place.where, said, related, severity=severity)
    known = protocol.of(program)
    for unmet in sites.first_at_each(graph, known.unmet if known is not None else (), lambda each: each.barrier):
        place, branch = (sites.place(program, graph, site) for site in (unmet.barrier, unmet.branch))
        line = sites.line(program, graph, unmet.branch)
        said = message(
            "waves that the branch on {} sends the other way do what these do, but for this barrier, which they lack",
            line,
        )
        yield RULE.at(place.where, said, (Related(branch.where, "waves part here"), *place.related))


_SKIPPED = "some waves of a work-group skip this barrier by the branch on {} and arrive at another one"
_OF_BOUNDS = (
    "waves whose work-items are all beyond the bounds skip this barrier by the branch on {} and arrive at another one"
)

RULE = Rule(
    "skipped-barrier",
    Severity.WARNING,
    __doc__,
    Stage.PATHS,
    check=check,
    found_by=("machine.observations",),
    shown_by=("skipped-barrier", "stopped-run"),
)
