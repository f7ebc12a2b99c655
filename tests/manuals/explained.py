"""Disagreements with the manuals, each with who is right.

A row names its instructions one by one and says how far it reaches: an opcode by the number that is expected instead, a
result by the place and the share of the random operands that may differ. The comparison reports rows that it did not
need, so none outlives its reason and hides another.
"""

import re
from typing import NamedTuple


class Opcode(NamedTuple):
    """Why a number differs. names: a pattern. numbers: in the manual; empty for any.

    offset: the number here is less by so much; None if LLVM does not have the instruction at all.
    """

    names: str
    targets: str
    reason: str
    numbers: tuple[int, ...] = ()
    offset: "int | None" = None


class Result(NamedTuple):
    """Why a result differs. names: a pattern. where: the places that may differ. most: the share of random operands."""

    names: str
    targets: str
    where: str
    most: float
    reason: str


class Effect(NamedTuple):
    """Why implicit state or a width differs. names: a pattern. where: as `reads M0`, `D0`."""

    names: str
    targets: str
    where: str
    reason: str


class Layout(NamedTuple):
    """Why a field of an encoding differs. fields: a pattern of `DS GDS`."""

    fields: str
    targets: str
    reason: str


class Code(NamedTuple):
    """Why a code of a source operand differs. numbers: codes. is_vector: of vector instructions; None for both."""

    numbers: tuple[int, ...]
    targets: str
    reason: str
    is_vector: "bool | None" = None


class SourceType(NamedTuple):
    """Why the type of a source differs. names: a pattern. where: a pattern of `S0`."""

    names: str
    targets: str
    where: str
    reason: str


class Legal(NamedTuple):
    """Why an instruction has DPP or SDWA on one side only. names: a pattern. how: a pattern of `DPP`."""

    names: str
    targets: str
    how: str
    reason: str


OPCODES = (
    Opcode(
        r"v_\w+", r"gfx942|gfx950",
        "VOP1 in the long encoding: the manual counts from 384 as RDNA does, hardware from 320", offset=64,
    ),
    Opcode(
        r"v_(readfirstlane_b32|swap_b32|accvgpr_mov_b32)", r"gfx942|gfx950|gfx1[12]\d+",
        "LLVM has no long encoding of it, which counts from 384", offset=384,
    ),
    Opcode(
        r"v_mfma_f32_(4x4x4|16x16x16|32x32x8|32x32x4)f16", r"gfx950", "a table of passes, not of opcodes",
        numbers=(4, 6, 10, 18),
    ),
    Opcode(r"image_gather[48]h_pck", r"gfx900|gfx906|gfx908", "LLVM does not have it"),
    Opcode(
        r"v_mad_mix(_f32|lo_f16|hi_f16)", r"gfx906|gfx908|gfx90a|gfx942|gfx950",
        "the manual keeps the name of gfx900; it is v_fma_mix here",
    ),
    Opcode(r"v_accvgpr_wrfed", r"gfx908", "LLVM does not have it"),
    Opcode(
        r"v_wmma_scale(16)?_f32_16x16x128_f8f6f4", r"gfx1250",
        "two instructions in one: the number here is that of the first, of the scales", numbers=(51,),
    ),
    Opcode(
        r"v_wmma_scale(16)?_f32_32x16x128_f4", r"gfx1250",
        "two instructions in one: the number here is that of the first, of the scales", numbers=(136,),
    ),
    Opcode(r"tensor_load_to_lds", r"gfx1250", "a row of a table of fields, not of opcodes", numbers=(8,)),
    Opcode(r"ds_store_stack", r"gfx1200", "a heading cut in two: ds_store_stack_...", numbers=(8,)),
)  # fmt: skip

_OLDER = r"gfx9..|gfx1010|gfx1030"

