"""Edits on a text and on its line ends."""

import pytest

from gcn_lsp.text import LineEnds, Location, SourceText, TextEdit, edited


def edit(line: int, start: int, end: int, new: str) -> TextEdit:
    return TextEdit(Location("k.s", line, start, end), new)


@pytest.mark.parametrize(
    ("before", "edits", "after"),
    [
        (b"one\ntwo\n", [edit(0, 0, 3, "1"), edit(1, 1, 2, "")], b"1\nto\n"),
        (b"one\r\ntwo\r\n", [edit(1, 0, 0, "new\n  ")], b"one\r\nnew\r\n  two\r\n"),
        (b"one\rtwo\n", [edit(0, 3, 3, "\nbehind")], b"one\rbehind\rtwo\n"),
        (b"\xef\xbb\xbfone\n", [edit(0, 0, 1, "t")], b"\xef\xbb\xbftne\n"),
        (b"one\r\ntwo", [edit(1, 3, 3, "\nthree\n")], b"one\r\ntwo\r\nthree\r\n"),
        (b"one", [edit(0, 0, 0, "a\n"), edit(0, 3, 3, "\nb")], b"a\none\nb"),
        (b"", [], b""),
        (b"one\r\ntwo\nthree\n", [edit(1, 0, 3, "2\n2"), edit(2, 0, 0, "x\n")], b"one\r\n2\n2\nx\nthree\n"),
    ],
)
def test_edits_keep_line_ends(before: bytes, edits: list[TextEdit], after: bytes) -> None:
    source = SourceText.from_bytes("k.s", before)
    lines = edited(source, edits).lines
    assert LineEnds.of(before).fitted(source.lines, lines).join(lines) == after


def test_a_line_goes_with_its_end() -> None:
    source = SourceText.from_bytes("k.s", b"a\n  b\nc\n")
    edit = TextEdit(Location("k.s", 1, 0, 3), "", takes_line=True)
    assert edited(source, [edit]).to_bytes() == b"a\nc\n"
    other = TextEdit(Location("k.s", 2, 0, 1), "d")
    assert edited(source, [edit, other]).to_bytes() == b"a\nd\n"
