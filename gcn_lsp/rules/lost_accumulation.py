"""lost-accumulation: a matrix instruction in a loop does not add to the result of the previous round.

What it checks

Matrix instructions (`v_mfma`, `v_wmma`) in a loop whose added matrix C is a constant, or registers other than the
result D, if each round overwrites D, nothing else in the loop reads or writes D, and an instruction after the loop
reads it.

- Loops with a call or with a jump to an address in registers are not checked.
- In nested loops the inner one counts: a tile that begins with 0 and is stored in each round of the outer one is right.

Why it matters

The products of all rounds but the last are lost. Usually C was written as 0 where D was meant, or the registers of C
are those of another tile.

Example

    ; gcn-lsp: target=gfx90a
      s_mov_b32 s4, 16
    next:
      v_mfma_f32_16x16x16f16 v[8:11], v[0:1], v[2:3], 0
      s_sub_u32 s4, s4, 1
      s_cmp_lg_u32 s4, 0
      s_cbranch_scc1 next
      s_nop 7
      s_nop 3
      global_store_dwordx4 v12, v[8:11], s[6:7]
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx90a
      s_mov_b32 s4, 16
    next:
      v_mfma_f32_16x16x16f16 v[8:11], v[0:1], v[2:3], v[8:11]
      s_sub_u32 s4, s4, 1
      s_cmp_lg_u32 s4, 0
      s_cbranch_scc1 next
      s_nop 7
      s_nop 3
      global_store_dwordx4 v12, v[8:11], s[6:7]
      s_endpgm

Targets

Those with matrix instructions.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.machine import registers, results
from gcn_lsp.analysis.values import lost_accumulation
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Fix, Related, Rule, Severity, Stage
from gcn_lsp.program.program import Program
from gcn_lsp.text import TextEdit, message


def check(program: Program) -> Iterator[Finding]:
    """A finding at each added matrix that should be the result of the round before."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    opaque = results.opaque(program, graph)
    found = tuple(lost_accumulation.found(program, graph, opaque))
    for each, is_everywhere in sites.with_fixable(program, graph, found, lambda each: each.site):
        place = sites.place(program, graph, each.site)
        operands = {operand.slot: operand for operand in each.site.operands}
        result, added = operands["vdst"], operands["src2"]
        where = sites.operand_place(program, graph, each.site, added)
        name = registers.describe(each.site.effects.slot("vdst"))
        said = message(
            "this adds to {} in each round of the loop that ends on {}: nothing in it reads {}, so the results of all "
            "rounds but the last are lost",
            f"`{added.text}`",
            sites.line(program, graph, each.branch),
            f"`{name}`",
        )
        branch = Related(sites.place(program, graph, each.branch).where, "the loop ends here")
        edit = TextEdit(where, result.text)
        is_one = place.own and is_everywhere
        fixes = (Fix(f"Add to `{result.text}`", (edit,), is_certain=False),) if is_one else ()
        yield RULE.at(where, said, (branch, *place.related), fixes)


RULE = Rule("lost-accumulation", Severity.WARNING, __doc__, Stage.PATHS, check=check)
