"""Edits of a client as edits of a text: positions in its encoding become lines and byte columns."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import msgspec
from lsprotocol import types

from gcn_lsp.text import PositionEncoding, SourceText, column_to_byte

Change: TypeAlias = types.TextDocumentContentChangePartial | types.TextDocumentContentChangeWholeDocument


class Edit(msgspec.Struct, frozen=True):
    """The replaced part of a text: from byte `start` of line `first` to byte `end` of line `last`."""

    first: int
    start: int
    last: int
    end: int


class Applied(msgspec.Struct, frozen=True):
    """A change and the texts before and after it. edit: the replaced part; None if all of the text was replaced."""

    before: SourceText
    after: SourceText
    edit: Edit | None

    @property
    def removed(self) -> int:
        """How many lines of the text before were changed."""
        return self.edit.last - self.edit.first + 1 if self.edit is not None else len(self.before.lines)

    @property
    def old_lines(self) -> Sequence[bytes]:
        """Those lines."""
        first = self.edit.first if self.edit is not None else 0
        return self.before.lines[first : first + self.removed]

    @property
    def new_lines(self) -> Sequence[bytes]:
        """The lines in their place."""
        first = self.edit.first if self.edit is not None else 0
        return self.after.lines[first : first + self.removed + len(self.after.lines) - len(self.before.lines)]


def applied(source: SourceText, changes: Sequence[Change], encoding: PositionEncoding) -> Iterator[Applied]:
    """The changes, each applied to the result of the one before."""
    for change in changes:
        before, edit = source, None
        if isinstance(change, types.TextDocumentContentChangeWholeDocument):
            source = SourceText.from_bytes(source.path, encode(change.text))
        else:
            edit = edit_of(before.lines, change.range, encoding)
            source = before.replace(edit.first, edit.start, edit.last, edit.end, encode(change.text))
        yield Applied(before, source, edit)


def edit_of(lines: Sequence[bytes], where: types.Range, encoding: PositionEncoding) -> Edit:
    """A range of the client in bytes. A place after the end of a line or of the text is moved to that end."""
    first, start = _place(lines, where.start, encoding)
    last, end = _place(lines, where.end, encoding)
    if (last, end) < (first, start):
        last, end = first, start
    return Edit(first, start, last, end)


def encode(text: str) -> bytes:
    """The text in UTF-8; half of a surrogate pair, which JSON can contain, becomes a question mark."""
    return text.encode("utf-8", "replace")


def _place(lines: Sequence[bytes], position: types.Position, encoding: PositionEncoding) -> tuple[int, int]:
    if position.line >= len(lines):
        return len(lines) - 1, len(lines[-1])
    return position.line, column_to_byte(lines[position.line], position.character, encoding)