RESULTS = (
    Result(
        r"[sv]_rndne_f(16|32|64)", r"gfx\w+", r"D0", 0.6,
        "-0.3 rounds to -0 as IEEE 754 and LLVM have it; the manual's floor(x + 0.5) gives +0",
    ),
    Result(
        r"v_ldexp_f16", r"gfx\w+", r"D0", 0.4,
        "the manual makes 2 ** n a half first, which overflows for 0 * 2 ** 512",
    ),
    Result(
        r"v_frexp_exp_i(16_f16|32_f32|32_f64)", r"gfx\w+", r"D0", 0.6,
        "the manual's exponent of 0 and denormals is that of the field; LLVM folds them as frexp does",
    ),
    Result(
        r"v_div_fmas_f(32|64)", r"gfx\w+", r"D0", 0.7,
        "the factor depends on the exponent of S2, as div_scale made it; the manual has one factor",
    ),
    Result(
        r"v_div_fixup_legacy_f16", r"gfx\w+", r"D0", 0.7,
        "the manual's braces put the result above 16 zeros, for both values of op_sel",
    ),
    Result(
        r"s_max_[iu]32", r"gfx9..|gfx10..|gfx1100", r"SCC", 0.2,
        "SCC of equal values: the newer manuals, from RDNA3.5 and CDNA3, have >=, the older ones >",
    ),
    Result(
        r"v_subrev_co_ci_u32|v_subbrev_co_u32", r"gfx9..|gfx10..|gfx1100", r"VCC", 1.0,
        "the manual takes the borrow of v_sub_co_ci_u32 with S0 and S1 exchanged",
    ),
    Result(
        r"v_cvt_(pkaccum|pk)_u8_f32", r"gfx\w+", r"D0", 0.4,
        "f32_to_u8 is not defined by the manual; rounding to nearest was measured",
    ),
    Result(
        r"v_(mul|mad|mac|fma|fmac)_legacy_f32|v_mullit_f32", r"gfx\w+", r"D0", 0.7,
        "that 0.0 * x is 0.0 is in a sentence or a comment of the manual",
    ),
    Result(
        r"s_bfe_i(32|64)|v_bfe_i32", _OLDER, r"D0", 0.7,
        "the older manuals leave out which bit the result is extended from",
    ),
    Result(
        r"v_alignbyte_b32", _OLDER, r"D0", 0.9,
        "the older manuals shift by five bits of bytes; the newer ones, and LLVM, by two",
    ),
    Result(r"v_rsq_f64", _OLDER, r"D0", 1.0, "the older manuals have the line of v_rsq_f16"),
    Result(
        r"v_permlane_(up|down|xor)_b32", r"gfx1250", "VGPR", 1.0,
        "the loop of the manual goes one lane beyond a group, and so beyond the wave",
    ),
    Result(
        r"v_cvt_sr_pk_bf16_f32", r"gfx1250", "D0", 0.2,
        "a NaN stays one; the code of the manual adds the random bits to it as well, which can make 0 of it",
    ),
    Result(r"v_permlane_bcast_b32", r"gfx1250", "VGPR", 1.0, "the manual exchanges the lane and the register"),
    Result(r"v_mqsad_u32_u8", r"gfx1250", "D0", 1.0, "a line of the code is on another page"),
    Result(
        r"v_div_scale_f(32|64)", r"gfx\w+", "D0|VCC", 1.0,
        "1 in VCC stands for the bit of the lane; a quotient is tried as a float of 64 bits, which is not denormal",
    ),
    Result(r"v_bfe_i32", r"gfx1100", "D0", 0.3, "the manual of RDNA3 alone reads the width as a signed number"),
    Result(
        r"ds_(min|max)(_rtn)?_f(32|64)", r"gfx942|gfx950|gfx1100|gfx1150", "MEM", 0.3,
        "the code of the manual is a comparison; its text says that NaN and zeros are treated as by v_min and v_max",
    ),
    Result(
        r"(s_buffer|s|buffer|flat|global)_atomic_[su](min|max)_x2|ds_(min|max)(_rtn)?_[iu]64",
        r"gfx9..|gfx1010", "MEM", 1.0, "the older manuals subtract, with -=; the newer ones replace",
    ),
    Result(
        r"ds_(min|max)(_rtn)?_f(32|64)", _OLDER, "MEM|D0", 1.0,
        "the older manuals compare with a second operand, which the instruction does not have",
    ),
    Result(
        r"v_cvt_scale(f32)?_\w*(fp8|bf8|fp6|bf6|fp4)\w*", r"gfx950|gfx1250", "VGPR|D0", 0.1,
        "where denormals count as 0: the manual scales and rounds at once, the operation here scales a half",
    ),
    Result(
        r"(flat|global)_atomic_max_f64", r"gfx90a", "MEM", 1.0, "the manual has the line of the minimum",
    ),
    Result(r"buffer_atomic_sub_x2", r"gfx90a", "MEM", 1.0, "the manual of CDNA2 alone has = for -="),
    Result(
        r"(buffer|global)_atomic_add_f32", r"gfx908|gfx90a", "D0", 1.0, "the code of the manual leaves out the result",
    ),
    Result(
        r"s_setreg(_imm32)?_b32", r"gfx11..", "HWREG", 1.0,
        "the manuals of RDNA3 leave the mask where it is; the newer ones shift it by the offset",
    ),
    Result(
        r"ds_condxchg32_rtn_b64", r"gfx\w+", "MEM|D0", 1.0,
        "the code of the manual names S0 and S1 for the address and the data, and an array for the result",
    ),
    Result(r"ds_storexchg_rtn_b64", r"gfx1100", "D0", 1.0, "a line of the code is on another page"),
    Result(
        r"v_interp_p2_rtz_f16_f32", r"gfx1150|gfx1200", "VGPR", 1.0,
        "the manual writes 32 bits, and leaves out the rounding",
    ),
    Result(
        r"v_pk_mov_b32", r"gfx90a", "D0", 1.0,
        "the code of the older manual leaves out op_sel, which chooses the register",
    ),
    Result(r"v_log_f16", _OLDER, r"D0", 1.0, "the older manuals have the operand of v_log_f32"),
    Result(
        r"v_(mad|fma)_mix(_f32|lo_f16|hi_f16)", _OLDER, r"D0", 1.0,
        "that op_sel chooses halves is in a sentence of the older manuals",
    ),
    Result(r"v_msad_u8", r"gfx1010", r"D0", 0.9, "the manual of RDNA1 alone takes the bytes as signed"),
    Result(
        r"v_(sin|cos)_(f16|bf16|f32)", r"gfx\w+", r"D0", 0.9,
        "the operand counts revolutions, which hardware reduces exactly; the manual rounds the product with 2 * PI",
    ),
)  # fmt: skip


