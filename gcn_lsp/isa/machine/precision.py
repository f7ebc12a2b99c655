"""How exact the float operations of the vector ALU are, in units in the last place (ULP), and the exceptions they drop.

Source: the entries of the instructions in AMD's ISA documents, which `tests/manuals` compares; 0.5 ULP is the nearest
float, rounded as MODE says. What a conversion to an integer does with a fraction, its operation says.
"""

import re
from functools import lru_cache

from gcn_lsp.isa import conditions
from gcn_lsp.patterns import regex
from gcn_lsp.records import NamedTuple

EXACT, NEAREST, ONE = "0", "0.5", "1"


class PrecisionRow(NamedTuple):
    """The ULP of some mnemonics, a pattern, on the targets that a condition of `scope` covers."""

    mnemonics: str
    condition: str
    ulp: str


_FUNCTIONS = "(?:exp|log|rcp|rsq|sqrt)"
ROWS = (
    PrecisionRow(rf"v_(?:s_)?{_FUNCTIONS}_f32", "", ONE),
    PrecisionRow(
        rf"v_(?:s_)?{_FUNCTIONS}_f16", "gfx900|gfx902|gfx904|gfx906|gfx908|gfx909|gfx90a|gfx90c|gfx10-11", "0.51"
    ),
    PrecisionRow(rf"v_(?:s_)?{_FUNCTIONS}_f16", "gfx94|gfx95|gfx12+", ONE),
    PrecisionRow(r"v_(?:rcp|rsq|sqrt)_f64", "", "2 ** 29"),
    PrecisionRow(r"v_(?:dual_)?(?:add|sub|subrev|mul)_f(?:16|32|64)", "gfx9+", NEAREST),
    PrecisionRow(r"v_(?:dual_)?(?:fma|fmac)_f(?:16|32|64)|v_fract_f(?:16|32|64)", "gfx9+", NEAREST),
    PrecisionRow(r"v_mad_f(?:16|32)", "gfx9-10", ONE),
    PrecisionRow(r"v_cvt_f32_f16|v_cvt_f64_(?:f32|[iu]32)", "gfx9+", EXACT),
    PrecisionRow(r"v_cvt_f16_(?:f32|[iu]16)|v_cvt_f32_(?:f64|[iu]32)", "gfx9+", NEAREST),
    PrecisionRow(r"v_cvt_norm_[iu]16_f16", "gfx9+", NEAREST),
)

_FIRST = "v_"
"""What the mnemonics of all rows begin with, for those of other instructions."""

_WITH_CLAMP = regex(r"v_cvt_[iu](?:16_f16|32_f32|32_f64)")
"""Conversions that raise INEXACT only if they are written with clamp."""

_WORDS = {
    EXACT: "The result is exact.",
    NEAREST: "The result is correctly rounded: 0.5 ULP.",
    "2 ** 29": "The result is within 2 ** 29 ULP: about 23 bits of it are right.",
}


@lru_cache(maxsize=1 << 12)
def ulp(mnemonic: str, target: str) -> str:
    """How far the result may be from the exact one, in units in the last place: `0.5`; empty if unknown."""
    if not mnemonic.startswith(_FIRST):
        return ""
    rows = (row for row in ROWS if re.fullmatch(row.mnemonics, mnemonic) and conditions.covers(row.condition, target))
    return next((row.ulp for row in rows), "")


def has_inexact_by_clamp(mnemonic: str, target: str) -> bool:
    """Whether clamp decides if a conversion raises the exception INEXACT."""
    return bool(_WITH_CLAMP.fullmatch(mnemonic)) and conditions.covers("gfx9+", target)


def sentences(mnemonic: str, target: str) -> tuple[str, ...]:
    """What the documentation says of the precision and the exceptions of an instruction."""
    found = ulp(mnemonic, target)
    exact = (_WORDS.get(found, f"The result is within {found} ULP."),) if found else ()
    inexact = ("It raises the exception INEXACT only with clamp.",) if has_inexact_by_clamp(mnemonic, target) else ()
    return (*exact, *inexact)
