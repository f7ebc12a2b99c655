"""Classes of instructions in the hazard rows; see section 1.3 of the fact sheet `hazards-all-targets`."""

from gcn_lsp.isa.hazards.model import Kind, Test
from gcn_lsp.isa.operands.hwreg import REGISTER_MAX, Fields

_VECTOR_FAMILIES = ("VOP1", "VOP2", "VOPC", "VOP3", "VOP3P", "MAI", "VOPD", "VINTRP", "VINTERP")
_SCALAR_FAMILIES = ("SOP1", "SOP2", "SOPC", "SOPK", "SOPP")

ANYTHING = Kind("any instruction")
NOP = Kind("`s_nop`", mnemonics="s_nop")
# Tensor accesses have a VALU encoding, but are memory instructions.
VALU = Kind("VALU instruction", _VECTOR_FAMILIES, lacks=("TENSOR_CNT",))
SALU = Kind("SALU instruction", _SCALAR_FAMILIES)
# Wait states next to these may have a purpose that no row names: priorities, messages, barriers, sleep, modes.
TIMED = Kind(
    "program control",
    any_of=(
        Kind("SOPP", ("SOPP",), but_not=(Kind("`s_nop` or `s_waitcnt`", mnemonics="s_nop|s_waitcnt"),)),
        Kind("mode or cache", mnemonics="s_(set|get)reg.*|s_set_gpr_idx.*|s_setvskip|s_dcache.*|s_gl1_inv|s_.*time"),
        Kind("barrier", mnemonics="s_.*barrier.*"),
        Kind("lane or cache control", has=("hasSideEffects",), families=("MUBUF", "SMEM", "DS")),
        # gfx11.5 requires wait states after exports, and for a priority (F-14); no row covers the latter.
        Kind("export", ("EXP",)),
        # LLVM also keeps them away from earlier writes of their destination, see S-06.
        Kind("DPP instruction", _VECTOR_FAMILIES, variants=("DPP", "VOP3_DPP")),
    ),
)
VALU_OR_SALU = Kind("VALU or SALU instruction", any_of=(VALU, SALU))
TRANS = Kind("transcendental instruction", _VECTOR_FAMILIES, has=("TRANS",))
NOT_TRANS = Kind("VALU instruction that is not transcendental", _VECTOR_FAMILIES, lacks=("TRANS", "TENSOR_CNT"))
SMEM = Kind("scalar memory instruction", ("SMEM", "SMRD"))
S_BUFFER_LOAD = Kind("`s_buffer_load`", ("SMEM", "SMRD"), mnemonics="s_buffer_load.*")
MUBUF_MTBUF = Kind("buffer instruction", ("MUBUF", "MTBUF"))
IMAGE = Kind("image instruction", ("MIMG", "VIMAGE", "VSAMPLE"))
FLAT = Kind("flat instruction", ("FLAT", "GLOBAL", "SCRATCH"))
DS = Kind("LDS instruction", ("DS",))
EXPORT = Kind("export", ("EXP",))
LDSDIR = Kind("LDS direct instruction", ("LDSDIR",))
# LDS-DMA has LLVM's flag of the VALU, which no other memory instruction has.
LDS_DMA = Kind("load to LDS", ("MUBUF", "MTBUF", "FLAT", "GLOBAL", "SCRATCH"), has=("VALU",))
BUFFER_LDS_DMA = Kind("load from a buffer to LDS", ("MUBUF", "MTBUF"), has=("VALU",), mnemonics="buffer_load_.*")
OTHER_LDS_DMA = Kind("access of memory and LDS", any_of=(LDS_DMA,), but_not=(BUFFER_LDS_DMA,))
VMEM = Kind("vector memory instruction", any_of=(MUBUF_MTBUF, IMAGE, FLAT))
MEMORY = Kind("vector memory or LDS instruction", any_of=(VMEM, DS))
MEMORY_OR_EXPORT = Kind("memory instruction or export", any_of=(VMEM, DS, EXPORT))
VECTOR = Kind("vector instruction", any_of=(VALU, VMEM, DS, EXPORT))