_M0_IN_TEXT = "M0 is in the text of the manual, not in the code"
_ON_ANOTHER_PAGE = "a line of the code is on another page"
EFFECTS = (
    Effect(r"v_rsq_f64", _OLDER, "D0", "the older manuals have the line of v_rsq_f16"),
    Effect(r"v_rsq_f64", _OLDER, "S0", "the older manuals have the line of v_rsq_f16"),
    Effect(
        r"s_bcnt[01]_i32_b64", r"gfx942|gfx950|gfx11..|gfx12..", "D0",
        "the manual compares 64 bits of a result of 32 with 0",
    ),
    Effect(r"v_mqsad_u32_u8", r"gfx1250", "S2", _ON_ANOTHER_PAGE),
    Effect(r"s_cmov_b64", r"gfx1250", "reads SCC", _ON_ANOTHER_PAGE),
    Effect(r"v_div_fmas_f64", r"gfx942", "reads VCC", _ON_ANOTHER_PAGE),
    Effect(
        r"v_dual_cndmask_b32", r"gfx1250", "reads VCC",
        "VCC is implicit in the shorter encoding; the entry says that it stands for the third source",
    ),
    Effect(
        r"s_set_gpr_idx_(on|idx)", r"gfx9..", "reads M0", "the bits of M0 that are not written stay",
    ),
    Effect(
        r"v_interp_(p1|p2|mov)_f32", r"gfx9..|gfx10..", "reads M0", _M0_IN_TEXT,
    ),
    Effect(
        r"ds_gws_(sema_(v|p|br|release_all)|init|barrier)", r"gfx\w+", "reads M0",
        _M0_IN_TEXT,
    ),
    Effect(
        r"ds_(append|consume|ordered_count|(add|sub)_gs_reg_rtn)", r"gfx\w+", "reads M0",
        _M0_IN_TEXT,
    ),
    Effect(
        r"cluster_load(_async_to_lds)?_b(8|32|64|128)", r"gfx1250", "reads M0",
        _M0_IN_TEXT,
    ),
    Effect(
        r"s_cbranch_join", r"gfx9..", "writes EXEC", "PC and EXEC are written at once, in braces, which are not read",
    ),
    Effect(
        r"v_pk_mov_b32", r"gfx90a", "S0", "the code of the older manual leaves out op_sel, which chooses the register",
    ),
    Effect(
        r"v_pk_mov_b32", r"gfx90a", "S1", "the code of the older manual leaves out op_sel, which chooses the register",
    ),
    Effect(
        r"ds_b?permute_b32", _OLDER, "writes EXEC", "EXEC is set in an example of the manual, which reads like code",
    ),
)  # fmt: skip


