"""Finds the places of the keys of a TOML file; the standard library's parser gives values without places.

This reads only the outline: table headers, keys, and the extent of each value. The parser decides whether the file is
right, so anything unknown here is skipped.
"""

from collections.abc import Iterable, Sequence

import msgspec

from gcn_lsp.patterns import regex

PARTS_LIMIT = 32
"""The most parts of a key that are read; `toml_limits` reports those with more."""

_KEY = regex(rb"""\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*""")
# A string without an end reaches to the end of the line: searching for an end at each quote would take quadratic time.
_VALUE_PART = regex(rb'''"""|\'\'\'|"(?:[^"\\]|\\.)*"?|'[^']*'?|[\[{]|[\]}]|#.*''')


class TomlPlace(msgspec.Struct, frozen=True):
    """A header or a key with its value: the full key, byte columns of key and value on `line`, its last line.

    Elements of an array of tables have their number in the key: `("files", "0", "glob")`.
    """

    key: tuple[str, ...]
    line: int
    key_start: int
    key_end: int
    value_start: int
    value_end: int
    last_line: int


def find(lines: Sequence[bytes]) -> list[TomlPlace]:
    """Every header and key of the file, in its order."""
    places = []
    table: tuple[str, ...] = ()
    elements: dict[tuple[str, ...], int] = {}
    number = 0
    while number < len(lines):
        text = lines[number]
        stripped = text.lstrip()
        start = len(text) - len(stripped)
        last = number
        if stripped.startswith(b"["):
            brackets = 2 if stripped.startswith(b"[[") else 1
            key, end = _key(text, start + brackets)
            if brackets == 2:
                elements[key] = elements.get(key, -1) + 1
                table = (*key, str(elements[key]))
            else:
                table = _inside_last_element(key, elements)
            places.append(TomlPlace(table, number, start, min(end + brackets, len(text)), end, end, number))
        elif stripped and not stripped.startswith(b"#"):
            key, end = _key(text, start)
            if key and text[end : end + 1] == b"=":
                value = end + 1 + len(text[end + 1 :]) - len(text[end + 1 :].lstrip())
                last, value_end = _value_end(lines, number, value)
                key_end = len(text[:end].rstrip())
                places.append(TomlPlace((*table, *key), number, start, key_end, value, value_end, last))
        number = last + 1
    return places


class TomlPlaces:
    """Places by their keys, the first of each."""

    def __init__(self, places: Iterable[TomlPlace]) -> None:
        self._by_key: dict[tuple[str, ...], TomlPlace] = {}
        for place in places:
            self._by_key.setdefault(place.key, place)

    def nearest(self, key: tuple[str, ...]) -> TomlPlace | None:
        """The place of `key`, or of its longest part that is written (an inline table's, say)."""
        found = (self._by_key.get(key[:length]) for length in range(len(key), 0, -1))
        return next(filter(None, found), None)


def _key(text: bytes, start: int) -> tuple[tuple[str, ...], int]:
    parts = []
    while match := _KEY.match(text, start):
        parts.append((match[1] or match[2] or match[3] or b"").decode("utf-8", "replace"))
        start = match.end()
        if text[start : start + 1] != b"." or len(parts) == PARTS_LIMIT:
            break
        start += 1
    return tuple(parts), start


def _inside_last_element(key: tuple[str, ...], elements: dict[tuple[str, ...], int]) -> tuple[str, ...]:
    """The key with its element's number: `[files.defines]` after `[[files]]` belongs to the last element of `files`."""
    for length in range(len(key) - 1, 0, -1):
        if key[:length] in elements:
            return (*key[:length], str(elements[key[:length]]), *key[length:])
    return key


def _value_end(lines: Sequence[bytes], number: int, column: int) -> tuple[int, int]:
    """The last line of the value that starts at `column`, and the column where it ends on its first line."""
    depth = 0
    first_end = None
    for last in range(number, len(lines)):
        text = lines[last]
        end = column
        while match := _VALUE_PART.search(text, column):
            part = match[0]
            column = match.end()
            if part in (b'"""', b"'''"):
                return _after_long_string(lines, last, column, part, len(lines[number]))
            if part.startswith(b"#"):
                column = len(text)
                end = match.start()
                break
            end = column
            depth += (part in (b"[", b"{")) - (part in (b"]", b"}"))
        else:
            end = len(text)
        if first_end is None:
            first_end = len(text[:end].rstrip())
        if depth <= 0:
            return last, first_end
        column = 0
    return len(lines) - 1, first_end if first_end is not None else column


def _after_long_string(
    lines: Sequence[bytes], number: int, column: int, quote: bytes, first_end: int
) -> tuple[int, int]:
    for last in range(number, len(lines)):
        if lines[last].find(quote, column) >= 0:
            return last, first_end
        column = 0
    return len(lines) - 1, first_end
