"""The kernel descriptor: `.amdhsa_*` directives, their ranges and defaults, and the bits they set in its 64 bytes."""

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from gcn_lsp.isa import conditions, versions

SIZE = 64

# Byte offset and size of the words in the descriptor.
WORDS: Mapping[str, tuple[int, int]] = {
    "group_segment_fixed_size": (0, 4),
    "private_segment_fixed_size": (4, 4),
    "kernarg_size": (8, 4),
    "kernel_code_entry_byte_offset": (16, 8),
    "compute_pgm_rsrc3": (44, 4),
    "compute_pgm_rsrc1": (48, 4),
    "compute_pgm_rsrc2": (52, 4),
    "kernel_code_properties": (56, 2),
    "kernarg_preload": (58, 2),
}

_R1, _R2, _R3 = "compute_pgm_rsrc1", "compute_pgm_rsrc2", "compute_pgm_rsrc3"
_PROPERTIES, _PRELOAD = "kernel_code_properties", "kernarg_preload"
_NO_ARCHITECTED = "!FeatureArchitectedFlatScratch"
_ARCHITECTED = "FeatureArchitectedFlatScratch"
_COUNTED = versions.LIMITED_USER_SGPRS
_WORKGROUP_MODE = "gfx10+ !gfx125"


class DescriptorDirective(msgspec.Struct, frozen=True):
    """A `.amdhsa_` directive (the name without that prefix).

    width: bits that its value may have. default: the value if it is not written; None if it must be. limit: the largest
    value if that is less than the width allows. feature: if set, the default is 1 if the target has this feature, else
    `default`; `!` reverses. word, shift, bits: its place in the descriptor; word '' for one from which the assembler
    computes something. condition: targets that know it. user_sgprs: SGPRs that it adds if it is 1 (-1: as many as its
    value).
    """

    name: str
    width: int
    default: int | None = 0
    feature: str = ""
    word: str = ""
    shift: int = 0
    bits: int = 0
    condition: str = ""
    user_sgprs: int = 0
    limit: int | None = None

    @property
    def maximum(self) -> int:
        """The largest value that it accepts."""
        return (1 << self.width) - 1 if self.limit is None else self.limit

    def default_on(self, features: frozenset[str]) -> int | None:
        """The value on a target if it is not written; None if it must be."""
        if not self.feature:
            return self.default
        return int((self.feature.lstrip("!") in features) != self.feature.startswith("!"))


def _bit(name: str, word: str, shift: int, default: int = 0, **values: object) -> DescriptorDirective:
    return msgspec.convert(
        {"name": name, "width": 1, "default": default, "word": word, "shift": shift, "bits": 1, **values},
        DescriptorDirective,
    )