LAYOUTS = (
    Layout("DS DATA0", r"gfx9..|gfx10..|gfx11..", "ds_gws_... have their source in the field of the address"),
    Layout("DS (GDS|OP)", r"gfx10..", "the manual has the bits of Vega; LLVM, and the opcodes, have those of RDNA 3"),
    Layout("(FLAT|SMEM) NV", r"gfx9..", "LLVM has no word for it"),
    Layout("FLAT OP", r"gfx12..", "the manual has it one bit lower than that of VBUFFER, which has the same encoding"),
    Layout("MIMG A16", r"gfx9..", "the bit is also that of R128, and LLVM's operand has that name"),
    Layout("SMEM (DLC|GLC)", r"gfx11..", "the manual has the bits of RDNA 2; LLVM has others"),
    Layout("SMEM SOE", r"gfx9..", "forms of gfx8, which LLVM's tables have on gfx9, too, leave the bit open"),
    Layout("SMEM SOFFSET", r"gfx9..", "an SGPR alone is in the field of the immediate offset, where IMM is 0"),
    Layout("VBUFFER FORMAT", r"gfx1250", "the target has no MTBUF instructions"),
    Layout(
        "VIMAGE (A16|D16|DIM|DMASK|RSRC|TFE|VADDR4|VDATA|ENCODING)", r"gfx1250",
        "of the image instructions the target has only those on tensors, some of which LLVM encodes as GLOBAL",
    ),
    Layout("VOP3P-MAI ACC_CD", r"gfx90a|gfx9[45].", "forms of matrix cores that take either leave the bit open"),
    Layout("VOP3PX2 CM", r"gfx1250", "clamp is not possible with scales"),
)  # fmt: skip

_RESERVED = "reserved in the manual, LLVM accepts it"
CODES = (
    Code((237, 238), r"gfx1250", _RESERVED),
    Code((239,), r"gfx942|gfx950", _RESERVED),
    Code((254,), r"gfx900|gfx906|gfx908|gfx10..", "LLVM's disassembler writes it, and says that it is invalid", False),
    Code((254,), r"gfx90a", "LLVM does not have src_lds_direct on gfx90a", True),
)

_LEFT_OUT = "LLVM has no such form; the list is about older instructions"
LEGALITY = (
    Legal(r"v_cmpx?_\w+", r"gfx\w+", "DPP", "DPP is for VOP1 and VOP2 on these targets; the list names few of VOPC"),
    Legal(
        r"v_(cmpx?|ceil|cvt|floor|fract|frexp_exp_i32|frexp_mant|rcp|rndne|rsq|sqrt|trunc|fmac|mov)\w*_[fiub]64(_\w+)?",
        r"gfx\w+", "SDWA", "SDWA chooses parts of 32 bits; the list leaves out operands of 64",
    ),
    Legal(
        r"v_(fmac_f64|mov_b64|cvt_pk_f32_(fp8|bf8))", r"gfx9..", "DPP",
        "with 64-bit operands row_newbcast is the only control",
    ),
    Legal(r"v_cvt_f64_(f32|[iu]32)", r"gfx90[068]", "DPP", "LLVM accepts DPP here, and its compiler makes use of it"),
    Legal(r"v_fma(ak|mk)_f(16|32)", r"gfx9..|gfx1010", "DPP|SDWA", "the list has v_madak and v_madmk only"),
    Legal(
        r"v_(accvgpr_mov_b32|fmac_f16|f?mac_legacy_f32|permlane(16|32)_swap_b32|pipeflush|swaprel_b32|pk_fmac_f16)",
        r"gfx9..|gfx10..", "DPP|SDWA", _LEFT_OUT,
    ),
    Legal(r"v_dot\dc_\w+", r"gfx9..|gfx1030", "SDWA", _LEFT_OUT),
)  # fmt: skip

