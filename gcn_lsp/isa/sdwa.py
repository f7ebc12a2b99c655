"""SDWA selections: which part of a register is read or written, and what becomes of the rest."""

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

# What holds when a modifier is left out.
DEFAULT_SELECT = SELECTS["DWORD"]
DEFAULT_UNUSED = UNUSED["UNUSED_PRESERVE"]
