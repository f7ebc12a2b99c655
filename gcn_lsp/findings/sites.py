"""The written place of a site, and the edits that insert text before or after it.

One written line may be many instructions: one for each call of a macro, one for each round of a repetition. `fixable`
says whether an edit for one of them is right for all.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

import msgspec

from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine.effects import of_operand
from gcn_lsp.findings import expansion
from gcn_lsp.findings.model import Related
from gcn_lsp.instruction.model import Operand
from gcn_lsp.preproc.macros import Macro
from gcn_lsp.program.chunk import Item
from gcn_lsp.program.program import Program
from gcn_lsp.text import Location, TextEdit

# A written statement: its chunk (-1 if it is not in the main file), its container, its line in that,
# and the column at which it starts.
Written = tuple[int, "Macro | str | None", int, int]

Found = TypeVar("Found")


class WrittenPlace(msgspec.Struct, frozen=True):
    """Where an instruction is written. related: the expansions that lead to it, innermost first.

    own: whether the text at `where` is the text that was assembled, with nothing substituted in it.
    """

    where: Location
    related: tuple[Related, ...]
    own: bool


def place(program: Program, graph: Graph, site: Site) -> WrittenPlace:
    """The place of a site's statement."""
    number = graph.number_of(site.segment)
    assert number is not None, "a site of another version"
    item = site.item
    where, own = _locate(program, number, item)
    return WrittenPlace(where, expansion.related(program.steps(number, item.written.frame)), own)


def operand(site: Site, overlap: int, *, is_written: bool) -> Operand | None:
    """The operand that touches the registers of `overlap`; one that is written or one that is read, if there is one."""
    effects = site.effects
    masks = dict(effects.slots)  # a word of the syntax, such as `vcc`, has none
    named = [each for each in site.operands if masks.get(each.slot, of_operand(each)) & overlap]
    return min(named, key=lambda each: (each.slot in effects.defined) != is_written, default=None)


def operand_place(program: Program, graph: Graph, site: Site, operand: Operand) -> Location:
    """The place of an operand of a site's instruction."""
    number = graph.number_of(site.segment)
    assert number is not None, "a site of another version"
    node = operand.node
    return program.locate(number, site.item.written, site.item.statement.line, node.start, node.end)[0]


def line(program: Program, graph: Graph, site: Site) -> Location:
    """The start of the line on which a site is written, for messages."""
    number = graph.number_of(site.segment)
    assert number is not None, "a site of another version"
    return Location(*program.line_place(number, site.item.written.container, site.item.written.line), 0, 0)


def named(program: Program, graph: Graph, site: Site) -> tuple[str, Location]:
    """The mnemonic and the line of a site, for messages: "{} on {}"."""
    return f"`{site.item.statement.word}`", line(program, graph, site)


def written(graph: Graph, site: Site) -> Written:
    """The written statement of a site: equal for sites that are written at one place."""
    return _written(graph.number_of(site.segment) or 0, site.item)


def fixable(program: Program, graph: Graph, sites: Iterable[Site]) -> frozenset[Written]:
    """The written statements all of whose instructions are among `sites`: an edit of the text may fix these."""
    wanted = Counter(written(graph, site) for site in {id(site): site for site in sites}.values())
    shared = {site for site in wanted if site[1] is not None}
    repeated = {site for site in wanted if site[1] is None and site not in shared}
    numbers = {site[0] for site in repeated}
    present: Counter[Written] = Counter()
    for number, chunk in enumerate(program.chunks):
        if shared or number in numbers:
            own = number in numbers
            present.update(
                _written(number, item)
                for item in chunk.items
                if item.kind == "instruction" and (own or item.written.container is not None)
            )
    return frozenset(site for site, count in wanted.items() if present[site] == count)


def first_at_each(graph: Graph, found: Iterable[Found], site: Callable[[Found], Site]) -> Iterator[Found]:
    """The first of `found` at each written statement: one for all calls of a macro. site: where each is."""
    seen: set[Written] = set()
    for each in found:
        where = written(graph, site(each))
        if where not in seen:
            seen.add(where)
            yield each


def with_fixable(
    program: Program, graph: Graph, found: Sequence[Found], site: Callable[[Found], Site]
) -> Iterator[tuple[Found, bool]]:
    """As `first_at_each`, each with whether it is `fixable`."""
    everywhere = fixable(program, graph, map(site, found)) if found else frozenset()
    for each in first_at_each(graph, found, site):
        yield each, written(graph, site(each)) in everywhere


def insertion(program: Program, before: WrittenPlace, *texts: str) -> TextEdit:
    """The edit that inserts each of `texts` as a line before a statement, indented like it.

    If a label is on the same line, the texts go after the label, so that a branch to it runs through them too.
    """
    where = before.where
    leading = program.line_text(where.path, where.line)[: where.start]
    indentation = "".join(character if character in " \t" else " " for character in leading.decode("utf-8", "replace"))
    inserted = "".join(f"{text}\n{indentation}" for text in texts)
    return TextEdit(Location(where.path, where.line, where.start, where.start), inserted)


def appending(program: Program, after: WrittenPlace, *texts: str, like: "WrittenPlace | None" = None) -> TextEdit:
    """The edit that inserts each of `texts` as a line after that of a statement, indented like it or like `like`."""
    where, indented = after.where, (like or after).where
    line = program.line_text(where.path, where.line)
    leading = program.line_text(indented.path, indented.line)[: indented.start].decode("utf-8", "replace")
    indentation = "".join(character if character in " \t" else " " for character in leading)
    inserted = "".join(f"\n{indentation}{text}" for text in texts)
    return TextEdit(Location(where.path, where.line, len(line), len(line)), inserted)


def replacement(old: WrittenPlace, text: str) -> "TextEdit | None":
    """The edit that replaces a statement by `text`; None if the text there is not what was assembled."""
    return TextEdit(old.where, text) if old.own else None


def removal(program: Program, old: WrittenPlace) -> "TextEdit | None":
    """The edit that removes a statement, with its line if nothing else is on it; None as for `replacement`."""
    where = old.where
    line = program.line_text(where.path, where.line)
    source = program.source if where.path == program.path else program.included.get(where.path)
    is_followed = source is not None and where.line + 1 < len(source.lines)
    if old.own and is_followed and line.strip() == line[where.start : where.end]:
        return TextEdit(Location(where.path, where.line, 0, len(line)), "", takes_line=True)
    return replacement(old, "")


def _locate(program: Program, number: int, item: Item) -> tuple[Location, bool]:
    statement = item.statement
    return program.locate(number, item.written, statement.line, statement.start, statement.end)


def _written(number: int, item: Item) -> Written:
    return (
        number if item.written.container is None else -1,
        item.written.container,
        item.written.line,
        item.statement.start,
    )
