"""Instructions of PTX, NVIDIA's assembly, and what AMD's GPUs have for each, for code that came from CUDA.

The opcodes are those of NVIDIA's "PTX ISA"; a row's pattern is matched from the start of an instruction, the first that
fits counts. The counterparts are from AMD's ISA documents and from HIP's device functions.
"""

import re
from functools import cache

from gcn_lsp.records import NamedTuple

# The opcodes that have a type or another qualifier behind a dot, so that no other assembly looks like them.
_OPCODES = (
    "abs|activemask|add|addc|alloca|and|applypriority|atom|bar|barrier|bfe|bfi|bfind|bmsk|brev|brx|clz|clusterlaunchcontrol|"
    "cnot|copysign|cos|cp|createpolicy|cvt|cvta|discard|div|dp2a|dp4a|elect|ex2|fence|fma|fns|getctarank|griddepcontrol|"
    "isspacep|istypep|ld|ldmatrix|ldu|lg2|lop3|mad|mad24|madc|mapa|match|max|mbarrier|membar|min|mma|mov|movmatrix|mul|mul24|"
    "multimem|nanosleep|neg|not|or|pmevent|popc|prefetch|prefetchu|prmt|rcp|red|redux|rem|rsqrt|sad|selp|set|setmaxnreg|"
    "setp|shf|shfl|shl|shr|sin|slct|sqrt|st|stackrestore|stmatrix|sub|subc|suld|sust|szext|tanh|tcgen05|tensormap|testp|tex|"
    "tld4|txq|vote|wgmma|wmma|xor"
)


class PtxRow(NamedTuple):
    """Instructions of PTX by a pattern, and what AMD has, as the end of "AMD has ..."."""

    pattern: str
    instead: str


