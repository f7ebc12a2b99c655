"""The encoding of an instruction: its fields as a drawing and a table, with the values of this line's bytes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from gcn_lsp import isa
from gcn_lsp.ide.describe import bit_fields, markdown
from gcn_lsp.ide.describe.bit_fields import Bits
from gcn_lsp.ide.describe.hovered import Hovered
from gcn_lsp.instruction.model import Instruction
from gcn_lsp.isa.modifiers import cache_policy
from gcn_lsp.isa.operands import encoding_bits

if TYPE_CHECKING:
    from gcn_lsp.program.program import PlacedItem


def of_line(at: Hovered) -> str:
    """The encoding of the instruction on a line, and where it is; empty if expansions differ."""
    form, target, items = at.only_form, at.target, at.items
    if not at.code or form is None or target is None:
        return ""
    place = f"Encoding {title(form)}"
    if len(items) == 1:
        place += f", at {markdown.code(items[0].section)} + {items[0].offset:#x}"
    drawn = describe(form, target, at.code, _meanings(at.instructions[0]))
    # Right after a file is opened nobody has made the tables with which bytes are read.
    return markdown.join(f"{place}:", drawn, _read_back(target, items[0]) if at.program.has_flow else "")


def _read_back(target: isa.Target, item: "PlacedItem") -> str:
    """What a disassembler makes of the bytes, where it is not what is written."""
    from gcn_lsp.instruction.decoding.decoder import decoder_for  # late: only hovers need it

    found = decoder_for(target).read(item.code)
    if found is None or found.size != len(item.code) or _plain(found.text) == _plain(item.text):
        return ""
    return f"These bytes, read back, are {markdown.code(found.text)}."


def _plain(text: str) -> str:
    """An instruction without the blanks, in which writers differ."""
    return "".join(text.split()).lower()


def _meanings(instruction: Instruction) -> Mapping[str, str]:
    found = {}
    for operand in instruction.operands:
        if operand.slot and operand.kind != "modifier":
            found[operand.slot] = markdown.code(operand.text)
        elif operand.slot and isinstance(operand.value, int) and operand.value < 0:
            found[operand.slot] = str(operand.value)  # the field shows it as two's complement
    return found


def describe(form: isa.Form, target: isa.Target, code: bytes, meanings: Mapping[str, str]) -> str:
    """The bytes, a drawing of where the fields are, and a table of what those that are set mean.

    meanings: of each operand's field.
    """
    if not code:
        return ""
    word = int.from_bytes(code[: form.size], "little")
    fields = sorted(_rows(form, target, word, meanings), reverse=True)
    rows = [cells for _, cells in fields]
    for name, bit, width in _appended(form, len(code)):
        value = int.from_bytes(code, "little") >> bit & (1 << width) - 1
        shown = f"{value:#x}" if value > 9 or name == "literal" else str(value)
        rows.insert(0, (name, _bits(bit, width), shown, meanings.get(name, "")))
    drawing = markdown.block(drawn(form, target, code), "text")
    # The drawing has the values of the others.
    said = [cells for cells in rows if cells[-1] or (cells[0] != "fixed" and cells[2] != "0")]
    table = markdown.table(("field", "bits", "value", ""), said) if said else ""
    return markdown.join(byte_text(code), drawing, table)


def layout(form: isa.Form, target: isa.Target) -> str:
    """The fields of a form as boxes, with the constant bits and room for the rest."""
    blank = [box._replace(value="") for box in _boxes(form, target, 0)]
    fixed = [
        Bits(bit, width, "fixed", _fixed(form.fixed >> bit & (1 << width) - 1, width))
        for bit, width in _fixed_runs(form, target)
    ]
    named = [Bits(row.bit, 1, row.name, str(form.fixed >> row.bit & 1)) for row in _named(form, target)]
    return bit_fields.draw((*blank, *fixed, *named), form.size * 8)


def title(form: isa.Form) -> str:
    """The name of a form's encoding: `VOP2`, `VOP1 with DPP`."""
    name = form.family
    if form.variant.startswith(("DPP", "SDWA")) or form.variant.endswith("DPP"):
        name += " with " + ("SDWA" if form.variant.startswith("SDWA") else "DPP")
    return name


