"""Hardware limits on values that the assembler accepts: how many bits are read, which values are reserved."""

from gcn_lsp.isa.conditions import holds
from gcn_lsp.isa.schema import Form
from gcn_lsp.patterns import regex
from gcn_lsp.records import NamedTuple

# Mnemonic, targets, how many bits of the immediate the hardware reads. The field has 16.
_SIGNIFICANT: tuple[tuple[str, str, int], ...] = (
    ("s_nop", "gfx6-7", 3),
    ("s_nop", "gfx8-11", 4),
    ("s_nop", "gfx12+", 7),
    ("s_sleep", "", 7),
    ("s_setprio", "", 2),
    ("s_trap", "gfx6-11", 8),
    ("s_trap", "gfx12+", 4),
)
MOST_LANES = 64
LANE_SELECTS = frozenset(("v_readlane_b32", "v_writelane_b32"))
"""The instructions whose `src1` is a lane. They ignore the bits beyond the lanes of a wave: RDNA3 ISA document, 7.2.1,
and the operation of `V_READLANE_B32` in the CDNA3 ISA document."""
CLAUSE_BITS, SHORTEST_CLAUSE, LONGEST_CLAUSE = 6, 1, 62
"""The number of instructions in a clause, less one."""


LONGEST_CODE = 24
"""The most bytes of an instruction: an encoding of 16 bytes with a literal of 8."""
WORK_GROUP = 1024
"""The most work-items of a work-group: MI100 ISA document, 4.3; CDNA5 ISA document, 5.6."""


def clause_length(field: int) -> int:
    """How many instructions an `s_clause` with this operand announces."""
    return (field & (1 << CLAUSE_BITS) - 1) + 1


ADDRESS_UNIT = 4
"""Scalar memory is addressed in dwords: lower bits of a byte offset are dropped."""

REPLAYED_WHOLE = 16
"""Bytes of the largest scalar load that lies within one page if its offset is a multiple of its size: the arguments of
a kernel begin at a multiple of 16."""

SCALAR_LOADS = ("s_load", "s_buffer_load", "s_scratch_load")
SCALAR_ACCESSES = ("s_load", "s_buffer_load", "s_store", "s_buffer_store", "s_atomic", "s_buffer_atomic")
BY_ADDRESS = ("s_load", "s_store", "s_scratch", "s_atomic", "s_prefetch_inst", "s_prefetch_data")
SCALAR_PREFETCHES, SCALAR_DISCARDS = "s_prefetch", "s_dcache_discard"
"""The starts of mnemonics: scalar loads, accesses whose offset counts bytes, and those by an address, whose offset has
a sign from gfx9; that of buffers has none."""

SCALAR_CACHE_LINE = 64
"""`s_dcache_discard` ignores the low bits of the address: it discards a line."""

WITHOUT_GEOMETRY = "gfx908"
"""MI100 has no graphics; its assembler still accepts exports and the messages of geometry shaders."""
GEOMETRY_MESSAGES = (2, 3)

PRIVILEGED_HARDWARE_REGISTERS: tuple[tuple[int, str, str], ...] = (
    (2, "STATUS", "gfx9"),
    (7, "IB_STS", "gfx9"),
    (4, "STATE_PRIV", "gfx12+"),
    (17, "EXCP_FLAG_PRIV", "gfx12+"),
    (19, "TRAP_CTRL", "gfx12+"),
    (20, "FLAT_SCR_LO", "gfx11"),
    (21, "FLAT_SCR_HI", "gfx11"),
    (20, "SCRATCH_BASE_LO", "gfx12+"),
    (21, "SCRATCH_BASE_HI", "gfx12+"),
)
"""Those that only the trap handler writes, with targets: RDNA3 and RDNA4 ISA documents, "Hardware registers"; MI100
ISA document, 3.6.1 and table 19.
"""

PRIVILEGED_AFTER_TRAP = "FeaturePrivEnabledTrap2NopBug"
"""Where `s_trap 2` does nothing in a privileged wave, so that what follows it runs only in one. Source: LLVM's
`SIInstrInfo::insertSimulatedTrap`, which writes `ttmp2` there.
"""

RESERVED_HARDWARE_REGISTERS = (0, *range(8, 15))
"""Of gfx9."""


class ReadOnly(NamedTuple):
    """The hardware registers of some targets that can only be read, and those of them that a trap handler may write."""

    targets: str
    numbers: frozenset[int]
    by_trap_handlers: frozenset[int]


