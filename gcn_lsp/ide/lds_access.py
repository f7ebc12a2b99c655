"""Accesses of LDS: the barrier that publishes a copy, the buffers that it does, and a drawing of lanes at banks."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.lds import banks, protocol, steps
from gcn_lsp.analysis.lds.banks import BankedAccess
from gcn_lsp.analysis.values import reaching
from gcn_lsp.findings import sites
from gcn_lsp.ide.describe import markdown
from gcn_lsp.isa.machine import barriers
from gcn_lsp.records import NamedTuple
from gcn_lsp.text import Location, Text, joined, message

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program

_FEWEST_BUFFERS = 2
_DRAWN = 8  # rows of a drawing
_NAMED = 8  # lanes or lines in a row


class Publishing(NamedTuple):
    """A barrier that publishes copies to LDS: its place, the line of the first one, from 0, and a short text."""

    where: Location
    copy_line: int
    text: str


def publishing(program: "Program") -> Iterator[Publishing]:
    """The barriers of the main file after which other waves may read what copies have brought to LDS."""
    graph, found = graphs.of(program), protocol.of(program)
    if graph is None or found is None:
        return
    copies, waiting = _by_barrier(found.published), _by_barrier(found.under_way)
    places = {barrier: _places(found, its) for barrier, its in copies.items()}
    buffers = sorted({each for each in places.values() if each})
    for barrier, its in copies.items():
        where = sites.place(program, graph, barrier).where
        if where.path != program.path or barrier.item.written.frame is not None:
            continue
        text = "publishes copies to LDS"
        turns = max(len(found.places.get(each, ())) for each in its)
        others = waiting.get(barrier, [])
        if places[barrier] and len(buffers) > 1:
            text = f"publishes LDS buffer {buffers.index(places[barrier]) + 1} of {len(buffers)}"
            begun = {place for each in others for place in found.places.get(each, ())}
            numbers = [str(number) for number, each in enumerate(buffers, 1) if begun.issuperset(each)]
            text += f"; {' and '.join(numbers)} in flight" if numbers else ""
        elif turns > 1:
            text += f", to {turns} buffers in turn"
        elif others:
            text += "; others are in flight"
        yield Publishing(where, min(sites.line(program, graph, each).line for each in its), text)


def _by_barrier(found: Iterable[protocol.Published]) -> dict[Site, list[Site]]:
    copies: dict[Site, list[Site]] = {}
    for each in found:
        copies.setdefault(each.barrier, []).append(each.copy)
    return copies


def _places(found: protocol.Protocol, copies: Iterable[Site]) -> tuple[int, ...]:
    """The bytes at which copies begin; none if one of them takes several buffers in turn, or is somewhere unknown."""
    places = [found.places.get(each, ()) for each in copies]
    return tuple(sorted({place for (place,) in places})) if all(len(each) == 1 for each in places) else ()


def describe(program: "Program", line: int) -> Text:
    """The access of LDS, or the barrier, on a line of the main file, as Markdown; empty if nothing is known of it."""
    place = reaching.on_line(program, line)
    if place is None or place.site.item.written.frame is not None:
        return ""
    graph, node, site = place
    touch = dict(steps.accesses(graph.nodes[node])).get(site)
    if touch is None:
        is_barrier = barriers.arrives(site.mnemonic) or barriers.completes(site.mnemonic)
        return _of_barrier(program, graph, site) if is_barrier else ""
    access = banks.at(program, graph, node, site) if not touch.access.is_copy else None
    said = (
        _of_buffers(program, site, "fills" if touch.access.writes else "reads"),
        _of_copy(program, graph, site) if touch.access.is_copy else "",
        _drawing(access) if access is not None else "",
    )
    return markdown.join(*said)


def _of_buffers(program: "Program", site: Site, does: str) -> str:
    """The buffers that an access takes in turn, if there are several."""
    found = protocol.of(program)
    places = found.places.get(site, ()) if found is not None else ()
    if len(places) < _FEWEST_BUFFERS:
        return ""
    return f"In turn this {does} {len(places)} buffers, from byte {', '.join(map(hex, places))} of LDS."


def _of_copy(program: "Program", graph: Graph, site: Site) -> Text:
    """The barriers after which other waves may read what a copy brings."""
    lines = _lines(program, graph, (each.barrier for each in _published(program) if each.copy is site))
    return message("Other waves may read what this brings to LDS after the barrier on {}.", lines) if lines else ""


def _of_barrier(program: "Program", graph: Graph, site: Site) -> Text:
    """The copies whose data other waves may read after a barrier, and those that may be in flight then."""
    found = protocol.of(program)
    if found is None:
        return ""
    said: list[Text] = []
    for pairs, text in (
        (found.published, "After this, other waves may read what the copies to LDS on {} bring."),
        (found.under_way, "The copies to LDS on {} may be in flight here: nobody may read what they bring yet."),
    ):
        lines = _lines(program, graph, (each.copy for each in pairs if each.barrier is site))
        said += [message(text, lines)] if lines else []
    return markdown.join(*said)


def _published(program: "Program") -> tuple[protocol.Published, ...]:
    found = protocol.of(program)
    return found.published if found is not None else ()


def _lines(program: "Program", graph: Graph, found: Iterable[Site]) -> Text:
    ordered = sorted({sites.line(program, graph, site) for site in found})
    more = f" and {len(ordered) - _NAMED} more" if len(ordered) > _NAMED else ""
    return joined("", (joined(", ", ordered[:_NAMED]), more)) if ordered else ""


def _drawing(access: BankedAccess) -> str:
    phase, count = access.conflict.phase, len(access.model.phases)
    lanes = _runs(access.model.phases[phase])
    rows = [
        (_runs(bank for bank, _ in group), met)
        for met, group in groupby(banks.served(access), key=lambda each: each[1])
    ]
    worst = sorted(rows, key=lambda row: -len(row[1]))[:_DRAWN]
    width = max(len(name) for name, _ in worst)
    drawn = [
        f"bank {name:<{width}} {'█' * len(met)} {', '.join(map(str, met[:_NAMED]))}{', …' if len(met) > _NAMED else ''}"
        for name, met in rows
        if (name, met) in worst
    ]
    title = f"Lanes at each bank, in phase {phase + 1} of {count} (lanes {lanes}), of {access.model.banks} banks:"
    return "\n".join((title, "", "```text", *drawn, "```"))


def _runs(numbers: Iterable[int]) -> str:
    """Numbers with consecutive ones as ranges: `0-3, 12-15`."""
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in found)
