"""The types of source values that LLVM's operands have otherwise, because they encode alike.

Facts: the pseudo-code of AMD's ISA documents; `tests/manuals` compares the types of all sources with it.
"""

import re
from functools import lru_cache

from gcn_lsp.patterns import regex

_ACCUMULATORS = {
    "f64": "FP64",
    "f32": "FP32",
    "f16": "FP16",
    "bf16": "BF16",
    "bf16f32": "FP32",
    "i32": "INT32",
}
_MATRIX = regex(r"v_(?:mfma|wmma)_(?:scale(?:16)?_)?([a-z]+\d+(?:f32)?)_\d+x")

# Mnemonics, operands and the type, in which `{}` is the size that the mnemonic ends with.
ROWS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (r"s_cmp_[a-z]+_f(16|32)", ("src0", "src1"), "FP{}"),
    (r"s_(?:ceil|floor|trunc|rndne)_f(16|32)", ("src0",), "FP{}"),
    (r"s_cvt_(?:hi_)?[iuf](?:16|32)_f(16|32)", ("src0",), "FP{}"),
    (r"v_cmpx?_class_f(?:16|32|64)()", ("src1",), "INT32"),
    (r"v_ldexp_f16()", ("src1",), "INT16"),
    (r"v_ldexp_f(?:32|64)()", ("src1",), "INT32"),
    (r"v_cvt_pkaccum_u8_f32()", ("src1",), "INT32"),
    (r"v_cvt_f32_bf16()", ("src0",), "BF16"),
    (r"v_pk_fmac_f16()", ("src0", "src1"), "V2FP16"),
)


@lru_cache(maxsize=1 << 12)
def source_type(mnemonic: str, operand: str) -> str:
    """The type of a source in LLVM's words, `FP16`, `INT32`; empty where LLVM's own operand has it."""
    if operand == "src2":
        # LLVM gives the accumulators of gfx11's WMMA the type of doubles, and many of MFMA that of integers.
        found = _MATRIX.match(mnemonic)
        return _ACCUMULATORS[found[1]] if found else ""
    for pattern, operands, written in ROWS:
        match = re.fullmatch(pattern, mnemonic) if operand in operands else None
        if match is not None:
            return written.format(match[1])
    return ""
