"""Divides a chunk into segments: instructions that run one after another, entered only at the first.

A segment begins at a label and ends after a branch. It belongs to its chunk's items, not to a version of the program,
so an edit elsewhere leaves it, and all results kept with it, unchanged.
"""

from functools import reduce
from operator import or_
from typing import Any
from weakref import ref

import msgspec

from gcn_lsp.analysis.control import computed_jumps, written_code
from gcn_lsp.analysis.machine.effects import Effects, Model
from gcn_lsp.flow.kept import hand_over, last, latest, once
from gcn_lsp.instruction.model import Fixup, Operand
from gcn_lsp.isa.machine import wave_modes
from gcn_lsp.program.chunk import Chunk, Item, ItemKind
from gcn_lsp.program.kernels.header_blocks import ENDING
from gcn_lsp.records import NamedTuple
from gcn_lsp.syntax import nodes


class Site(msgspec.Struct, frozen=True, eq=False, gc=False):
    """One instruction of a segment. Two sites are equal only if they are one object.

    of: its segment. index: in there. mnemonic: its form's, empty if none matches. modes: those of the wave in force at
    it, see `isa.wave_modes`.

    It does not refer to its segment: kept results name sites of versions that no longer exist, and the segment would
    bring everything kept with it.
    """

    of: "ref[Segment]"
    index: int
    item: Item
    effects: Effects
    mnemonic: str  # not asked of the item each time: twenty rules ask it of each instruction
    modes: int = 0

    @staticmethod
    def made(segment: "Segment", index: int, item: Item, effects: Effects, modes: int = 0) -> "Site":
        """The site of an item in a segment."""
        instruction = item.instruction
        mnemonic = instruction.form.mnemonic if instruction is not None and instruction.form is not None else ""
        return Site(ref(segment), index, item, effects, mnemonic, modes)

    @property
    def selectors(self) -> int:
        """Those in force by which operands choose among 1024 VGPRs, see `isa.vgpr_selectors`."""
        return self.modes & wave_modes.SELECTORS

    @property
    def segment(self) -> "Segment":
        """The segment, which exists as long as a program has it."""
        segment = self.of()
        assert segment is not None, "a site of a version that is gone"
        return segment

    @property
    def operands(self) -> tuple[Operand, ...]:
        """The operands with the selectors here."""
        return self.item.instruction.operands if self.item.instruction is not None else ()


class Segment:
    """Consecutive instructions of one section.

    labels: names at its start. first: number of its first item in the chunk, label or instruction. sites: its
    instructions, empty only if labels are all before the end of the chunk, or data and another label. flow: how control
    continues after its last instruction, see `effects.Effects`. targets: labels that it branches to; None if they are
    not known. distance: bytes from the end of its last instruction to the target of that branch, if it is written as a
    number. memo: results kept with it, see `flow.kept`.
    """

    __slots__ = ("__weakref__", "distance", "first", "flow", "labels", "memo", "section", "sites", "targets")

    def __init__(self, section: str, labels: tuple[str, ...], first: int) -> None:
        self.section = section
        self.labels = labels
        self.first = first
        self.sites: list[Site] = []
        self.flow = "next"
        self.targets: tuple[str, ...] | None = ()
        self.distance: int | None = None
        self.memo: dict[Any, Any] = {}


class Entrances(NamedTuple):
    """How control comes into a chunk.

    entered: numbers of items that a branch reaches without naming a label. falling: sections in which it comes from
    the chunk before, which counts only if the chunk has data. kernels: the names of kernels. Both decide whether data
    are code, see `written_code`.
    """

    entered: frozenset[int] = frozenset()
    falling: frozenset[str] = frozenset()
    kernels: frozenset[str] = frozenset()


class Division(NamedTuple):
    """The segments of a chunk for a model, if control comes into it so.

    opened, closed: sections in which it goes on into the next chunk, and in which it does not, of those with code here.
    """

    model: Model
    entrances: Entrances
    segments: "tuple[Segment, ...]"
    opened: frozenset[str]
    closed: frozenset[str]

    def falling(self, before: frozenset[str]) -> frozenset[str]:
        """The sections in which control goes on into the next chunk, from those in which it comes into this one."""
        return (
            before if self.opened <= before and self.closed.isdisjoint(before) else before - self.closed | self.opened
        )