GDS = Kind(
    "GDS instruction",
    any_of=(
        Kind("GWS instruction", ("DS",), has=("GWS",)),
        Kind("GDS access", ("DS",), tests=(Test("gds", among=(1,)),)),
        Kind("ordered count", ("DS",), mnemonics="ds_ordered_count"),
    ),
)
DPP = Kind("DPP instruction", _VECTOR_FAMILIES, variants=("DPP", "VOP3_DPP"))
READLANE = Kind("lane read", mnemonics="v_readlane_b32|v_readfirstlane_b32")
LANE_SELECT = Kind("lane access", mnemonics="v_readlane_b32|v_writelane_b32")
LANE_ACCESS = Kind("lane access", any_of=(READLANE, LANE_SELECT))
# They read a mask or carry, and no other SGPR: the constant bus has room for one.
MASK_READER = Kind(
    "VALU instruction with a carry or mask",
    _VECTOR_FAMILIES,
    mnemonics="v_cndmask_b32|v_(addc|subb|subbrev)_co_u32|v_div_fmas_f(32|64)",
)
OTHER_VALU = Kind("VALU instruction", _VECTOR_FAMILIES, lacks=VALU.lacks, but_not=(MASK_READER,))
DIV_FMAS = Kind("`v_div_fmas`", mnemonics="v_div_fmas_f(32|64)")
SETREG = Kind("`s_setreg`", mnemonics="s_setreg.*")
GETREG = Kind("`s_getreg`", mnemonics="s_getreg_b32")
RFE = Kind("`s_rfe`", mnemonics="s_rfe_b64|s_rfe_restore_b64")
M0_READERS = Kind(
    "reader of M0",
    any_of=(
        Kind("interpolation", ("VINTRP",)),
        Kind("`s_movrel`", mnemonics="s_movrel[sd]_.*"),
        Kind("add-TID access", mnemonics="ds_(read|write)_addtid_b32"),
    ),
)
MESSAGE = Kind("message", mnemonics="s_sendmsg|s_sendmsghalt|s_ttracedata")
LDS_DIRECT_READER = Kind(
    "VALU instruction with `src_lds_direct`", _VECTOR_FAMILIES, tests=(Test(files=("src_lds_direct",)),)
)

# Stores and atomics that read more than 64 bits of data from VGPRs.
_WIDE = Test("vdata", over=2)
WIDE_STORE = Kind(
    "store of more than 64 bits",
    any_of=(
        Kind("flat store of more than 64 bits", FLAT.families, has=("mayStore",), tests=(_WIDE,)),
        Kind(
            "buffer store of more than 64 bits without a scalar offset",
            MUBUF_MTBUF.families,
            has=("mayStore",),
            tests=(_WIDE, Test("soffset", kinds=("immediate", "literal"))),
        ),
    ),
)

BUFFER_STORE_AT_SGPR = Kind(
    "buffer store of more than 64 bits with a scalar offset",
    MUBUF_MTBUF.families,
    has=("mayStore",),
    tests=(_WIDE, Test("soffset", kinds=("register",))),
)

