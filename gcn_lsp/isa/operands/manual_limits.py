"""What AMD's ISA documents forbid an instruction although every assembler takes it: a row for each statement.

A row says where it is written: the document, the section and its page. What the bits do then, no document says. Rows
come from reading the documents, beginning with AMD's audit of them against its machine-readable tables
(`rocm-systems`, `emulation/rocjitsu/audits`). Some statements LLVM's own compiler contradicts: their rows say so, and
are reported as disputed. `global_atomic_add_f32` with `sc0`, which CDNA4 10.3.1 forbids, is not a row: it is the only
way to the old value, and programs use it.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from gcn_lsp.isa.conditions import holds
from gcn_lsp.isa.schema import Form
from gcn_lsp.records import NamedTuple

Forbidden = Literal[
    "all but VGPRs",
    "SGPRs and literals",
    "inline constants",
    "signs",
    "absolute values",
    "values",
    "registers",
    "keyword",
    "own result",
    "no address",
]


LAST_SOURCE = "last source"
"""A slot by its place: that of the last of the sources."""


class ManualLimit(NamedTuple):
    """What the documents forbid in some slots of some instructions.

    targets: a condition. mnemonics: a pattern for the whole mnemonic. variants: of the encoding, any if empty. slots:
    those that it is about. forbidden: `all but VGPRs`: any source but a VGPR. `SGPRs and literals`: what is no VGPR and
    no inline constant. `signs`: negation and absolute value. `values`: a constant that is not among `allowed`.
    `registers`: those by the names in `names`. `keyword`: the modifier at all. `own result`: a scalar register that the
    instruction writes too. `no address`: neither of the operands in `names`. mask: of the value, bits that matter.
    is_needed: leaving it out is the mistake. is_compiled: LLVM's compiler writes it.
    said: what is right, after the mnemonic. source: document, section, page.
    """

    targets: str
    mnemonics: str
    slots: tuple[str, ...]
    forbidden: Forbidden
    said: str
    source: str
    variants: tuple[str, ...] = ()
    allowed: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    mask: int = -1
    is_needed: bool = False
    is_compiled: bool = False


_SOURCES = ("src0", "src1", "src2")
_SDWA = ("SDWA", "SDWA9")
_COMPACT = ("Default",)
_FOUR = _BYTES = (0, 1, 2, 3)
_WORDS = (4, 5)
_CLAUSE_MASK = (1 << 6) - 1
_DATA = ("vdst", "vdata")
_MASKS_OF_32 = 'RDNA3, RDNA3.5, RDNA4 and CDNA5 ISA, "Vector Compares: VCC and VCCZ"'
_MASK_WRITERS = r"v_cmp_\w+|v_(add|sub|subrev)_co_u32|v_div_scale_f(32|64)|v_mad_(u64_u32|i64_i32)"
_EIGHT_BITS = "v_cvt_(sr|pk)_(fp8|bf8)_f32"

LIMITS: tuple[ManualLimit, ...] = (
    # CDNA.
    ManualLimit(
        "gfx95", f"{_EIGHT_BITS}|v_cvt_sr_b?f16_f32", _SOURCES, "all but VGPRs", "takes only VGPRs as sources",
        "CDNA4 ISA, 7.3, pages 57 to 60", is_compiled=True,
    ),
    ManualLimit(
        "gfx95", "v_cvt_scalef32_.*", (LAST_SOURCE,), "SGPRs and literals",
        "takes its scale from a VGPR or an inline constant", "CDNA4 ISA, 7.3, pages 57 to 60", is_compiled=True,
    ),
    ManualLimit(
        "gfx94|gfx95", "v_cvt_f32_(fp8|bf8)", ("src0_sel",), "values", "takes only BYTE_0 to BYTE_3 as src0_sel",
        "CDNA4 ISA, V_CVT_F32_FP8 and V_CVT_F32_BF8", variants=_SDWA, allowed=_BYTES,
    ),
    ManualLimit(
        "gfx94|gfx95", "v_cvt_pk_f32_(fp8|bf8)", ("src0_sel",), "values", "takes only WORD_0 and WORD_1 as src0_sel",
        "CDNA4 ISA, V_CVT_PK_F32_FP8 and V_CVT_PK_F32_BF8", variants=_SDWA, allowed=_WORDS,
    ),
    ManualLimit(
        "gfx94|gfx95", "v_lshl_add_u64", ("src1",), "values", "shifts by 0 to 4; the hardware shifts by 0 for more",
        "CDNA4 ISA, V_LSHL_ADD_U64", allowed=tuple(range(5)),
    ),
    ManualLimit(
        "gfx95", "v_mfma_(scale_)?f32_.*_f8f6f4", ("cbsz", "blgp"), "values",
        "has the formats 0 (FP8), 1 (BF8), 2 (FP6), 3 (BF6) and 4 (FP4)",
        "CDNA4 ISA, 7.1.5, page 50", allowed=tuple(range(5)),
    ),
    ManualLimit(
        "gfx90a|gfx94|gfx95", "v_pk_(fma|mul|add)_f32|v_pk_mov_b32", ("clamp",), "keyword",
        "has no output modifiers", "CDNA2 ISA, 6.7, page 43; CDNA3 and CDNA4 ISA, 6.7, page 38",
    ),
    ManualLimit(
        "gfx94|gfx95", "v_cvt_(pk_)?f32_(fp8|bf8)", ("clamp", "omod"), "keyword",
        "ignores the output modifiers of SDWA", "CDNA3 ISA, 7.2, and CDNA4 ISA, 7.3, \"Converts from 8-bit formats\"",
        variants=_SDWA,
    ),
    ManualLimit(
        "gfx94|gfx95", "v_mfma_f64_.*", ("cbsz", "abid"), "values", "ignores cbsz and abid",
        "CDNA3 ISA, 7.1.5, page 48; CDNA4 ISA, 7.1.6.4, page 54", allowed=(0,), is_compiled=True,
    ),
    ManualLimit(
        "gfx94|gfx95", "v_smfmac_f32_(16x16x32|32x32x16)_b?f16", ("abid",), "values",
        "has four sets of indices: abid is 0 to 3", "CDNA3 ISA, 7.4, page 52; CDNA4 ISA, 7.5, page 60", allowed=_FOUR,
        is_compiled=True,
    ),
    ManualLimit(
        "gfx94|gfx95", "v_smfmac_(i|f)32_(16x16x64|32x32x32)_.*", ("abid",), "values",
        "has two sets of indices: abid is 0 or 1", "CDNA3 ISA, 7.4, page 52; CDNA4 ISA, 7.5, page 60", allowed=(0, 1),
        is_compiled=True,
    ),
    ManualLimit(
        "gfx95", "v_smfmac_(i|f)32_(16x16x128|32x32x64)_.*", ("cbsz", "abid"), "values",
        "has one set of indices and ignores cbsz and abid", "CDNA4 ISA, 7.5, page 60", allowed=(0,), is_compiled=True,
    ),
    ManualLimit(
        "gfx95", "v_dot2_f32_bf16", ("neg_lo", "neg_hi"), "values", "does not negate its third source",
        "CDNA4 ISA, V_DOT2_F32_BF16", allowed=(0,), mask=0b100, is_compiled=True,
    ),
    ManualLimit(
        "gfx95", "v_dot2c_f32_bf16", ("src0", "src1"), "absolute values",
        "takes `abs` as the negation of the high half", "CDNA4 ISA, V_DOT2C_F32_BF16",
    ),
    # RDNA and CDNA5.
    ManualLimit(
        "gfx12+", _EIGHT_BITS, ("src0", "src1"), "signs", "takes no negation and no absolute value",
        "RDNA4 ISA, 7.6.2, page 79; CDNA5 ISA, 7.6.2, page 80",
    ),
    ManualLimit(
        "gfx125", "v_cvt_f32_(fp8|bf8)", ("clamp",), "keyword", "has no clamp", "CDNA5 ISA, 7.6, page 79",
        is_compiled=True,
    ),
    ManualLimit(
        "gfx125", "v_cvt_f32_bf16", ("src0",), "inline constants",
        "takes an inline constant only in the encoding `_e64`", "CDNA5 ISA, 7.2.2, page 71", variants=_COMPACT,
    ),
    ManualLimit(
        "gfx120", "v_s_(exp|log|rcp|rsq|sqrt)_f(16|32)", ("vdst", "sdst"), "registers", "cannot write VCC",
        "RDNA4 ISA, 7.10, page 88", names=("vcc_lo", "vcc_hi"),
    ),
    ManualLimit(
        "gfx11+", "v_dot4_i32_iu8|v_dot8_i32_iu4", ("neg_lo",), "values",
        "has signs for two sources: the third number of neg_lo is 0",
        "RDNA3, RDNA4 and CDNA5 ISA, \"V_DOT4…IU with NEG\"", allowed=(0,), mask=0b100,
    ),
    ManualLimit(
        "gfx11+", "v_dot4_i32_iu8|v_dot8_i32_iu4", ("neg_hi",), "values", "has no neg_hi",
        "RDNA3, RDNA4 and CDNA5 ISA, \"V_DOT4…IU with NEG\"", allowed=(0,),
    ),
    ManualLimit(
        "gfx11+", "v_cmp_.*", ("vdst", "sdst"), "registers", "cannot write M0 or EXEC; `v_cmpx` writes EXEC",
        "RDNA3 ISA, 7.1, page 54, and RDNA4 ISA, 7.1, page 66, field VDST", names=("m0", "exec", "exec_lo", "exec_hi"),
    ),
    ManualLimit(
        "gfx11+ FeatureWavefrontSize32", f"{_MASK_WRITERS}|v_(add|sub|subrev)_co_ci_u32", ("vdst", "sdst"), "registers",
        "cannot have VCC_HI as a mask in waves of 32", _MASKS_OF_32, names=("vcc_hi",),
    ),
    ManualLimit(
        "gfx11+ FeatureWavefrontSize32", "v_cndmask_b(16|32)|v_(add|sub|subrev)_co_ci_u32", ("src2",), "registers",
        "cannot have VCC_HI or EXEC_HI as a mask in waves of 32", _MASKS_OF_32, names=("vcc_hi", "exec_hi"),
    ),
    ManualLimit(
        "gfx11+", "v_readlane_b32", ("vdst", "sdst"), "registers", "cannot write M0 or EXEC",
        "RDNA3 ISA, 7.1, page 54, and RDNA4 ISA, 7.1, page 66, field VDST", names=("m0", "exec_lo", "exec_hi"),
    ),
    ManualLimit(
        "gfx12+", "s_and_not[01]_wrexec_b(32|64)", ("sdst",), "registers",
        "writes EXEC and its result, which cannot be EXEC",
        "RDNA4 ISA, 6.7, table of bitwise instructions", names=("exec", "exec_lo", "exec_hi"),
    ),
    ManualLimit(
        "gfx125", "s_barrier_signal_isfirst", ("src0", "ssrc0"), "values", "cannot signal the barrier of the cluster",
        "CDNA5 ISA, S_BARRIER_SIGNAL_ISFIRST", allowed=tuple(range(-1, 17)),
    ),
    ManualLimit(
        "gfx120", "buffer_atomic_(csub|sub_clamp)_u32", ("cpol",), "values", "needs th:TH_ATOMIC_RETURN",
        "RDNA4 ISA, 9.1, table of instructions", allowed=(1,), mask=1, is_needed=True,
    ),
    ManualLimit(
        "gfx120", "global_atomic_ordered_add_b64", ("cpol",), "values", "needs th:TH_ATOMIC_RETURN",
        "RDNA4 ISA, 11.1, table 67", allowed=(1,), mask=1, is_needed=True,
    ),
    ManualLimit(
        "gfx120", "(flat|global)_atomic_cond_sub_u32|global_atomic_sub_clamp_u32", ("cpol",), "values",
        "needs th:TH_ATOMIC_RETURN",
        "RDNA4 ISA, 11.1, table 67", allowed=(1,), mask=1, is_needed=True, is_compiled=True,
    ),
    ManualLimit(
        "gfx120", "scratch_(load|store)_block", _DATA, "no address", "needs an address in a register",
        "RDNA4 ISA, 11.5, page 141", names=("vaddr", "saddr"), is_needed=True,
    ),
    ManualLimit(
        "gfx120", "s_clause", ("simm16",), "values",
        "takes 1 to 32, which LLVM keeps too; the document also allows clauses of 63 instructions",
        "RDNA4 ISA, 5.2, table 18", allowed=tuple(range(1, 33)), mask=_CLAUSE_MASK,
    ),
    ManualLimit(
        "gfx8+", "s_trap", ("simm16",), "values", "must not be given 0, which is reserved",
        "ISA documents from RDNA1 and CDNA4, S_TRAP", allowed=tuple(range(1, 256)), mask=(1 << 8) - 1,
    ),
    ManualLimit(
        "gfx11", "s_sendmsg(halt)?", ("simm16",), "values", "has no message of this number: all others are reserved",
        "RDNA3 ISA, 5.3, page 42", allowed=(1, 2, 3, 5, 6, 9, 15), mask=(1 << 8) - 1,
    ),
    ManualLimit(
        "gfx120", "s_sendmsg(halt)?", ("simm16",), "values", "has no message of this number: all others are reserved",
        "RDNA4 ISA, 5.4, page 46", allowed=(1, 2, 3, 9, 15), mask=(1 << 8) - 1,
    ),
    ManualLimit(
        "gfx120", "v_dot4_f32_(fp8|bf8)_(fp8|bf8)", ("src0", "src1"), "inline constants",
        "does not work with inline constants as its 8-bit sources", "RDNA4 ISA, 7.7.2, page 82",
    ),
    ManualLimit(
        "gfx120", "v_dot2_(f16_f16|bf16_bf16)", _SOURCES, "absolute values", "takes negation, but no absolute value",
        "RDNA4 ISA, 7.2.2.1, page 71",
    ),
    ManualLimit(
        "gfx11|gfx120", "v_alignb(it|yte)_b32", ("clamp",), "keyword", "ignores clamp",
        "RDNA3 ISA, 7.2.3.1, page 61; RDNA4 ISA, 7.2.3.1, page 73",
    ),
    ManualLimit(
        "gfx11|gfx120", "v_dot2_f32_b?f16", ("clamp",), "keyword", "ignores clamp",
        "RDNA3 ISA, 7.2.3.1, page 61; RDNA4 ISA, 7.2.3.1, page 73", is_compiled=True,
    ),
    ManualLimit(
        "gfx120", "v_dot4_(i32_iu8|u32_u8)", ("clamp",), "keyword", "ignores clamp", "RDNA4 ISA, 7.2.3.1, page 73",
        is_compiled=True,
    ),
    ManualLimit(
        "gfx11", "v_wmma_i32_16x16x16_iu[48]", ("neg_lo",), "values",
        "has signs for two sources: the third number of neg_lo is 0", "RDNA3 ISA, 7.9, page 72",
        allowed=(0,), mask=0b100,
    ),
    ManualLimit(
        "gfx10|gfx11|gfx120 FeatureWavefrontSize64", _MASK_WRITERS, _SOURCES, "own result",
        "cannot read a scalar register of its own result in waves of 64: the second half may read what the first wrote",
        "RDNA ISA documents, \"Wave64 Destination Restrictions\"", is_compiled=True,
    ),
)  # fmt: skip


@lru_cache(maxsize=8)
def _of_target(features: frozenset[str]) -> tuple[ManualLimit, ...]:
    return tuple(limit for limit in LIMITS if holds(limit.targets, features))


def of(form: Form, features: frozenset[str]) -> Iterator[tuple[ManualLimit, tuple[str, ...]]]:
    """The statements about instructions of a form on a target, each with the slots that it is about."""
    names = frozenset(slot.name for slot in form.slots)
    for limit in _of_target(features):
        if re.fullmatch(limit.mnemonics, form.mnemonic) is None:
            continue
        if limit.variants and form.variant not in limit.variants:
            continue
        last = next((name for name in reversed(_SOURCES) if name in names), "")
        slots = (last if name == LAST_SOURCE else name for name in limit.slots)
        found = tuple(name for name in slots if name in names)
        if found:
            yield limit, found
