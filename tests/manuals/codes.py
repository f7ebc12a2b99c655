"""The codes of source operands as a manual tabulates them, against what the disassembler makes of each."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gcn_lsp import isa
from gcn_lsp.instruction.decoding.decoder import decoder_for


class Code(NamedTuple):
    """A code of a source operand. is_vector: of vector instructions. meaning: as the disassembler writes it.

    What no operand is, such as a reserved code, is empty.
    """

    number: int
    is_vector: bool
    meaning: str


_SECTION = re.compile(r"#+ .*?\*\*(\d+\.\d+\.) (Scalar ALU Operands|Operands)\*\*")
_NUMBERED = re.compile(r"#+ .*?\*\*(\d+\.\d+\.)")
_CODE = re.compile(r"(?:^|.*?[a-z)] )(\d+)(?: ?- ?(\d+))?$", re.IGNORECASE)
_SPELT: Mapping[str, str] = {
    "flat_scr_lo": "flat_scratch_lo", "flat_scr_hi": "flat_scratch_hi",
    "flatscr_lo": "flat_scratch_lo", "flatscr_hi": "flat_scratch_hi",
    "flat_scratch_base_lo": "src_flat_scratch_base_lo", "flat_scratch_base_hi": "src_flat_scratch_base_hi",
    **{name: f"src_{name}" for name in (
        "shared_base", "shared_limit", "private_base", "private_limit", "pops_exiting_wave_id", "vccz", "execz", "scc",
    )},
    **dict.fromkeys(("reserved", "unused", "sdwa", "dpp", "dpp8", "dpp8fi", "dpp16"), ""),
}  # fmt: skip
_INVERSE_OF_TWO_PI = "0.15915494"
LITERAL = 0x12345678


def codes(text: str) -> Iterator[Code]:
    """The codes of the tables of scalar and of vector operands."""
    lines = text.replace("\\_", "_").split("\n")
    for at, line in enumerate(lines):
        title = _SECTION.match(line)
        if title is None:
            continue
        is_vector = title[2] == "Operands"
        seen: set[int] = set()
        for row in _of_section(lines, at + 1, title[1]):
            for code in _of_row(row, is_vector):
                if code.number not in seen:
                    seen.add(code.number)
                    yield code


def _of_section(lines: Sequence[str], start: int, number: str) -> Iterator[str]:
    """The lines of a section with its subsections."""
    for line in lines[start:]:
        heading = _NUMBERED.match(line)
        if heading and heading[1] != number:
            return
        yield line


def _of_row(row: str, is_vector: bool) -> Iterator[Code]:
    cells = [cell.strip() for cell in row.split("|")[1:-1]]
    if len(cells) < 2:
        return
    found = _CODE.match(cells[0])
    pairs = [(found[1], found[2] or found[1], cells[1])] if found else []
    if cells[0].startswith("Code "):  # the first rows are set in one cell
        ranges = re.findall(r"(?<!\()\b(\d+)(?:-(\d+))?\b", cells[0])
        pairs = [(low, high or low, text) for (low, high), text in zip(ranges, _NAMES.findall(cells[1]), strict=True)]
    for low, high, text in pairs:
        for number in range(int(low), int(high) + 1):
            meaning = _meaning(re.sub(r"(?<=_[LH]) (?=[OI]\b)", "", text), number - int(low))
            if meaning is not None:
                yield Code(number, is_vector, meaning)


_NAMES = re.compile(r"SGPR 0 \.\. \d+|TTMP0 \.\. TTMP\d+|(?!Meaning)[A-Z]\w+")


def _meaning(text: str, place: int) -> "str | None":
    """The operand with this place in the range of a row; None if the row says it otherwise."""
    file = re.match(r"(SGPR|VGPR|TTMP) ?(\d*)", text, re.IGNORECASE)
    if file:
        return f"{file[1].lower().removesuffix('gpr')}{int(file[2] or 0) + place}"
    number = re.match(r"int (-?\d+)", text)
    if number:
        return str(int(number[1]) + (place if int(number[1]) > 0 else -place))
    if re.match(r"1(\.0)? ?/ ?\(2", text):
        return _INVERSE_OF_TWO_PI
    if re.match(r"literal", text, re.IGNORECASE):
        return "literal64" if "64" in text else "literal"
    if text.startswith("LDS direct"):
        return "src_lds_direct"
    word = text.split()[0].lower() if text else ""
    if re.fullmatch(r"-?[\d.]+", word):
        return word
    return _SPELT.get(word, word) if re.fullmatch(r"[a-z][a-z0-9_]+", word) else None


def ours(code: Code, target: isa.Target) -> str:
    """What the disassembler makes of a code in `s_mov_b32` or `v_mov_b32`; empty for none."""
    form = target.forms("v_mov_b32" if code.is_vector else "s_mov_b32")[0]
    field = form.field("src0")
    assert field is not None
    word = form.fixed | code.number << field.pieces[0].bit
    found = decoder_for(target).read(word.to_bytes(4, "little") + LITERAL.to_bytes(4, "little") + bytes(8))
    if found is None:
        return ""
    operand = found.text.rpartition(", ")[2].partition(" ")[0]
    if "dpp8" in found.text:
        return ""
    if found.size > form.size:
        return "literal64" if found.size - form.size > 4 else "literal"
    return _INVERSE_OF_TWO_PI if operand.startswith(_INVERSE_OF_TWO_PI) else operand
