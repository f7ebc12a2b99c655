"""unwritten-lds-read: LDS is read, or added to, where nothing has written.

What it checks

Kernels with a descriptor that read LDS or add to it by atomics, such as `ds_add_u32`, while no instruction that control
reaches writes or copies to LDS or exchanges a value with it. A kernel with a call, with a jump to an address in
registers, with FLAT stores, which may go to LDS, or whose LDS is sized at launch is not checked so, nor is code that
stores nothing anywhere: an excerpt, or a loop for a stopwatch.

`gcn-lsp run`, `gcn-lsp test` and `gcn-lsp debug` remember which bytes of LDS a work-group has written, and report the
first lane that reads another one. `run` and `test` report it only if the result depends on what is there, so not where
the value is masked away.

Why it matters

LDS is not cleared: it holds what an earlier work-group left there. A result that depends on it is right on one machine
and wrong on the next. Often a loop fills fewer elements than another one reads.

Example

    ; gcn-lsp: target=gfx900
    kernel:
      v_lshlrev_b32 v1, 2, v0
      ds_read_b32 v2, v1
      s_waitcnt lgkmcnt(0)
      global_store_dword v1, v2, s[0:1]
      s_endpgm
    .rodata
    .amdhsa_kernel kernel
      .amdhsa_group_segment_fixed_size 1024
      .amdhsa_user_sgpr_kernarg_segment_ptr 1
      .amdhsa_next_free_vgpr 3
      .amdhsa_next_free_sgpr 8
    .end_amdhsa_kernel

Use instead

    ; gcn-lsp: target=gfx900
    kernel:
      v_lshlrev_b32 v1, 2, v0
      ds_write_b32 v1, v0
      ds_read_b32 v2, v1
      s_waitcnt lgkmcnt(0)
      global_store_dword v1, v2, s[0:1]
      s_endpgm
    .rodata
    .amdhsa_kernel kernel
      .amdhsa_group_segment_fixed_size 1024
      .amdhsa_user_sgpr_kernarg_segment_ptr 1
      .amdhsa_next_free_vgpr 3
      .amdhsa_next_free_sgpr 8
    .end_amdhsa_kernel

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs, kernels
from gcn_lsp.analysis.lds import steps
from gcn_lsp.analysis.machine import results
from gcn_lsp.analysis.values import dead
from gcn_lsp.findings import descriptor_places, sites
from gcn_lsp.findings.rule import Finding, Related, Rule, Severity, Stage
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at the first use of what is in LDS, of each kernel that writes nothing there."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete or not steps.uses_lds(graph):
        return
    opaque = results.opaque(program, graph)
    entries = kernels.entries(program, graph)
    storing = dead.storing(graph)
    for block in program.closed_blocks:
        is_whole = entries.get(block.name) in storing
        size = descriptor_places.lds_given(program, block) if is_whole else None
        used = steps.used_unwritten(graph, opaque, entries[block.name]) if size is not None else None
        if size is None or used is None:
            continue
        place = sites.place(program, graph, used)
        message = f"this uses what is in LDS, but nothing in kernel `{block.name}` writes there: it holds anything"
        related = (Related(size[1], "the kernel's LDS"), *place.related)
        yield RULE.at(place.where, message, related)


RULE = Rule(
    "unwritten-lds-read",
    Severity.WARNING,
    __doc__,
    Stage.HINTS,  # what each kernel reaches costs more than most keys
    check=check,
    found_by=("machine.observations",),
    shown_by=("unwritten-lds-read",),
)
