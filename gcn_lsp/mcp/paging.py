"""Long answers in parts: an agent pays for every byte, and asks for more with the cursor of the last part."""

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from gcn_lsp.text import json_bytes

Row = TypeVar("Row")
Answer = TypeVar("Answer", bound=msgspec.Struct)

MOST = 1600
"""Bytes of JSON in the rows of one part, so that a whole answer stays below 2 kB."""

LONGEST = 2000
"""Bytes of JSON in a whole answer."""
_FIELDS = 30  # more than any struct has: an object with more names is a count of things
_REST = "…"


class WrongCursor(ValueError):
    """A cursor that no answer has given."""


def part_of_answer(answer: Answer, cursor: str) -> Answer:
    """The part of a whole answer from a cursor on: of its rows or its text, the field before its `next_cursor`.

    An answer without such a field is always whole. Raises WrongCursor.
    """
    *_, cut, last = ("", *type(answer).__struct_fields__)
    if last != "next_cursor":
        return answer
    whole = getattr(answer, cut)
    part, following = text_part(whole, cursor) if isinstance(whole, str) else part_of(whole, cursor)
    return msgspec.structs.replace(answer, **{cut: part, last: following})


def part_of(rows: Sequence[Row], cursor: str) -> tuple[tuple[Row, ...], str]:
    """The rows from a cursor on (empty: the first ones), at least one, and the cursor of the next part, or empty.

    Raises WrongCursor.
    """
    first = _first(cursor, len(rows))
    size, last = 0, first
    while last < len(rows):
        size += len(json_bytes(rows[last])) + 1
        if size > MOST and last > first:
            break
        last += 1
    return tuple(rows[first:last]), str(last) if last < len(rows) else ""


def text_part(text: str, cursor: str) -> tuple[str, str]:
    """The part of a text from a cursor on, up to the end of a line if there is one; with the next cursor.

    Raises WrongCursor.
    """
    first = _first(cursor, len(text))
    end = min(len(text), first + MOST // 2)
    while end < len(text) and len(json_bytes(text[first : end + 1])) < MOST:
        end += 1
    while len(json_bytes(text[first:end])) > MOST:
        end -= 64
    if end < len(text):
        end = max(text.rfind("\n", first + 1, end) + 1, first) or end
        end = end if end > first else min(len(text), first + MOST // 4)
    return text[first:end], str(end) if end < len(text) else ""


def shortened(answer: Any) -> Any:
    """A whole answer with long texts and lists in its rows cut until all is `LONGEST` bytes: one row can be too long.

    `…` ends a text that is cut; in an object of counts it has the sum of those left out.
    """
    most, made = LONGEST, answer
    while len(json_bytes(made)) > LONGEST and most > 1:
        most //= 2
        made = {name: _of_rows(value, most) for name, value in answer.items()}
    return made


def _of_rows(value: Any, most: int) -> Any:
    return [_cut(each, most) for each in value] if isinstance(value, list | tuple) else _cut(value, most)


def _cut(value: Any, most: int) -> Any:
    """A value whose texts have at most so many characters, and its lists a tenth as many members."""
    if isinstance(value, str):
        return value if len(value) <= most else value[:most] + _REST
    count = max(1, most // 10)
    if isinstance(value, dict):
        kept = {_cut(name, most): _cut(each, most) for name, each in value.items()}
        if len(kept) <= max(_FIELDS, count):
            return kept
        first = dict(tuple(kept.items())[:count])
        return first | {_REST: sum(kept.values()) - sum(first.values())}
    return [_cut(each, most) for each in value[:count]] if isinstance(value, list | tuple) else value


def _first(cursor: str, count: int) -> int:
    if not cursor:
        return 0
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > len(str(count)) or int(cursor) >= count:
        raise WrongCursor(f"{cursor!r} is not a cursor of this answer")
    return int(cursor)
