"""Names for sets of targets in hand-written tables, as features (see `gcn_lsp.isa.tables.features`)."""

from gcn_lsp.isa.tables import features

ALL = ""
BEFORE_GFX9 = "!FeatureGFX9Insts"
BEFORE_GFX10 = "!FeatureGFX10Insts"
BEFORE_GFX11 = "!FeatureGFX11Insts"
BEFORE_GFX12 = "!FeatureGFX12Insts"
BEFORE_GFX11_7 = "!FeatureGFX12Insts !FeatureGFX11_7Insts"
GFX6_TO_8 = BEFORE_GFX9
GFX7_ON = "FeatureCIInsts"
GFX7_TO_8 = "FeatureCIInsts !FeatureGFX9Insts"
GFX8_ON = "FeatureGFX8Insts"
GFX8_TO_9 = "FeatureGCN3Encoding"
GFX8_TO_11 = "FeatureGFX8Insts !FeatureGFX12Insts"
GFX8_TO_10 = "FeatureGFX8Insts !FeatureGFX11Insts"
GFX9 = "FeatureGFX9Insts !FeatureGFX10Insts"
GFX9_ON = "FeatureGFX9Insts"
GFX9_TO_10 = "FeatureGFX9Insts !FeatureGFX11Insts"
GFX9_TO_11 = "FeatureGFX9Insts !FeatureGFX12Insts"
GFX90A = "FeatureGFX90AInsts !FeatureGFX940Insts"
GFX90A_ON = "FeatureGFX90AInsts"
GFX940 = "FeatureGFX940Insts"
GFX10 = "FeatureGFX10Insts !FeatureGFX11Insts"
GFX10_1 = "FeatureGFX10Insts !FeatureGFX10_3Insts"
GFX10_3_TO_11 = "FeatureGFX10_3Insts !FeatureGFX12Insts"
GFX10_TO_11 = "FeatureGFX10Insts !FeatureGFX12Insts"
GFX10_ON = "FeatureGFX10Insts"
GFX11 = "FeatureGFX11Insts !FeatureGFX12Insts"
GFX11_ON = "FeatureGFX11Insts"
GFX12 = "FeatureGFX12Insts !FeatureGFX1250Insts"
GFX12_ON = "FeatureGFX12Insts"
GFX1250 = "FeatureGFX1250Insts"  # gfx13 too, which has all of its instructions but some
GFX125X = "FeatureGFX1250Insts !FeatureGFX13Insts"
GFX13_ON = "FeatureGFX13Insts"
GRAPHICS = "!FeatureGFX1250Insts|FeatureGFX13Insts"  # has exports and samplers, as gfx125x has not
GFX12_GRAPHICS = f"{GFX12_ON} {GRAPHICS}"
WITH_XCNT = "FeatureWaitXcnt"


def holds(condition: str, known: frozenset[str]) -> bool:
    """Whether a condition on features holds for a target's features."""
    return features.holds(features.read(condition), known)
