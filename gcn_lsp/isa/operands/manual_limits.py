"""What AMD's ISA documents forbid an instruction although every assembler takes it: a row for each statement.

A row says where it is written: the document, the section and its page. What the bits do then, no document says. Rows
come from reading the documents, beginning with AMD's audit of them against its machine-readable tables
(`rocm-systems`, `emulation/rocjitsu/audits`). Statements that the code of AMD's own compiler contradicts on each of its
targets are not rows: `global_atomic_add_f32` with `sc0`, which CDNA4 10.3.1 forbids, returns the old value there.
"""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from gcn_lsp.isa.conditions import holds
from gcn_lsp.isa.schema import Form

Forbidden = Literal[
    "all but VGPRs",
    "SGPRs and literals",
    "inline constants",
    "signs",
    "values",
    "registers",
    "keyword",
]


LAST_SOURCE = "last source"
"""A slot by its place: that of the last of the sources."""


class ManualLimit(NamedTuple):
    """What the documents forbid in some slots of some instructions.

    targets: a condition. mnemonics: a pattern for the whole mnemonic. variants: of the encoding, any if empty. slots:
    those that it is about. forbidden: `all but VGPRs`: any source but a VGPR. `SGPRs and literals`: what is no VGPR and
    no inline constant. `signs`: negation and absolute value. `values`: a constant that is not among `allowed`.
    `registers`: those by the names in `names`. `keyword`: the modifier at all. mask: of the value, bits that matter.
    is_needed: leaving it out is the mistake.
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


_SOURCES = ("src0", "src1", "src2")
_SDWA = ("SDWA", "SDWA9")
_COMPACT = ("Default",)
_BYTES, _WORDS = (0, 1, 2, 3), (4, 5)
_HALF_MASKS = ("vcc_hi", "exec_hi")
_EIGHT_BITS = "v_cvt_(sr|pk)_(fp8|bf8)_f32"

LIMITS: tuple[ManualLimit, ...] = (
    # CDNA.
    ManualLimit(
        "gfx95", f"{_EIGHT_BITS}|v_cvt_sr_b?f16_f32", _SOURCES, "all but VGPRs", "takes only VGPRs as sources",
        "CDNA4 ISA, 7.3, pages 57 to 60",
    ),
    ManualLimit(
        "gfx95", "v_cvt_scalef32_.*", (LAST_SOURCE,), "SGPRs and literals",
        "takes its scale from a VGPR or an inline constant", "CDNA4 ISA, 7.3, pages 57 to 60",
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
    # RDNA and CDNA5.
    ManualLimit(
        "gfx12+", _EIGHT_BITS, ("src0", "src1"), "signs", "takes no negation and no absolute value",
        "RDNA4 ISA, 7.6.2, page 79; CDNA5 ISA, 7.6.2, page 80",
    ),
    ManualLimit(
        "gfx125", "v_cvt_f32_(fp8|bf8)", ("clamp",), "keyword", "has no clamp", "CDNA5 ISA, 7.6, page 79",
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
)  # fmt: skip


def of(form: Form, features: frozenset[str]) -> Iterator[tuple[ManualLimit, tuple[str, ...]]]:
    """The statements about instructions of a form on a target, each with the slots that it is about."""
    names = frozenset(slot.name for slot in form.slots)
    for limit in LIMITS:
        if re.fullmatch(limit.mnemonics, form.mnemonic) is None or not holds(limit.targets, features):
            continue
        if limit.variants and form.variant not in limit.variants:
            continue
        last = next((name for name in reversed(_SOURCES) if name in names), "")
        slots = (last if name == LAST_SOURCE else name for name in limit.slots)
        found = tuple(name for name in slots if name in names)
        if found:
            yield limit, found
