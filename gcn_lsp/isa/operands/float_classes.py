"""The classes of floats that `v_cmp_class` tests, by the bit of its mask: the VOPC tables of the ISA documents."""

NAMES = (
    *("signalling NaN", "quiet NaN", "-infinity", "negative normal", "negative denormal"),
    *("-0.0", "+0.0", "positive denormal", "positive normal", "+infinity"),
)
MNEMONICS = ("v_cmp_class_", "v_cmpx_class_")
MASK_SLOT = "src1"
