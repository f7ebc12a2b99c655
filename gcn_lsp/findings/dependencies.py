"""The findings about waits that are missing in the expert scheduling mode, with `s_wait_alu` as a fix."""

from collections.abc import Iterator

from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.waits import dependencies
from gcn_lsp.analysis.waits.dependencies import Missing
from gcn_lsp.findings import sites
from gcn_lsp.findings.model import Finding, Fix, Related
from gcn_lsp.findings.rule import Rule, Severity
from gcn_lsp.isa.machine import expert_mode
from gcn_lsp.program.program import Program
from gcn_lsp.text import message


def dependency_findings(program: Program, graph: Graph, rule: Rule) -> Iterator[Finding]:
    """A finding of `rule` at each written instruction that must wait; in the body of a macro one for all calls."""
    missing = dependencies.missing(graph)
    if not missing:
        return
    everywhere = sites.fixable(program, graph, (each.site for each in missing))
    for each in sites.first_at_each(graph, missing, lambda found: found.site):
        can_fix = sites.written(graph, each.site) in everywhere
        yield _finding(program, graph, each, rule, can_fix=can_fix)


def _finding(program: Program, graph: Graph, missing: Missing, rule: Rule, *, can_fix: bool) -> Finding:
    place = sites.place(program, graph, missing.site)
    names = ", ".join(f"`{name}`" for name in registers.describe(missing.overlap).split(", "))
    cause = missing.cause.site
    done = "written" if missing.counter == expert_mode.RESULTS else "read"
    wait = f"{missing.counter}({missing.limit})"
    said = message(
        "this {} {}, which `{}` on {} may not have {} yet in the expert scheduling mode; wait for {} first",
        "reads" if missing.reads else "overwrites",
        names,
        cause.item.statement.name,
        sites.line(program, graph, cause),
        done,
        wait,
    )
    related = Related(sites.place(program, graph, cause).where, f"pending for {names}; done at {wait}")
    fixes = (Fix(f"Wait for {wait}", (sites.insertion(program, place, f"s_wait_alu {wait}"),)),) if can_fix else ()
    # LLVM is the only source, and kernels in AMD's aiter leave out some of these waits.
    return rule.at(place.where, said, (related, *place.related), fixes, severity=Severity.INFORMATION)
