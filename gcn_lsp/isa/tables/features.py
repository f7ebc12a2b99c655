"""Sets of LLVM's subtarget features: implied features, changes by -mattr, wave sizes."""

from collections.abc import Iterable, Mapping

WAVE32, WAVE64 = "FeatureWavefrontSize32", "FeatureWavefrontSize64"
ANY_WAVE = "FeatureAssemblerPermissiveWavesize"
_WITH_WAVE32 = "FeatureGFX10Insts"  # all targets with waves of 32 lanes have it


def closure(features: Iterable[str], implied: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    """The features and all that they imply."""
    found: set[str] = set()
    waiting = list(features)
    while waiting:
        feature = waiting.pop()
        if feature not in found:
            found.add(feature)
            waiting += implied[feature]
    return frozenset(found)


def without(features: frozenset[str], removed: str, implied: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    """The features without one and without those that imply it."""
    return frozenset(feature for feature in features if removed not in closure((feature,), implied))


def with_wave_size(features: frozenset[str]) -> frozenset[str]:
    """The features with one wave size: 32 lanes if none is named (gfx10 to gfx12), or if both are.

    On a target with both, the assembler accepts the instructions for either.
    """
    if WAVE32 in features and WAVE64 in features:
        return features - {WAVE64 if _WITH_WAVE32 in features else WAVE32} | {ANY_WAVE}
    return features if WAVE32 in features or WAVE64 in features else features | {WAVE32}
