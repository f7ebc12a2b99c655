"""The number of the opcode of a form, from the bits of its encoding."""

from gcn_lsp import isa
from gcn_lsp.isa.conditions import holds
from gcn_lsp.isa.schema import Form

# By family, the lowest bit and the number of bits of the opcode; the first condition that holds counts.
_SCALAR = {"SOP2": (23, 7), "SOPK": (23, 5), "SOP1": (8, 8), "SOPC": (16, 7), "SOPP": (16, 7)}
_VECTOR = {"VOP2": (25, 6), "VOP1": (9, 8), "VOPC": (17, 8), "VOP3": (16, 10), "VOP3P": (16, 7), "MAI": (16, 7)}
_MEMORY = (
    ("gfx12+", {
        "SMEM": (13, 6), "DS": (18, 8), "MUBUF": (14, 8), "MTBUF": (14, 8), "VIMAGE": (14, 8), "VSAMPLE": (14, 8),
        "FLAT": (14, 8), "GLOBAL": (14, 8), "SCRATCH": (14, 8),
    }),
    ("FeatureGFX11Insts", {
        "SMEM": (18, 8), "DS": (18, 8), "MUBUF": (18, 8), "MTBUF": (15, 4), "MIMG": (18, 8),
        "FLAT": (18, 7), "GLOBAL": (18, 7), "SCRATCH": (18, 7),
    }),
    ("gfx10+", {
        "SMEM": (18, 8), "DS": (18, 8), "MUBUF": (18, 7), "MTBUF": (16, 3), "MIMG": (18, 7),
        "FLAT": (18, 7), "GLOBAL": (18, 7), "SCRATCH": (18, 7),
    }),
    ("", {
        "SMEM": (18, 8), "DS": (17, 8), "MUBUF": (18, 7), "MTBUF": (15, 4), "MIMG": (18, 7),
        "FLAT": (18, 7), "GLOBAL": (18, 7), "SCRATCH": (18, 7),
    }),
)  # fmt: skip
_OTHERS = {"VINTERP": (16, 7), "VINTRP": (16, 2), "LDSDIR": (20, 2)}
# Bits of longer numbers that are elsewhere.
_MIMG_HIGH = 0  # gfx10: bit 7 of the number
_MUBUF_HIGH = 25  # gfx10: bit 7 of the number
_MTBUF_HIGH = 53  # gfx10: bit 3 of the number
# Of pairs, by the bits that tell the shorter encoding from the longer one.
_PAIRS = {0b110010: ((22, 4), (17, 5)), 0b110011: ((18, 6), (12, 6))}


def numbers(form: Form, features: frozenset[str]) -> tuple[int, ...]:
    """The numbers of a form's opcode: one, two for a pair of VOPD, none if the encoding is not known here."""
    family = form.family
    if form.variant not in ("Default", "VOP3"):
        return ()
    if family == "VOPD":
        return tuple(form.fixed >> low & (1 << width) - 1 for low, width in _PAIRS[form.fixed >> 26 & 0x3F])
    memory = next(table for condition, table in _MEMORY if holds(condition, features))
    if form.variant == "VOP3" and family in _SHORT:
        family = "VOP3"
    if form.mnemonic.startswith("tensor_"):
        family = "VIMAGE"
    wide = {"VOP3P": (16, 8)} if holds("gfx125", features) else {}
    place = {**_SCALAR, **_VECTOR, **_OTHERS, **memory, **wide, "VIMAGE": (14, 8)}.get(family)
    if place is None:
        return ()
    low, width = place
    number = form.fixed >> low & (1 << width) - 1
    if holds("gfx10+", features) and not holds("FeatureGFX11Insts", features):
        number |= (form.fixed >> _MIMG_HIGH & 1) << 7 if family == "MIMG" else 0
        number |= (form.fixed >> _MUBUF_HIGH & 1) << 7 if family == "MUBUF" else 0
        number |= (form.fixed >> _MTBUF_HIGH & 1) << 3 if family == "MTBUF" else 0
    return (number,)


def second_halves(target: isa.Target) -> dict[str, set[int]]:
    """The numbers of instructions as the second one of a pair, by name."""
    found: dict[str, set[int]] = {}
    for first in filter(target.forms, _FIRST_HALVES):
        for form in target.forms(first):
            for slot in form.slots:
                if form.family == "VOPD" and slot.text.startswith("v_dual_"):
                    found.setdefault(slot.text, set()).add(numbers(form, target.features)[1])
    return found


# The first halves of pairs in both encodings; pairs of 64 bits are only in the longer one.
_FIRST_HALVES = ("v_dual_mov_b32", "v_dual_fma_f64")


_SHORT = ("VOP1", "VOP2", "VOPC")