_ROWS: tuple[DescriptorDirective, ...] = (
    DescriptorDirective("group_segment_fixed_size", 32, word="group_segment_fixed_size", bits=32),
    DescriptorDirective("private_segment_fixed_size", 32, word="private_segment_fixed_size", bits=32),
    DescriptorDirective("kernarg_size", 32, word="kernarg_size", bits=32),
    DescriptorDirective("user_sgpr_count", 5, word=_R2, shift=1, bits=5, condition="!gfx125 !gfx13+"),
    DescriptorDirective("user_sgpr_count", 6, word=_R2, shift=1, bits=6, condition="gfx125|gfx13+"),
    DescriptorDirective(
        "user_sgpr_count", 5, word=_R2, shift=1, bits=5, condition=f"{_COUNTED} !gfx125 !gfx13+", limit=16
    ),
    DescriptorDirective(
        "user_sgpr_count", 6, word=_R2, shift=1, bits=6, condition=f"{_COUNTED} gfx125|gfx13+", limit=32
    ),
    _bit("user_sgpr_private_segment_buffer", _PROPERTIES, 0, condition=_NO_ARCHITECTED, user_sgprs=4),
    _bit("user_sgpr_dispatch_ptr", _PROPERTIES, 1, user_sgprs=2),
    _bit("user_sgpr_queue_ptr", _PROPERTIES, 2, user_sgprs=2),
    _bit("user_sgpr_kernarg_segment_ptr", _PROPERTIES, 3, user_sgprs=2),
    _bit("user_sgpr_dispatch_id", _PROPERTIES, 4, user_sgprs=2),
    _bit("user_sgpr_flat_scratch_init", _PROPERTIES, 5, condition=_NO_ARCHITECTED, user_sgprs=2),
    _bit("user_sgpr_private_segment_size", _PROPERTIES, 6, user_sgprs=1),
    DescriptorDirective(
        "user_sgpr_kernarg_preload_length",
        7,
        word=_PRELOAD,
        bits=7,
        condition="FeatureKernargPreload !gfx125 !gfx13+",
        user_sgprs=-1,
        limit=16,
    ),
    DescriptorDirective(
        "user_sgpr_kernarg_preload_length",
        7,
        word=_PRELOAD,
        bits=7,
        condition="FeatureKernargPreload gfx125|gfx13+",
        user_sgprs=-1,
        limit=32,
    ),
    DescriptorDirective(
        "user_sgpr_kernarg_preload_offset", 9, word=_PRELOAD, shift=7, bits=9, condition="FeatureKernargPreload"
    ),
    _bit("wavefront_size32", _PROPERTIES, 10, feature="FeatureWavefrontSize32", condition="gfx10+"),
    _bit("uses_dynamic_stack", _PROPERTIES, 11),
    _bit("system_sgpr_private_segment_wavefront_offset", _R2, 0, condition=_NO_ARCHITECTED),
    _bit("enable_private_segment", _R2, 0, condition=_ARCHITECTED),
    _bit("system_sgpr_workgroup_id_x", _R2, 7, default=1),
    _bit("system_sgpr_workgroup_id_y", _R2, 8),
    _bit("system_sgpr_workgroup_id_z", _R2, 9),
    _bit("system_sgpr_workgroup_info", _R2, 10),
    DescriptorDirective("system_vgpr_workitem_id", 2, word=_R2, shift=11, bits=2),
    DescriptorDirective("next_free_vgpr", 64, default=None),
    DescriptorDirective("next_free_sgpr", 64, default=None),
    DescriptorDirective("accum_offset", 64, default=None, word=_R3, shift=0, bits=6, condition="gfx90a|gfx94|gfx95"),
    _bit("reserve_vcc", "", 0, default=1),
    _bit("reserve_flat_scratch", "", 0, default=1, condition="gfx7+ !FeatureArchitectedFlatScratch"),
    # Its value must agree with the target's name and features.
    _bit("reserve_xnack_mask", "", 0, feature="FeatureXNACK", condition="gfx8+"),
    DescriptorDirective("float_round_mode_32", 2, word=_R1, shift=12, bits=2),
    DescriptorDirective("float_round_mode_16_64", 2, word=_R1, shift=14, bits=2),
    DescriptorDirective("float_denorm_mode_32", 2, word=_R1, shift=16, bits=2),
    DescriptorDirective("float_denorm_mode_16_64", 2, default=3, word=_R1, shift=18, bits=2),
    _bit("dx10_clamp", _R1, 21, default=1, condition="gfx6-11 !gfx117"),
    _bit("ieee_mode", _R1, 23, default=1, condition="gfx6-11 !gfx117"),
    _bit("round_robin_scheduling", _R1, 21, condition="gfx12+"),
    _bit("fp16_overflow", _R1, 26, condition="gfx9+"),
    _bit("tg_split", _R3, 16, feature="FeatureTgSplit", condition="gfx90a|gfx94|gfx95"),
    _bit("workgroup_processor_mode", _R1, 29, feature="!FeatureCuMode", condition=_WORKGROUP_MODE),
    _bit("memory_ordered", _R1, 30, default=1, condition="gfx10+"),
    _bit("forward_progress", _R1, 31, default=1, condition="gfx10+"),
    DescriptorDirective("shared_vgpr_count", 4, word=_R3, shift=0, bits=4, condition="gfx10-11"),
    DescriptorDirective("inst_pref_size", 6, word=_R3, shift=4, bits=6, condition="gfx11"),
    DescriptorDirective("inst_pref_size", 8, word=_R3, shift=4, bits=8, condition="gfx12+"),
    DescriptorDirective("named_barrier_count", 3, word=_R3, shift=14, bits=3, condition="gfx125|gfx13+"),
    _bit("exception_fp_ieee_invalid_op", _R2, 24),
    _bit("exception_fp_denorm_src", _R2, 25),
    _bit("exception_fp_ieee_div_zero", _R2, 26),
    _bit("exception_fp_ieee_overflow", _R2, 27),
    _bit("exception_fp_ieee_underflow", _R2, 28),
    _bit("exception_fp_ieee_inexact", _R2, 29),
    _bit("exception_int_div_zero", _R2, 30),
)

