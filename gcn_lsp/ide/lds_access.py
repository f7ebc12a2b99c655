"""An access of LDS in a hover: the barrier that publishes a copy, and a drawing of the lanes that meet in banks."""

from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING

from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.lds import banks, protocol, steps
from gcn_lsp.analysis.lds.banks import BankedAccess
from gcn_lsp.analysis.values import reaching
from gcn_lsp.findings import sites
from gcn_lsp.ide.describe import markdown
from gcn_lsp.isa.machine import barriers
from gcn_lsp.text import Text, joined, message

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program

_FEWEST_BUFFERS = 2
_DRAWN = 8  # rows of a drawing
_NAMED = 8  # lanes or lines in a row


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
    """The copies whose data other waves may read after a barrier."""
    lines = _lines(program, graph, (each.copy for each in _published(program) if each.barrier is site))
    return message("After this, other waves may read what the copies to LDS on {} bring.", lines) if lines else ""


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
