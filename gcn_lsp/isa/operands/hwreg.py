"""Hardware registers of s_getreg and s_setreg: names, numbers, targets, and the bits of `hwreg(name, offset, size)`."""

from collections.abc import Mapping
from functools import lru_cache

from gcn_lsp.isa.conditions import holds
from gcn_lsp.records import NamedTuple

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


# Name without HW_REG_, number, targets. If a number has two names on a target, LLVM prints the first.
_ROWS: tuple[tuple[str, int, str], ...] = (
    ("MODE", 1, "gfx6-11"),
    ("STATUS", 2, "gfx6-11"),
    ("TRAPSTS", 3, "gfx6-11"),
    ("HW_ID", 4, "gfx6-9"),
    ("GPR_ALLOC", 5, "gfx6-11"),
    ("LDS_ALLOC", 6, "gfx6-11"),
    ("IB_STS", 7, ""),
    ("SH_MEM_BASES", 15, "gfx9-11"),
    ("TBA_LO", 16, "gfx9-10"),
    ("TBA_HI", 17, "gfx9-10"),
    ("TMA_LO", 18, "gfx9-10"),
    ("TMA_HI", 19, "gfx9-10"),
    ("XCC_ID", 20, "gfx94|gfx95"),
    ("SQ_PERF_SNAPSHOT_DATA", 21, "gfx94|gfx95"),
    ("SQ_PERF_SNAPSHOT_DATA1", 22, "gfx94|gfx95"),
    ("SQ_PERF_SNAPSHOT_PC_LO", 23, "gfx94|gfx95"),
    ("SQ_PERF_SNAPSHOT_PC_HI", 24, "gfx94|gfx95"),
    ("FLAT_SCR_LO", 20, "gfx10-11"),
    ("FLAT_SCR_HI", 21, "gfx10-11"),
    ("XNACK_MASK", 22, "gfx101"),
    ("HW_ID1", 23, "gfx10-11"),
    ("HW_ID2", 24, "gfx10-11"),
    ("HW_ID", 23, "gfx10"),
    ("POPS_PACKER", 25, "gfx10"),
    ("PERF_SNAPSHOT_PC_LO", 18, "gfx11"),
    ("PERF_SNAPSHOT_PC_HI", 19, "gfx11"),
    ("PERF_SNAPSHOT_DATA", 27, "gfx11"),
    ("SHADER_CYCLES", 29, "gfx103|gfx11"),
    ("WAVE_MODE", 1, "gfx12+"),
    ("WAVE_STATUS", 2, "gfx12+"),
    ("WAVE_STATE_PRIV", 4, "gfx12+"),
    ("WAVE_GPR_ALLOC", 5, "gfx12+"),
    ("WAVE_LDS_ALLOC", 6, "gfx12+"),
    ("PERF_SNAPSHOT_DATA", 10, "gfx12+"),
    ("PERF_SNAPSHOT_PC_LO", 11, "gfx12+"),
    ("PERF_SNAPSHOT_PC_HI", 12, "gfx12+"),
    ("PERF_SNAPSHOT_DATA1", 15, "gfx12+"),
    ("PERF_SNAPSHOT_DATA2", 16, "gfx12+"),
    ("WAVE_EXCP_FLAG_PRIV", 17, "gfx12+"),
    ("WAVE_EXCP_FLAG_USER", 18, "gfx12+"),
    ("WAVE_TRAP_CTRL", 19, "gfx12+"),
    ("WAVE_SCRATCH_BASE_LO", 20, "gfx12+"),
    ("WAVE_SCRATCH_BASE_HI", 21, "gfx12+"),
    ("WAVE_HW_ID1", 23, "gfx12+"),
    ("WAVE_HW_ID2", 24, "gfx12+"),
    ("WAVE_SCHED_MODE", 26, "gfx12+"),
    ("IB_STS2", 28, "gfx125|gfx13+"),
    ("SHADER_CYCLES_LO", 29, "gfx12+"),
    ("SHADER_CYCLES_HI", 30, "gfx12+"),
    ("WAVE_DVGPR_ALLOC_LO", 31, "gfx12+"),
    ("WAVE_DVGPR_ALLOC_HI", 32, "gfx12+"),
    ("XNACK_STATE_PRIV", 33, "gfx125|gfx13+"),
    ("XNACK_MASK", 34, "gfx125|gfx13+"),
    # The names that gfx12 shares with earlier generations, or that do not begin with WAVE_.
    ("MODE", 1, "gfx12+"),
    ("STATUS", 2, "gfx12+"),
    ("STATE_PRIV", 4, "gfx12+"),
    ("GPR_ALLOC", 5, "gfx12+"),
    ("LDS_ALLOC", 6, "gfx12+"),
    ("EXCP_FLAG_PRIV", 17, "gfx12+"),
    ("EXCP_FLAG_USER", 18, "gfx12+"),
    ("TRAP_CTRL", 19, "gfx12+"),
    ("SCRATCH_BASE_LO", 20, "gfx12+"),
    ("SCRATCH_BASE_HI", 21, "gfx12+"),
    ("HW_ID1", 23, "gfx12+"),
    ("HW_ID2", 24, "gfx12+"),
    ("DVGPR_ALLOC_LO", 31, "gfx12+"),
    ("DVGPR_ALLOC_HI", 32, "gfx12+"),
)


@lru_cache(maxsize=64)
def names(features: frozenset[str]) -> Mapping[str, int]:
    """`HW_REG_...` to number, on this target."""
    return {f"HW_REG_{name}": number for name, number, condition in _ROWS if holds(condition, features)}


def all_names() -> frozenset[str]:
    """The names on any target."""
    return frozenset(f"HW_REG_{name}" for name, _, _ in _ROWS)
