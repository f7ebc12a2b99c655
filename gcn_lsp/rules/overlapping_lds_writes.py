"""overlapping-lds-writes: work-items write to LDS so near to each other that they overwrite a part of their data.

What it checks

Writes to LDS by one instruction, such as `ds_write_b32`, in which two work-items have addresses that differ by less
than what each of them writes. The addresses are computed from the work-item ids, for those that EXEC has on.

- An address whose unknown part differs between work-items is not checked, nor is one under an unknown EXEC.
- Work-items of one wave are looked at, and those of all waves if the kernel requires a size, or has a barrier.
- Writes of a constant are right: all write the same.
- A kernel that a compiler wrote is checked only if it requires a size of the work-group.

Why it matters

Most often the address is not scaled: `tid` in place of `tid * 4`. From gfx9 on the hardware carries out such a write at
any address, so nothing traps, and each work-item leaves one byte of its own.

Example

    ; gcn-lsp: target=gfx90a
    kernel:
      v_mov_b32 v1, v0
      ds_write_b32 v1, v0
      s_endpgm
    .rodata
    .amdhsa_kernel kernel
      .amdhsa_group_segment_fixed_size 1024
      .amdhsa_next_free_vgpr 4
      .amdhsa_next_free_sgpr 8
      .amdhsa_accum_offset 4
    .end_amdhsa_kernel

Use instead

    ; gcn-lsp: target=gfx90a
    kernel:
      v_lshlrev_b32 v1, 2, v0
      ds_write_b32 v1, v0
      s_endpgm
    .rodata
    .amdhsa_kernel kernel
      .amdhsa_group_segment_fixed_size 1024
      .amdhsa_next_free_vgpr 4
      .amdhsa_next_free_sgpr 8
      .amdhsa_accum_offset 4
    .end_amdhsa_kernel

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.lds import protocol
from gcn_lsp.analysis.values import preserved, reaching
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.isa.machine import roles
from gcn_lsp.isa.memory import lds_accesses
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each write to LDS in which work-items cover each other's bytes in part."""
    found, graph = protocol.of_all(program), graphs.of(program)
    if found is None or graph is None:
        return
    for site, each in found.overlaps.items():
        if _is_of_constants(program, graph, site):
            continue
        place = sites.place(program, graph, site)
        width = lds_accesses.width(site.mnemonic)
        message = (
            f"work-items {each.one} and {each.other} write {width} bytes each to addresses {each.apart} apart: they "
            "overwrite a part of each other's"
        )
        yield RULE.at(place.where, message, place.related)


_MOVES = roles.mnemonics("move", file="v", bits=32)
_DATA = ("data0", "data1")


def _is_of_constants(program: Program, graph: Graph, site: Site) -> bool:
    """Whether all work-items write the same."""
    node = graph.node_of(site.segment)
    if node is None:
        return True
    wanted = 0
    for operand in site.operands:
        if operand.slot in _DATA:
            wanted |= site.effects.slot(operand.slot)
    kept = preserved.kept_by_calls(program, graph)
    writers = reaching.before(program, graph, node, site.index, wanted, kept)
    return (
        bool(writers.sites)
        and not writers.by_unknown
        and not writers.from_entry
        and all(each.mnemonic in _MOVES and type(each.operands[1].value) is int for each in writers.sites)
    )


RULE = Rule(
    "overlapping-lds-writes",
    Severity.WARNING,
    __doc__,
    Stage.HINTS,  # it follows all paths of kernels that no other check follows
    check=check,
    shown_by=("lds-race",),
)
