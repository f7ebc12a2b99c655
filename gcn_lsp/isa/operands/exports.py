"""Targets of export instructions: `mrt0`, `pos3`, `param31`."""

from collections.abc import Mapping

from gcn_lsp.isa.conditions import holds

# Name, first number, how many (1 without an index), targets.
_ROWS: tuple[tuple[str, int, int, str], ...] = (
    ("mrt", 0, 8, ""),
    ("mrtz", 8, 1, ""),
    ("null", 9, 1, "gfx6-10"),
    ("pos", 12, 4, "gfx6-9"),
    ("pos", 12, 5, "gfx10+"),
    ("prim", 20, 1, "gfx10+"),
    ("dual_src_blend", 21, 2, "gfx11+"),
    ("param", 32, 32, "gfx6-10"),
    ("param", 32, 32, "gfx13+"),
)


def targets(features: frozenset[str]) -> Mapping[str, int]:
    """Every export target by name, with its number; empty if the target has no exports."""
    if not holds("!gfx90a !gfx94 !gfx95", features) or holds("gfx125", features):
        return {}
    found: dict[str, int] = {}
    for name, first, count, condition in _ROWS:
        if holds(condition, features):
            found.update(_numbered(name, first, count))
    return found


def all_names() -> frozenset[str]:
    """The names on any target."""
    return frozenset(export for name, first, count, _ in _ROWS for export in _numbered(name, first, count))


def _numbered(name: str, first: int, count: int) -> Mapping[str, int]:
    return {f"{name}{index}" if count > 1 else name: first + index for index in range(count)}
