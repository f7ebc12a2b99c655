"""Names of processors: the generation of each, their order, and the words of conditions that cover it."""

import re
from collections.abc import Iterable
from functools import cache

FIRST_GENERATION = 6

# A generic target counts as the oldest of its targets.
_GENERIC = {
    "gfx9-generic": "gfx900",
    "gfx9-4-generic": "gfx942",
    "gfx10-1-generic": "gfx1010",
    "gfx10-3-generic": "gfx1030",
    "gfx11-generic": "gfx1100",
    "gfx11-7-generic": "gfx1170",
    "gfx12-generic": "gfx1200",
    "gfx12-5-generic": "gfx125x",
    "gfx13-generic": "gfx1310",
}


def generation(target: str) -> str:
    """`gfx9` for gfx900 and gfx9-4-generic, `gfx12` for gfx1250."""
    match = re.match(r"gfx(?:(\d+)-|(\d+)..$)", target)
    if not match:
        raise ValueError(f"{target} is not a gfx name")
    return f"gfx{match[1] or match[2]}"


def age(target: str) -> tuple[int, str]:
    """A key that sorts targets by generation."""
    return int(generation(target)[3:]), target


def by_generation(targets: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The targets of each generation, oldest first."""
    found: dict[str, list[str]] = {}
    for target in sorted(targets, key=age):
        found.setdefault(generation(target), []).append(target)
    return {name: tuple(members) for name, members in found.items()}


@cache
def words(target: str) -> frozenset[str]:
    """The words of conditions that cover a target: `gfx90a`, `gfx90`, `gfx9`, and `gfx6+` to `gfx9+` for gfx90a."""
    name = _GENERIC.get(target, target)
    own = generation(target)
    starts = (name[:end] for end in range(len(own), len(name) + 1))
    since = (f"gfx{number}+" for number in range(FIRST_GENERATION, int(own[3:]) + 1))
    return frozenset((target, *starts, *since))
