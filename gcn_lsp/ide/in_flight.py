"""The operations in flight before an instruction: as hints after lines, and as a part of a hover."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.waits import waits
from gcn_lsp.analysis.waits.state import Pending
from gcn_lsp.analysis.waits.waits import Waits
from gcn_lsp.findings import sites
from gcn_lsp.ide.describe import markdown
from gcn_lsp.ide.inlay_hint import InlayHint
from gcn_lsp.text import Text, message

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program

KIND = "in-flight"

InFlight = tuple[tuple[str, Pending], ...]

_NAMED = 3  # registers in a hint for each counter
_LISTED = 12  # operations in a hover


def hints(program: "Program", first: int, last: int) -> list[InlayHint]:
    """Hints after instructions on lines `first` to `last` (inclusive) before which other operations are in flight.

    An instruction with the same as the one written before it has none. Lines in the bodies of macros and repetitions
    have none either: their expansions differ.
    """
    found: list[InlayHint] = []
    known = _before(program, first)
    for line, site, in_flight in _on_lines(program, first, last):
        if site.item.written.frame is None:
            text = _short(in_flight)
            if text and text != known:
                found.append(InlayHint(line, site.item.statement.end, text, KIND))
            known = text
    return found


def _before(program: "Program", line: int) -> str:
    """What the last instruction written before a line has in flight, as a hint says it."""
    number = program.chunk_at(max(line, 0))
    end = line - 1
    while end >= 0:
        start = program.bases[number]
        texts = [
            _short(in_flight)
            for _, site, in_flight in _on_lines(program, start, end)
            if site.item.written.frame is None
        ]
        if texts:
            return texts[-1]
        number, end = number - 1, start - 1
    return ""


def describe(program: "Program", line: int) -> Text:
    """The operations in flight before the instruction on a line, as Markdown; empty without any known ones."""
    found = waits.of(program)
    if found is None:
        return ""
    for _, site, in_flight in _on_lines(program, line, line):
        if in_flight and site.item.written.frame is None:
            rows = [_row(program, found, counter, pending) for counter, pending in reversed(in_flight[-_LISTED:])]
            more = [f"and {len(in_flight) - _LISTED} older"] if len(in_flight) > _LISTED else []
            return markdown.section("In flight before this:", (*rows, *more))
    return ""


def counts(program: "Program", line: int, counter: str) -> list[tuple[int, Text]]:
    """The counts that a wait on a line may leave on a counter, the lowest first, and what is done after each."""
    found = waits.of(program)
    if found is None:
        return []
    named: dict[int, Text] = {}
    for _, _, in_flight in _on_lines(program, line, line):
        for name, pending in in_flight:
            if name == counter:
                held = pending.raised.writes or pending.raised.reads
                registers_held = f" ({registers.describe(held, _NAMED)})" if held else ""
                done, place = pending.site.item.statement.name, sites.line(program, found.graph, pending.site)
                named[pending.age] = message("done: {} on {}{}", done, place, registers_held)
    return sorted(named.items(), key=lambda each: each[0])


def on_registers(program: "Program", line: int, wanted: int) -> list[Text]:
    """The operations in flight on some registers before the instruction on a line, each in a few words."""
    found = waits.of(program)
    if found is None:
        return []
    for _, _, in_flight in _on_lines(program, line, line):
        return [
            _row(program, found, counter, pending)
            for counter, pending in reversed(in_flight)
            if (pending.raised.writes | pending.raised.reads) & wanted
        ]
    return []


def _on_lines(program: "Program", first: int, last: int) -> Iterator[tuple[int, Site, InFlight]]:
    """The instructions written on lines of the main file, with what is in flight before each."""
    found = waits.of(program)
    if found is None:
        return
    for number in range(program.chunk_at(max(first, 0)), program.chunk_at(max(last, 0)) + 1):
        base = program.bases[number]
        for node in found.graph.nodes_of_chunk(number):
            segment = found.graph.nodes[node]
            lines = {
                site: base + site.item.written.line for site in segment.sites if site.item.written.container is None
            }
            wanted = {site for site, line in lines.items() if first <= line <= last}
            for site, in_flight in found.along(segment, wanted):
                yield lines[site], site, in_flight


def _short(in_flight: InFlight) -> str:
    by_counter: dict[str, list[Pending]] = {}
    for counter, pending in in_flight:
        by_counter.setdefault(counter, []).append(pending)
    return ", ".join(f"{counter} {len(found)}{_names(found)}" for counter, found in by_counter.items())


def _names(found: list[Pending]) -> str:
    held = 0
    for pending in found:
        held |= pending.raised.writes | pending.raised.reads
    return f" ({registers.describe(held, _NAMED)})" if held else ""


def _row(program: "Program", found: Waits, counter: str, pending: Pending) -> Text:
    event = pending.raised
    name = markdown.code(pending.site.item.statement.name)
    if event.writes:
        held = f" will write {markdown.code(registers.describe(event.writes))}"
    elif event.reads:
        held = f" still reads {markdown.code(registers.describe(event.reads))}"
    else:
        held = ""
    younger = f", {pending.age} younger" if pending.age else ""
    return message("{}: {} on {}{}", counter, name, sites.line(program, found.graph, pending.site), held + younger)