def of_chunk(chunk: Chunk, model: Model, entrances: Entrances) -> Division:
    """The segments of a chunk for a target; found once and kept with the chunk.

    Each item that a branch reaches without naming a label is entered without any mode in force, see `entered_with`.
    """
    entered, falling, kernels = entrances
    if kernels:
        kernels = kernels.intersection(name for name, _, _, _ in chunk.labels)
    return _divided(chunk, (model, Entrances(entered, falling if has_data(chunk) else frozenset(), kernels)))


def take_over(chunk: Chunk, replaced: Chunk) -> None:
    """Let a new chunk have the segments of the one in whose place it is, if no instruction in it is another.

    That is so when a comment is typed on a line of its own: all results kept with the segments remain.
    """
    if _has_same_code(chunk, replaced):
        hand_over(_divided, replaced, chunk)


def _has_same_code(one: Chunk, other: Chunk) -> bool:
    return (
        one.labels == other.labels
        and one.items == other.items
        and [each.section for each in one.pieces] == [each.section for each in other.pieces]
    )


@latest
def entered_with(segment: Segment, modes: int, model: Model) -> Segment:
    """The segment if it is entered with some modes in force, another object."""
    made = Segment(segment.section, segment.labels, segment.first)
    made.flow, made.targets, made.distance = segment.flow, segment.targets, segment.distance
    for site in segment.sites:
        _append(made, site.item, model, modes)
        modes = _modes_after(made, model)
    return made


def as_last_divided(chunk: Chunk, model: Model, falling: frozenset[str], kernels: frozenset[str]) -> Division:
    """A chunk as last divided, whatever the branches to it. falling, kernels: see `Entrances`."""
    known = last(_divided, chunk)
    known = known if known is not None and known.model is model else None
    if known is not None and not has_data(chunk):
        return known
    return of_chunk(chunk, model, Entrances(known.entrances.entered if known is not None else _NONE, falling, kernels))


_NONE: frozenset[int] = frozenset()


@latest
def _divided(chunk: Chunk, key: tuple[Model, Entrances]) -> Division:
    """The division of a chunk for a model and the ways into it."""
    return _Cut(*key).of(chunk)


@once
def touched(segment: Segment) -> int:
    """The registers that the instructions of a segment read or write, as in `machine.registers`."""
    return reduce(or_, (site.effects.touches for site in segment.sites), 0)


@once
def has_data(chunk: Chunk) -> bool:
    """Whether a chunk has data anywhere."""
    return any(map(is_data, chunk.items))


def is_data(item: Item) -> bool:
    """Whether an item is data, which control may run into. A kernel begins after its header, so that is none."""
    return item.kind == "data" and item.statement.word != ENDING


RUN: frozenset[ItemKind] = frozenset(("instruction", "unknown"))  # the kinds of items that are sites


def _append(segment: Segment, item: Item, model: Model, modes: int) -> Effects:
    effects = model.of(item.instruction, modes & wave_modes.SELECTORS)
    segment.sites.append(Site.made(segment, len(segment.sites), item, effects, modes))
    return effects


def _modes_after(segment: Segment, model: Model) -> int:
    """The modes in force after the instructions of a segment so far; none before the first."""
    if not segment.sites:
        return 0
    last = segment.sites[-1]
    setting = model.sets_modes(last.item.instruction)
    return last.modes if setting is None else last.modes & ~setting[0] | setting[1]


