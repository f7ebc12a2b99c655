"""The allocation of registers and LDS to waves: units, reserved SGPRs, how many waves fit.

Everything is per SIMD unless stated otherwise; the numbers are LLVM's for occupancy, except for the blocks of LDS where
AMD's documents have larger ones.
"""

from collections.abc import Mapping

import msgspec

from gcn_lsp.isa.conditions import holds
from gcn_lsp.isa.kernels import descriptor, predefined
from gcn_lsp.isa.target import Target

WAVE32 = "FeatureWavefrontSize32"

_LDS_BYTES: Mapping[str, int] = {
    "FeatureAddressableLocalMemorySize32768": 0x8000,
    "FeatureAddressableLocalMemorySize65536": 0x10000,
    "FeatureAddressableLocalMemorySize163840": 0x28000,
    "FeatureAddressableLocalMemorySize327680": 0x50000,
}
# The most SGPRs of a wave with which this many waves fit; beyond the last one: the number in `_FEWEST_BY_SGPRS`.
_SGPR_STEPS_GFX8 = ((80, 10), (88, 9), (100, 8))
_SGPR_STEPS_GFX6 = ((48, 10), (56, 9), (64, 8), (72, 7), (80, 6))
_FEWEST_BY_SGPRS = {"gfx8": 7, "gfx6": 5}
_INIT_BUG_SGPRS = 96  # the assembler always allocates these on targets with FeatureSGPRInitBug


class Units(msgspec.Struct, frozen=True):
    """The units in which a target allocates registers to a wave of a given size, and the totals.

    vgpr, sgpr: registers are allocated in blocks of so many (sgpr 0: every wave has all). vgpr_encoding, sgpr_encoding:
    registers per step of the descriptor's field. vgprs: in all lanes' files together. sgprs: the highest count that may
    be requested. waves: slots.
    """

    vgpr: int
    vgpr_encoding: int
    vgprs: int
    sgpr: int
    sgpr_encoding: int
    sgprs: int
    waves: int


def units(features: frozenset[str], *, wave32: bool) -> Units:
    """The units of a target with these features, for kernels with waves of 32 or 64 lanes."""
    gfx10 = holds("gfx10+", features)
    if gfx10:
        double = 2 if wave32 else 1
        encoding, allocation, vgprs = 4, 4, 512
        if "Feature1024AddressableVGPRs" in features:
            encoding = allocation = 8
        elif "Feature1536VGPRs" in features:
            allocation, vgprs = 12, 768
        elif "FeatureGFX10_3Insts" in features:
            allocation = 8
        waves = 16 if "FeatureGFX10_3Insts" in features else 20
        return Units(allocation * double, encoding * double, vgprs * double, 0, 8, 106, waves)
    gfx8 = holds("gfx8+", features)
    sgprs = _INIT_BUG_SGPRS if "FeatureSGPRInitBug" in features else 102 if gfx8 else 104
    sgpr = descriptor.granularity(features).sgpr
    if holds("gfx90a|gfx94|gfx95", features):
        return Units(8, 8, 512, sgpr, 8, sgprs, 8)
    return Units(4, 4, 256, sgpr, 8, sgprs, 10)


def reserved_sgprs(features: frozenset[str], *, vcc: bool, flat_scratch: bool, xnack: bool) -> int:
    """How many SGPRs at the end of the allocation belong to VCC, FLAT_SCRATCH and XNACK_MASK."""
    own = 2 if vcc else 0
    if holds("gfx10+", features):
        return own
    if not holds("gfx8+", features):
        return 4 if flat_scratch else own
    if flat_scratch or "FeatureArchitectedFlatScratch" in features:
        return 6
    return 4 if xnack else own


def reserves_xnack(target: Target) -> bool:
    """Whether code for the target may have to be replayed: the target supports XNACK, and it is not switched off."""
    return "FeatureSupportsXNACK" in target.features and "-xnack" not in target.mattr.replace(" ", "").split(",")


def allocated_sgprs(count: int, features: frozenset[str]) -> int:
    """The SGPRs of a wave that requests `count`, including the reserved ones."""
    limits = units(features, wave32=False)
    if not limits.sgpr:
        return limits.sgprs
    if "FeatureSGPRInitBug" in features:
        return _INIT_BUG_SGPRS
    return _rounded(max(count, 1), limits.sgpr)


