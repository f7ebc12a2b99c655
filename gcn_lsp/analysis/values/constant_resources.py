"""Finds descriptors of buffers and images that cannot be right, from words that nearby code sets to constants.

It starts from moves of a constant into a word of a descriptor that would be wrong, or swizzled, on its own, and follows
the register to the instructions that use it in a descriptor; only for these the rest is examined.

Question: which constants are in the words of a descriptor that an instruction uses?
Direction: forward from the moves in straight code; backward from the instruction, by `values.symbolic`.
May or must: must; an unknown word contradicts nothing.
Ignored: moves that no instruction in straight code after them uses.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from gcn_lsp.analysis import bounds
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine import arithmetic, registers
from gcn_lsp.analysis.machine.effects import Model
from gcn_lsp.analysis.values import symbolic
from gcn_lsp.flow.kept import latest
from gcn_lsp.instruction.model import Operand
from gcn_lsp.isa.memory import resources
from gcn_lsp.isa.memory.resources import Resource, ResourceField
from gcn_lsp.isa.schema import Form
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple

_WORDS = 4
_SIZE_WORD, _FORMAT_WORD = 2, 3
_STRAIGHT = ("next", "conditional")


class Suspicious(NamedTuple):
    """An instruction with a descriptor that cannot be right. defects: the reasons; words: as far as they are known."""

    reader: Site
    operand: Operand
    defects: tuple[str, ...]
    words: tuple[int | None, ...]
    kind: Literal["buffer", "image"] = "buffer"


class _Layouts(NamedTuple):
    """The descriptors of a target; None where they are not described."""

    buffer: Resource | None
    image: Resource | None


def suspicious(program: Program, graph: Graph) -> Iterator[Suspicious]:
    """The instructions of a program whose descriptor cannot be right, in program order."""
    layout = _layouts(graph.model).buffer
    if layout is None:
        return
    readers: dict[tuple[int, int], tuple[int, Site, Operand]] = {}
    for node, moves in _all_odd_moves(graph):
        for index, register in moves:
            for other, site, operand in _readers(graph, node, index + 1, register):
                readers[(other, site.index)] = (other, site, operand)
    found_near = {(node, each.reader.index): each for node, several in _all_in_segments(graph) for each in several}
    for place in sorted({*readers, *found_near}):
        near = found_near.get(place)
        if place not in readers:
            if near is not None:
                yield near
            continue
        _, site, operand = readers[place]
        words = symbolic.words(program, graph, site, operand.first, operand.count)
        form = _form(site)
        found = resources.known_fields(layout, words)
        defects = resources.buffer_defects(found, form, graph.model.target.features) if form is not None else []
        defects += near.defects if near is not None else ()
        if defects:
            yield Suspicious(site, operand, tuple(defects), words)


@latest
def _in_segment(segment: Segment, layouts: _Layouts) -> tuple[Suspicious, ...]:
    """The accesses of a segment whose descriptor is wrong for them, by the constants that it moves into its words."""
    known: arithmetic.Known = {}
    found = []
    for site in segment.sites:
        form, instruction = _form(site), site.item.instruction
        if form is None or instruction is None:
            known = {}
            continue
        for operand in instruction.operands if known else ():
            kind = resources.kind_of(form, operand.slot) if operand.file == "s" else None
            if kind in ("buffer", "image"):
                values = (known.get(operand.first + number) for number in range(operand.count))
                words = tuple(value.word if value is not None else None for value in values)
                if kind == "image":
                    defects = _wrong_image(layouts.image, words, instruction.operands)
                else:
                    defects = (
                        *_effects_missed(layouts.buffer, words, form, instruction.operands),
                        *resources.reserved_bits(layouts.buffer, words),
                    )
                if defects:
                    found.append(Suspicious(site, operand, defects, words, kind))
        known = arithmetic.after(known, site)
    return tuple(found)


def _effects_missed(
    layout: "Resource | None", words: tuple[int | None, ...], form: Form, operands: tuple[Operand, ...]
) -> tuple[str, ...]:
    """Why an access with these words of a descriptor cannot reach memory; empty if it may."""
    if layout is None or len(words) != _WORDS or (words[_SIZE_WORD] is None and words[_FORMAT_WORD] is None):
        return ()
    offset = next((operand.value for operand in operands if operand.slot == "offset"), 0)
    fields = resources.known_fields(layout, words)
    return tuple(resources.access_defects(layout, fields, form, offset if type(offset) is int else None))


def _wrong_image(
    layout: "Resource | None", words: tuple[int | None, ...], operands: tuple[Operand, ...]
) -> tuple[str, ...]:
    """What is wrong with an image's descriptor of these words, as an instruction with these operands uses it."""
    if layout is None or len(words) <= _FORMAT_WORD or words[_FORMAT_WORD] is None:
        return ()
    modifiers = {operand.slot: operand.value for operand in operands}
    return tuple(resources.image_defects(resources.known_fields(layout, words), modifiers))