PRECISION = (
    SourceType(
        r"v_cvt_(floor_|flr_|nearest_|rpi_)?[iu](16|32)_f(16|32|64)", r"gfx\w+", "ULP",
        "the fraction that a conversion to an integer drops; the operation says how it rounds",
    ),
)  # fmt: skip

MODIFIERS = (
    SourceType(
        r"v_cvt_(f32_fp8|pk_fp8_f32)", r"gfx1250", "clamp ignored", "another section says that clamp chooses E5M3",
    ),
    SourceType(r"v_sub_nc_i16", r"gfx1010|gfx1030", "saturates", "the manual has the sentence of v_sub_nc_u16"),
    SourceType(r"v_med3_u16", r"gfx1100", "saturates", "the heading of v_mad_i16 is missing in the manual"),
)  # fmt: skip

SOURCE_TYPES = (
    SourceType(
        r"v_cndmask_b32", r"gfx\w+", "S[01]", "the long encoding takes neg and abs, so LLVM's operand is a float there",
    ),
    SourceType(r"v_cvt_f32_bf16", r"gfx950", "S0", "the manual shifts the bits of the float"),
    SourceType(r"v_cvt_sr_pk_(bf16|f16)_f32", r"gfx1250", "S[01]", "the manual adds random bits to those of the float"),
    SourceType(
        r"v_(mad|fma)_mix(_f32|lo_f16|hi_f16)", _OLDER, r"S[012]",
        "that op_sel chooses halves is in a sentence of the older manuals",
    ),
    SourceType(r"v_log_f16", _OLDER, "S0", "the older manuals have the operand of v_log_f32"),
    SourceType(r"v_rsq_f64", _OLDER, "S0", "the older manuals have the line of v_rsq_f16"),
)  # fmt: skip


ALL = (*LAYOUTS, *CODES, *LEGALITY, *PRECISION, *MODIFIERS, *OPCODES, *SOURCE_TYPES, *EFFECTS, *RESULTS)
"""All explanations."""


def layout(field: str, target: str) -> "Layout | None":
    """The row that explains a field that is elsewhere."""
    rows = (row for row in LAYOUTS if re.fullmatch(row.fields, field) and re.fullmatch(row.targets, target))
    return next(rows, None)


def code(number: int, target: str, is_vector: bool) -> "Code | None":
    """The row that explains a code of a source operand."""
    for row in CODES:
        if number in row.numbers and re.fullmatch(row.targets, target) and row.is_vector in (None, is_vector):
            return row
    return None


def legality(name: str, target: str, how: str) -> "Legal | None":
    """The row that explains why DPP or SDWA is there on one side only."""
    for row in LEGALITY:
        if all(map(re.fullmatch, (row.names, row.targets, row.how), (name, target, how))):
            return row
    return None


def source_type(name: str, target: str, where: str) -> "SourceType | None":
    """The row that explains the type of a source, the precision (`ULP`), or what a modifier does."""
    for row in (*SOURCE_TYPES, *PRECISION, *MODIFIERS):
        if all(map(re.fullmatch, (row.names, row.targets, row.where), (name, target, where))):
            return row
    return None


def effect(name: str, target: str, where: str) -> "Effect | None":
    """The row that explains implicit state or a width that differs."""
    for row in EFFECTS:
        if row.where == where and re.fullmatch(row.names, name) and re.fullmatch(row.targets, target):
            return row
    return None


def opcode(name: str, number: int, target: str, known: "set[int]") -> "Opcode | None":
    """The row that explains the number of an opcode. known: its numbers here."""
    for row in OPCODES:
        if not re.fullmatch(row.names, name) or not re.fullmatch(row.targets, target):
            continue
        if row.numbers and number not in row.numbers:
            continue
        if (number - row.offset in known) if row.offset is not None else (row.numbers or not known):
            return row
    return None


def result(name: str, target: str, where: str, share: float) -> "Result | None":
    """The row that explains why a share of the results differs at some places, `D0|SCC`."""
    for row in RESULTS:
        is_meant = re.fullmatch(row.names, name) and re.fullmatch(row.targets, target)
        if is_meant and set(where.split("|")) <= set(row.where.split("|")) and share <= row.most:
            return row
    return None
