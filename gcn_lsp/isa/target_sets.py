"""Sets of targets in the syntax of the tables: `gfx9 -gfx90a gfx10` is all of gfx9 without gfx90a, and all of gfx10.

A generation's name means all of its targets and `-` removes one, so a row changes for a new target only if the target
differs from the others of its generation.
"""

import re
from collections.abc import Collection, Iterable


def generation(target: str) -> str:
    """`gfx9` for gfx900 and gfx9-4-generic, `gfx12` for gfx1250."""
    match = re.match(r"gfx(?:(\d+)-|(\d+)..$)", target)
    if not match:
        raise ValueError(f"{target} is not a gfx name")
    return f"gfx{match[1] or match[2]}"


def by_generation(targets: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The targets of each generation, oldest first."""
    found: dict[str, list[str]] = {}
    for target in sorted(targets, key=age):
        found.setdefault(generation(target), []).append(target)
    return {name: tuple(members) for name, members in found.items()}


def age(target: str) -> tuple[int, str]:
    """A key that sorts targets by generation."""
    return int(generation(target)[3:]), target


def written(members: Collection[str], generations: dict[str, tuple[str, ...]]) -> str:
    """The set as text, in as few words as possible."""
    words: list[str] = []
    for name, targets in generations.items():
        having = [target for target in targets if target in members]
        lacking = [f"-{target}" for target in targets if target not in members]
        words += having if len(having) <= len(lacking) else [name, *lacking]
    return " ".join(words)


def read(text: str, generations: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The reverse of `written`, sorted by name."""
    found: set[str] = set()
    for word in text.split():
        if word[0] == "-":
            found.remove(word[1:])
        else:
            found.update(generations.get(word, (word,)))
    return tuple(sorted(found))
