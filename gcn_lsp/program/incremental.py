"""Interprets and assembles a file chunk by chunk, and reuses the chunks that an edit did not change.

A chunk is reused if its lines, the state before it, and the addresses and counts that it asked for are the same. Chunks
before the edit always are; chunks after it are as soon as the state is the same again.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from math import isqrt

import msgspec

from gcn_lsp import isa
from gcn_lsp.flow.steps import give_way
from gcn_lsp.instruction.memo import Assembler
from gcn_lsp.isa import versions
from gcn_lsp.isa.kernels import predefined
from gcn_lsp.preproc import calls
from gcn_lsp.preproc.calls import MAX_EXPANDED_LINES, Budget
from gcn_lsp.preproc.state import (
    RUNNING,
    Difference,
    State,
    SymbolValue,
    carried_over,
    difference,
    initial_state,
)
from gcn_lsp.program import registers_named
from gcn_lsp.program.builder import assemble_chunk
from gcn_lsp.program.chunk import Chunk
from gcn_lsp.program.emitter import Surroundings
from gcn_lsp.program.layout import Layout, relaxed
from gcn_lsp.records import NamedTuple
from gcn_lsp.syntax.expressions import FORMER_FUNCTIONS, UNKNOWN
from gcn_lsp.syntax.lines import reading_whole_text
from gcn_lsp.text import SourceText, UnchangedLines

CHUNK_LINES = 64  # at least
UNEDITED_CHUNK_LINES = 256  # of a text that nobody edits: larger chunks take less memory
_GROWN = 5 / 2  # the size, in chunks, from which on one that edits have made larger is divided


def chunk_lines(count: int) -> int:
    """The lines in a chunk of an edited text of `count` lines.

    An edit makes one chunk anew and looks at each of the others, so it costs least with as many chunks as lines in
    each.
    """
    return max(CHUNK_LINES, isqrt(count))


IncludeResolver = Callable[[str, str], "SourceText | None"]


def no_includes(includer: str, name: str) -> None:
    """The include resolver of a program that cannot read files."""


class Options(msgspec.Struct, frozen=True):
    """What a file is assembled for.

    target: a processor, None when not known. mattr: features switched, as in `+xnack,-sramecc`. defines: symbols of
    the command line; a value of None says that the symbol exists but its value is not known. include: finds the
    text of an included file, given the including file and the name in the directive; it has to be the same object,
    and to return the same object for an unchanged file, for work to be reused. candidates: with no target, those
    that it may be, the most likely first; none for any. others: further targets with their `mattr` that the file has to
    assemble for. expansion_limit: lines that macros, repetitions and includes may expand to. is_edited: whether
    versions follow, for which results are kept in small parts.
    """

    target: str | None = None
    mattr: str = ""
    defines: "Mapping[str, int | None]" = {}
    include: IncludeResolver = no_includes
    candidates: tuple[str, ...] = ()
    others: tuple[tuple[str, str], ...] = ()
    expansion_limit: int = MAX_EXPANDED_LINES
    is_edited: bool = True


class Built(NamedTuple):
    """A file divided into chunks, assembled and placed. bases: the first line of each chunk. state: after the last one.

    included: the texts of the included files, by path. draft: the layout during the assembly of chunks, in which pieces
    with a size that depends on the layout have their minimum.
    """

    source: SourceText
    chunks: list[Chunk]
    bases: list[int]
    layout: Layout
    state: State
    included: dict[str, SourceText]
    draft: Layout


def assemble(source: SourceText, options: Options, assembler: Assembler, previous: "Built | None") -> Built:
    """`source` assembled; `previous` is an earlier version of it, with the same options."""
    building = _Building(source, options, assembler)
    size = chunk_lines(len(source.lines)) if options.is_edited else UNEDITED_CHUNK_LINES
    cut = _cut(source, previous, size)
    if previous is None:
        with reading_whole_text(), calls.reading_whole_text(), assembler.reading_whole_text():
            for part in cut.middle:
                building.add(part)
            return building.built()
    old = previous.chunks
    back = len(old) - cut.back
    kept = {part.old for part in cut.middle}
    gone = [chunk for chunk in old[cut.front : back] if chunk not in kept]
    front = building.keep_front(previous, cut.front, gone)
    for chunk in old[front : cut.front]:
        building.add(_ChunkPlan(chunk.lines, chunk, chunk.after))
    for part in cut.middle:
        building.add(part)
    if not building.keep_rest(previous, front, back):
        for chunk in old[back:]:
            building.add(_ChunkPlan(chunk.lines, chunk, chunk.after))
    return building.built()


class _Building:
    """Assembly under way: the next lines follow the chunks added so far."""

    def __init__(self, source: SourceText, options: Options, assembler: Assembler) -> None:
        self._source = source
        self._options = options
        self._assembler = assembler
        self._chunks: list[Chunk] = []
        self._bases: list[int] = []
        self._layout = Layout()
        self._included: dict[str, SourceText] = {}
        self._budget = Budget(options.expansion_limit)
        self._state = _initial_state(options, assembler.target)
        self._line = 0
        self._calls = 0  # of macros
        self._usage = registers_named.Usage()  # of the first few chunks
        self._usage_chunks = 0
        self._is_growing = False
        # The state here in the earlier version, and its difference from the state now.
        self._old_state: State | None = None
        self._difference: Difference | None = None

    def built(self) -> Built:
        """The result so far."""
        self._layout.settle()
        layout = self._layout
        if self._is_growing:
            layout = relaxed(layout, self._chunks, self._state)
        return Built(self._source, self._chunks, self._bases, layout, self._state, self._included, self._layout)

    def keep_front(self, previous: Built, most: int, gone: list[Chunk]) -> int:
        """Start with the first chunks of `previous`, up to `most`, whose includes are the same; return their number.

        `gone` are the chunks of `previous` whose lines no longer exist.
        """
        count = most
        for number, chunk in enumerate(previous.chunks[:most]):
            if chunk.asked.includes and not self._same_includes(chunk):
                count = number
                break
        self._chunks = previous.chunks[:count]
        self._bases = previous.bases[:count]
        self._layout.adopt(previous.draft, self._chunks, gone)
        for chunk in self._chunks:
            self._count(chunk)
        if count:
            self._line = self._bases[-1] + len(self._chunks[-1].lines)
            self._state = self._chunks[-1].after
        return count

    def keep_rest(self, previous: Built, front: int, back: int) -> bool:
        """Reuse all chunks of `previous` from number `back`, if nothing changed for any of them."""
        rest, replaced = previous.chunks[back:], previous.chunks[front:back]
        if not rest or rest[0].before is not self._state:
            return False
        new = self._chunks[front:]
        if not self._layout.rest_is_same(previous.draft, new, replaced, len(rest)):
            return False
        if sum(chunk.changed.calls for chunk in new) != sum(chunk.changed.calls for chunk in replaced):
            return False
        if any(chunk.asked.includes and not self._same_includes(chunk) for chunk in rest):
            return False
        if any(chunk.asked.registers is not None for chunk in rest):
            return False
        spent, spent_before = (sum(chunk.changed.lines for chunk in part) for part in (new, replaced))
        ahead = sum(chunk.changed.lines for chunk in rest)
        if spent != spent_before and (spent_before > self._options.expansion_limit or self._budget.left < ahead):
            return False
        shift = self._line - previous.bases[back]
        self._bases += [was + shift for was in previous.bases[back:]]
        self._layout.adopt_rest(previous.draft, rest)
        self._chunks += rest
        self._state = rest[-1].after
        for chunk in rest:
            self._count(chunk)
        return True

    def add(self, part: "_ChunkPlan") -> None:
        """Add the chunk of some lines: the one of the earlier version if nothing that it depends on changed."""
        give_way()
        old = part.old
        chunk: Chunk | None = None
        if old is not None and self._is_reusable(old):
            chunk = self._carried_over(old)
        if chunk is None:
            chunk = self._assembled(part)
        if old is not None and chunk is not old:
            self._layout.forget(old)
        self._layout.place(chunk, is_new=chunk is not old)
        self._chunks.append(chunk)
        self._bases.append(self._line)
        self._line += len(part.lines)
        self._state, self._old_state = chunk.after, part.after
        self._count(chunk)

    def _assembled(self, part: "_ChunkPlan") -> Chunk:
        chunk = assemble_chunk(
            part.lines,
            self._state,
            Surroundings(self._layout.address, self._layout.sizes, self._registers),
            self._assembler,
            self._options.include,
            self._source.path,
            Budget(self._budget.left, self._options.expansion_limit),
            self._calls,
        )
        self._difference = None
        if part.after is not None and chunk.after == part.after:
            chunk.after = part.after  # so that the following chunks are recognised by identity
        return chunk

    def _carried_over(self, old: Chunk) -> "Chunk | None":
        """`old` in the current state; None if something that it depends on has changed."""
        if old.before is self._state:
            return old
        if self._difference is None or self._old_state is not old.before:
            self._difference = difference(old.before, self._state)
        differing = self._difference
        if differing is None or not old.asked.symbols.isdisjoint(differing.symbols):
            return None
        if differing.macros and (old.asked.macros is None or not old.asked.macros.isdisjoint(differing.macros)):
            return None
        after, self._difference = carried_over(
            differing, self._state, old.after, old.changed.symbols, old.changed.macros
        )
        return old.moved(self._state, after)

    def _registers(self) -> registers_named.Usage:
        """The registers that the instructions so far name."""
        found = self._usage
        for chunk in self._chunks[self._usage_chunks :]:
            instructions = [item.instruction for item in chunk.items]
            found = registers_named.after(found, instructions, chunk.changed.registers)
        self._usage, self._usage_chunks = found, len(self._chunks)
        return found

    def _count(self, chunk: Chunk) -> None:
        self._budget.left -= chunk.changed.lines
        self._calls += chunk.changed.calls
        self._is_growing = self._is_growing or bool(chunk.growing) or chunk.is_divided
        if chunk.asked.includes:
            self._included.update((text.path, text) for text in chunk.asked.includes.values() if text is not None)

    def _is_reusable(self, old: Chunk) -> bool:
        """Whether interpreting the lines of `old` here would give `old` again, apart from the state."""
        if self._budget.left < old.changed.lines:
            return False
        if old.asked.calls is not None and old.asked.calls != self._calls:
            return False
        if old.asked.registers is not None and old.asked.registers != self._registers():
            return False
        layout = self._layout
        if old.asked.addresses and any(
            layout.address(name) != address for name, address in old.asked.addresses.items()
        ):
            return False
        positions = old.asked.sizes
        if positions is not None and any(layout.sizes.get(section, 0) != size for section, size in positions.items()):
            return False
        return not old.asked.includes or self._same_includes(old)

    def _same_includes(self, chunk: Chunk) -> bool:
        include = self._options.include
        return all(include(*request) is text for request, text in chunk.asked.includes.items())


def _initial_state(options: Options, target: isa.Target) -> State:
    symbols: dict[str, SymbolValue] = {}
    symbols.update(predefined.symbols(target.name))
    symbols[FORMER_FUNCTIONS] = int(not target.has(versions.NEWER_FUNCTIONS))
    symbols.update(dict.fromkeys(registers_named.FILES, RUNNING))
    for name, value in options.defines.items():
        symbols[name] = UNKNOWN if value is None else value
    return initial_state(symbols)


class _ChunkPlan(NamedTuple):
    """Lines that become one chunk, their chunk in the previous version, and the state after the lines they replace.

    old: None if they were not one chunk.
    """

    lines: tuple[bytes, ...]
    old: Chunk | None = None
    after: State | None = None


class _Cut(NamedTuple):
    """The division of a text: its first `front` and last `back` chunks are those of the previous version."""

    front: int
    middle: list[_ChunkPlan]
    back: int


def _cut(source: SourceText, previous: "Built | None", size: int) -> _Cut:
    """`source` divided as the previous version was wherever their lines are the same."""
    lines = source.lines
    if previous is None:
        return _Cut(0, [_ChunkPlan(lines[start : start + size]) for start in range(0, len(lines), size)], 0)
    old_lines, old, bases = previous.source.lines, previous.chunks, previous.bases
    unchanged = UnchangedLines.of(old_lines, lines)
    same_before, same_after = unchanged.front, len(old_lines) - unchanged.back
    front = bisect_right(bases, same_before) - 1
    if same_before == len(old_lines):
        front = len(old)
    start = bases[front] if front < len(old) else len(old_lines)
    first_back = bisect_left(bases, max(start, len(old_lines) - same_after))
    end = len(lines) - (len(old_lines) - bases[first_back]) if first_back < len(old) else len(lines)
    changed = lines[start:end]
    middle = list(_middle(changed, old[front:first_back], size))
    return _Cut(front, middle, len(old) - first_back)


def _middle(lines: tuple[bytes, ...], old: list[Chunk], size: int) -> Iterator[_ChunkPlan]:
    """Divides changed lines: between several edits in one version, chunks may be unchanged."""
    starting: dict[bytes, list[int]] = {}
    for number, chunk in enumerate(old):
        starting.setdefault(chunk.lines[0], []).append(number)
    begin = at = 0
    next_old = 0
    while at < len(lines):
        for number in starting.get(lines[at], ()):
            known = old[number]
            if number >= next_old and lines[at : at + len(known.lines)] == known.lines:
                yield from _new_parts(lines[begin:at], known.before, size)
                yield _ChunkPlan(known.lines, known, known.after)
                begin = at = at + len(known.lines)
                next_old = number + 1
                break
        else:
            at += 1
    yield from _new_parts(lines[begin:], old[-1].after if old else None, size)


def _new_parts(lines: tuple[bytes, ...], after: State | None, most: int) -> Iterator[_ChunkPlan]:
    """Parts for lines without a chunk; `after` is the state after the lines that they replace."""
    size = len(lines) if len(lines) <= most * _GROWN else most
    for at in range(0, len(lines), max(1, size)):
        yield _ChunkPlan(lines[at : at + size], None, after if at + size >= len(lines) else None)
