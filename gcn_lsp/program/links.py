"""Problems that only the whole program shows, kept by chunk: branches out of range, labels that do not exist.

After an edit, a chunk's part is reused if nothing that it depends on can have changed: the names of labels, the symbols
at the end, and how far anything moved compared with the margin of its branches.
"""

import difflib
from collections.abc import Callable, Iterable

from gcn_lsp.instruction.model import Fixup, LineFix, Problem
from gcn_lsp.preproc.state import State
from gcn_lsp.program import layout as layouts
from gcn_lsp.program.chunk import Chunk, ChunkProblem, Item
from gcn_lsp.program.layout import Layout
from gcn_lsp.records import NamedTuple
from gcn_lsp.syntax import expressions
from gcn_lsp.text import common


class ChunkLinks(NamedTuple):
    """The problems of one chunk's fixups.

    margin: how many bytes things may move before this is outdated. names: the labels that it depends on.
    """

    problems: tuple[ChunkProblem, ...]
    margin: int
    names: frozenset[str] = frozenset()


class Links(NamedTuple):
    """The links of one version of a program, and what they were made from."""

    chunks: list[Chunk]
    layout: Layout
    final: State
    by_chunk: list[ChunkLinks]


def link(
    chunks: list[Chunk],
    layout: Layout,
    final: State,
    may_be_elsewhere: Callable[[str], bool],
    previous: "Links | None",
) -> Links:
    """The links of a program; `previous` are those of an earlier version.

    may_be_elsewhere: whether another file or the build may define a name without an address.
    """
    shifts = _shifts(chunks, layout, final, previous) if previous is not None else None
    by_chunk: list[ChunkLinks] = []
    if shifts is not None and previous is not None and shifts.largest == 0 and not shifts.names:
        # Nothing moved: only new chunks matter.
        last = len(chunks) - shifts.back
        fresh = range(shifts.front, last)
        by_chunk = [
            *previous.by_chunk[: shifts.front],
            *(_chunk_links(chunks, layout, final, number, may_be_elsewhere) for number in fresh),
            *previous.by_chunk[shifts.old_count - shifts.back :],
        ]
        unsure = (number for number, known in enumerate(by_chunk) if known.margin <= 0)
        for number in unsure:
            by_chunk[number] = _chunk_links(chunks, layout, final, number, may_be_elsewhere)
        return Links(chunks, layout, final, by_chunk)
    for number, chunk in enumerate(chunks):
        if shifts is not None and previous is not None and (old := shifts.old_number(number)) is not None:
            known = previous.by_chunk[old]
            margin = known.margin - 2 * shifts.largest
            if margin > 0 and known.names.isdisjoint(shifts.names):
                by_chunk.append(known._replace(margin=margin) if margin != known.margin else known)
                continue
        by_chunk.append(_chunk_links(chunks, layout, final, number, may_be_elsewhere) if chunk.fixups else _NONE)
    return Links(chunks, layout, final, by_chunk)


_NONE = ChunkLinks((), 1 << 60)


class _Shifts(NamedTuple):
    """The chunks that two versions share: the first `front`, and the last `back`.

    largest: the largest move, in bytes. names: labels that only one of the versions has.
    """

    front: int
    back: int
    new_count: int
    old_count: int
    largest: int
    names: frozenset[str]

    def old_number(self, number: int) -> "int | None":
        """The number of a chunk in the earlier version, None for a new one."""
        if number < self.front:
            return number
        if number >= self.new_count - self.back:
            return number - self.new_count + self.old_count
        return None