@latest
def _odd_moves(segment: Segment, swizzle: ResourceField) -> tuple[tuple[int, int], ...]:
    """The moves in a segment, with their SGPR, of values that would be odd in a descriptor with that swizzle field."""
    return tuple(
        (site.index, register)
        for site in segment.sites
        if site.effects.writes & registers.SGPRS and not site.effects.reads & ~registers.EXEC
        for register in _odd_registers(site, swizzle)
    )


def _odd_registers(site: Site, swizzle: ResourceField) -> Iterator[int]:
    for register, moved in arithmetic.moved(site.item.instruction).items():
        value = moved.word or 0
        word = register % _WORDS
        if (word == _FORMAT_WORD and _is_odd_format(value)) or swizzle.taken(value << 32 * word):
            yield register


def _is_odd_format(value: int) -> bool:
    """Whether the last word of a descriptor has a type, or a component that selects nothing."""
    return bool(value >> 30) or any(value >> shift & 7 in (2, 3) for shift in (0, 3, 6, 9))


@lru_cache(maxsize=32)
def _layouts(model: Model) -> _Layouts:
    features = model.target.features
    return _Layouts(resources.resource("buffer", features), resources.resource("image", features))


@in_segments
def _all_odd_moves(segment: Segment, model: Model) -> tuple[tuple[int, int], ...]:
    layout = _layouts(model).buffer
    assert layout is not None, "the target has buffers"
    return _odd_moves(segment, next(field for field in layout.fields if field.name == "swizzle_enable"))


@in_segments
def _all_in_segments(segment: Segment, model: Model) -> tuple[Suspicious, ...]:
    return _in_segment(segment, _layouts(model))


def _readers(graph: Graph, node: int, index: int, register: int) -> Iterator[tuple[int, Site, Operand]]:
    """The instructions that use a register in a descriptor while it holds the moved value."""
    mask = registers.of_tuple("s", register, 1)
    first = register - register % _WORDS
    passed = 0
    while True:
        segment = graph.nodes[node]
        for site in segment.sites[index:]:
            passed += 1
            if passed > bounds.FAR:
                return
            if site.effects.touches & mask:
                form = _form(site)
                if form is None:
                    return
                for operand in site.item.instruction.operands if site.item.instruction is not None else ():
                    is_tuple = (operand.file, operand.first, operand.count) == ("s", first, _WORDS)
                    if is_tuple and resources.kind_of(form, operand.slot) == "buffer":
                        yield node, site, operand
                if site.effects.writes & mask:
                    return
        following = graph.successors[node]
        if segment.flow not in _STRAIGHT or not following or graph.nodes[following[0]].labels:
            return
        node, index = following[0], 0


def _form(site: Site) -> "Form | None":
    return site.item.instruction.form if site.item.instruction is not None else None
