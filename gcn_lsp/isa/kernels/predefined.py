"""Symbols that the assembler defines: the target's version, and registers used so far."""

import re
from collections.abc import Mapping

GENERATION_NUMBER = ".amdgcn.gfx_generation_number"
GENERATION_MINOR = ".amdgcn.gfx_generation_minor"
GENERATION_STEPPING = ".amdgcn.gfx_generation_stepping"
# Every instruction updates them: the highest register named so far, plus one. They may be set like any symbol.
NEXT_FREE_VGPR = ".amdgcn.next_free_vgpr"
NEXT_FREE_SGPR = ".amdgcn.next_free_sgpr"

# For `s_version`: the generations with a number there, and the wave sizes and the bit for several kernels.
VERSION_CODES: Mapping[str, int] = {
    "UC_VERSION_GFX7": 0,
    "UC_VERSION_GFX10": 4,
    "UC_VERSION_GFX11": 6,
    "UC_VERSION_GFX12": 9,
    "UC_VERSION_W64_BIT": 1 << 13,
    "UC_VERSION_W32_BIT": 1 << 14,
    "UC_VERSION_MDP_BIT": 1 << 15,
}

# The version of a generic target if it is not the zeros that its name suggests.
_GENERIC: Mapping[str, tuple[int, int, int]] = {
    "gfx9-generic": (9, 0, 0),
    "gfx9-4-generic": (9, 4, 0),
    "gfx10-1-generic": (10, 1, 0),
    "gfx10-3-generic": (10, 3, 0),
    "gfx11-generic": (11, 0, 3),
    "gfx11-7-generic": (11, 7, 0),
    "gfx12-generic": (12, 0, 0),
    "gfx12-5-generic": (12, 5, 0),
    "gfx13-generic": (13, 1, 0),
}


def version(target: str) -> tuple[int, int, int]:
    """Major, minor and stepping of a target: (9, 0, 10) for gfx90a."""
    if target in _GENERIC:
        return _GENERIC[target]
    match = re.fullmatch(r"gfx(\d+)([0-9a-f])([0-9a-f])", target)
    if not match:
        raise ValueError(f"{target} is not a gfx name")
    return int(match[1]), int(match[2], 16), int(match[3], 16)


def symbols(target: str) -> Mapping[str, int]:
    """The symbols of a target with their values before the first line."""
    major, minor, stepping = version(target)
    return {
        GENERATION_NUMBER: major,
        GENERATION_MINOR: minor,
        GENERATION_STEPPING: stepping,
        NEXT_FREE_VGPR: 0,
        NEXT_FREE_SGPR: 0,
        **VERSION_CODES,
    }
