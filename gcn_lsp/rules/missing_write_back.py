"""missing-write-back: no `s_dcache_wb` follows a scalar store on any path to the end of the program.

What it checks

Scalar stores without `glc` from which every path reaches `s_endpgm` and none executes `s_dcache_wb`. Code that calls or
jumps to unknown addresses is not checked, since the write-back may be there.

Why it matters

Scalar stores go to the scalar data cache, which is not written back automatically when a wave ends: the data may never
reach memory, and no other wave sees it there. With `glc` a store writes through.

Example

    ; gcn-lsp: target=gfx900
    kernel:
      s_store_dword s0, s[4:5], 0x0
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx900
    kernel:
      s_store_dword s0, s[4:5], 0x0
      s_dcache_wb
      s_endpgm

Targets

Targets with scalar stores: gfx8, gfx9, gfx10.1.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.values import scalar_memory
from gcn_lsp.analysis.values.scalar_memory import Unwritten
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Fix, Related, Rule, Severity, Stage
from gcn_lsp.isa.machine import roles
from gcn_lsp.program.program import Program

_MESSAGE = "this store stays in the scalar cache: no `s_dcache_wb` follows before the end of the program"
_TITLE = "Insert `s_dcache_wb` before `s_endpgm`"


def check(program: Program) -> Iterator[Finding]:
    """A finding at each scalar store after which the cache is never written back."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    for each in scalar_memory.unwritten(program, graph):
        place = sites.place(program, graph, each.store)
        ends = tuple(sites.place(program, graph, end) for end in each.ends)
        related = (*(Related(end.where, "the program ends here") for end in ends), *place.related)
        yield RULE.at(place.where, _MESSAGE, related, _fixes(program, graph, each, ends))


RULE = Rule("missing-write-back", Severity.INFORMATION, __doc__, Stage.PATHS, check=check)


def _fixes(
    program: Program, graph: Graph, unwritten: Unwritten, ends: tuple[sites.WrittenPlace, ...]
) -> tuple[Fix, ...]:
    written = {sites.written(graph, end) for end in unwritten.ends}
    if not written <= sites.fixable(program, graph, unwritten.ends):
        return ()
    edits = {sites.insertion(program, end, roles.WRITE_BACK) for end in ends}
    return (Fix(_TITLE, tuple(sorted(edits, key=lambda edit: edit.where))),)
