"""Patterns for paths, matched in time linear in the path's length: `Glob`.

A regular expression takes exponential time for patterns such as `*a*a*a*a`, so the states of the pattern are followed
at the same time, as the bits of a number.
"""

import re
from collections.abc import Iterator

from gcn_lsp.patterns import regex

LIMIT = 1024
"""Characters of a pattern; no more of it counts."""

_PART = regex(r"\*\*/|\*\*|\*|\?|\[!?[^]]+\]|.", re.DOTALL)
_FOLDERS, _ANYTHING, _NAME = "**/", "**", "*"


class Glob:
    """A pattern for paths with `/`: `*` and `?` stay within a folder, `**/` is any number of folders.

    A pattern without a slash matches the file's name in any folder.
    """

    def __init__(self, pattern: str) -> None:
        pattern = pattern[:LIMIT]
        if "/" not in pattern:
            pattern = f"**/{pattern}"
        self._names = self._anything = self._folders = 0
        self._classes: list[tuple[int, re.Pattern[str]]] = []
        self._literals: dict[str, int] = {}
        size = 0
        for part in _combined(_PART.findall(pattern.removeprefix("./"))):
            size += self._add(part, 1 << size)
        self._accepting = 1 << size
        self._kept: dict[str, int] = {}

    def _add(self, part: str, bit: int) -> int:
        """Enter a part whose first state is `bit`; the number of its states."""
        if part == _FOLDERS:
            self._folders |= bit  # at the start of a folder's name; the next bit is a state within the name
            return 2
        if part == _ANYTHING:
            self._anything |= bit
        elif part == _NAME:
            self._names |= bit
        elif part == "?":
            self._classes.append((bit, _ANY))
        elif len(part) > 1:
            self._add_class(part, bit)
        else:
            self._literals[part] = self._literals.get(part, 0) | bit
        return 1

    def _add_class(self, part: str, bit: int) -> None:
        inside = _MARKS.sub(r"\\\g<0>", part[1:-1])
        try:
            found = re.compile(f"[^{inside[1:]}]" if inside.startswith("!") else f"[{inside}]")
        except re.error:  # a range that runs backwards, which matches nothing
            return
        self._classes.append((bit, found))

    def match(self, path: str) -> bool:
        """Whether the whole path matches."""
        states = self._skipped(1)
        for letter in path:
            states = self._skipped(self._after(states, letter))
            if not states:
                return False
        return bool(states & self._accepting)

    def _after(self, states: int, letter: str) -> int:
        """The states after a letter."""
        within = self._folders << 1
        taken = self._taking(letter) & states
        if letter == "/":
            return (taken << 1) | (states & self._anything) | ((states & within) >> 1)
        return (taken << 1) | (states & (self._anything | self._names | within)) | ((states & self._folders) << 1)

    def _taking(self, letter: str) -> int:
        """The states in which a letter leads to the next one."""
        found = self._kept.get(letter)
        if found is None:
            found = self._literals.get(letter, 0)
            for bit, letters in self._classes:
                found |= bit if letters.match(letter) else 0
            self._kept[letter] = found
        return found

    def _skipped(self, states: int) -> int:
        """The states with those that are reached by parts which match nothing; `_combined` leaves few in a row."""
        while True:
            more = states | (states & (self._anything | self._names)) << 1 | (states & self._folders) << 2
            if more == states:
                return states
            states = more


_ANY = regex("[^/]")
_MARKS = regex(r"[\\\[&|~]")  # what means something else in a class of Python's


def _combined(parts: list[str]) -> Iterator[str]:
    """The parts of a pattern, each run of those that match any number of letters as one or two."""
    run: set[str] = set()
    for part in (*parts, ""):
        if part in (_FOLDERS, _ANYTHING, _NAME):
            run.add(part)
            continue
        # `**` matches all that the others do. A name is never before folders: that would be `**`.
        yield from (_ANYTHING,) if _ANYTHING in run else (each for each in (_FOLDERS, _NAME) if each in run)
        run.clear()
        if part:
            yield part