SDWA_PARTIAL = Kind("partial write by SDWA", has=("SDWA",), tests=(Test("dst_sel", among=(0, 1, 2, 3, 4, 5)),))
_SELECTED = ("VOP3_OPSEL",)
STOCHASTIC_FP8 = Kind("stochastic conversion to fp8", mnemonics="v_cvt_sr_(fp8|bf8)_f32")
HIGH_HALF = Kind(
    "write of the high half by op_sel",
    has=_SELECTED,
    any_of=(
        Kind("three sources", slots=("src2",), tests=(Test("op_sel", 8, (8,)),)),
        Kind("two sources", slots=("src1",), no_slots=("src2",), tests=(Test("op_sel", 4, (4,)),)),
        Kind("one source", no_slots=("src1", "src2"), tests=(Test("op_sel", 2, (2,)),)),
    ),
    but_not=(STOCHASTIC_FP8, Kind("scaled conversion", mnemonics="v_cvt_scalef32_.*")),
)
PARTIAL_WRITE = Kind("partial write", any_of=(SDWA_PARTIAL, HIGH_HALF))
_BYTE_SELECTED = (Test("op_sel", 12, (4, 8, 12)),)
STOCHASTIC_FP8_BYTE = Kind(
    "stochastic conversion to another byte than the first", mnemonics=STOCHASTIC_FP8.mnemonics, tests=_BYTE_SELECTED
)
STOCHASTIC_FP4 = Kind("stochastic conversion to fp4", mnemonics="v_cvt_scalef32_sr_pk_fp4_(f32|f16|bf16)")
SCALED_CONVERSION = Kind(
    "scaled conversion to another part than the first",
    any_of=(
        Kind(
            "scaled conversion to a byte",
            mnemonics="v_cvt_scalef32_(sr_(fp8|bf8)|pk_fp4)_(f32|f16|bf16)",
            tests=_BYTE_SELECTED,
        ),
        Kind(
            "scaled conversion to a half",
            mnemonics="v_cvt_scalef32_pk_(fp8|bf8)_f32",
            tests=(Test("op_sel", 8, (8,)),),
        ),
        Kind(
            "scaled conversion of one source to a half",
            mnemonics="v_cvt_scalef32_(pk_(fp8|bf8)_(f16|bf16)|f16_(fp8|bf8))",
            tests=(Test("op_sel", 4, (4,)),),
        ),
    ),
)
COMPARE_EXEC = Kind("compare that writes EXEC", has=("isCompare",), mnemonics="v_cmpx_.*")
PERMLANE = Kind(
    "`v_permlane`",
    mnemonics="v_permlane(16|x16|64|16_var|x16_var)_b32|v_permlane(16|32)_swap_b32"
    "|v_permlane_(bcast|up|down|xor)_b32|v_permlane_idx_gen_b32",
)
PERMLANE_SWAP = Kind("lane swap", mnemonics="v_permlane(16|32)_swap_b32")
# With six or more addresses the instruction has 16 bytes.
IMAGE_NSA = Kind("image instruction with six or more address operands", ("MIMG",), slots=("vaddr5",))
OFFSET_BUFFER = Kind(
    "buffer instruction with bit 1 or 2 of its offset set",
    MUBUF_MTBUF.families,
    tests=(Test("offset", 6, (2, 4, 6)),),
)
FLOAT_ATOMIC = Kind("floating-point atomic", VMEM.families, has=("FPAtomic",))
DENORM_MODE = Kind("`s_denorm_mode`", mnemonics="s_denorm_mode")
VALU_OR_WAIT = Kind("VALU instruction or wait", any_of=(VALU, Kind("wait", mnemonics="s_waitcnt.*")))
SETVSKIP = Kind("`s_setvskip`", mnemonics="s_setvskip")
_MODE_REGISTER, _VSKIP_BIT = 1, 28
# A field of MODE that begins at or below VSKIP's bit and ends above it.
SETREG_VSKIP = Kind(
    "`s_setreg` of MODE.VSKIP",
    mnemonics="s_setreg.*",
    tests=(
        Test(
            "simm16",
            among=tuple(
                Fields(_MODE_REGISTER, offset, size).pack()
                for offset in range(_VSKIP_BIT + 1)
                for size in range(_VSKIP_BIT + 1 - offset, 33)
            ),
        ),
    ),
)
SETREG_TRAPSTS = Kind("`s_setreg` of TRAPSTS", mnemonics="s_setreg.*", tests=(Test("simm16", REGISTER_MAX, (3,)),))
GETREG_MODE = Kind(
    "`s_getreg` of MODE", mnemonics="s_getreg_b32", tests=(Test("simm16", REGISTER_MAX, (_MODE_REGISTER,)),)
)
VCCZ_READER = Kind("reader of `src_vccz`", _VECTOR_FAMILIES, tests=(Test(files=("src_vccz", "vccz")),))
EXECZ_READER = Kind("reader of `src_execz`", _VECTOR_FAMILIES, tests=(Test(files=("src_execz", "execz")),))
BRANCH_VCCZ = Kind("branch on VCCZ", mnemonics="s_cbranch_vcc(z|nz)")
_HALVES_OF_VCC = ("vcc_lo", "vcc_hi")
VCC_HALF_WRITER = Kind(
    "write of one half of VCC",
    any_of=(
        Kind("by a scalar instruction", (*SALU.families, *SMEM.families), tests=(Test("sdst", files=_HALVES_OF_VCC),)),
        Kind("by a vector instruction", _VECTOR_FAMILIES, tests=(Test("vdst", files=_HALVES_OF_VCC),)),
    ),
)
VCC_WRITER = Kind(
    "write of VCC",
    any_of=(
        Kind("without naming it", defines=("vcc",)),
        Kind("as its operand", tests=(Test("sdst", files=("vcc",)),)),
    ),
)