_TRAP_ADDRESSES = frozenset(range(16, 20))
READ_ONLY_HARDWARE_REGISTERS = (
    ReadOnly("gfx9", frozenset((2, *range(4, 8), 15, *_TRAP_ADDRESSES)), frozenset((2, 7))),
    ReadOnly("gfx10", _TRAP_ADDRESSES, _TRAP_ADDRESSES),
)
"""Of gfx9: STATUS, HW_ID, GPR_ALLOC, LDS_ALLOC, IB_STS, SH_MEM_BASES, TBA, TMA. The trap handlers of ROCr and of the
kernel driver restore STATUS and IB_STS. Of gfx10: TBA and TMA, which the RDNA documents call read-only, and writable
with STATUS.PRIV.
"""


_APART: tuple[tuple[str, str], ...] = (("v_cvt_scale", "gfx125|gfx13+"),)


def has_result_apart(mnemonic: str, features: frozenset[str]) -> bool:
    """Whether the result must not overlap a source although the assembler takes it: CDNA5 ISA document, 7.6.3."""
    return any(mnemonic.startswith(start) and holds(condition, features) for start, condition in _APART)


_ATOMICS = frozenset(("IsAtomicRet", "IsAtomicNoRet"))
_OF_8_BYTES = regex(r"_x2$|64$")
_OF_LDS = regex(r"ds_(read|write|load|store)_b(32|64|96|128)")


def offset_unit(form: Form, features: frozenset[str]) -> int:
    """What the address of an access is a multiple of in every alignment mode, in bytes; 1 if it may be any.

    Atomics: ISA documents, "Memory buffer addressing, Alignment". LDS before gfx9: LLVM's FeatureUnalignedDSAccess.
    """
    if form.may_load and form.may_store and not form.flags.isdisjoint(_ATOMICS):  # stores to LDS have the flags too
        return 8 if _OF_8_BYTES.search(form.mnemonic) else 4
    return 4 if _OF_LDS.fullmatch(form.mnemonic) and "FeatureUnalignedDSAccess" not in features else 1


def without_function(mnemonic: str, features: frozenset[str]) -> str:
    """Why an instruction that the assembler accepts does nothing; empty if it does something."""
    if mnemonic == "exp" and holds(WITHOUT_GEOMETRY, features):
        return "exports do not function on MI100"
    return ""


ONE_SCALAR_SHIFTS_OF_GFX1250 = frozenset(("v_lshlrev_b64",))
ONE_SCALAR_SHIFTS = ONE_SCALAR_SHIFTS_OF_GFX1250 | frozenset(
    ("v_lshrrev_b64", "v_ashrrev_i64", "v_lshl_b64", "v_lshr_b64", "v_ashr_i64")
)
"""Shifts that read one scalar value where other instructions read two, and those of them on gfx1250 and gfx13."""

EVEN_GWS = frozenset(("ds_gws_init", "ds_gws_barrier", "ds_gws_sema_br"))
"""They read an even register where memory instructions have AccVGPRs."""

AS_DOUBLES = frozenset(("v_mul_lo_u32", "v_mul_hi_u32", "v_mul_hi_i32", "v_mad_u32"))
"""Instructions on 32 bits that the unit for doubles executes, so that DPP is limited as with those."""

PACKED_SINGLES = frozenset(("v_pk_add_f32", "v_pk_mul_f32", "v_pk_fma_f32"))
"""They read a scalar source as one dword for both halves."""

TWO_BITS_OF_SOURCE = frozenset(("v_cvt_f32_bf8", "v_cvt_f32_fp8", "v_cvt_pk_f32_bf8", "v_cvt_pk_f32_fp8"))
"""Conversions whose `op_sel` is two bits of one source."""

PERMUTES = ("v_permlane16", "v_permlanex16")
"""The starts of instructions whose `op_sel` is two switches: fetch inactive, bound control."""

SIGNED_DOTS = ("v_dot4_i32_i8", "v_dot8_i32_i4")
DOTS_OF_BOTH = ("v_dot4_i32_iu8", "v_dot8_i32_iu4")
"""Those whose `neg_lo` says which sources are signed; for LLVM 22 the signed ones are further names of these."""


def significant_bits(mnemonic: str, features: frozenset[str]) -> int:
    """How many bits of its immediate an instruction reads; 0 if it reads all."""
    for name, condition, bits in _SIGNIFICANT:
        if name == mnemonic and holds(condition, features):
            return bits
    return 0
