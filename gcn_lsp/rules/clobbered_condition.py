"""clobbered-condition: the result of a comparison is overwritten before the branch that seems to test it.

What it checks

A scalar or vector comparison whose SCC or VCC is overwritten before anything reads it, by an instruction that writes it
as a side effect (the carry of an addition, the zero test of a shift). A branch, a selection, or an instruction that
leaves these lanes in EXEC, then reads the new value.
Likewise the carry of an addition or subtraction, if the instruction for the next register then reads another. In VGPRs
its sources must be the registers after those of the first, or constants.
All three instructions are in straight-line code.

Why it matters

Most SALU instructions write SCC, and additions with carry write VCC. Between a comparison and its branch, such an
instruction makes the branch test something else, which may even happen to be right.

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

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.values import clobbered
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Related, Rule, Severity, Stage
from gcn_lsp.program.program import Program
from gcn_lsp.text import message


def check(program: Program) -> Iterator[Finding]:
    """A finding at each instruction that overwrites a condition, with the comparison and the reader."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    found = clobbered.conditions(program)
    for each, is_everywhere in sites.with_fixable(program, graph, found, lambda each: each.overwriting):
        if not is_everywhere:
            continue
        condition, setting, overwriting, reader = each
        place = sites.place(program, graph, overwriting)
        written = _written(condition)
        name = "carry" if each.is_carry else "comparison"
        said = message(
            "this overwrites {} before anything reads the {} on {}; `{}` on {} reads this result instead",
            written,
            name,
            sites.line(program, graph, setting),
            _word(reader),
            sites.line(program, graph, reader),
        )
        related = (
            Related(sites.place(program, graph, setting).where, f"the {name}, which nothing reads"),
            Related(sites.place(program, graph, reader).where, f"this reads {written}"),
            *place.related,
        )
        yield RULE.at(place.where, said, related)


RULE = Rule("clobbered-condition", Severity.WARNING, __doc__, Stage.PATHS, check=check)


def _written(condition: int) -> str:
    name = registers.describe(condition)
    return name.upper() if name in ("scc", "vcc") else f"`{name}`"


def _word(site: Site) -> str:
    return site.item.statement.word
