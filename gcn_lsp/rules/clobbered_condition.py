"""clobbered-condition: a comparison's result is overwritten before the branch that seems to be meant for it.

What it checks

A scalar or vector comparison whose SCC or VCC nothing reads, since an instruction behind it that writes it on the side
(the carry of a sum, the test for zero of a shift) overwrites it, and then a branch or a selection reads it. All three
stand in straight code.

Why it matters

Most SALU instructions write SCC, and sums with a carry write VCC. Put between a comparison and its branch, such an
instruction makes the branch ask something else, which now and then is even right.

Example

    ; gcn-lsp: target=gfx900
    count:
      s_cmp_lt_u32 s0, s1
      s_add_u32 s0, s0, 4
      s_cbranch_scc1 count
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx900
    count:
      s_add_u32 s2, s0, 4
      s_cmp_lt_u32 s0, s1
      s_mov_b32 s0, s2
      s_cbranch_scc1 count
      s_endpgm

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.values import clobbered, liveness
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Related, Rule, Severity, Stage
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each instruction that overwrites a condition, with the comparison and the reader."""
    live = liveness.of(program)
    if live is None or program.final_state.incomplete:
        return
    graph = live.graph
    found = tuple(clobbered.conditions(live))
    everywhere = sites.fixable(program, graph, [each.overwriting for each in found]) if found else frozenset()
    told = set()
    for condition, comparison, overwriting, reader in found:
        written = sites.written(graph, overwriting)
        if written not in everywhere or written in told:
            continue
        told.add(written)
        place = sites.place(program, graph, overwriting)
        message = (
            f"this overwrites {condition} of the comparison in line {sites.line_number(program, graph, comparison)}, "
            f"which nothing has read; `{_word(reader)}` in line {sites.line_number(program, graph, reader)} reads this"
        )
        related = (
            Related(sites.place(program, graph, comparison).where, "the comparison, which nothing reads"),
            Related(sites.place(program, graph, reader).where, f"what reads {condition}"),
            *place.related,
        )
        yield RULE.at(place.where, message, related)


RULE = Rule("clobbered-condition", Severity.HINT, __doc__, Stage.HINTS, check=check)


def _word(site: Site) -> str:
    return site.item.statement.word