# Matrix instructions.
MAI = Kind("matrix instruction", ("MAI",))
ACC_READ = Kind("`v_accvgpr_read`", mnemonics="v_accvgpr_read(_b32)?")
ACC_WRITE = Kind("`v_accvgpr_write`", mnemonics="v_accvgpr_write(_b32)?")
ACC_MOVE = Kind("`v_accvgpr`", any_of=(ACC_READ, ACC_WRITE))
MFMA = Kind("MFMA", mnemonics="v_(mfma|smfmac)_.*")
MFMA_OR_ACC_WRITE = Kind("MFMA or `v_accvgpr_write`", any_of=(MFMA, ACC_WRITE))
DGEMM = Kind("f64 MFMA", mnemonics="v_mfma_f64_.*")
DGEMM_SMALL = Kind("f64 4x4x4 MFMA", pseudos="V_MFMA_F64_4X4X4.*")
SMFMA = Kind("MFMA of less than 64 bits", any_of=(MFMA,), but_not=(DGEMM,))
SGEMM = Kind(
    "f32 MFMA",
    pseudos="V_MFMA_F32_(4X4X1F32|16X16X1F32|16X16X4F32|32X32X1F32|32X32X2F32)_.*",
)
XDL = Kind("MFMA of narrow types", any_of=(MFMA,), but_not=(DGEMM, SGEMM))
SGEMM_OR_DGEMM = Kind("f32 or f64 MFMA", any_of=(SGEMM, DGEMM))
DOT = Kind("dot product", _VECTOR_FAMILIES, mnemonics="v_dot[248].*")
VALU_NOT_MFMA = Kind("VALU instruction", _VECTOR_FAMILIES, any_of=(VALU,), but_not=(MFMA,))
VALU_NOT_MAI = Kind("VALU instruction", _VECTOR_FAMILIES, any_of=(VALU,), but_not=(MAI,))
VALU_NOT_MFMA_OR_DOT = Kind("VALU instruction", _VECTOR_FAMILIES, any_of=(VALU,), but_not=(MFMA, DOT))
LOAD_OR_VALU = Kind("VALU instruction or load", any_of=(VALU_NOT_MFMA, VMEM, DS))
VALU_OR_MEMORY = Kind("VALU or memory instruction", any_of=(VALU_NOT_MFMA, VMEM, DS, EXPORT))
# Common in compiled code. The others are seldom directly beside a piece of foreign code.
USUAL_VALU = frozenset((VALU, VALU_NOT_MFMA, VALU_NOT_MAI, VALU_NOT_MFMA_OR_DOT, OTHER_VALU))
USUAL = USUAL_VALU | {ANYTHING, VMEM, MEMORY, MEMORY_OR_EXPORT, LOAD_OR_VALU, VALU_OR_MEMORY, ACC_READ}
FMA_F64 = Kind("f64 multiply-add", mnemonics="v_fma_f64|v_fmac_f64")

# Instructions that resolve hazards from gfx10. The fields of `s_waitcnt_depctr` and `s_wait_alu`, in their immediate:
_SA_SDST, _VA_VCC, _VM_VSRC, _VA_SDST, _VA_VDST = 0x1, 0x2, 0x1C, 0xE00, 0xF000
_DEPENDENCIES = "s_waitcnt_depctr|s_wait_alu"


def _waits(name: str, *fields: int) -> Kind:
    """Waits for dependencies with all of `fields` zero."""
    return Kind(name, mnemonics=_DEPENDENCIES, tests=tuple(Test("simm16", field, (0,)) for field in fields))


