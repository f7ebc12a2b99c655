"""Modes of s_set_gpr_idx_on and s_set_gpr_idx_mode: `gpr_idx(SRC0,DST)` turns relative addressing on for operands."""

from collections.abc import Mapping

MODES: Mapping[str, int] = {"SRC0": 1, "SRC1": 2, "SRC2": 4, "DST": 8}
HIGHEST_MODE = 15
