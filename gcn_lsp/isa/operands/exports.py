"""Targets of export instructions: `mrt0`, `pos3`, `param31`."""

from collections.abc import Mapping

from gcn_lsp.isa import conditions as on

# Name, first number, how many (1 without an index), targets.
_ROWS: tuple[tuple[str, int, int, str], ...] = (
    ("mrt", 0, 8, on.ALL),
    ("mrtz", 8, 1, on.ALL),
    ("null", 9, 1, on.BEFORE_GFX11),
    ("pos", 12, 4, on.BEFORE_GFX10),
    ("pos", 12, 5, on.GFX10_ON),
    ("prim", 20, 1, on.GFX10_ON),
    ("dual_src_blend", 21, 2, on.GFX11_ON),
    ("param", 32, 32, on.BEFORE_GFX11),
    ("param", 32, 32, on.GFX13_ON),
)


def targets(features: frozenset[str]) -> Mapping[str, int]:
    """Every export target by name, with its number; empty if the target has no exports."""
    if not on.holds("!FeatureGFX90AInsts", features) or on.holds(on.GFX125X, features):
        return {}
    found: dict[str, int] = {}
    for name, first, count, condition in _ROWS:
        if on.holds(condition, features):
            found.update(_numbered(name, first, count))
    return found


def all_names() -> frozenset[str]:
    """The names on any target."""
    return frozenset(export for name, first, count, _ in _ROWS for export in _numbered(name, first, count))


def _numbered(name: str, first: int, count: int) -> Mapping[str, int]:
    return {f"{name}{index}" if count > 1 else name: first + index for index in range(count)}