WAIT_ZERO = Kind("`s_waitcnt 0`", mnemonics="s_waitcnt", tests=(Test("simm16", 0xFFFF, (0,)),))
WAIT_SA_SDST = _waits("wait for scalar results", _SA_SDST)
WAIT_VA_VCC = _waits("wait for VCC of the VALU", _VA_VCC)
WAIT_VM_VSRC = _waits("wait for sources of memory instructions", _VM_VSRC)
WAIT_VA_SDST = _waits("wait for SGPRs of the VALU", _VA_SDST)
WAIT_VA_VDST = _waits("wait for VGPRs of the VALU", _VA_VDST)
WAIT_BOTH_SDST = _waits("wait for SGPRs of the VALU and SALU", _SA_SDST, _VA_SDST)
WAIT_ALL_ALU = Kind("`s_wait_alu 0`", mnemonics=_DEPENDENCIES, tests=(Test("simm16", 0xFFFF, (0,)),))
WAIT_LGKM = Kind(
    "wait for lgkmcnt(0)",
    any_of=(
        Kind("`s_waitcnt`", mnemonics="s_waitcnt", tests=(Test("simm16", 0x3F00, (0,)),)),
        Kind("`s_waitcnt_lgkmcnt`", mnemonics="s_waitcnt_lgkmcnt", tests=(Test("simm16", 0xFFFF, (0,)),)),
    ),
)
WAIT_LGKM_EARLY = Kind("wait for lgkmcnt(0)", mnemonics="s_waitcnt", tests=(Test("simm16", 0xF00, (0,)),))
WAIT_VSCNT = Kind("wait for vscnt(0)", mnemonics="s_waitcnt_vscnt", tests=(Test("simm16", 0xFFFF, (0,)),))
_NOT_ORDERED = Kind(
    "scalar instruction that is executed at once",
    mnemonics="s_setvskip|s_version|s_waitcnt_vscnt|s_waitcnt_vmcnt|s_waitcnt_expcnt",
)
SALU_NOT_SOPP = Kind("SALU instruction", ("SOP1", "SOP2", "SOPC", "SOPK"), but_not=(_NOT_ORDERED,))
SALU_OR_SMEM = Kind("scalar instruction", any_of=(SALU, SMEM))
VALU_OR_VSRC = Kind("VALU instruction or wait", any_of=(VALU, WAIT_ZERO, WAIT_VM_VSRC))
SALU_OR_LGKM = Kind("SALU instruction or wait", any_of=(SALU_NOT_SOPP, WAIT_LGKM))
NOT_VALU = Kind("instruction outside the VALU", any_of=(SALU, SMEM, VMEM, DS, EXPORT))
VALU_SGPR_OR_SDST = Kind(
    "VALU instruction with a scalar result or wait",
    any_of=(
        Kind("VALU instruction with a scalar operand to write", _VECTOR_FAMILIES, slots=("sdst",)),
        Kind("VALU instruction that writes VCC", _VECTOR_FAMILIES, defines=("vcc",)),
        Kind("VALU instruction that writes EXEC", _VECTOR_FAMILIES, defines=("exec",)),
        WAIT_SA_SDST,
    ),
)
SALU_EXEC = Kind(
    "SALU instruction that writes EXEC",
    SALU.families,
    any_of=(
        Kind("without naming it", defines=("exec",)),
        Kind("as its operand", tests=(Test("sdst", files=("exec", "exec_lo", "exec_hi")),)),
    ),
)
V_NOP = Kind("`v_nop`", mnemonics="v_nop")
VALU_NOT_NOP = Kind("VALU instruction other than `v_nop`", _VECTOR_FAMILIES, but_not=(V_NOP,))
BRANCH = Kind("branch", has=("isBranch",))
DS_OR_DMA = Kind("LDS access", any_of=(DS, LDS_DMA))
VMEM_NOT_DMA = Kind("vector memory access", any_of=(VMEM,), but_not=(LDS_DMA,))
PLAIN_FLAT = Kind("flat access", ("FLAT",), but_not=(LDS_DMA,))
VMEM_BY_KIND = Kind("vector memory access", any_of=(VMEM,), but_not=(LDS_DMA, PLAIN_FLAT))
DS_OR_DMA_OR_VSCNT = Kind("LDS access or wait", any_of=(DS_OR_DMA, WAIT_VSCNT))
VMEM_OR_VSCNT = Kind("vector memory access or wait", any_of=(VMEM_NOT_DMA, WAIT_VSCNT))
MEMORY_OR_VSCNT = Kind("memory access or wait", any_of=(VMEM, DS, WAIT_VSCNT))
# Instructions at which all results of the VALU are available.
VALU_DONE = Kind("memory instruction, export or wait", any_of=(VMEM, DS, EXPORT, WAIT_VA_VDST))
VALU_DONE_OR_TRANS = Kind("memory or transcendental instruction, export or wait", any_of=(VALU_DONE, TRANS))
MEMORY_READ = Kind("memory instruction", any_of=(VMEM, DS))
SOURCES_READ = Kind("VALU instruction, export or wait", any_of=(VALU, EXPORT, WAIT_ZERO, WAIT_VM_VSRC))
LDSDIR_NO_WAIT = Kind(
    "LDS direct instruction without a wait", LDSDIR.families, tests=(Test("waitvsrc", 1, (1,), default=0),)
)
SOURCES_READ_OR_LDSDIR = Kind(
    "VALU or LDS direct instruction, export or wait",
    any_of=(SOURCES_READ, Kind("LDS direct instruction that waits", LDSDIR.families, but_not=(LDSDIR_NO_WAIT,))),
)