PREFIX = ".amdhsa_"


@lru_cache(maxsize=64)
def directives(features: frozenset[str]) -> Mapping[str, DescriptorDirective]:
    """The directives of a target by name, without the prefix; of several rows that hold, the last counts."""
    return {row.name: row for row in _ROWS if conditions.holds(row.condition, features)}


def all_names() -> frozenset[str]:
    """The names of any target."""
    return frozenset(row.name for row in _ROWS)


def condition(name: str) -> str:
    """The targets that know a directive: the condition of its first row."""
    return next(row.condition for row in _ROWS if row.name == name)


def conditions_of(name: str) -> tuple[str, ...]:
    """The conditions of a directive's rows: a target that meets one of them knows it."""
    return tuple(row.condition for row in _ROWS if row.name == name)


def default(name: str) -> int | None:
    """The default of a directive, if no feature of the target decides; None if it must be written."""
    return next(row.default for row in _ROWS if row.name == name)


class Granularity(msgspec.Struct, frozen=True):
    """The encoding of register counts in compute_pgm_rsrc1: blocks of so many registers, less one.

    sgpr: 0 if the field is not used (from gfx10). sgpr_encoding: SGPRs per step of the field.
    """

    vgpr: int
    sgpr: int
    sgpr_encoding: int


def granularity(features: frozenset[str]) -> Granularity:
    """The blocks in which a target's registers are counted."""
    if conditions.holds("gfx10+", features):
        if "Feature1024AddressableVGPRs" in features:
            return Granularity(16, 0, 0)
        return Granularity(8 if "FeatureWavefrontSize32" in features else 4, 0, 0)
    vgpr = 8 if conditions.holds("gfx90a|gfx94|gfx95", features) else 4
    return Granularity(vgpr, 16 if conditions.holds("gfx8+", features) else 8, 8)


# Why a target may not have a field, by the condition on which others have it.
REASONS = {
    "gfx90a|gfx94|gfx95": "gfx90a and later have it",
    "gfx10+": "gfx10 and later have it",
    "gfx9+": "gfx9 and later have it",
    "gfx8+": "gfx8 and later have it",
    "gfx6-11 !gfx117": "gfx1170 and gfx12 dropped it",
    "gfx12+": "gfx12 and later have it",
    "gfx10-11": "gfx10 and gfx11 have it",
    "gfx11": "gfx11 and later have it",
    "gfx125|gfx13+": "gfx1250 and later have it",
    "!FeatureArchitectedFlatScratch": "its scratch address is set up by the hardware",
    "FeatureArchitectedFlatScratch": "its wave's scratch offset takes an SGPR: "
    "`.amdhsa_system_sgpr_private_segment_wavefront_offset`",
}


def differs(name: str) -> bool:
    """Whether a directive, named without the prefix, exists on some targets only."""
    rows = [row for row in _ROWS if row.name == name]
    return bool(rows) and all(row.condition for row in rows)
