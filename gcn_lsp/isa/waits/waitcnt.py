"""Wait counters: the fields of s_waitcnt, s_waitcnt_depctr and s_delay_alu, and the counters' maxima."""

from collections.abc import Mapping

import msgspec

from gcn_lsp.isa.conditions import holds


class CounterField(msgspec.Struct, frozen=True):
    """A counter's bits in an immediate, lowest part first: (shift, width); maximum is their largest value."""

    name: str
    parts: tuple[tuple[int, int], ...]

    @property
    def maximum(self) -> int:
        """The largest count that can be written, which means: do not wait."""
        return int((1 << sum(width for _, width in self.parts)) - 1)

    def placed(self, value: int) -> int:
        """The value shifted into its bits."""
        bits = 0
        for shift, width in self.parts:
            bits |= (value & ((1 << width) - 1)) << shift
            value >>= width
        return bits

    def taken(self, immediate: int) -> int:
        """The value in an immediate."""
        value, done = 0, 0
        for shift, width in self.parts:
            value |= (immediate >> shift & ((1 << width) - 1)) << done
            done += width
        return value


_S_WAITCNT: tuple[tuple[CounterField, str], ...] = (
    (CounterField("vmcnt", ((0, 4),)), "gfx6-8"),
    (CounterField("vmcnt", ((0, 4), (14, 2))), "gfx9-10"),
    (CounterField("vmcnt", ((10, 6),)), "gfx11+"),
    (CounterField("expcnt", ((4, 3),)), "gfx6-10"),
    (CounterField("expcnt", ((0, 3),)), "gfx11+"),
    (CounterField("lgkmcnt", ((8, 4),)), "gfx6-9"),
    (CounterField("lgkmcnt", ((8, 6),)), "gfx10"),
    (CounterField("lgkmcnt", ((4, 6),)), "gfx11+"),
)


def fields(features: frozenset[str]) -> Mapping[str, CounterField]:
    """The counters of s_waitcnt: `vmcnt`, `expcnt`, `lgkmcnt`."""
    return {field.name: field for field, condition in _S_WAITCNT if holds(condition, features)}


# Counters with a separate wait instruction: name, bits in hardware, targets. The assembler checks none.
_OWN: tuple[tuple[str, int, str], ...] = (
    ("vscnt", 6, "gfx10-11"),
    ("loadcnt", 6, "gfx12+"),
    ("storecnt", 6, "gfx12+"),
    ("samplecnt", 6, "gfx12+ !gfx125"),
    ("bvhcnt", 3, "gfx120"),
    ("expcnt", 3, "gfx12+"),
    ("dscnt", 6, "gfx12+"),
    ("kmcnt", 5, "gfx12+"),
    ("xcnt", 6, "FeatureWaitXcnt"),
)


def maxima(features: frozenset[str]) -> Mapping[str, int]:
    """The largest value of each counter that the target has, by the name used in its wait instructions."""
    found = {} if holds("gfx12+", features) else {name: field.maximum for name, field in fields(features).items()}
    return found | {name: (1 << bits) - 1 for name, bits, condition in _OWN if holds(condition, features)}


# Counters that only their own pages and STATUS give a size: 6 bits (CDNA5 ISA, IB_STS2).
_ASYNC = (("asynccnt", 63), ("tensorcnt", 63))


def all_maxima(features: frozenset[str]) -> Mapping[str, int]:
    """`maxima`, with the counters of copies that run beside the wave, which have no field of a wait to tell it."""
    return {**maxima(features), **(dict(_ASYNC) if holds("gfx125|gfx13+", features) else {})}


_DEPCTR: tuple[tuple[CounterField, str], ...] = (
    (CounterField("depctr_hold_cnt", ((7, 1),)), "FeatureGFX10_BEncoding"),
    (CounterField("depctr_sa_sdst", ((0, 1),)), "gfx10+"),
    (CounterField("depctr_va_vdst", ((12, 4),)), "gfx10+"),
    (CounterField("depctr_va_sdst", ((9, 3),)), "gfx10+"),
    (CounterField("depctr_va_ssrc", ((8, 1),)), "gfx10+"),
    (CounterField("depctr_va_vcc", ((1, 1),)), "gfx10+"),
    (CounterField("depctr_vm_vsrc", ((2, 3),)), "gfx10+"),
)


def depctr_fields(features: frozenset[str]) -> Mapping[str, CounterField]:
    """The fields of s_waitcnt_depctr and s_wait_alu; a field that is not written has its maximum."""
    return {field.name: field for field, condition in _DEPCTR if holds(condition, features)}


# s_delay_alu: instid0 in bits 0 to 3, instskip in 4 to 6, instid1 in 7 to 10.
DELAY_FIELDS: Mapping[str, CounterField] = {
    "instid0": CounterField("instid0", ((0, 4),)),
    "instskip": CounterField("instskip", ((4, 3),)),
    "instid1": CounterField("instid1", ((7, 4),)),
}
DELAY_INSTRUCTIONS: Mapping[str, int] = {
    "NO_DEP": 0,
    "VALU_DEP_1": 1,
    "VALU_DEP_2": 2,
    "VALU_DEP_3": 3,
    "VALU_DEP_4": 4,
    "TRANS32_DEP_1": 5,
    "TRANS32_DEP_2": 6,
    "TRANS32_DEP_3": 7,
    "FMA_ACCUM_CYCLE_1": 8,
    "SALU_CYCLE_1": 9,
    "SALU_CYCLE_2": 10,
    "SALU_CYCLE_3": 11,
}
DELAY_SKIPS: Mapping[str, int] = {"SAME": 0, "NEXT": 1, "SKIP_1": 2, "SKIP_2": 3, "SKIP_3": 4, "SKIP_4": 5}


# The only field of `s_wait_event`, and its targets.
_WAIT_EVENTS: tuple[tuple[str, str], ...] = (
    ("dont_wait_export_ready", "gfx11"),
    ("export_ready", "gfx12+"),
)


def wait_event_field(features: frozenset[str]) -> str:
    """The field of the structure that `s_wait_event` takes; empty where there is no such instruction."""
    return next((name for name, condition in _WAIT_EVENTS if holds(condition, features)), "")