def ldsdir_waiting_for(count: int) -> Kind:
    """LDS direct instructions that allow this many VALU instructions in flight."""
    return Kind("LDS direct instruction", LDSDIR.families, tests=(Test("waitvdst", 15, (count,), default=0),))


WMMA = Kind("WMMA", mnemonics="v_(wmma|swmmac)_.*")
SWMMAC = Kind("sparse WMMA", mnemonics="v_swmmac_.*")
WMMA_WIDE = Kind("WMMA of f32 or f64", mnemonics="v_wmma_(f32_16x16x4_f32|f64_16x16x4_f64)")
# Those of gfx12 that LLVM accepts on gfx125x too, where they run on the VALU.
SWMMAC_FORMER = Kind("sparse WMMA of gfx12", mnemonics=r"v_swmmac_(\w+_16x16x32_\w+|i32_16x16x64_iu4)")
ON_VALU = Kind("WMMA on the VALU", any_of=(WMMA_WIDE, SWMMAC_FORMER))
XDL_SWMMAC = Kind("sparse WMMA", any_of=(SWMMAC,), but_not=(SWMMAC_FORMER,))
DENSE = Kind("WMMA", mnemonics="v_wmma_.*")
XDL_WMMA = Kind("WMMA of narrow types", mnemonics=DENSE.mnemonics, but_not=(WMMA_WIDE,))
_EIGHT_BITS = "v_wmma(_scale|_scale16)?_f32_16x16x128_f8f6f4"
WMMA_F8 = Kind("WMMA with fp8", mnemonics=_EIGHT_BITS, pseudos=r".*_(F8_F\d|F\d_F8)_W32.*")
WMMA_QUICK = Kind("WMMA of 8-bit floats", mnemonics="v_wmma_f(16|32)_16x16x64_(fp8|bf8)_(fp8|bf8)")
WMMA_SHORT = Kind("WMMA", any_of=(XDL_WMMA,), but_not=(WMMA_QUICK, WMMA_F8, Kind("iu8", mnemonics="v_wmma_i32_.*_iu8")))
WMMA_LONG = Kind("WMMA of 8-bit types", any_of=(WMMA_F8, Kind("iu8", mnemonics="v_wmma_i32_.*_iu8")))
SWMMAC_LONG = Kind("sparse WMMA of integers", mnemonics="v_swmmac_i32_16x16x128_iu8")
SWMMAC_SHORT = Kind("sparse WMMA", any_of=(XDL_SWMMAC,), but_not=(SWMMAC_LONG,))
# On gfx1251, of half or a quarter of the rate.
_F4_FIRST = Kind("WMMA of f4", mnemonics=_EIGHT_BITS, pseudos=r".*_F8F6F4_F4_F\d_W32.*")
WMMA_QUARTER = Kind(
    "WMMA of 8-bit or 4-bit types",
    any_of=(
        Kind("8-bit floats", mnemonics="v_wmma_f(16|32)_16x16x128_(fp8|bf8)_(fp8|bf8)"),
        Kind("f4", mnemonics="v_wmma(_scale|_scale16)?_f32_32x16x128_f4"),
        Kind("scaled", mnemonics=_EIGHT_BITS, but_not=(_F4_FIRST,)),
        Kind("integers", mnemonics="v_wmma_i32_.*"),
    ),
)
DENSE_HALF = Kind("WMMA", any_of=(XDL_WMMA,), but_not=(WMMA_QUARTER,))
PLAIN_VALU = Kind("VALU instruction", any_of=(NOT_TRANS,), but_not=(WMMA,))
CARRY_READER = Kind(
    "VALU instruction with a carry or mask",
    _VECTOR_FAMILIES,
    mnemonics="v_cndmask_b(16|32)|v_(add|sub|subrev)_co_ci_u32|v_div_fmas_f(32|64)|v_dual_cndmask_b32",
)
SALU_READER = Kind(
    "SALU instruction that reads a register",
    any_of=(
        Kind("by its first source", SALU.families, tests=(Test("src0", kinds=("register",)),)),
        Kind("by its second source", SALU.families, tests=(Test("src1", kinds=("register",)),)),
    ),
)
# While the scalar writes themselves are in flight, these instructions wait for them.
SCALAR_DONE = Kind("scalar or buffer memory instruction", any_of=(SMEM, MUBUF_MTBUF, IMAGE))
SA_SDST_DONE = Kind("memory instruction or wait", any_of=(SCALAR_DONE, WAIT_SA_SDST))
VA_SDST_DONE = Kind("memory or SALU instruction or wait", any_of=(SCALAR_DONE, WAIT_VA_SDST, SALU_READER))
VA_VCC_DONE = Kind("memory or SALU instruction or wait", any_of=(SCALAR_DONE, WAIT_VA_VCC, SALU_READER))
_STATUS_REGISTERS = (2, 4, 17, 18)
GETREG_STATUS = Kind(
    "`s_getreg` of a status", mnemonics="s_getreg_b32", tests=(Test("simm16", REGISTER_MAX, _STATUS_REGISTERS),)
)
NOT_WAIT_ALL_ALU = Kind("any other", but_not=(WAIT_ALL_ALU,))
BARRIER_ARRIVE = Kind("asynchronous arrival at a barrier", mnemonics="ds_atomic_async_barrier_arrive_b64")
NOT_WAIT_VM_VSRC = Kind("any other", but_not=(WAIT_VM_VSRC,))
_SCRATCH_BASE_LO, _SCRATCH_BASE_HI = 20, 21
GETREG_BASE_LO = Kind(
    "`s_getreg`", mnemonics="s_getreg_b32", tests=(Test("simm16", REGISTER_MAX, (_SCRATCH_BASE_LO,)),)
)
GETREG_BASE_HI = Kind(
    "`s_getreg`", mnemonics="s_getreg_b32", tests=(Test("simm16", REGISTER_MAX, (_SCRATCH_BASE_HI,)),)
)
SETREG_MODE = Kind(
    "`s_setreg` of MODE", mnemonics="s_setreg.*", tests=(Test("simm16", REGISTER_MAX, (_MODE_REGISTER,)),)
)
SET_VGPR_MSB = Kind("`s_set_vgpr_msb`", mnemonics="s_set_vgpr_msb")
SETREG_MODE_BIT = Kind("`s_setreg` of bit 0 of MODE", mnemonics="s_setreg.*", tests=(Test("simm16", 0xFFFF, (1,)),))
NOT_V_NOP = Kind("any other", but_not=(V_NOP,))
NOT_NOP = Kind("any other", but_not=(NOP,))
DEALLOC = Kind("release of VGPRs", mnemonics="s_sendmsg", tests=(Test("simm16", 0xFFFF, (3,)),))