def drawn(form: isa.Form, target: isa.Target, code: bytes) -> str:
    """The fields as boxes."""
    word = int.from_bytes(code, "little")
    boxes = [*_boxes(form, target, word)]
    boxes += (
        Bits(bit, width, "fixed", _fixed(word >> bit & (1 << width) - 1, width))
        for bit, width in _fixed_runs(form, target)
    )
    boxes += (Bits(row.bit, 1, row.name, str(word >> row.bit & 1)) for row in _named(form, target))
    for name, bit, width in _appended(form, len(code)):
        value = word >> bit & (1 << width) - 1
        boxes.append(Bits(bit, width, name, f"{value:#x}" if value > 9 or name == "literal" else str(value)))
    return bit_fields.draw(boxes, len(code) * 8)


def _appended(form: isa.Form, size: int) -> Iterator[tuple[str, int, int]]:
    """The values after the fields of an instruction of `size` bytes: name, bit and width of each.

    A literal, or the further registers of an image's address, a byte for each.
    """
    bit = form.size * 8
    if size * 8 <= bit:
        return
    if form.family != "MIMG":
        yield "literal", bit, size * 8 - bit
        return
    with_field = {field.name for field in form.fields}
    for slot in form.slots:
        if slot.name.startswith("vaddr") and slot.name not in with_field:
            yield slot.name, bit, 8
            bit += 8


def _boxes(form: isa.Form, target: isa.Target, word: int) -> Iterator[Bits]:
    """A box for each run of bits; if a value has several boxes, each says which of its bits it holds."""
    for field in form.fields:
        if field.name.endswith("_modifiers"):
            names = _PACKED if form.family == "VOP3P" else _SINGLE
            operand = field.name.removesuffix("_modifiers")
            for piece in field.pieces:
                for step in range(piece.width):
                    bit, source = piece.bit + step, piece.source + step
                    yield Bits(bit, 1, f"{operand} {names.get(source, source)}", str(word >> bit & 1))
            continue
        if field.name == "cpol":
            for bit, width, name in _policy_parts(form, target, field.pieces):
                yield Bits(bit, width, name, str(word >> bit & (1 << width) - 1))
            continue
        for piece in field.pieces:
            name = field.name
            if len(field.pieces) > 1 or piece.source:
                name = f"{name}[{_bits(piece.source, piece.width)}]"
            value = _value(word, piece)
            yield Bits(piece.bit, piece.width, name, f"{value:#x}" if value > 9 else str(value))


def _fixed_runs(form: isa.Form, target: isa.Target) -> Iterator[tuple[int, int]]:
    """The runs of constant bits without a name, none across dwords."""
    mask = _unnamed_mask(form, target)
    for low in range(0, form.size * 8, 32):
        yield from ((low + bit, width) for bit, width in _runs(mask >> low & 0xFFFFFFFF, 32))


def _unnamed_mask(form: isa.Form, target: isa.Target) -> int:
    """The constant bits of a form, without those that have a name."""
    return form.fixed_mask & ~sum(1 << row.bit for row in _named(form, target))


def _named(form: isa.Form, target: isa.Target) -> Iterator[encoding_bits.NamedBit]:
    """The named bits of a form that no field takes."""
    taken = {piece.bit + step for field in form.fields for piece in field.pieces for step in range(piece.width)}
    return (row for row in encoding_bits.named_bits(form.family, target.features) if row.bit not in taken)


def byte_text(code: bytes) -> str:
    """The bytes in memory order, and the dwords that they form, as a disassembler shows them."""
    words = " ".join(f"{int.from_bytes(code[start : start + 4], 'little'):08X}" for start in range(0, len(code), 4))
    return f"`{code.hex(' ')}` ({markdown.code(words)}, {len(code)} bytes)"


_Cells = tuple[str, str, str, str]


