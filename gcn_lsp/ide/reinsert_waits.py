"""Rewrites the waits of a file: the fewest sound ones, with those that order memory unchanged."""

from collections import Counter
from collections.abc import Iterable
from difflib import SequenceMatcher

import msgspec

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.waits import anchors, reinsert
from gcn_lsp.analysis.waits.walk import lowest
from gcn_lsp.findings import sites
from gcn_lsp.findings.model import Finding, Severity
from gcn_lsp.findings.wait_lines import wait_lines
from gcn_lsp.program.program import Program
from gcn_lsp.text import Location, SourceText


class LinesEdit(msgspec.Struct, frozen=True):
    """Text that replaces the lines from `first` up to, but not including, `last`."""

    first: int
    last: int
    text: str


def rewritten(program: Program) -> SourceText:
    """The text of a file without the waits that only registers need, and with the fewest sound ones instead.

    Text that is assembled several times, in macros and repetitions, is treated once: a wait is removed only if no
    expansion needs it, and added if any does. Included files do not change; if a wait would have to be added to one,
    the present waits remain. The text also remains if the target is not known.
    """
    plan = reinsert.plan(program)
    if plan is None or program.target is None or program.candidates is not None:
        return program.source
    fixable = sites.fixable(program, plan.graph, plan.dropped)
    stays = frozenset(site for site in plan.dropped if not _may_go(program, plan, site, fixable))
    if stays:
        plan = reinsert.plan(program, lambda site: site not in stays)
        assert plan is not None
    if any(sites.place(program, plan.graph, site).where.path != program.path for site, _ in plan.needed):
        # An included file would need a wait, for everyone who includes it: keep those of this file.
        plan = reinsert.plan(program, lambda _: False)
        assert plan is not None
    text = _ChangedText(program.source)
    for site in plan.dropped:
        where = sites.place(program, plan.graph, site).where
        text.remove(where.line, where.start, where.end)
    needs: dict[sites.Written, tuple[list[Site], dict[str, int]]] = {}
    for place_needed, needed in plan.needed:
        site, counts = anchors.anchor(plan.graph, place_needed, needed)
        written = sites.written(plan.graph, site)
        needing, merged = needs.get(written, ([], {}))
        needs[written] = ([*needing, site], lowest(merged.items(), counts.items()))
    for (site, *others), merged in needs.values():
        own = sites.place(program, plan.graph, site).where
        repetition = _begun_repetition(program, plan.graph, site) if not others else None
        where = repetition or own
        # Directives are often at the margin, and instructions are not.
        indentation = " " * own.start if repetition is not None and not where.start else ""
        if where.path == program.path:
            for wait in wait_lines(program, merged):
                text.insert(where.line, where.start, indentation + wait)
    return text.changed()


def edits(source: SourceText, after: SourceText) -> list[LinesEdit]:
    """The edits from the text of a file to what is `rewritten`, the first lines first; empty if nothing changes."""
    lines = after.lines
    return [
        LinesEdit(first, last, "".join(line.decode("utf-8", "replace") + "\n" for line in lines[new_first:new_last]))
        for kind, first, last, new_first, new_last in SequenceMatcher(None, source.lines, lines).get_opcodes()
        if kind != "equal"
    ]


def changes(edits: Iterable[LinesEdit], source: SourceText) -> tuple[int, int]:
    """How many waits some edits remove and add, counted as lines with text."""
    removed = added = 0
    for edit in edits:
        before = [line.strip() for line in source.lines[edit.first : edit.last] if line.strip()]
        after = [line.strip() for line in edit.text.encode("utf-8", "surrogateescape").split(b"\n") if line.strip()]
        for kind, start, end, new_start, new_end in SequenceMatcher(None, before, after).get_opcodes():
            if kind != "equal":
                removed += end - start
                added += new_end - new_start
    return removed, added


def count(program: Program) -> int:
    """How many instructions of a program wait for counters, counting each expansion of a macro."""
    graph = graphs.of(program)
    if graph is None:
        return 0
    return sum(bool(site.effects.waits) for segment in graph.nodes for site in segment.sites)


def left(findings: Iterable[Finding]) -> str:
    """The rules whose errors and warnings remain, each with its number: `1 unpublished-lds-write`; empty for none.

    findings: of the rewritten file, in which other things than registers may need waits or barriers as well.
    """
    found = Counter(finding.rule for finding in findings if finding.severity in (Severity.ERROR, Severity.WARNING))
    return ", ".join(f"{number} {rule}" for rule, number in sorted(found.items()))


def _may_go(program: Program, plan: reinsert.Plan, site: Site, fixable: frozenset[sites.Written]) -> bool:
    place = sites.place(program, plan.graph, site)
    return place.own and place.where.path == program.path and sites.written(plan.graph, site) in fixable


_REPETITIONS = frozenset(("rept", "irp", "irpc"))


def _begun_repetition(program: Program, graph: graphs.Graph, site: Site) -> Location | None:
    """The repetition whose first instruction is `site`, in the first round.

    A wait for that instruction alone goes before the repetition, where it is not repeated.
    """
    frame = site.item.written.frame
    if frame is None or frame.kind not in _REPETITIONS or frame.parent is not None:
        return None
    number = graph.number_of(site.segment)
    assert number is not None, "a site of this version"
    items = program.chunks[number].items
    index = next((index for index, item in enumerate(items) if item == site.item), 0) - 1
    while index >= 0 and items[index].kind == "assignment" and items[index].written.frame == frame:
        index -= 1
    if index < 0 or items[index].kind != "expansion" or items[index].written != frame.written:
        return None
    before = items[index - 1].written.frame if index else None
    if before is not None and before.written == frame.written:
        return None  # a later round
    return program.locate(number, frame.written, b"", frame.start, frame.end)[0]


class _ChangedText:
    """A text and its changes."""

    def __init__(self, source: SourceText) -> None:
        self._source = source
        self._removed: dict[int, list[tuple[int, int]]] = {}
        self._inserted: dict[int, list[tuple[int, str]]] = {}

    def remove(self, line: int, start: int, end: int) -> None:
        """Remove bytes of a line, and the line if nothing remains on it."""
        self._removed.setdefault(line, []).append((start, end))

    def insert(self, line: int, before: int, statement: str) -> None:
        """Put a statement on a separate line before the text at byte `before` of a line, with its indentation."""
        self._inserted.setdefault(line, []).append((before, statement))

    def changed(self) -> SourceText:
        """The text with all changes."""
        lines: list[bytes] = []
        for number, line in enumerate(self._source.lines):
            changes = [(start, end, b"") for start, end in self._removed.get(number, ())]
            for before, statement in self._inserted.get(number, ()):
                indentation = bytes(each if each == 0x09 else 0x20 for each in line[:before])
                changes.append((before, before, statement.encode() + b"\n" + indentation))
            new = line
            for start, end, text in sorted(changes, reverse=True):
                new = new[:start] + text + new[end:]
            if number in self._removed and not new.strip():
                continue
            lines += new.split(b"\n")
        return SourceText(self._source.path, tuple(lines))
