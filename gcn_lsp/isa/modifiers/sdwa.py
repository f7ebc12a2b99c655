"""SDWA selections: which part of a register is read or written, and what happens to the rest."""

from collections.abc import Mapping

SELECTS: Mapping[str, int] = {
    "BYTE_0": 0,
    "BYTE_1": 1,
    "BYTE_2": 2,
    "BYTE_3": 3,
    "WORD_0": 4,
    "WORD_1": 5,
    "DWORD": 6,
}
UNUSED: Mapping[str, int] = {"UNUSED_PAD": 0, "UNUSED_SEXT": 1, "UNUSED_PRESERVE": 2}
MODIFIERS: Mapping[str, Mapping[str, int]] = {
    "dst_sel": SELECTS,
    "dst_unused": UNUSED,
    "src0_sel": SELECTS,
    "src1_sel": SELECTS,
}

WHOLE = SELECTS["DWORD"]
DEFAULTS: Mapping[str, int] = {
    "dst_sel": WHOLE,
    "dst_unused": UNUSED["UNUSED_PRESERVE"],
    "src0_sel": WHOLE,
    "src1_sel": WHOLE,
}
"""The default of a modifier."""
