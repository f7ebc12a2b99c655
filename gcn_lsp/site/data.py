"""The documentation of all instructions as data: `gcn-lsp docs --format json`, with its schema."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from gcn_lsp import isa
from gcn_lsp.ide.describe import subject
from gcn_lsp.isa import builtins
from gcn_lsp.isa.machine import matrix_layouts
from gcn_lsp.isa.schema import Field
from gcn_lsp.site import content

FORMAT = 1
"""Rises when a field is removed or changes its meaning; new fields may be added under the same number."""


class Syntax(msgspec.Struct, frozen=True, kw_only=True):
    """A way to write the instruction, on some targets."""

    text: str
    targets: tuple[str, ...]


class OperandType(msgspec.Struct, frozen=True, kw_only=True):
    """What an operand accepts, on some targets."""

    name: str
    accepts: str
    targets: tuple[str, ...]


class EncodedField(msgspec.Struct, frozen=True, kw_only=True):
    """A run of bits of an operand: `width` bits from bit `source` of its value are at bit `bit` of the instruction."""

    operand: str
    source: int
    bit: int
    width: int


class EncodingData(msgspec.Struct, frozen=True, kw_only=True):
    """An encoding, on some targets.

    size: bytes, without a literal. fixed, mask: the constant bits and which bits are constant, hexadecimal. fields: of
    the others. writes: the operands that it writes.
    """

    family: str
    variant: str
    size: int
    fixed: str
    mask: str
    fields: tuple[EncodedField, ...]
    writes: tuple[str, ...]
    targets: tuple[str, ...]


class LaneLayout(msgspec.Struct, frozen=True, kw_only=True):
    """Where the elements of a matrix lie, on some targets.

    matrix: `A`, `B` or `D`; C lies as D does. rows, columns: of one matrix. count: how many the instruction multiplies.
    bits: of an element. lanes: of the wave. registers: of a lane. elements: of lane 0, then lane 1 and so on, each as
    `[matrix, row, column]`, in the order of its registers, lowest bits first.
    """

    matrix: str
    operands: tuple[str, ...]
    rows: int
    columns: int
    count: int
    bits: int
    lanes: int
    registers: int
    elements: tuple[tuple[tuple[int, int, int], ...], ...]
    targets: tuple[str, ...]


class BuiltinData(msgspec.Struct, frozen=True, kw_only=True):
    """A builtin of clang that becomes the instruction and nothing else, on some targets."""

    declaration: str
    targets: tuple[str, ...]


class VariantData(msgspec.Struct, frozen=True, kw_only=True):
    """What a mnemonic is on the targets that agree on it.

    operation: in the notation that the site explains. reads, writes: state besides the operands; `sometimes_`: that
    only some forms do. counters: raised. hazards: what a program must keep, in sentences.
    """

    targets: tuple[str, ...]
    family: str
    summary: str
    operation: str
    reads: tuple[str, ...]
    sometimes_reads: tuple[str, ...]
    writes: tuple[str, ...]
    sometimes_writes: tuple[str, ...]
    counters: tuple[str, ...]
    notes: tuple[str, ...]
    hazards: tuple[str, ...]
    sources: tuple[str, ...]
    is_legacy: bool
    syntaxes: tuple[Syntax, ...]
    operands: tuple[OperandType, ...]


class InstructionData(msgspec.Struct, frozen=True, kw_only=True):
    """A mnemonic: its variants, encodings, lanes and builtins, each with the targets that have it."""

    mnemonic: str
    variants: tuple[VariantData, ...]
    encodings: tuple[EncodingData, ...]
    lanes: tuple[LaneLayout, ...]
    builtins: tuple[BuiltinData, ...]


class IsaData(msgspec.Struct, frozen=True, kw_only=True):
    """The instructions of some targets."""

    format: int
    targets: tuple[str, ...]
    instructions: tuple[InstructionData, ...]


def build(targets: Sequence[str]) -> IsaData:
    """Everything about the instructions of some targets."""
    loaded = [isa.load_target(name) for name in targets]
    found = (_instruction(each, loaded) for each in content.mnemonics(targets))
    return IsaData(format=FORMAT, targets=tuple(targets), instructions=tuple(found))


def schema() -> dict[str, Any]:
    """The JSON schema of the data."""
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "gcn-lsp docs --format json",
    }
    return {**head, **msgspec.json.schema(IsaData)}


def _instruction(about: content.Mnemonic, targets: Sequence[isa.Target]) -> InstructionData:
    having = [target for target in targets if target.name in about.targets]
    return InstructionData(
        mnemonic=about.name,
        variants=tuple(map(_variant, about.variants)),
        encodings=tuple(_shared(having, lambda target: _encodings(about.name, target))),
        lanes=tuple(_shared(having, lambda target: _lanes(about.name, target))),
        builtins=tuple(_shared(having, lambda target: _builtins(about.name, target))),
    )


def _shared(targets: Sequence[isa.Target], of: Any) -> Iterator[Any]:
    """What each target has, equal things once with all their targets."""
    found: dict[Any, list[str]] = {}
    for target in targets:
        for each in dict.fromkeys(of(target)):
            found.setdefault(each, []).append(target.name)
    return (msgspec.structs.replace(each, targets=tuple(names)) for each, names in found.items())


def _variant(about: content.Variant) -> VariantData:
    entry = about.entry
    return VariantData(
        targets=about.targets,
        family=entry.family,
        summary=entry.summary,
        operation=entry.operation,
        reads=about.reads.always,
        sometimes_reads=about.reads.sometimes,
        writes=about.writes.always,
        sometimes_writes=about.writes.sometimes,
        counters=entry.counters,
        notes=entry.notes,
        hazards=entry.hazards,
        sources=about.sources,
        is_legacy=entry.is_legacy,
        syntaxes=tuple(Syntax(text=text, targets=names) for text, names in about.syntaxes),
        operands=tuple(
            OperandType(name=name, accepts=accepts, targets=names) for (name, accepts), names in about.operands
        ),
    )


def _encodings(mnemonic: str, target: isa.Target) -> Iterator[EncodingData]:
    for form in subject.of(mnemonic, target).forms:
        if not form.is_alias:
            yield EncodingData(
                family=form.family,
                variant=form.variant,
                size=form.size,
                fixed=f"0x{form.fixed:0{2 * form.size}x}",
                mask=f"0x{form.fixed_mask:0{2 * form.size}x}",
                fields=tuple(_fields(form.fields)),
                writes=tuple(operand.name for operand in form.operands if operand.is_def),
                targets=(),
            )


def _fields(fields: Sequence[Field]) -> Iterator[EncodedField]:
    for field in fields:
        for piece in field.pieces:
            yield EncodedField(operand=field.name, source=piece.source, bit=piece.bit, width=piece.width)


def _lanes(mnemonic: str, target: isa.Target) -> Iterator[LaneLayout]:
    for layout in matrix_layouts.layouts(subject.of(mnemonic, target).forms, target):
        for matrix in layout.matrices:
            sizes = (matrix.outer, matrix.inner) if matrix.name == "A" else (matrix.inner, matrix.outer)
            yield LaneLayout(
                matrix=matrix.name,
                operands=matrix.operands,
                rows=sizes[0],
                columns=sizes[1],
                count=matrix.blocks,
                bits=matrix.bits,
                lanes=matrix.lanes,
                registers=matrix.registers,
                elements=tuple(tuple(_elements(matrix, lane)) for lane in range(matrix.lanes)),
                targets=(),
            )


def _elements(matrix: matrix_layouts.Matrix, lane: int) -> Iterator[tuple[int, int, int]]:
    for place in range(matrix.elements):
        number, outer, inner = matrix.element(lane, place)
        yield (number, outer, inner) if matrix.name == "A" else (number, inner, outer)


def _builtins(mnemonic: str, target: isa.Target) -> Iterator[BuiltinData]:
    return (BuiltinData(declaration=each.declaration, targets=()) for each in builtins.becoming(mnemonic, target))
