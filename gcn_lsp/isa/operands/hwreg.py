"""Hardware registers of s_getreg and s_setreg: names, numbers, targets, and the bits of `hwreg(name, offset, size)`."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from gcn_lsp.isa import conditions as on

REGISTER_BITS = 32
REGISTER_MAX, OFFSET_MAX, SIZE_MAX = 63, 31, REGISTER_BITS
_OFFSET_SHIFT, _SIZE_SHIFT = 6, 11


class Fields(NamedTuple):
    """The operand of s_getreg and s_setreg: `size` bits of a register, the lowest of them bit `offset`."""

    register: int
    offset: int = 0
    size: int = SIZE_MAX

    def pack(self) -> int:
        """The 16 bits of the immediate: register, first bit, number of bits less one."""
        return self.register | self.offset << _OFFSET_SHIFT | (self.size - 1) << _SIZE_SHIFT

    @staticmethod
    def unpack(immediate: int) -> "Fields":
        """The fields of an immediate."""
        offset, size = immediate >> _OFFSET_SHIFT & OFFSET_MAX, (immediate >> _SIZE_SHIFT & SIZE_MAX - 1) + 1
        return Fields(immediate & REGISTER_MAX, offset, size)


# Name without HW_REG_, number, targets. Of two names for one number on one target the first is LLVM's main one.
_ROWS: tuple[tuple[str, int, str], ...] = (
    ("MODE", 1, on.BEFORE_GFX12),
    ("STATUS", 2, on.BEFORE_GFX12),
    ("TRAPSTS", 3, on.BEFORE_GFX12),
    ("HW_ID", 4, on.BEFORE_GFX10),
    ("GPR_ALLOC", 5, on.BEFORE_GFX12),
    ("LDS_ALLOC", 6, on.BEFORE_GFX12),
    ("IB_STS", 7, on.ALL),
    ("SH_MEM_BASES", 15, on.GFX9_TO_11),
    ("TBA_LO", 16, on.GFX9_TO_10),
    ("TBA_HI", 17, on.GFX9_TO_10),
    ("TMA_LO", 18, on.GFX9_TO_10),
    ("TMA_HI", 19, on.GFX9_TO_10),
    ("XCC_ID", 20, on.GFX940),
    ("SQ_PERF_SNAPSHOT_DATA", 21, on.GFX940),
    ("SQ_PERF_SNAPSHOT_DATA1", 22, on.GFX940),
    ("SQ_PERF_SNAPSHOT_PC_LO", 23, on.GFX940),
    ("SQ_PERF_SNAPSHOT_PC_HI", 24, on.GFX940),
    ("FLAT_SCR_LO", 20, on.GFX10_TO_11),
    ("FLAT_SCR_HI", 21, on.GFX10_TO_11),
    ("XNACK_MASK", 22, on.GFX10_1),
    ("HW_ID1", 23, on.GFX10_TO_11),
    ("HW_ID2", 24, on.GFX10_TO_11),
    ("HW_ID", 23, on.GFX10),
    ("POPS_PACKER", 25, on.GFX10),
    ("PERF_SNAPSHOT_PC_LO", 18, on.GFX11),
    ("PERF_SNAPSHOT_PC_HI", 19, on.GFX11),
    ("PERF_SNAPSHOT_DATA", 27, on.GFX11),
    ("SHADER_CYCLES", 29, on.GFX10_3_TO_11),
    ("WAVE_MODE", 1, on.GFX12_ON),
    ("WAVE_STATUS", 2, on.GFX12_ON),
    ("WAVE_STATE_PRIV", 4, on.GFX12_ON),
    ("WAVE_GPR_ALLOC", 5, on.GFX12_ON),
    ("WAVE_LDS_ALLOC", 6, on.GFX12_ON),
    ("PERF_SNAPSHOT_DATA", 10, on.GFX12_ON),
    ("PERF_SNAPSHOT_PC_LO", 11, on.GFX12_ON),
    ("PERF_SNAPSHOT_PC_HI", 12, on.GFX12_ON),
    ("PERF_SNAPSHOT_DATA1", 15, on.GFX12_ON),
    ("PERF_SNAPSHOT_DATA2", 16, on.GFX12_ON),
    ("WAVE_EXCP_FLAG_PRIV", 17, on.GFX12_ON),
    ("WAVE_EXCP_FLAG_USER", 18, on.GFX12_ON),
    ("WAVE_TRAP_CTRL", 19, on.GFX12_ON),
    ("WAVE_SCRATCH_BASE_LO", 20, on.GFX12_ON),
    ("WAVE_SCRATCH_BASE_HI", 21, on.GFX12_ON),
    ("WAVE_HW_ID1", 23, on.GFX12_ON),
    ("WAVE_HW_ID2", 24, on.GFX12_ON),
    ("WAVE_SCHED_MODE", 26, on.GFX12_ON),
    ("IB_STS2", 28, on.GFX1250),
    ("SHADER_CYCLES_LO", 29, on.GFX12_ON),
    ("SHADER_CYCLES_HI", 30, on.GFX12_ON),
    ("WAVE_DVGPR_ALLOC_LO", 31, on.GFX12_ON),
    ("WAVE_DVGPR_ALLOC_HI", 32, on.GFX12_ON),
    ("XNACK_STATE_PRIV", 33, on.GFX1250),
    ("XNACK_MASK", 34, on.GFX1250),
    # The names that gfx12 shares with earlier generations, or that do not begin with WAVE_.
    ("MODE", 1, on.GFX12_ON),
    ("STATUS", 2, on.GFX12_ON),
    ("STATE_PRIV", 4, on.GFX12_ON),
    ("GPR_ALLOC", 5, on.GFX12_ON),
    ("LDS_ALLOC", 6, on.GFX12_ON),
    ("EXCP_FLAG_PRIV", 17, on.GFX12_ON),
    ("EXCP_FLAG_USER", 18, on.GFX12_ON),
    ("TRAP_CTRL", 19, on.GFX12_ON),
    ("SCRATCH_BASE_LO", 20, on.GFX12_ON),
    ("SCRATCH_BASE_HI", 21, on.GFX12_ON),
    ("HW_ID1", 23, on.GFX12_ON),
    ("HW_ID2", 24, on.GFX12_ON),
    ("DVGPR_ALLOC_LO", 31, on.GFX12_ON),
    ("DVGPR_ALLOC_HI", 32, on.GFX12_ON),
)


@lru_cache(maxsize=64)
def names(features: frozenset[str]) -> Mapping[str, int]:
    """`HW_REG_...` to number, on this target."""
    return {f"HW_REG_{name}": number for name, number, condition in _ROWS if on.holds(condition, features)}


def all_names() -> frozenset[str]:
    """The names on any target."""
    return frozenset(f"HW_REG_{name}" for name, _, _ in _ROWS)
