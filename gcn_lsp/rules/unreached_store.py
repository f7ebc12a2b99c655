"""unreached-store: no path of a kernel leads to any of its stores.

What it checks

Kernels with a descriptor or a header whose code has stores or atomics of memory, of which no path from the kernel's
label reaches any: the kernel has no result. The finding is at the first code that no path leads to and that stores.

- LDS is no result. An export and a message to the host are.
- Kernels with calls, with a jump to an address in registers, or with data among their code are not checked.
- Other code that no path leads to is a hint of `unreachable-code`, since people leave such code on purpose. A branch
  that skips a part of the work, to a label that other branches lead to as well, is not noticed.

Why it matters

Nothing that the kernel computes is written anywhere. Usually a branch names another label than the one that was meant.

Example

    ; gcn-lsp: target=gfx900
    sum:
      v_cmp_gt_u32 vcc, 64, v0
      s_and_b64 exec, exec, vcc
      s_cbranch_execz done
      v_add_u32 v0, 64, v0
      s_branch sum
    total:
      s_mov_b64 exec, -1
      s_load_dwordx2 s[2:3], s[0:1], 0x0
      s_waitcnt lgkmcnt(0)
      global_store_dword v0, v0, s[2:3]
    done:
      s_endpgm
    .rodata
    .amdhsa_kernel sum
      .amdhsa_next_free_vgpr 4
      .amdhsa_next_free_sgpr 16
      .amdhsa_user_sgpr_kernarg_segment_ptr 1
      .amdhsa_kernarg_size 8
      .amdhsa_system_vgpr_workitem_id 0
    .end_amdhsa_kernel

Use instead

    ; gcn-lsp: target=gfx900
    sum:
      v_cmp_gt_u32 vcc, 64, v0
      s_and_b64 exec, exec, vcc
      s_cbranch_execz total
      v_add_u32 v0, 64, v0
      s_branch sum
    total:
      s_mov_b64 exec, -1
      s_load_dwordx2 s[2:3], s[0:1], 0x0
      s_waitcnt lgkmcnt(0)
      global_store_dword v0, v0, s[2:3]
    done:
      s_endpgm
    .rodata
    .amdhsa_kernel sum
      .amdhsa_next_free_vgpr 4
      .amdhsa_next_free_sgpr 16
      .amdhsa_user_sgpr_kernarg_segment_ptr 1
      .amdhsa_kernarg_size 8
      .amdhsa_system_vgpr_workitem_id 0
    .end_amdhsa_kernel

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs, unreachable
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Related, Rule, Severity, Stage
from gcn_lsp.program.program import Program
from gcn_lsp.text import message


def check(program: Program) -> Iterator[Finding]:
    """A finding for each kernel that reaches none of its stores, at the code in which the first of them is."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    for each in unreachable.stores(program, graph):
        place, store = (sites.place(program, graph, site) for site in (each.first, each.store))
        said = message(
            "no path leads here, and so to none of the stores of {}, the first of which is on {}"
            + (": nothing branches to {}" if each.label else ""),
            f"kernel `{each.kernel}`",
            sites.line(program, graph, each.store),
            *((f"`{each.label}`",) if each.label else ()),
        )
        yield RULE.at(place.where, said, (Related(store.where, "the store"), *place.related))


RULE = Rule("unreached-store", Severity.WARNING, __doc__, Stage.PATHS, check=check)
