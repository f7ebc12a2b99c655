"""The source of a register's value: its last writer on each path, and what is in flight on it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from gcn_lsp import isa
from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.machine.effects import of_operand
from gcn_lsp.analysis.values import kernel_inputs, reaching, readers
from gcn_lsp.findings import sites
from gcn_lsp.ide import in_flight
from gcn_lsp.ide.describe import markdown, selected
from gcn_lsp.instruction.model import Operand
from gcn_lsp.isa import documentation
from gcn_lsp.isa.documentation import implicit
from gcn_lsp.text import Location, Text, joined, message

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program

_LISTED = 6  # writers that are shown
_SHOWN = ("scc", "vcc", "m0")  # every vector instruction reads EXEC and MODE, which are seldom written


def describe(program: "Program", line: int, operand: Operand) -> Text:
    """The history of an operand's registers before the instruction on a line, as Markdown; empty without writers."""
    wanted = _registers_of(program, line, operand)
    if not wanted:
        return ""
    entry = _on_entry(program, line, wanted)
    written = markdown.section("Last written by:", _lines(program, reaching.writers_of(program, line, wanted), entry))
    if not written:
        return ""
    pending = in_flight.on_registers(program, line, wanted)
    return markdown.join(written, markdown.section("Still in flight:", pending))


def describe_result(program: "Program", line: int, operand: Operand) -> Text:
    """What reads a result next after the instruction on a line, as Markdown; empty if it has no registers."""
    place, wanted = reaching.on_line(program, line), _registers_of(program, line, operand)
    if place is None or not wanted:
        return ""
    found = readers.after(program, place.graph, place.node, place.site.index, wanted)
    rows = list(_places(program, place.graph, found.sites))
    if found.by_unknown:
        rows.append("a function, or code that this file does not show")
    return markdown.section("Read next by:", rows) or "Nothing reads it after this."


def _on_entry(program: "Program", line: int, wanted: int) -> str:
    """Who sets the value that some registers have on entry."""
    place = reaching.on_line(program, line)
    kernels = [resources for _, resources in kernel_inputs.kernels_of(program, place.node)] if place is not None else []
    if not kernels:
        return "its value on entry"
    titles = [
        each.title
        for resources in kernels
        for each in resources.inputs
        if registers.of_tuple(each.file, each.first, each.count) & wanted
    ]
    if not titles:
        return "its value on entry, which nothing sets"
    return f"its value on entry, which the hardware sets: {', '.join(dict.fromkeys(titles))}"


def _registers_of(program: "Program", line: int, operand: Operand) -> int:
    """The registers that an operand means on a line; empty if it is none, or if only the way there decides which."""
    if operand.kind != "register":
        return registers.NONE
    site = selected.site_of(program, line, operand)
    return of_operand(operand) if site is None else site.effects.slot(operand.slot)


def of_implicit(program: "Program", line: int, form: "isa.Form | None") -> Text:
    """The last writers of the registers that a form reads implicitly, a sentence for each."""
    target = program.target
    if form is None or target is None:
        return ""
    read = implicit.reads(documentation.entry(form.mnemonic, target), (form,), target.name).always
    sentences = []
    for name in _SHOWN:
        wanted = registers.of_name(name, target.wavefront_size) if name.upper() in read else registers.NONE
        rows = list(_lines(program, reaching.writers_of(program, line, wanted))) if wanted else []
        if rows:
            sentences.append(message("- {} was last written by: {}.", markdown.code(name.upper()), joined("; ", rows)))
    return joined("\n", sentences)


def _lines(program: "Program", writers: "reaching.Writers | None", entry: str = "its value on entry") -> Iterator[Text]:
    """The last writers of some registers, each in a few words. entry: what to say of the value on entry."""
    graph = graphs.of(program)
    if writers is None or graph is None:
        return
    yield from _places(program, graph, writers.sites)
    if writers.from_entry:
        yield entry
    for site in writers.wrong[:1]:
        said = "perhaps {}, which is wrong" if writers.sites else "unknown while {} is wrong"
        yield message(said, sites.line(program, graph, site))
    if writers.by_unknown and not writers.wrong:
        yield "a function, or code that this file does not show"


def _places(program: "Program", graph: Graph, found: Iterable[Site]) -> Iterator[Text]:
    """Instructions, each with its line; the rounds of a repetition and the calls of a macro are written at one line."""
    places: Counter[tuple[Location, str]]
    places = Counter((sites.line(program, graph, site), site.item.statement.name) for site in found)
    for (place, name), count in list(places.items())[:_LISTED]:
        yield message("{}: {}{}", place, markdown.code(name), f" ({count} times)" if count > 1 else "")
    if len(places) > _LISTED:
        yield f"and {len(places) - _LISTED} more"
