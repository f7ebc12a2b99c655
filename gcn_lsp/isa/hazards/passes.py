"""The number of passes, of four cycles each, of matrix instructions: the unit of most of their hazards.

Facts: `hazards-all-targets` of this project's fact sheets, section 4.1.
"""

from gcn_lsp.isa.conditions import holds
from gcn_lsp.isa.hazards.model import pattern_of
from gcn_lsp.isa.schema import Form

# Pseudo instructions, by a regular expression for the start of their name, with their passes; the first match counts.
_PASSES: tuple[tuple[str, str, int], ...] = (
    ("", "V_MFMA_F64_4X4X4", 4),
    ("gfx95", "V_MFMA_F64_16X16X4", 16),
    ("", "V_MFMA_F64_16X16X4", 8),
    ("", "V_MFMA_[FI]32_4X4X", 2),
    # Formats by name: `F8` means fp8 and bf8; one operand in it is enough.
    ("gfx94|gfx95", "V_MFMA_(SCALE_)?F32_16X16X128_F8F6F4_(F8|F[46]_F8)", 8),
    ("gfx94|gfx95", "V_MFMA_(SCALE_)?F32_32X32X64_F8F6F4_(F8|F[46]_F8)", 16),
    ("gfx94|gfx95", "V_SMFMAC_[FI]32_16X16X", 4),
    ("gfx94|gfx95", "V_SMFMAC_[FI]32_32X32X", 8),
    ("gfx94|gfx95", "V_MFMA_[FI]32_16X16X(1F32|4F32|4F16|4I8|4BF16_1K)", 8),
    ("gfx94|gfx95", "V_MFMA_[FI]32_32X32X(1F32|2F32|4F16|4I8|4BF16_1K)", 16),
    ("gfx94|gfx95", "V_MFMA_(SCALE_)?[FI]32_16X16X", 4),
    ("gfx94|gfx95", "V_MFMA_(SCALE_)?[FI]32_32X32X", 8),
    ("", "V_MFMA_[FI]32_16X16X", 8),
    ("", "V_MFMA_[FI]32_32X32X", 16),
)


def passes(form: Form, features: frozenset[str]) -> int:
    """The passes of a matrix instruction; 0 for any other."""
    name = form.pseudo.upper()
    for condition, start, count in _PASSES:
        if pattern_of(start).match(name) and holds(condition, features):
            return count
    return 0
