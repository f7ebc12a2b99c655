"""Hints about a long file stay where they are while it is edited, until new ones are found."""

from gcn_lsp.server import diagnostics, wire


def hint(line: int) -> wire.Diagnostic:
    place = wire.Range(wire.Position(line, 2), wire.Position(line, 9))
    return wire.Diagnostic(place, 4, "over-wait", "gcn-lsp", "too much")


OLD = [b"a", b"b", b"c", b"d", b"e"]


def lines(new: list[bytes]) -> list[int]:
    return [each.range.start.line for each in diagnostics.carried(tuple(map(hint, range(5))), OLD, new)]


def test_an_edit_in_a_line_takes_its_hint_away() -> None:
    assert lines([b"a", b"b", b"x", b"d", b"e"]) == [0, 1, 3, 4]


def test_lines_that_are_put_in_move_what_follows() -> None:
    assert lines([b"a", b"b", b"x", b"y", b"c", b"d", b"e"]) == [0, 1, 4, 5, 6]


def test_lines_that_are_taken_out_move_what_follows() -> None:
    assert lines([b"a", b"d", b"e"]) == [0, 1, 2]


def test_nothing_changed() -> None:
    assert lines(OLD) == [0, 1, 2, 3, 4]
