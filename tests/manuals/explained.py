"""Disagreements with the manuals, each with who is right."""

import re

# Names, targets, and the reason; all three of a row have to fit.
_OPCODES: tuple[tuple[str, str, str], ...] = (
    (
        r"v_.*",
        r"gfx94.|gfx950",
        "VOP1 in the long encoding: the manual counts from 384 as RDNA does, hardware from 320",
    ),
    (r"v_mfma_.*", r"gfx950", "a table of passes, not of opcodes"),
    (r"v_readfirstlane_b32", r".*", "LLVM has no long encoding of it"),
    (r"image_gather[48]h_pck", r"gfx900|gfx906|gfx908", "LLVM does not have it"),
    (
        r"v_mad_mix.*",
        r"gfx906|gfx908|gfx90a|gfx94.|gfx950",
        "the manual keeps the name of gfx900; it is v_fma_mix here",
    ),
    (r"v_accvgpr_wrfed", r"gfx908", "LLVM does not have it"),
    (r"v_(mov|swap)_b16", r"gfx1[12].*", "LLVM has it with the feature real-true16 only"),
    (r"v_dual_.*", r".*", "the second half of a pair is a token of the pair's form here"),
    (r"v_wmma_scale.*", r"gfx1250", "two instructions in one: the number here is that of the first, of the scales"),
    (r"tensor_load_to_lds", r"gfx1250", "a row of a table of fields, not of opcodes"),
    (r"ds_store_stack", r"gfx12.*", "a heading cut in two: ds_store_stack_..."),
)
_RESULTS: tuple[tuple[str, str, str], ...] = (
    (
        r"[sv]_rndne_f(16|32|64)",
        r".*",
        "-0.3 rounds to -0 as IEEE 754 and LLVM have it; the manual's floor(x + 0.5) gives +0",
    ),
    (r"v_ldexp_f16", r".*", "the manual makes 2 ** n a half first, which overflows for 0 * 2 ** 512"),
    (
        r"v_frexp_exp_.*",
        r".*",
        "the manual's exponent of 0 and denormals is that of the field; LLVM folds them as frexp does",
    ),
    (
        r"v_div_fmas_.*",
        r".*",
        "the factor depends on the exponent of S2, as div_scale made it; the manual has one factor",
    ),
    (r"v_div_fixup_f32", r".*", "UNDERFLOW and OVERFLOW stand for what MODE makes of them, not for one value"),
    (r"s_max_[iu]32", r"gfx1100", "SCC of equal values: other manuals of RDNA and CDNA have >=, that of RDNA3 >"),
    (r"v_subrev_co_ci_u32", r"gfx1100", "the manual takes the borrow of v_sub_co_ci_u32 with S0 and S1 exchanged"),
    (r"v_cvt_pkaccum_u8_f32", r".*", "f32_to_u8 is not defined by the manual; rounding to nearest was measured"),
    (r"v_div_fixup_legacy_f16", r".*", "the manual's braces put the result above 16 zeros, for both values of op_sel"),
    (r"v_r(sq|cp)_bf16", r".*", "an approximation; the manual rounds twice"),
)


def opcode(name: str, number: int, target: str) -> str:
    """Why the number of an opcode differs; empty if it should not."""
    if name == "v_readfirstlane_b32" and number != 386:
        return ""
    return _reason(_OPCODES, name, target)


def result(name: str, target: str) -> str:
    """Why a result differs; empty if it should not."""
    return _reason(_RESULTS, name, target)


def _reason(rows: tuple[tuple[str, str, str], ...], name: str, target: str) -> str:
    return next(
        (why for names, targets, why in rows if re.fullmatch(names, name) and re.fullmatch(targets, target)), ""
    )