def _shifts(chunks: list[Chunk], layout: Layout, final: State, previous: Links) -> "_Shifts | None":
    """The difference between two versions; None if nothing of the earlier one's links can be reused."""
    if layout.repeated or previous.layout.repeated:
        return None
    if final is not previous.final:
        return None
    known, known_before = layout.known.keys(), previous.layout.known.keys()
    names = frozenset() if known == known_before else frozenset(known ^ known_before)
    names |= layout.exported ^ previous.layout.exported
    old = previous.chunks
    most = min(len(old), len(chunks))
    front = common(most, lambda low, high: old[low:high] == chunks[low:high])
    new_end, old_end = len(chunks), len(old)
    back = common(
        most - front, lambda low, high: chunks[new_end - high : new_end - low] == old[old_end - high : old_end - low]
    )
    changed = (*chunks[front : len(chunks) - back], *old[front : len(old) - back])
    if any(name[:1].isdigit() for chunk in changed for name, *_ in chunk.labels):
        return None
    reset = {name for chunk in changed for name in chunk.first_values}
    if any(layout.first_value(name) != previous.layout.first_value(name) for name in reset):
        return None
    largest = 0
    new_starts, old_starts = layout.starts, previous.layout.starts
    if new_starts[new_end - back :] == old_starts[old_end - back :]:
        return _Shifts(front, back, len(chunks), len(old), 0, names)
    for distance in range(1, back + 1):
        for new, was in zip(new_starts[-distance], old_starts[-distance], strict=True):
            shift = abs(new - was)
            if shift % 4:
                return None
            largest = max(largest, shift)
    return _Shifts(front, back, len(chunks), len(old), largest, names)


def _chunk_links(
    chunks: list[Chunk], layout: Layout, final: State, number: int, may_be_elsewhere: Callable[[str], bool]
) -> ChunkLinks:
    chunk = chunks[number]
    problems: list[ChunkProblem] = []
    margin = _NONE.margin
    names: set[str] = set()
    for index in chunk.fixups:
        item = chunk.items[index]
        for fixup in item.instruction.fixups if item.instruction is not None else item.fixups:
            names.update(expressions.names_in(fixup.expression))
        for fixed in layouts.resolve_item(chunks, layout, final, number, index)[1]:
            problem = fixed.problem
            if fixed.undefined and not final.incomplete and _branch(item) is not None:
                margin = 0  # declarations of other files may change with any edit
                problem = _undefined(fixed.undefined, item, layout, may_be_elsewhere)
            margin = min(margin, fixed.margin if problem is None else 0)
            if problem is not None:
                problems.append(ChunkProblem(problem, item.written, item.statement.line))
    return ChunkLinks(tuple(problems), margin, frozenset(names))


def _branch(item: Item) -> "Fixup | None":
    """The fixup of a branch's target; None for any other item."""
    if item.instruction is None:
        return None
    return next((fixup for fixup in item.instruction.fixups if fixup.kind == "branch"), None)


def _undefined(
    names: tuple[str, ...], item: Item, layout: Layout, may_be_elsewhere: Callable[[str], bool]
) -> "Problem | None":
    """The problem of a branch to a label that does not exist. The linker reports other uses of unknown names."""
    branch = _branch(item)
    missing = [name for name in names if "@" not in name and not may_be_elsewhere(name)]
    if branch is None or not missing:
        return None
    near = _nearest(missing[0], layout.known)
    message = f"no label `{missing[0]}` is defined" + (f"; the nearest label is `{near}`" if near else "")
    fixes: tuple[LineFix, ...] = ()
    if near and item.statement.line[branch.start : branch.end] == missing[0].encode("utf-8", "surrogateescape"):
        fixes = (LineFix(f"Change to `{near}`", branch.start, branch.end, near, is_certain=False),)
    return Problem("undefined-symbol", branch.start, branch.end, message, fixes)


# Comparing a name with many others takes milliseconds; of more, only those are that begin or end alike.
_MAX_COMPARED = 100


def _nearest(name: str, others: Iterable[str]) -> str:
    """The name most like `name`, empty if none is."""
    candidates = [other for other in others if abs(len(other) - len(name)) <= 2]
    if len(candidates) > _MAX_COMPARED:  # by their spelling, since edits change the order of labels
        candidates.sort(key=lambda other: (-_alike(name, other), other))
    near = difflib.get_close_matches(name, candidates[:_MAX_COMPARED], 1, 0.75)
    return near[0] if near else ""


def _alike(name: str, other: str) -> int:
    """The number of characters with which two names begin or end alike, whichever is more."""
    most = min(len(name), len(other))
    front = common(most, lambda low, high: name[low:high] == other[low:high])
    backwards, other_backwards = name[::-1], other[::-1]
    return max(front, common(most, lambda low, high: backwards[low:high] == other_backwards[low:high]))
