"""What assembly was compiled from: the line of the source behind an instruction, and the instructions of a line."""

from collections.abc import Iterable

import msgspec

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.values import pressure as pressures
from gcn_lsp.flow.kept import once
from gcn_lsp.ide.describe import markdown
from gcn_lsp.program.program import Program
from gcn_lsp.text import Location, SourceText
from gcn_lsp.views import source_lines
from gcn_lsp.views.view import SourcePlace


class SourceLine(msgspec.Struct, frozen=True):
    """A line of the source and what the compiler made of it.

    line: from 1. lines: of the assembly, from 0. instructions, waits, spills: how many; a spill is an access to scratch
    memory. vgprs, agprs, sgprs: the most in use at one of its instructions.
    """

    file: str
    line: int
    lines: tuple[int, ...]
    instructions: int
    waits: int
    spills: int
    vgprs: int
    agprs: int
    sgprs: int


def describe(program: Program, line: int) -> str:
    """The hover's text on the source behind a line of the main file; empty if none is known."""
    place = source_lines.loc(program, line) or source_lines.at(program, line)
    return "" if place is None else describe_place(program, place)


def describe_place(program: Program, place: SourcePlace) -> str:
    """A place of the source with its text."""
    calls = "".join(f", inlined at {markdown.code(_short(call))}" for call in place.inlined_at)
    said = f"From {markdown.code(_short(place))}{calls}:"
    source = source_of(program, place)
    text = source.lines[place.line - 1].decode("utf-8", "replace").strip() if source is not None else ""
    return markdown.join(said, markdown.block(text, "cpp")) if text else f"{said[:-1]}."


def definition(program: Program, line: int) -> list[Location]:
    """The place of the source behind a line of the main file, then the calls through which it was inlined."""
    place = source_lines.loc(program, line) or source_lines.at(program, line)
    return [] if place is None else locations(program, place)


def locations(program: Program, place: SourcePlace) -> list[Location]:
    """A place and the calls through which it was inlined."""
    return [location(program, each) for each in (place, *place.inlined_at)]


def location(program: Program, place: SourcePlace) -> Location:
    """A place of the source as a location: the word at its column if the text is there."""
    source = source_of(program, place)
    start = max(place.column - 1, 0)
    if source is None:
        return Location(place.file, place.line - 1, start, start)
    text = source.lines[place.line - 1]
    if not place.column:
        start = len(text) - len(text.lstrip())
        return Location(source.path, place.line - 1, start, len(text.rstrip()))
    end = start
    while end < len(text) and (text[end : end + 1].isalnum() or text[end : end + 1] == b"_"):
        end += 1
    return Location(source.path, place.line - 1, min(start, len(text)), max(end, min(start + 1, len(text))))


def source_of(program: Program, place: SourcePlace) -> SourceText | None:
    """The text of the source, if it is still there and has the line."""
    source = program.options.include(program.path, place.file)
    return source if source is not None and 0 < place.line <= len(source.lines) else None


def lines(program: Program, places: "Iterable[tuple[int, SourcePlace]] | None" = None) -> tuple[SourceLine, ...]:
    """Each line of the sources with code, in order. places: of lines of the main file, if their `.loc` does not say."""
    if places is None:
        return _own_lines(program)
    return _lines(program, places)


@once
def _own_lines(program: Program) -> tuple[SourceLine, ...]:
    return _lines(program, source_lines.places(program))


def _lines(program: Program, places: Iterable[tuple[int, SourcePlace]]) -> tuple[SourceLine, ...]:
    facts = _facts(program)
    found: dict[tuple[str, int], list[int]] = {}
    for line, place in places:
        found.setdefault((place.file, place.line), []).append(line)
    rows = []
    for (file, line), own in sorted(found.items()):
        own_lines = tuple(dict.fromkeys(own))
        each = [facts.get(number, _NOTHING) for number in own_lines]
        most = [max(fact[index] for fact in each) for index in (2, 3, 4)]
        waits, spills = sum(fact[0] for fact in each), sum(fact[1] for fact in each)
        rows.append(SourceLine(file, line, own_lines, len(own), waits, spills, *most))
    return tuple(rows)


_NOTHING = (0, 0, 0, 0, 0)


def _facts(program: Program) -> dict[int, tuple[int, int, int, int, int]]:
    """Waits, spills and registers in use of each line of the main file with reachable instructions."""
    graph, pressure = graphs.of(program), pressures.of(program)
    if graph is None or pressure is None:
        return {}
    found: dict[int, tuple[int, int, int, int, int]] = {}
    for node, (chunk, segment) in enumerate(zip(graph.chunks, graph.nodes, strict=True)):
        for site, used in zip(segment.sites, pressure.of_node(node), strict=True):
            line = program.bases[chunk] + site.item.written.top_line
            is_wait = bool(site.effects.waits) or site.effects.is_idle_wait
            found[line] = (int(is_wait), int(_is_spill(site, program.source.lines[line])), *used)
    return found


def _is_spill(site: Site, text: bytes) -> bool:
    """Whether it saves a register to memory or brings one back: clang's comment says so, or the address is scratch."""
    form = site.item.instruction.form if site.item.instruction is not None else None
    return b" Folded " in text or (form is not None and form.mnemonic.startswith("scratch_"))


def _short(place: SourcePlace) -> str:
    column = f":{place.column}" if place.column else ""
    return f"{place.file.rpartition('/')[2]}:{place.line}{column}"
