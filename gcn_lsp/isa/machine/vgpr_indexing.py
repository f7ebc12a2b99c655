"""VGPR indexing mode of gfx8 and gfx9: which operands of vector ALU instructions M0[7:0] is added to.

Source: AMD's Vega and MI100 ISA documents, 6.6.2.
"""

from collections.abc import Mapping

from gcn_lsp.isa.schema import Form

TARGETS = "gfx8-9"
ENABLED = 1 << 27
"""The bit of MODE that `s_set_gpr_idx_on` sets."""
_MASK_SHIFT = 12  # of the bits in M0 that choose operands
_INDEX = 0xFF
_FAMILIES = frozenset(("VOP1", "VOP2", "VOP3", "VOP3P", "VOPC", "MAI"))
_SOURCE0, _SOURCE1, _SOURCE2, _RESULT = 1, 2, 4, 8
_BITS: Mapping[str, int] = {
    "src0": _SOURCE0, "src1": _SOURCE1, "vsrc1": _SOURCE1, "src2": _SOURCE2, "vsrc2": _SOURCE2, "vdst": _RESULT,
}  # fmt: skip
_BY_CONSTANT = ("v_madmk_", "v_fmamk_")  # their last source counts as the third


def chosen(form: Form, m0: int) -> "Mapping[str, int] | None":
    """What is added to the numbers of the VGPRs of a form, by slot; None where a result is read at another place.

    m0: the register with the index and the mask.
    """
    index, mask = m0 & _INDEX, m0 >> _MASK_SHIFT & 0xF
    if form.family not in _FAMILIES or not index or not mask:
        return {}
    is_read = any(place in _BITS for tie in form.ties for place in tie if place != "vdst")  # not only kept in part
    if is_read and bool(mask & _SOURCE2) != bool(mask & _RESULT):
        return None
    bits = {**_BITS, "src1": _SOURCE2, "vsrc1": _SOURCE2} if form.mnemonic.startswith(_BY_CONSTANT) else _BITS
    return {slot: index for slot, bit in bits.items() if mask & bit}
