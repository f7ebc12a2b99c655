"""The entries of a completion list, and how a long list is cut to match the typed text."""

import re
from collections.abc import Iterable
from typing import Literal

import msgspec

from gcn_lsp.text import Location, Text

LIMIT = 300
"""Entries in a list. Nobody reads more, and more would cost the editor time at every key."""
ALL = 100_000
"""For an editor that asks once for a word and filters by itself: it must not wait for another list while a word is
typed, since Enter would take an entry of the list before.
"""

_PREDEFINED = (".amdgcn.", "UC_VERSION_")
_SHARE = 16  # of each sort of entry, before any sort gets more
_FAMILY = 7  # letters: `global` of `global_load_dword`


CompletionKind = Literal[
    "mnemonic", "macro", "directive", "register", "operand", "symbol", "label", "modifier", "value", "parameter",
    "rule", "snippet", "builtin",
]  # fmt: skip


class CompletionItem(msgspec.Struct, frozen=True, gc=False):
    """One entry of the list.

    insert: the inserted text; in a snippet, `$1` marks a placeholder. sort: the key by which entries are sorted.
    asks_again: whether there are entries for what follows it.
    """

    label: str
    kind: CompletionKind
    detail: Text = ""
    insert: str = ""
    sort: str = ""
    is_snippet: bool = False
    asks_again: bool = False

    @property
    def text(self) -> str:
        """The inserted text."""
        return self.insert or self.label


class Completions(msgspec.Struct, frozen=True):
    """The entries for a place; each replaces the text at `where`.

    is_incomplete: another list may be right after the next key. is_cut: more match the typed text than are listed.
    """

    where: Location
    items: tuple[CompletionItem, ...]
    is_incomplete: bool = False
    is_cut: bool = False


def completions(where: Location, items: Iterable[CompletionItem], typed: str, most: int = LIMIT) -> Completions | None:
    """The list for a place, each label once; None when it is empty. typed: the text from its start to the cursor.

    most: entries of the list; of more, those that match the typed text best.
    """
    unique: dict[str, CompletionItem] = {}
    for item in items:
        unique.setdefault(item.label, item)
    # `.` begins a separate class of words. The assembler's own symbols are shown only after their beginning is typed.
    is_dotted = typed.startswith(".")
    found = [
        item
        for label, item in unique.items()
        if (label.startswith(".") if is_dotted else not label.startswith(_PREDEFINED) or _is_begun(label, typed))
    ]
    is_incomplete = len(found) > most
    if is_incomplete:
        found = _cut(found, typed.lower())
    is_cut = is_incomplete and (not typed or len(found) == LIMIT)
    return Completions(where, tuple(found), is_incomplete, is_cut) if found or is_incomplete else None


def _is_begun(label: str, typed: str) -> bool:
    return bool(typed) and label.lower().startswith(typed.lower())


def _cut(items: list[CompletionItem], typed: str) -> list[CompletionItem]:
    """The entries that match the typed text, as editors match; of many, some of each sort."""
    letter_by_letter = re.compile(".*?".join(map(re.escape, typed))).search
    matching = [item for item in items if letter_by_letter(item.label.lower())] if typed else items
    matching.sort(key=lambda item: item.sort)
    ranked: list[tuple[int, str, CompletionItem]] = []
    counts: dict[tuple[str, Text], int] = {}
    for item in matching:
        label = item.label.lower()
        rank = 0 if label.startswith(typed) else 1 if typed in label else 2
        group = (item.kind, item.detail if item.kind == "register" else label.partition("_")[0][:_FAMILY])
        counts[group] = counts.get(group, -1) + 1
        ranked.append((rank * LIMIT + counts[group] // _SHARE, item.sort, item))
    ranked.sort(key=lambda entry: entry[:2])
    return [item for _, _, item in ranked[:LIMIT]]
