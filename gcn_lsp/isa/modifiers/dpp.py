"""DPP controls: the numbers of `row_shl:1`, `quad_perm:[0,1,2,3]` and the like in dpp_ctrl, and their targets."""

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from gcn_lsp.isa.conditions import holds


class Control(msgspec.Struct, frozen=True):
    """base: dpp_ctrl of the smallest value. low, high: its values (`row_shl:1` to `:15`); None for a bare keyword.

    The code is base + value - low, unless `codes` gives one for each value.
    """

    name: str
    base: int
    low: int | None
    high: int | None
    condition: str
    codes: tuple[tuple[int, int], ...] = ()

    def code(self, value: int | None) -> int | None:
        """dpp_ctrl for a value; None if it is out of range."""
        if self.codes:
            return dict(self.codes).get(-1 if value is None else value)
        if self.low is None or self.high is None:
            return self.base if value is None else None
        return self.base + value - self.low if value is not None and self.low <= value <= self.high else None

    def value(self, code: int) -> int | None:
        """The value that gives this dpp_ctrl; 0 for a bare keyword, None if none does."""
        if self.low is None or self.high is None:
            return 0 if self.code(None) == code else None
        return next((value for value in range(self.low, self.high + 1) if self.code(value) == code), None)


QUAD_PERM, QUAD_LANES, QUAD_BITS = "quad_perm", 4, 2
"""`quad_perm:[a,b,c,d]`: lanes 0 to 3, two bits each from bit 0; dpp_ctrl is 0x00 to 0xff."""
DPP8, DPP8_LANES, DPP8_BITS = "dpp8", 8, 3
"""`dpp8:[a,...,h]`: lanes 0 to 7, three bits each from bit 0."""

_ROWS: tuple[Control, ...] = (
    Control("row_shl", 0x101, 1, 15, "gfx8+"),
    Control("row_shr", 0x111, 1, 15, "gfx8+"),
    Control("row_ror", 0x121, 1, 15, "gfx8+"),
    Control("wave_shl", 0x130, 1, 1, "gfx8-9"),
    Control("wave_rol", 0x134, 1, 1, "gfx8-9"),
    Control("wave_shr", 0x138, 1, 1, "gfx8-9"),
    Control("wave_ror", 0x13C, 1, 1, "gfx8-9"),
    Control("row_mirror", 0x140, None, None, "gfx8+"),
    Control("row_half_mirror", 0x141, None, None, "gfx8+"),
    Control("row_bcast", 0x142, 15, 31, "gfx8-9", ((15, 0x142), (31, 0x143))),
    Control("row_newbcast", 0x150, 0, 15, "gfx90a|gfx94|gfx95"),
    Control("row_share", 0x150, 0, 15, "gfx10+"),
    Control("row_xmask", 0x160, 0, 15, "gfx10+"),
)


CONTROLS: Mapping[str, Control] = {control.name: control for control in _ROWS}
"""The controls by keyword, without `quad_perm` and `dpp8`, which have lists."""
BARE = frozenset(name for name, control in CONTROLS.items() if control.low is None)
"""Those that are a word without a value."""


@lru_cache(maxsize=64)
def controls(features: frozenset[str]) -> Mapping[str, Control]:
    """The rows of `CONTROLS` for a target."""
    return {control.name: control for control in _ROWS if holds(control.condition, features)}


def read(features: frozenset[str], code: int) -> tuple[str, int] | None:
    """The keyword of a dpp_ctrl on a target and its value, 0 for a bare one; None if no keyword has the code."""
    found = ((name, control.value(code)) for name, control in controls(features).items())
    return next(((name, value) for name, value in found if value is not None), None)


def is_row_broadcast(control: int) -> bool:
    """Whether it is `row_newbcast` or `row_share`, which instructions on doubles may use."""
    row = CONTROLS["row_share"]
    return row.low is not None and row.high is not None and row.base <= control <= row.base + row.high - row.low


def all_names() -> frozenset[str]:
    """The keywords on any target."""
    return frozenset({QUAD_PERM, DPP8, *CONTROLS})
