"""Selects which of 1024 VGPRs an operand means: two bits for each kind of operand, set by `s_set_vgpr_msb`.

Facts: `hazards-all-targets` of this project's fact sheets, section 3.4, and LLVM 22, which sets the bits. They are put
above the eight bits of the operand. The setting is a byte: bits 1:0 for the first source or the address, 3:2 for the
second or stored data, 5:4 for the third, 7:6 for the destination. MODE has the same byte in bits 19:12, rotated by two
bits.

What is in force at a point of a program is a number of 16 bits: the byte, and above it the bits that are not known,
which are 0 in the byte.
"""

from collections.abc import Mapping

from gcn_lsp.isa.schema import Form

TARGETS = "Feature1024AddressableVGPRs"
SETTER = "s_set_vgpr_msb"
ALL = 0xFF
# On these targets every write of MODE by `s_setreg_imm32_b32` writes the byte too, whatever field it names (F-22).
WRITTEN_WITH_MODE = "FeatureSetregVGPRMSBFixup"
MODE_SETTER, MODE_REGISTER = "s_setreg_imm32_b32", 1
SETTERS = frozenset((SETTER, MODE_SETTER, "s_setreg_b32"))
"""The instructions that may change the byte."""
MODE_SHIFT, _TURN = 12, 2
BITS = 8
UNKNOWN = ALL << BITS
"""In force where nothing is known of the byte."""

_FIRST, _SECOND, _THIRD, _WRITTEN = 0, 2, 4, 6
PLACES: tuple[tuple[str, int], ...] = (
    ("first source, address", _FIRST),
    ("second source, stored data", _SECOND),
    ("third source", _THIRD),
    ("destination", _WRITTEN),
)
"""The kinds of operands, and the lower of the two bits of each in the byte."""
_VALU: Mapping[str, int] = {
    **dict.fromkeys(("src0", "src0X", "src0Y"), _FIRST),
    **dict.fromkeys(("src1", "vsrc1", "vsrc1X", "vsrc1Y"), _SECOND),
    **dict.fromkeys(("src2", "vsrc2", "vsrc2X", "vsrc2Y", "src2X", "src2Y"), _THIRD),
    **dict.fromkeys(("vdst", "vdstX", "vdstY"), _WRITTEN),
}
_FLAT: Mapping[str, int] = {"vaddr": _FIRST, "vdata": _SECOND, "vdst": _WRITTEN}
_BUFFER: Mapping[str, int] = {"vaddr": _FIRST, "vdata": _WRITTEN}
_BY_FAMILY: Mapping[str, Mapping[str, int]] = {
    **dict.fromkeys(("VOP1", "VOP2", "VOP3", "VOP3P", "VOPC", "VOPD", "MAI"), _VALU),
    "DS": {"addr": _FIRST, "data0": _SECOND, "data1": _THIRD, "vdst": _WRITTEN},
    **dict.fromkeys(("FLAT", "GLOBAL", "SCRATCH"), _FLAT),
    **dict.fromkeys(("MUBUF", "MTBUF"), _BUFFER),
    "VIMAGE": {"vaddr0": _FIRST, "vaddr1": _SECOND, "vaddr2": _THIRD, "vdata": _WRITTEN},
}
_NONE: Mapping[str, int] = {}
# Instructions that multiply by a constant have their second register where others have the third source.
_MULTIPLY_BY_CONSTANT, _SECOND_HALF = "FMAMK", "_X_"
_IGNORE = "v_wmma_ld_scale"


def positions(form: Form) -> Mapping[str, int]:
    """For each slot of a form that may be a VGPR with two more bits, the lower one of these in the byte."""
    if form.mnemonic.startswith(_IGNORE):
        return _NONE
    names = {slot.name for slot in form.slots}
    found = {slot: position for slot, position in _BY_FAMILY.get(form.family, _NONE).items() if slot in names}
    name = form.pseudo.upper()
    if _MULTIPLY_BY_CONSTANT in name:
        slots = ("vsrc1X", "vsrc1Y") if form.family == "VOPD" else ("src1",)
        halves = zip(slots, name.split(_SECOND_HALF), strict=False)
        found |= {slot: _THIRD for slot, half in halves if _MULTIPLY_BY_CONSTANT in half}
    return found


def of_mode(literal: int) -> int:
    """The byte in a number written to MODE."""
    byte = literal >> MODE_SHIFT & ALL
    return (byte >> _TURN | byte << BITS - _TURN) & ALL


def joined(one: int, other: int) -> int:
    """What is known where two ways meet; `one` itself if that is no less."""
    if one == other:
        return one
    unknown = (one | other) >> BITS | (one ^ other) & ALL
    found = one & ALL & ~unknown | unknown << BITS
    return one if found == one else found


def placed(bits: int) -> int:
    """Bits of the byte as those of what is in force: with the same ones that say what is not known."""
    return bits | bits << BITS


def selected(in_force: int, position: int) -> "int | None":
    """The two-bit selector that is in force; None if it is not known."""
    return None if in_force >> BITS + position & 0b11 else in_force >> position & 0b11