ROWS = (
    PtxRow(r"mov\.u32 +\S+, *%%?laneid", "v_mbcnt_lo_u32_b32 and v_mbcnt_hi_u32_b32: `__lane_id()`"),
    PtxRow(r"mov\.u(32|64) +\S+, *%%?clock", "s_memtime, s_getreg_b32 of SHADER_CYCLES from gfx10.3: `clock64()`"),
    PtxRow(r"mov\.u(32|64) +\S+, *%%?globaltimer", "s_memrealtime, s_sendmsg_rtn_b64 from gfx11: `wall_clock64()`"),
    PtxRow(r"mov\.u32 +\S+, *%%?smid", "s_getreg_b32 of HW_ID: `__smid()`"),
    PtxRow(r"mov\.u32 +\S+, *%%?(tid|ntid|ctaid|nctaid)", "`threadIdx`, `blockDim`, `blockIdx` and `gridDim`"),
    PtxRow(r"(mma|wmma|wgmma|tcgen05)\b", "v_mfma on gfx908 to gfx950 and v_wmma from gfx11: rocWMMA or builtins"),
    PtxRow(
        r"ldmatrix\b",
        "ds_read_b64_tr_b16 on gfx950, ds_load_tr16_b128 on gfx1250; elsewhere ds_read and a permutation",
    ),
    PtxRow(r"(stmatrix|movmatrix)\b", "ds_write and ds_read; v_permlane and DPP move data between lanes"),
    PtxRow(r"cp\.async\.(commit_group|wait_group|wait_all)", "s_waitcnt vmcnt(N), s_wait_asynccnt on gfx1250"),
    PtxRow(r"cp\.async\.bulk\.tensor", "tensor_load_to_lds and tensor_store_from_lds on gfx1250; no others"),
    PtxRow(r"cp\.async", "buffer_load and global_load with `lds` on gfx9, global_load_async_to_lds on gfx1250"),
    PtxRow(r"(mbarrier|clusterlaunchcontrol|setmaxnreg|griddepcontrol|multimem)\b", "no counterpart before gfx1250"),
    PtxRow(
        r"bar(rier)?\.(cta\.)?(sync|red|arrive)",
        "s_barrier, s_barrier_signal and s_barrier_wait from gfx12: `__syncthreads()`",
    ),
    PtxRow(
        r"(bar|barrier)\.warp|elect\b|activemask\b",
        "lanes that run in step: EXEC says which: `__builtin_amdgcn_read_exec()`",
    ),
    PtxRow(r"shfl\b", "ds_bpermute_b32, DPP and v_permlane: `__shfl`, `__shfl_xor` over 32 or 64 lanes"),
    PtxRow(r"(vote|match)\b", "v_cmp into an SGPR: `__ballot`, `__any`, `__all`"),
    PtxRow(r"redux\b", "DPP and v_readlane_b32: `__builtin_amdgcn_wave_reduce_*`"),
    PtxRow(r"(membar|fence)\b", "s_waitcnt with buffer_wbl2 and buffer_inv, or s_waitcnt alone: `__threadfence()`"),
    PtxRow(r"atom\.shared|red\.shared", "ds_add_u32 and others: `atomicAdd`"),
    PtxRow(r"(atom|red)\b", "global_atomic_add and others: `atomicAdd`, `__hip_atomic_fetch_add`"),
    PtxRow(r"lop3\b", "v_bitop3_b32 on gfx950 and gfx1250; v_and_or_b32, v_or3_b32, v_bfi_b32 and others elsewhere"),
    PtxRow(r"prmt\b", "v_perm_b32, whose selector has a byte for each byte: `__builtin_amdgcn_perm`, `__byte_perm`"),
    PtxRow(r"shf\b", "v_alignbit_b32: `__builtin_amdgcn_alignbit`"),
    PtxRow(r"bfe\.s32", "v_bfe_i32: `__builtin_amdgcn_sbfe`"),
    PtxRow(r"bfe\b", "v_bfe_u32: `__builtin_amdgcn_ubfe`"),
    PtxRow(r"bfi\b", "v_bfi_b32 with a mask"),
    PtxRow(r"bfind\b|clz\b", "v_ffbh_u32, v_clz_i32_u32 from gfx11: `__clz`"),
    PtxRow(r"brev\b", "v_bfrev_b32: `__brev`"),
    PtxRow(r"popc\b", "v_bcnt_u32_b32: `__popc`"),
    PtxRow(r"(dp4a|dp2a)\b", "v_dot4_i32_i8, v_dot4_i32_iu8 from gfx11: `__builtin_amdgcn_sdot4`"),
    PtxRow(r"sad\b", "v_sad_u32"),
    PtxRow(r"mul24|mad24", "v_mul_u32_u24 and v_mad_u32_u24: `__umul24`"),
    PtxRow(r"ex2\b", "v_exp_f32: `__builtin_amdgcn_exp2f`"),
    PtxRow(r"lg2\b", "v_log_f32: `__builtin_amdgcn_logf`"),
    PtxRow(r"rsqrt\b", "v_rsq_f32: `__builtin_amdgcn_rsqf`"),
    PtxRow(r"rcp\b", "v_rcp_f32: `__builtin_amdgcn_rcpf`"),
    PtxRow(r"sqrt\b", "v_sqrt_f32: `__builtin_amdgcn_sqrtf`"),
    PtxRow(r"sin\b", "v_sin_f32, whose argument counts turns: `__builtin_amdgcn_sinf`, `__sinf`"),
    PtxRow(r"cos\b", "v_cos_f32, whose argument counts turns: `__builtin_amdgcn_cosf`, `__cosf`"),
    PtxRow(r"tanh\b", "v_tanh_f32 on gfx1250; `tanhf` elsewhere"),
    PtxRow(r"fma\b", "v_fma_f32: `__builtin_fmaf`"),
    PtxRow(
        r"cvt\.\w+\.?\w*\.?(bf16x2|f16x2|e4m3x2|e5m2x2)",
        "v_cvt_pk_bf16_f32, v_cvt_pkrtz_f16_f32 and v_cvt_pk_fp8_f32",
    ),
    PtxRow(r"cvta\b", "nothing to do: pointers in `__shared__` memory convert by a cast"),
    PtxRow(
        r"ld\.(volatile\.|relaxed\.\w+\.|acquire\.\w+\.)?shared",
        "ds_read_b32, ds_load_b32 from gfx11: a load of `__shared__` memory",
    ),
    PtxRow(
        r"st\.(volatile\.|relaxed\.\w+\.|release\.\w+\.)?shared",
        "ds_write_b32, ds_store_b32 from gfx11: a store to `__shared__` memory",
    ),
    PtxRow(r"ld\.param", "s_load_dword from the kernel's arguments: a parameter"),
    PtxRow(r"ld\b", "global_load_dword with cache bits: `__builtin_nontemporal_load`, `__hip_atomic_load`"),
    PtxRow(r"st\b", "global_store_dword with cache bits: `__builtin_nontemporal_store`, `__hip_atomic_store`"),
    PtxRow(
        r"(prefetch|prefetchu|discard|applypriority|createpolicy)\b",
        "global_prefetch_b8 on gfx1250; cache bits elsewhere",
    ),
    PtxRow(r"nanosleep\b", "s_sleep, in units of 64 cycles: `__builtin_amdgcn_s_sleep`"),
    PtxRow(r"(tex|tld4|txq|suld|sust)\b", "image_sample, image_load and image_store: texture objects of HIP"),
)  # fmt: skip


def instruction(text: str) -> re.Match[str] | None:
    """The opcode with its qualifiers at the start of a text, as group 1; None if it is not PTX."""
    return _pattern().match(text)


def instead(text: str) -> str:
    """What AMD has for the PTX instruction at the start of a text; empty for what plain C++ does."""
    return next((row.instead for row in ROWS if re.match(row.pattern, text)), "")


@cache
def _pattern() -> re.Pattern[str]:
    """Compiled on use: hardly any file has inline assembly."""
    return re.compile(rf"(?:@!?%?\w+[ \t]+)?((?:{_OPCODES})(?:\.[a-z]\w*(?:::\w+)*)+)(?=[^;\n]*;)")
