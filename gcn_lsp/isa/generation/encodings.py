"""The bits of an encoding as the manuals write them: `31..26=0x3d 25..18=OP 12..6=sdst 5..0=sbase[6..1]`.

The dump has a record's constant bits without their names. `_NAMED` says which of them are the opcode, so that a row of
the forms has the number from the manual's list of opcodes, and its layout everything else.
"""

import re
from collections.abc import Iterable, Iterator

from gcn_lsp.isa.generation.dump import DumpError, Record
from gcn_lsp.records import NamedTuple

# By family the first generation, and where the manuals have the encoding's number and the opcode. A family without a
# row for its generation uses the one before. `:12` and `:16` are forms of so many bytes, if these differ.
_NAMED: dict[str, dict[int, str]] = {
    "SOP1": {6: "31..23 15..8=OP"},
    "SOP2": {6: "31..30 29..23=OP"},
    "SOPC": {6: "31..23 22..16=OP"},
    "SOPK": {6: "31..28 27..23=OP"},
    "SOPP": {6: "31..23 22..16=OP"},
    "SMRD": {6: "31..27 26..22=OP"},
    "SMEM": {8: "31..26 25..18=OP", 12: "31..26 18..13=OP"},
    "VOP1": {6: "31..25 16..9=OP"},
    "VOP2": {6: "31 30..25=OP"},
    "VOPC": {6: "31..25 24..17=OP"},
    "VOP3": {6: "31..26 25..17=OP", 8: "31..26 25..16=OP"},
    "VOP3P": {8: "31..23 22..16=OP", 10: "31..24 22..16=OP", 12: "31..24 23..16=OP"},
    "VOP3P:16": {12: "31..24 95..88 87..80=OP"},  # the second half is the instruction, the first loads the scale
    "MAI": {8: "31..23 22..16=OP"},
    "MAI:16": {9: "31..23 95..87 86..80=OP"},  # as VOP3P:16
    "VOPD": {11: "31..26 25..22=OPX 21..17=OPY"},
    "VOPD3": {12: "31..24 23..18=OPX 17..12=OPY"},
    "VINTRP": {6: "31..26 17..16=OP"},
    "VINTERP": {11: "31..24 22..16=OP", 12: "31..24 20..16=OP"},
    "LDSDIR": {11: "31..24 21..20=OP"},
    "DS": {6: "31..26 25..18=OP", 8: "31..26 24..17=OP", 10: "31..26 25..18=OP"},
    "MUBUF": {6: "31..26 24..18=OP", 10: "31..26 25..18=OP", 12: "31..26 21..14=OP"},
    "MTBUF": {
        6: "31..26 18..16=OP",
        8: "31..26 18..15=OP",
        10: "31..26 53=OP[3] 18..16=OP",
        11: "31..26 18..15=OP",
        12: "31..26 21..14=OP",
    },
    "MIMG": {6: "31..26 24..18=OP 0=OP[7]", 11: "31..26 25..18=OP"},
    "VIMAGE": {12: "31..26 21..14=OP"},
    "VSAMPLE": {12: "31..26 21..14=OP"},
    "EXP": {6: "31..26"},
    "FLAT": {7: "31..26 24..18=OP", 12: "31..26 25..24 21..14=OP"},
    "GLOBAL": {8: "31..26 24..18=OP", 12: "31..26 25..24 21..14=OP"},
    "SCRATCH": {8: "31..26 24..18=OP", 12: "31..26 25..24 21..14=OP"},
}
_VOPD3 = 0xCF  # bits 31..24 of a pair with three sources each

# A constant bit, an unspecified one (None), or the name of an operand and one of its bits.
Bit = int | tuple[str, int] | None


class LayoutPart(NamedTuple):
    """Bits `high..low` of a layout and their contents."""

    high: int
    low: int
    holds: str


def written(name: str, record: Record, family: str, bits: list[Bit], *, fills: bool = False) -> tuple[str, str]:
    """The layout, fields from the highest bit down and every bit in one; and the opcode, in decimal.

    fills: this version of LLVM writes something into unused sources.
    """
    opcodes: dict[str, int] = {}
    parts: list[LayoutPart] = []
    starts: set[int] = set()
    for high, low, holds in _named(record, family, bits):
        starts |= {high, low - 1}
        if holds:
            word, lowest = _source(holds)
            opcodes[word] = opcodes.get(word, 0) | _constant(name, bits, high, low) << lowest
            parts.append(LayoutPart(high, low, holds))
    for part in _filled(name, record, bits, fills):
        starts |= {part.high, part.low - 1}
        parts.append(part)
    taken = {position for part in parts for position in range(part.low, part.high + 1)}
    parts += _rest(bits, taken, starts)
    layout = " ".join(f"{_range(part)}={part.holds}" for part in sorted(parts, reverse=True))
    return layout, " ".join(str(opcodes[word]) for word in sorted(opcodes))


