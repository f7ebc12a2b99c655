"""The findings about accesses of LDS that come too early: at the access, or at the barrier before it."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from gcn_lsp.analysis import bounds
from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.lds.protocol import DONE, Clash, Lack
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Fix, Related, Rule, Severity
from gcn_lsp.findings.wait_lines import wait_lines
from gcn_lsp.isa.machine import barriers
from gcn_lsp.isa.waits import wait_text
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple
from gcn_lsp.text import Location, message


class Phrase(NamedTuple):
    """The sentences of a finding. said: the message with names of parts. first, second: about the two accesses."""

    said: str
    first: str
    second: str = ""


OVERWRITES = Phrase(
    "this overwrites what other waves may still read by `{first}` on {line}, and no barrier is in between: it is right "
    "only while no wave falls behind",
    "LDS is read here",
)


def is_overwriting(clash: Clash) -> bool:
    """Whether only time orders a write and reads before it, in a way that shipped kernels rely on."""
    return clash.lack is Lack.BARRIER or is_far(clash)


def is_far(clash: Clash) -> bool:
    """Whether two accesses that only time orders are so far apart that shipped kernels rely on it."""
    return clash.distance >= bounds.LDS_FAR


_BARRIERS = (Lack.BARRIER, Lack.BARRIER_FOR_DATA)
_PARTS = ("{count}", "{first}", "{line}", "{second}", "{read}", "{wait}")


def findings(
    program: Program,
    clashes: Sequence[Clash],
    rule: Rule,
    phrases: Mapping[Lack, Phrase],
    is_milder: "Callable[[Clash], bool]" = lambda _: False,
) -> Iterator[Finding]:
    """A finding at each place where a wait or a barrier is missing; one for all calls of a macro.

    is_milder: what is information, whatever the rule's severity.
    """
    graph = graphs.of(program)
    if graph is None:
        return
    first_of: dict[tuple[Lack, Site], Clash] = {}
    for each in clashes:
        first_of.setdefault((each.lack, _place(each)), each)
    found = sorted(first_of.values(), key=lambda each: sites.line(program, graph, _place(each)))
    for each, can_fix in sites.with_fixable(program, graph, found, _place):
        made = _finding(program, graph, each, rule, phrases[each.lack], can_fix=can_fix)
        yield msgspec.structs.replace(made, severity=Severity.INFORMATION) if is_milder(each) else made


def _place(each: Clash) -> Site:
    return each.barrier or each.second


def _finding(program: Program, graph: Graph, each: Clash, rule: Rule, phrase: Phrase, *, can_fix: bool) -> Finding:
    place = sites.place(program, graph, _place(each))
    needs = {each.counter: each.limit} if each.limit != DONE else {}
    values: dict[str, str | Location] = {
        "{count}": "a read" if each.outstanding == 1 else f"{each.outstanding} reads",
        "{first}": each.first.item.statement.name,
        "{line}": sites.line(program, graph, each.first),
        "{second}": each.second.item.statement.name,
        "{read}": sites.line(program, graph, each.second),
        "{wait}": wait_text.spoken(needs),
    }
    template = phrase.said
    parts: list[str | Location] = []
    for name in sorted((name for name in _PARTS if name in template), key=template.index):
        template = template.replace(name, "{}")
        parts.append(values[name])
    related = [Related(sites.place(program, graph, each.first).where, phrase.first)]
    if phrase.second:
        related.append(Related(sites.place(program, graph, each.second).where, phrase.second))
    features = graph.model.target.features
    fixes: tuple[Fix, ...] = ()
    if can_fix and each.lack in _BARRIERS:
        texts = (*wait_lines(program, needs), *barriers.whole(features))
        fixes = (Fix("Insert a barrier", (sites.insertion(program, place, *texts),)),)
    elif can_fix and each.lack is not Lack.PLACE:
        insertion = sites.insertion(program, place, *wait_lines(program, needs))
        fixes = (Fix(f"Wait for {wait_text.spoken(needs)}", (insertion,)),)
    return rule.at(place.where, message(template, *parts), (*related, *place.related), fixes)
