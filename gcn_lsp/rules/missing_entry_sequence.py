"""missing-entry-sequence: a kernel begins with vector instructions that its target does not start with safely.

What it checks

The first instructions of each kernel, up to the first branch, on targets for which LLVM's compiler begins each kernel
with a sequence of its own:

- The first VALU instruction must be `v_nop`. Others are safe too, but nothing public says which.
- The first access of vector memory must not be in a clause. `global_prefetch_b8` and `global_wb` count as one.

Why it matters

LLVM treats this as a fault of the hardware: otherwise the behaviour of a wave of gfx1250 is unspecified. Versions of
the compiler differ in the sequence: `global_wb` and `v_nop` in LLVM 23, then a prefetch in place of the first, and now
a prefetch from an address that is set to zero before it, since one from undefined registers ends in a fault. All
satisfy both conditions, and LLVM's newer assembler warns of kernels without.

This is information: AITER's kernels were written before, and AMD's loaders may put the sequence in front of a kernel.

Example

    ; gcn-lsp: target=gfx1250
    kernel:
      v_lshlrev_b32 v0, 2, v0
      global_store_b32 v0, v0, s[0:1]
      s_endpgm
    .rodata
    .amdhsa_kernel kernel
      .amdhsa_user_sgpr_kernarg_segment_ptr 1
      .amdhsa_next_free_vgpr 1
      .amdhsa_next_free_sgpr 4
    .end_amdhsa_kernel

Use instead

    ; gcn-lsp: target=gfx1250
    kernel:
      s_mov_b64 s[64:65], 0
      v_nop
      global_prefetch_b8 v0, s[64:65] scope:SCOPE_SE
      v_lshlrev_b32 v0, 2, v0
      global_store_b32 v0, v0, s[0:1]
      s_endpgm
    .rodata
    .amdhsa_kernel kernel
      .amdhsa_user_sgpr_kernarg_segment_ptr 1
      .amdhsa_next_free_vgpr 1
      .amdhsa_next_free_sgpr 66
    .end_amdhsa_kernel

Targets

gfx1250, gfx1251.
"""

from collections.abc import Collection, Iterator

from gcn_lsp.analysis.control import fall_through, graphs, kernels
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import results
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Fix, Rule, Severity, Stage
from gcn_lsp.isa.hazards import kinds
from gcn_lsp.isa.hazards.model import may_fit
from gcn_lsp.isa.machine import roles
from gcn_lsp.isa.operands import limits
from gcn_lsp.program.program import Program

_SAFE = "v_nop"
# The hardware writes none of these SGPRs, and the VALU instruction separates the write of the address from its use.
_SEQUENCE = ("s_mov_b64 s[64:65], 0", _SAFE, "global_prefetch_b8 v0, s[64:65] scope:SCOPE_SE")


def check(program: Program) -> Iterator[Finding]:
    """A finding in each kernel at the first vector instruction that should not be the first one."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete or not graph.model.target.needs_entry_sequence:
        return
    opaque = results.opaque(program, graph)
    for name, node in kernels.entries(program, graph).items():
        found = _unsafe(graph, opaque, node)
        if found is None:
            continue
        first, site, reason = found
        fixes: tuple[Fix, ...] = ()
        if sites.fixable(program, graph, [first]):
            edit = sites.insertion(program, sites.place(program, graph, first), *_SEQUENCE)
            fixes = (Fix("Insert the sequence of LLVM's compiler", (edit,)),)
        place = sites.place(program, graph, site)
        said = f"{reason} of kernel `{name}`; a wave must begin with `{_SAFE}` and an access outside of a clause"
        yield RULE.at(place.where, said, place.related, fixes)


RULE = Rule("missing-entry-sequence", Severity.INFORMATION, __doc__, Stage.PATHS, check=check)


def _unsafe(graph: Graph, opaque: Collection[int], node: int) -> "tuple[Site, Site, str] | None":
    """The first instruction of a kernel, the one that is not safe where it is, and why; None if none is certain."""
    first: Site | None = None
    is_past_valu = is_past_memory = False
    left = 0  # instructions of the clause
    for site in fall_through.through(graph, opaque, node, 0):
        form = site.item.instruction.form if site is not None and site.item.instruction is not None else None
        if site is None or form is None:
            return None
        first = first or site
        if site.mnemonic == roles.CLAUSE:
            length = site.operands[0].value if site.operands else None
            left = limits.clause_length(length) if type(length) is int else 0
            continue
        if not is_past_valu and may_fit(kinds.VALU, form):
            if site.mnemonic != _SAFE:
                return first, site, f"`{site.item.statement.name}` is the first VALU instruction"
            is_past_valu = True
        elif not is_past_memory and may_fit(kinds.VMEM, form):
            if left > 0:
                return first, site, f"`{site.item.statement.name}`, in a clause, is the first access of vector memory"
            is_past_memory = True
        left = max(0, left - 1)
        if is_past_valu and is_past_memory:
            return None
    return None
