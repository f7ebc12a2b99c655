"""Decides which targets a text is about: `covers("gfx10+ !gfx1250", "gfx1100")`.

A condition is words separated by spaces; one of them must hold, and none of those with `!`.

    gfx90a      every target whose name starts so: `gfx9` all of that generation, `gfx94` gfx942 and gfx940's successors
    gfx6-8      generations 6 to 8
    gfx10+      generation 10 and later
    !gfx1250    not this one; on its own it means all others
"""

import re
from functools import lru_cache

_RANGE = re.compile(r"gfx(\d{1,2})(?:-(\d{1,2})|(\+))$")

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


@lru_cache(maxsize=4096)
def covers(condition: str, target: str) -> bool:
    """Whether the target, by its name, meets the condition; an empty condition covers all."""
    name = _GENERIC.get(target, target)
    wanted = [word for word in condition.split() if word[0] != "!"]
    if any(_matches(word[1:], name) for word in condition.split() if word[0] == "!"):
        return False
    return not wanted or any(_matches(word, name) for word in wanted)


def _matches(word: str, name: str) -> bool:
    match = _RANGE.match(word)
    if match is None:
        return name.startswith(word)
    generation = int(name[3:-2])
    first, last = int(match[1]), 99 if match[3] else int(match[2])
    return first <= generation <= last


def check(condition: str) -> None:
    """Raises ValueError for a word of none of the forms above."""
    for word in condition.split():
        if not re.fullmatch(r"!?gfx[0-9a-f]+(?:-\d+|\+)?", word):
            raise ValueError(f"{word} is not a target, a range of generations or an exclusion")