# Scalar and vector memory, by how it may be replayed.
NOT_SMEM = Kind("any other than scalar memory", but_not=(SMEM,))
NOT_VMEM = Kind("any other than vector memory", but_not=(VMEM,))
SMEM_LOAD = Kind("scalar load", SMEM.families, has=("mayLoad",), lacks=("IsAtomicNoRet",))
VMEM_LOAD = Kind("load", has=("mayLoad",), lacks=("IsAtomicNoRet",), any_of=(VMEM,), but_not=(LDS_DMA,))
SMEM_STORE = Kind("scalar store or atomic", SMEM.families, has=("mayStore",))
VMEM_STORE = Kind("store or atomic", has=("mayStore",), any_of=(VMEM,), but_not=(LDS_DMA,))
S_BUFFER_ACCESS = Kind("scalar access to a buffer", SMEM.families, mnemonics="s_buffer_.*")
CACHE_INVALIDATE = Kind("cache invalidation", mnemonics="s_dcache_inv|s_gl1_inv")
OTHER_SMEM = Kind("other scalar memory instruction", SMEM.families, but_not=(CACHE_INVALIDATE,))


def scalar_wait(counters: str, field: int) -> Kind:
    """Waits until scalar memory is done: instructions that count nothing else, `s_waitcnt` with zero in `field`."""
    return Kind(
        "wait for scalar memory",
        any_of=(
            Kind("by its own counter", mnemonics=counters, tests=(Test("simm16", 0x3F, (0,)),)),
            Kind("`s_waitcnt`", mnemonics="s_waitcnt", tests=(Test("simm16", field, (0,)),)),
            Kind("wait for everything", mnemonics="s_wait_idle"),
        ),
    )


IMAGE_STORE_R128 = Kind(
    "image store of more than 64 bits",
    IMAGE.families,
    has=("mayStore",),
    tests=(_WIDE, Test("r128", among=(1,))),
)