def waves_by_vgprs(count: int, limits: Units) -> int:
    """How many waves with `count` VGPRs each fit (with AGPRs if they share the file)."""
    if count < limits.vgpr:
        return limits.waves
    return min(max(limits.vgprs // _rounded(count, limits.vgpr), 1), limits.waves)


def waves_by_sgprs(count: int, features: frozenset[str], limits: Units) -> int:
    """How many waves with `count` SGPRs each fit, with the reserved ones."""
    if not limits.sgpr:
        return limits.waves
    newer = holds("gfx8+", features)
    for most, waves in _SGPR_STEPS_GFX8 if newer else _SGPR_STEPS_GFX6:
        if count <= most:
            return min(waves, limits.waves)
    return min(_FEWEST_BY_SGPRS["gfx8" if newer else "gfx6"], limits.waves)


def sgpr_steps(features: frozenset[str]) -> tuple[tuple[int, int], ...]:
    """For each number of waves that SGPRs allow, the most SGPRs that still allow it; none if they limit nothing."""
    limits = units(features, wave32=False)
    counts = range(limits.sgpr, limits.sgprs + limits.sgpr, limits.sgpr) if limits.sgpr else ()
    by_waves = {waves_by_sgprs(count, features, limits): min(count, limits.sgprs) for count in counts}
    return tuple((count, waves) for waves, count in by_waves.items())


def most_vgprs(features: frozenset[str]) -> int:
    """The most VGPRs that a wave can have, AccVGPRs included where they share the file."""
    if "Feature1024AddressableVGPRs" in features:
        return 1024
    return 512 if holds("gfx90a|gfx94|gfx95", features) else 256


def lds_limit(features: frozenset[str]) -> int:
    """The LDS bytes that one work-group can have."""
    return next((size for feature, size in _LDS_BYTES.items() if feature in features), 0x10000)


def lds_unit(features: frozenset[str]) -> int:
    """LDS is allocated in blocks of so many bytes."""
    return next(unit for condition, unit, _ in _LDS_UNITS if holds(condition, features))


def lds_unit_of_llvm(features: frozenset[str]) -> int | None:
    """The blocks of LDS by which LLVM counts, in bytes, where the document has others."""
    return next(unit for condition, _, unit in _LDS_UNITS if holds(condition, features))


# Targets, bytes of a block of LDS, and of LLVM's where it differs. Documents: "LDS allocation" of RDNA 2 (256 dwords),
# RDNA 3, 3.5, 4 (1024 bytes) and CDNA 5 (2048 bytes); LLVM counts smaller ones for three of them.
_LDS_UNITS: tuple[tuple[str, int, int | None], ...] = (
    ("FeatureGFX950Insts", 1280, None),
    ("gfx125", 2048, None),
    ("FeatureGFX10_3Insts", 1024, 512),
    ("gfx7+", 512, None),
    ("", 256, None),
)


MOST_WORK_ITEMS = 1024
"""Of a work-group, on every target."""

_MOST_SIMDS = 4


def simds_of_unit(features: frozenset[str]) -> int:
    """How many SIMDs a compute unit has: two in the work-group processors of gfx10 to gfx12."""
    return 2 if holds("gfx10+", features) and not holds("gfx125", features) else _MOST_SIMDS


def waves_by_lds(lds: int, lanes: int, *, wave32: bool, work_groups: bool, target: Target) -> int:
    """How many waves fit for work-groups of `lanes` work-items with `lds` bytes.

    work_groups: whether a work-group may use both compute units of a work-group processor (from gfx10).
    """
    features = target.features
    limits = units(features, wave32=wave32)
    double = work_groups and simds_of_unit(features) < _MOST_SIMDS
    simds = simds_of_unit(features) * (2 if double else 1)
    pool = lds_limit(features) * (2 if double else 1)
    waves = -(-max(lanes, 1) // (32 if wave32 else 64))
    fitting = pool // _rounded(lds, lds_unit(features)) if lds else limits.waves * simds
    barriers = limits.waves * simds if waves == 1 else 32 if holds("gfx10+", features) and work_groups else 16
    groups = min(fitting, barriers, limits.waves * simds // waves)
    return max(1, min(limits.waves, -(-groups * waves // simds)))


def major(target: Target) -> int:
    """The first part of a target's version: 9 for gfx90a."""
    return predefined.version(target.name)[0]


def _rounded(count: int, unit: int) -> int:
    return -(-count // unit) * unit
