"""Problems that only the whole program shows, kept by chunk: branches that do not reach, labels that do not exist.

After an edit a chunk's part is taken over when nothing that it depends on can have changed: the names of labels, the
symbols at the end, and how far anything moved against how far its branches may still stretch.
"""

import difflib
from collections.abc import Callable
from typing import NamedTuple

from gcn_lsp.asm import layout as layouts
from gcn_lsp.asm.chunk import Chunk, ChunkProblem, Item
from gcn_lsp.asm.layout import Layout
from gcn_lsp.asm.model import Fixup, Problem
from gcn_lsp.preproc.state import State


class ChunkLinks(NamedTuple):
    """The problems of one chunk's fixups. margin: by how many bytes things may move before this has to be redone."""

    problems: tuple[ChunkProblem, ...]
    margin: int


class Links(NamedTuple):
    """The links of one version of a program, with what they were made from."""

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

    may_be_elsewhere: whether a name without an address may be defined by another file or by the build.
    """
    shifts = _shifts(chunks, layout, final, previous) if previous is not None else None
    by_chunk: list[ChunkLinks] = []
    if shifts is not None and previous is not None and shifts.largest == 0:  # nothing moved: only new chunks matter
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
            if margin > 0:
                by_chunk.append(ChunkLinks(known.problems, margin) if margin != known.margin else known)
                continue
        by_chunk.append(_chunk_links(chunks, layout, final, number, may_be_elsewhere) if chunk.fixups else _NONE)
    return Links(chunks, layout, final, by_chunk)


_NONE = ChunkLinks((), 1 << 60)


class _Shifts(NamedTuple):
    """Which chunks two versions share: the first `front`, and the last `back`; and how far anything moved, in bytes."""

    front: int
    back: int
    new_count: int
    old_count: int
    largest: int

    def old_number(self, number: int) -> "int | None":
        """The number of a chunk in the earlier version, None if it is new."""
        if number < self.front:
            return number
        if number >= self.new_count - self.back:
            return number - self.new_count + self.old_count
        return None


def _shifts(chunks: list[Chunk], layout: Layout, final: State, previous: Links) -> "_Shifts | None":
    """How two versions differ; None when nothing of the earlier one's links can be taken over."""
    if layout.repeated or previous.layout.repeated:
        return None
    if final is not previous.final or layout.known.keys() != previous.layout.known.keys():
        return None
    old = previous.chunks
    most = min(len(old), len(chunks))
    front = 0
    while front < most and old[front] is chunks[front]:
        front += 1
    back = 0
    while back < most - front and old[-1 - back] is chunks[-1 - back]:
        back += 1
    changed = (*chunks[front : len(chunks) - back], *old[front : len(old) - back])
    if any(name[0].isdigit() for chunk in changed for name, *_ in chunk.labels):
        return None
    largest = 0
    new_starts, old_starts = layout.starts, previous.layout.starts
    for distance in range(1, back + 1):
        for new, was in zip(new_starts[-distance], old_starts[-distance], strict=True):
            shift = abs(new - was)
            if shift % 4:
                return None
            largest = max(largest, shift)
    return _Shifts(front, back, len(chunks), len(old), largest)


def _chunk_links(
    chunks: list[Chunk], layout: Layout, final: State, number: int, may_be_elsewhere: Callable[[str], bool]
) -> ChunkLinks:
    chunk = chunks[number]
    problems: list[ChunkProblem] = []
    margin = _NONE.margin
    for index in chunk.fixups:
        item = chunk.items[index]
        for fixed in layouts.resolve_item(chunks, layout, final, number, index)[1]:
            problem = fixed.problem
            if fixed.undefined and not final.incomplete and _branch(item) is not None:
                margin = 0  # what is declared elsewhere may change with any edit
                problem = _undefined(fixed.undefined, item, layout, may_be_elsewhere)
            margin = min(margin, fixed.margin if problem is None else 0)
            if problem is not None:
                problems.append(
                    ChunkProblem(problem, item.top_line, item.container, item.line, item.frame, item.statement.line)
                )
    return ChunkLinks(tuple(problems), margin)


def _branch(item: Item) -> "Fixup | None":
    """The fixup of a branch's target; None for any other item."""
    if item.instruction is None:
        return None
    return next((fixup for fixup in item.instruction.fixups if fixup.kind == "branch"), None)


def _undefined(
    names: tuple[str, ...], item: Item, layout: Layout, may_be_elsewhere: Callable[[str], bool]
) -> "Problem | None":
    """A branch to a label that does not exist. Other uses of unknown names are left to the linker."""
    branch = _branch(item)
    missing = [name for name in names if "@" not in name and not may_be_elsewhere(name)]
    if branch is None or not missing:
        return None
    near = difflib.get_close_matches(missing[0], list(layout.known), 1, 0.75)
    hint = f"; the nearest label is `{near[0]}`" if near else ""
    return Problem("undefined-symbol", branch.start, branch.end, f"no label `{missing[0]}` is defined{hint}")
