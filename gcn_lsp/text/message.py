"""A message as a value: a sentence with places apart from its words, so that they can be mapped; rendered last.

A sentence that names no place is a `str`. One that does is a `Message`, made by `message`:

    message("this reads `{}`, which `{}` on {} may not have written yet", register, mnemonic, place)
"""

from collections.abc import Callable, Iterable
from typing import Union

import msgspec

from gcn_lsp.text.location import Location

Part = Union[str, int, Location, "OfTarget", "Message"]
Text = Union[str, "Message"]


class OfTarget(msgspec.Struct, frozen=True, gc=False):
    """Words about the target of a message: its name, or its counters. On another the same mistake has others."""

    words: str


class Message(msgspec.Struct, frozen=True, gc=False):
    """A template as of `str.format`, and a part for each `{}` in it: a value, a place, or another message."""

    template: str
    parts: tuple[Part, ...]


def message(template: str, *parts: Part) -> Message:
    """The message that has `parts` in place of the `{}` of a template."""
    return Message(template, parts)


def joined(separator: str, parts: Iterable[Part]) -> Text:
    """Parts as one text, with a separator between them that has no braces."""
    parts = tuple(parts)
    if all(isinstance(part, str) for part in parts):
        return separator.join(map(str, parts))
    return Message(separator.join("{}" for _ in parts), parts)


def rendered(text: Text, path: str, place: Callable[[Location, str], str] | None = None) -> str:
    """The sentence that people read at a place in the file `path`.

    place: what is said of a place there; by default its line, and in another file that file's name.
    """
    if isinstance(text, str):
        return text
    return text.template.format(*(_rendered(part, path, place or _line) for part in text.parts))


def without_targets(text: Text) -> Text:
    """What the messages about one mistake on several targets have in common."""
    if isinstance(text, str):
        return text
    parts = (without_targets(part) if isinstance(part, Message) else part for part in text.parts)
    return Message(text.template, tuple("" if isinstance(part, OfTarget) else part for part in parts))


def mapped(text: Text, place: Callable[[Location], Location], words: Callable[[str], str]) -> Text:
    """The same message about another text. place: maps a place; words: maps what is written around the places."""
    if isinstance(text, str):
        return words(text)
    return Message(words(text.template), tuple(_mapped(part, place, words) for part in text.parts))


def _line(where: Location, path: str) -> str:
    return f"line {where.line + 1}" if where.path == path else f"line {where.line + 1} of {where.file_name}"


def _rendered(part: Part, path: str, place: Callable[[Location, str], str]) -> str:
    if isinstance(part, Location):
        return place(part, path)
    if isinstance(part, OfTarget):
        return part.words
    return rendered(part, path, place) if isinstance(part, Message) else str(part)


def _mapped(part: Part, place: Callable[[Location], Location], words: Callable[[str], str]) -> Part:
    if isinstance(part, Location):
        return place(part)
    return part if isinstance(part, (int, OfTarget)) else mapped(part, place, words)