def _rows(form: isa.Form, target: isa.Target, word: int, meanings: Mapping[str, str]) -> Iterator[tuple[int, _Cells]]:
    """For each run of bits: its highest bit, and the cells for its name, bits, value and meaning."""
    for field in form.fields:
        pieces = sorted(field.pieces, key=lambda piece: piece.source)
        if field.name == "cpol":
            yield from _cache_policy(form, target, word, pieces)
        elif field.name.endswith("_modifiers"):
            yield from _source_modifiers(form, field.name.removesuffix("_modifiers"), word, pieces)
        elif pieces:
            low, high = pieces[0].source, pieces[-1].source + pieces[-1].width - 1
            value = sum(_value(word, piece) << (piece.source - low) for piece in pieces)
            name = field.name if low == 0 else f"{field.name}[{high}:{low}]"
            spans = " ".join(_bits(piece.bit, piece.width) for piece in reversed(pieces))
            shown = f"{value:#x}" if value > 9 else str(value)
            yield max(piece.bit for piece in pieces), (name, spans, shown, meanings.get(field.name, ""))
    for row in _named(form, target):
        yield row.bit, (row.name, str(row.bit), str(word >> row.bit & 1), row.meaning)
    for bit, width in _runs(_unnamed_mask(form, target), form.size * 8):
        value = word >> bit & ((1 << width) - 1)
        yield bit, ("fixed", _bits(bit, width), _fixed(value, width), "")


def _fixed(value: int, width: int) -> str:
    """Short runs in binary, as manuals write them; long ones are left out."""
    if width == 1:
        return str(value)
    return f"{value:0{width}b}b" if width <= 16 else f"{value:#x}"


def _source_modifiers(
    form: isa.Form, operand: str, word: int, pieces: Sequence[isa.BitPiece]
) -> Iterator[tuple[int, _Cells]]:
    """A row for each source modifier of an operand: its bits are scattered and have their own names."""
    names = _PACKED if form.family == "VOP3P" else _SINGLE
    for piece in pieces:
        for step in range(piece.width):
            bit, source = piece.bit + step, piece.source + step
            yield bit, (f"{operand} {names.get(source, source)}", str(bit), str(word >> bit & 1), "")


# By bit of LLVM's `SISrcMods`.
_SINGLE = {0: "neg", 1: "abs", 2: "op_sel", 3: "op_sel of the result", 4: "sext"}
_PACKED = {0: "neg_lo", 1: "neg_hi", 2: "op_sel", 3: "op_sel_hi"}


# From gfx12 the policy consists of these, by first bit and width.
_POLICY_PARTS = {(0, 3): "th", (3, 2): "scope"}


def _cache_policy(
    form: isa.Form, target: isa.Target, word: int, pieces: Sequence[isa.BitPiece]
) -> Iterator[tuple[int, _Cells]]:
    """The cache policy as the flags in its syntax, if it consists of flags."""
    for bit, width, name in _policy_parts(form, target, pieces):
        yield bit, (name, _bits(bit, width), str(word >> bit & (1 << width) - 1), "")


def _policy_parts(form: isa.Form, target: isa.Target, pieces: Sequence[isa.BitPiece]) -> Iterator[tuple[int, int, str]]:
    """First bit, width and name of the parts of the cache policy: single flags; from gfx12 a hint and a scope."""
    names = {bit: name for name, bit in cache_policy.flags_of(form.family, target.features).items()}
    for piece in pieces:
        part = _POLICY_PARTS.get((piece.source, piece.width)) if target.has_temporal_hints else None
        if part is not None:
            yield piece.bit, piece.width, part
            continue
        for step in range(piece.width):
            yield piece.bit + step, 1, names.get(1 << piece.source + step, f"cpol[{piece.source + step}]")


def _value(word: int, piece: isa.BitPiece) -> int:
    return word >> piece.bit & ((1 << piece.width) - 1)


def _bits(bit: int, width: int) -> str:
    return str(bit) if width == 1 else f"{bit + width - 1}:{bit}"


def _runs(mask: int, size: int) -> Iterator[tuple[int, int]]:
    """The runs of set bits: first bit and width."""
    bit = 0
    while bit < size:
        if mask >> bit & 1:
            width = 1
            while mask >> (bit + width) & 1:
                width += 1
            yield bit, width
            bit += width
        else:
            bit += 1