class _Cut:
    """Cuts a chunk into segments."""

    def __init__(self, model: Model, entrances: Entrances) -> None:
        self._model = model
        self._entrances = entrances
        self._falling = set(entrances.falling)
        self._current: Segment | None = None
        self._labels: list[str] = []  # of the current segment
        self._is_behind_data = False  # without an instruction in between
        self._done: list[Segment] = []

    def of(self, chunk: Chunk) -> Division:
        """The division of a chunk."""
        model, entered = self._model, self._entrances.entered
        pieces, has_modes = chunk.pieces, model.has_modes
        names = {item: name for name, _, _, item in chunk.labels}
        for number, written in enumerate(chunk.items):
            item, kind = written, written.kind
            if kind == "data":
                code = self._code(item, pieces[item.piece].section)
                if code is None:
                    continue
                item, kind = code, code.kind
            if kind in RUN:
                section = pieces[item.piece].section
                current = self._current
                if current is None or current.section != section or current.flow != "next" or number in entered:
                    current = self._begin(section, number)
                if not current.sites or self._is_behind_data:
                    self._falling.add(section)
                self._is_behind_data = False
                effects = _append(current, item, model, _modes_after(current, model) if has_modes else 0)
                if effects.flow != "next":
                    _end(current, item, effects.flow)
                    if effects.flow not in GOES_ON:
                        self._falling.discard(section)
            elif kind == "label":
                self._label(pieces[item.piece].section, names.get(number, item.statement.name), number)
        self._finish()
        opened = frozenset(self._falling)
        closed = {each.section for each in self._done if each.sites} | self._entrances.falling
        return Division(model, self._entrances, tuple(self._done), opened, frozenset(closed - opened))

    def _begin(self, section: str, number: int) -> Segment:
        self._finish()
        self._current, self._labels = Segment(section, (), number), []
        return self._current

    def _finish(self) -> None:
        if self._current is not None:
            self._current.labels = tuple(self._labels)
            self._done.append(self._current)

    def _label(self, section: str, name: str, number: int) -> None:
        current = self._current
        if current is None or current.sites or current.section != section or self._is_behind_data:
            self._begin(section, number)
            self._is_behind_data = False
        self._labels.append(name)
        if name in self._entrances.kernels:
            self._falling.add(section)

    def _code(self, item: Item, section: str) -> "Item | None":
        """The instruction that data is where control comes to it; otherwise what follows is behind data."""
        if not is_data(item):
            self._falling.add(section)  # a kernel begins here
            return None
        code = written_code.read(item, self._model.target) if section in self._falling else None
        if code is None:
            self._is_behind_data = True
            self._falling.discard(section)
        return code


GOES_ON = frozenset(("next", "conditional", "call"))
"""How control goes on after a segment if it may continue at the next one: see `effects.Effects.flow`."""


def _end(segment: Segment, item: Item, flow: str) -> None:
    """End a segment with an instruction after which control goes on elsewhere."""
    segment.flow = flow
    segment.targets = _targets(item)
    segment.distance = _distance(item) if segment.targets is None else None
    if flow in COMPUTED and segment.targets is None and segment.distance is None:
        segment.targets, segment.distance = computed(segment.sites)


def _targets(item: Item) -> "tuple[str, ...] | None":
    """The labels that a branch names; None if only the running program knows the address."""
    instruction = item.instruction
    fixups: tuple[Fixup, ...] = item.fixups or (instruction.fixups if instruction is not None else ())
    for fixup in fixups:
        if fixup.kind == "branch":
            expression = fixup.expression
            if isinstance(expression, nodes.LocalLabel):
                return (f"{expression.number}{'f' if expression.forward else 'b'}",)
            return (expression.name,) if isinstance(expression, nodes.Name) else None
    return None


def computed(sites: list[Site]) -> "tuple[tuple[str, ...] | None, int | None]":
    """The targets or the distance, the other being None, of the jump at the end of some consecutive instructions."""
    found = computed_jumps.target(sites)
    if found is None:
        return None, None
    label, distance = found
    return ((label,), None) if label else (None, distance)


COMPUTED = frozenset(("jump", "call"))
"""How control goes on after instructions that may take the address from registers."""

_UNIT = 4  # the unit of a branch's immediate, in bytes


def _distance(item: Item) -> "int | None":
    """The distance of a branch in bytes; None if it is not written as a number."""
    instruction = item.instruction
    if instruction is None or item.fixups or instruction.fixups:
        return None
    for operand in instruction.operands:
        if operand.slot == "simm16" and type(operand.value) is int:
            return ((operand.value + 0x8000 & 0xFFFF) - 0x8000) * _UNIT
    return None