def number(bits: list[Bit]) -> int:
    """The constant bits; all others count as 0."""
    return sum(1 << position for position, bit in enumerate(bits) if bit == 1)


def _named(record: Record, family: str, bits: list[Bit]) -> Iterator[LayoutPart]:
    """The encoding's number and the opcode; a part of the number has no contents."""
    if family == "VOPD" and number(bits) >> 24 & 0xFF == _VOPD3:
        family = "VOPD3"
    sized = f"{family}:{len(bits) // 8}"
    rows = _NAMED[sized if sized in _NAMED else family]
    since = max([first for first in rows if first <= _generation(record)], default=min(rows))
    for word in rows[since].split():
        written_range, _, holds = word.partition("=")
        high, _, low = written_range.partition("..")
        yield LayoutPart(int(high), int(low or high), holds)


# The bits of VOP3 that hold src0, src1, src2 and the destination, and what LLVM's encoder puts there from gfx10 where
# the instruction has none: the inline constant 0, and exec for a comparison that writes no other register.
_SOURCES, _DESTINATION = ((40, 32), (49, 41), (58, 50)), (7, 0)
_NO_SOURCE, _NO_DESTINATION = 0x80, 0x7E
_FILLING = re.compile(r"postEncodeVOP3<(1|0|true|false), ?(1|0|true|false), ?(1|0|true|false)>")
_COMPARING = "postEncodeVOPCX"  # in older versions it writes the destination only
_FIRST_FILLED = 10  # the generation


def fills_sources(methods: Iterable[str]) -> bool:
    """Whether a version of LLVM with these PostEncoderMethods writes something into unused sources."""
    return any(_FILLING.fullmatch(method) for method in methods)


def _filled(name: str, record: Record, bits: list[Bit], fills: bool) -> Iterator[LayoutPart]:
    """The unspecified bits that are not written as zero."""
    if _generation(record) < _FIRST_FILLED:
        return
    method = record.get("PostEncoderMethod") or ""
    having = _FILLING.fullmatch(method)
    compares = name.startswith("V_CMPX_") and "_e64" in name
    filled = [(*_DESTINATION, _NO_DESTINATION)] if compares else []
    if fills and (having or method == _COMPARING):
        used = [word in ("1", "true") for word in having.groups()] if having else [True, True, False]
        filled += [(*place, _NO_SOURCE) for place, is_used in zip(_SOURCES, used, strict=True) if not is_used]
    for high, low, value in filled:
        if any(bit is not None for bit in bits[low : high + 1]):
            raise DumpError(f"{name}: bits {high}..{low} are specified, and the encoder overwrites them")
        yield LayoutPart(high, low, f"?{value:#x}")


def _rest(bits: list[Bit], taken: set[int], starts: set[int]) -> Iterator[LayoutPart]:
    """The bits outside the opcode, divided where their meaning changes or a named part starts."""
    high = len(bits) - 1
    for low in range(len(bits) - 1, -1, -1):
        if low in taken:
            high = low - 1
            continue
        below = low - 1
        if below < 0 or below in taken or below in starts or not _continues(bits[low], bits[below]):
            yield LayoutPart(high, low, _holds(bits[low : high + 1]))
            high = below


def _continues(above: Bit, below: Bit) -> bool:
    if isinstance(above, tuple) and isinstance(below, tuple):
        return above[0] == below[0] and above[1] == below[1] + 1
    return type(above) is type(below)


def _holds(bits: list[Bit]) -> str:
    """The contents of adjacent bits, lowest first: a constant, `?` for unspecified ones, an operand or bits of one."""
    lowest = bits[0]
    if lowest is None:
        return "?"
    if isinstance(lowest, int):
        return f"{number(bits):#x}"
    name, source = lowest
    if not source:
        return name
    return f"{name}[{source}]" if len(bits) == 1 else f"{name}[{source + len(bits) - 1}..{source}]"


def _constant(name: str, bits: list[Bit], high: int, low: int) -> int:
    opcode = bits[low : high + 1]
    if len(opcode) <= high - low or not all(isinstance(bit, int) for bit in opcode):
        raise DumpError(f"{name}: bits {high}..{low} are not constant: the opcode is not there (_NAMED)")
    return number(opcode)


def _source(holds: str) -> tuple[str, int]:
    """The word and the lowest bit of `OP[7]`."""
    word, _, lowest = holds.rstrip("]").partition("[")
    return word, int(lowest or 0)


def _range(part: LayoutPart) -> str:
    return str(part.high) if part.high == part.low else f"{part.high}..{part.low}"


def _generation(record: Record) -> int:
    """12 for a record that only `GFX1250` decodes, 6 for `GFX6GFX7`; image records have it in their encoding."""
    match = re.search(r"(?i)gfx(1\d|\d)", record["DecoderNamespace"] or str(record.get("MIMGEncoding")))
    return int(match[1]) if match else 0
