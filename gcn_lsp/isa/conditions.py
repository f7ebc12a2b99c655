"""The language of conditions on targets, in all tables: `gfx10+ !gfx125`, `gfx9|gfx12+ FeatureXNACK`.

A condition consists of clauses separated by spaces, all of which must hold. A clause consists of words separated by
`|`, one of which must hold; `!` negates a word. An empty condition holds on every target.

    gfx90a          the targets whose names start so: `gfx9` all of that generation, `gfx94` gfx942 and its successors
    gfx6-8          generations 6 to 8
    gfx10+          generation 10 and later
    FeatureXNACK    a feature of the target, by LLVM's name or one of `gcn_lsp.isa.versions`
"""

from collections.abc import Collection, Mapping
from functools import cache, lru_cache

from gcn_lsp.isa.processors import words
from gcn_lsp.patterns import regex

Clauses = tuple[tuple[str, ...], ...]
"""A condition as read: words of which one must hold, all of them."""

_RANGE = regex(r"gfx(\d{1,2})-(\d{1,2})")
_ABOUT_NAMES = regex(r"!?gfx[0-9a-f]+(?:\+|-generic)?|gfx\d{1,2}-\d{1,2}")


@cache
def read(text: str) -> Clauses:
    """The clauses of a condition; a range of generations becomes a word for each of them."""
    if "-" not in text:  # no range, as in most of the thousands that are read
        return tuple([tuple(clause.split("|")) for clause in text.split()])
    return tuple(tuple(each for word in clause.split("|") for each in _expanded(word)) for clause in text.split())


def _expanded(word: str) -> tuple[str, ...]:
    match = _RANGE.fullmatch(word)
    return tuple(f"gfx{number}" for number in range(int(match[1]), int(match[2]) + 1)) if match else (word,)


def written(clauses: Clauses) -> str:
    """The reverse of `read`: `FeatureGFX9Insts !FeatureGFX10Insts FeatureA|FeatureB`."""
    return " ".join("|".join(clause) for clause in clauses)


def met(clauses: Clauses, known: frozenset[str]) -> bool:
    """Whether clauses hold for the features of a target, which include the words of its name."""
    for clause in clauses:  # not `all` and `any`, whose generators take twice the time
        for word in clause:
            if (word in known) if word[0] != "!" else (word[1:] not in known):
                break
        else:
            return False
    return True


@lru_cache(maxsize=8192)
def holds(condition: str, known: frozenset[str]) -> bool:
    """Whether a condition holds for the features of a target, which include the words of its name."""
    return condition in known or met(read(condition), known)


@lru_cache(maxsize=4096)
def covers(condition: str, target: str) -> bool:
    """Whether a condition without features holds for the target of that name."""
    return holds(condition, words(target))


@cache
def check(condition: str) -> None:
    """Raises ValueError if a word of the condition is neither a name's start nor generations."""
    for word in condition.replace("|", " ").split():
        if not _ABOUT_NAMES.fullmatch(word):
            raise ValueError(f"{word} is not a target, a range of generations or an exclusion")


def of_targets(members: Collection[str], generations: Mapping[str, tuple[str, ...]]) -> str:
    """The condition that covers these targets alone, in few words; `generations` has all, by generation."""
    wanted, unwanted = [], []
    for name, targets in generations.items():
        having = [target for target in targets if target in members]
        lacking = [target for target in targets if target not in members]
        is_whole = len(having) > len(lacking)
        wanted += [name] if is_whole else having
        unwanted += lacking if is_whole else []
    # A name covers the generic target that counts as it, too.
    unwanted += [name for name in _covering("|".join(wanted), generations) if name not in (*members, *unwanted)]
    return " ".join(("|".join(wanted), *(f"!{name}" for name in unwanted))).strip()


def _covering(condition: str, generations: Mapping[str, tuple[str, ...]]) -> list[str]:
    return [target for targets in generations.values() for target in targets if condition and covers(condition, target)]


def targets(condition: str, known: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    """The targets that a condition covers, sorted by name; `known` has those of each word, and all under ''."""
    every = found = frozenset(known[""])
    for clause in read(condition):
        kept = (every.difference(known[word[1:]]) if word[0] == "!" else known[word] for word in clause)
        found = found.intersection(frozenset().union(*kept))
    return tuple(sorted(found))


def by_word(names: Collection[str]) -> dict[str, frozenset[str]]:
    """The targets that each word covers, and all under '': what `targets` reads many conditions with."""
    known = frozenset(word for name in names for word in words(name))
    return {"": frozenset(names), **{word: frozenset(n for n in names if word in words(n)) for word in known}}
