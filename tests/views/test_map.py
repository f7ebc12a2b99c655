"""The map between a derived text and its original, both ways: carets mark places."""

import pytest

from gcn_lsp.text import Location, SourceText
from gcn_lsp.views import map as maps
from gcn_lsp.views.map import Derived, LineRun, MappedBytes, Mistake, Origin, as_written

#           0         1         2
ORIGINAL = "  ADD(v0, ACC) // sum"
DERIVED = "  v_add_f32 v0, v1 // sum"
# `ADD(` and `)` stand for the whole use; `v0` is copied, and what comes before and after the use.
PIECES = (
    MappedBytes(0, 2, 0, 0, 2, True),
    MappedBytes(2, 12, 0, 2, 14, False),
    MappedBytes(12, 14, 0, 6, 8, True),
    MappedBytes(14, 18, 0, 2, 14, False),
    MappedBytes(18, 25, 0, 14, 21, True),
)


def source(text: str) -> SourceText:
    return SourceText.from_bytes("a.S", text.encode())


def one_line(origin: Origin | None = None) -> Derived:
    block = LineRun(1, (DERIVED.encode(),), (origin or Origin("", 0, PIECES),))
    return Derived(source(ORIGINAL), (block,))


def marked(carets: str) -> tuple[int, int]:
    return len(carets) - len(carets.lstrip()), len(carets)


@pytest.mark.parametrize(
    ("derived", "original"),
    [
        ("  ^^^^^^^^^", "  ^^^^^^^^^^^^"),  # in a use: all of it
        ("            ^^", "      ^^"),  # a copied argument
        ("             ^", "       ^"),
        ("                ^^", "  ^^^^^^^^^^^^"),
        ("                   ^^^^^^", "               ^^^^^^"),  # the comment after it
        ("                ^^^^^", "  ^^^^^^^^^^^^^^^"),  # from a use into what follows
        ("^^^^^^^", "^^^^^^^^^^^^^^"),
    ],
)
def test_a_place_of_the_derived_text_in_the_original(derived: str, original: str) -> None:
    found = one_line()
    where = found.to_original(Location(found.source.path, 0, *marked(derived)))
    assert (where.path, where.line, where.start, where.end) == ("a.S", 0, *marked(original))


@pytest.mark.parametrize(("column", "expected"), [(1, 1), (2, 2), (12, 6), (13, 7), (14, 8), (21, 17)])
def test_an_empty_place_stays_empty_in_copied_text(column: int, expected: int) -> None:
    found = one_line()
    where = found.to_original(Location(found.source.path, 0, column, column))
    if column == 14:  # the start of what stands for the use
        expected = 2
    assert (where.start, where.end) == (expected, expected)


@pytest.mark.parametrize(
    ("column", "expected"), [(0, 0), (2, 2), (3, 2), (6, 12), (7, 13), (8, 14), (9, 2), (15, 19), (21, 25)]
)
def test_a_place_of_the_original_in_the_derived_text(column: int, expected: int) -> None:
    assert one_line().to_derived(0, column) == (0, expected)


def test_what_is_left_out_has_no_derived_place() -> None:
    found = Derived(source("a b"), (LineRun(1, (b"b",), (Origin("", 0, (MappedBytes(0, 1, 0, 2, 3, True),)),)),))
    assert found.to_derived(0, 0) is None
    assert found.to_derived(0, 2) == (0, 0)


def test_a_line_that_is_derived_twice_has_two_places() -> None:
    origins = (Origin("", 0), Origin("code.h", 0), Origin("", 0))
    found = Derived(
        source("s_nop 0\nlast"), (LineRun(1, (b"s_nop 0", b"x", b"s_nop 0"), origins), LineRun(1, (b"last",)))
    )
    assert found.all_derived(0, 3) == [(0, 3), (2, 3)]
    assert found.all_derived(1, 2) == [(3, 2)]
    assert found.first_derived(1) == 3
    assert found.origin(3).line == 1


def test_a_range_over_two_lines_ends_with_what_is_on_the_first() -> None:
    pieces = (MappedBytes(0, 2, 0, 0, 2, True), MappedBytes(2, 4, 0, 5, 8, False), MappedBytes(4, 6, 1, 1, 3, True))
    found = Derived(source("ab   EEE  \n cd"), (LineRun(2, (b"abeecd", b""), (Origin("", 0, pieces), Origin("", 1))),))
    where = found.to_original(Location(found.source.path, 0, 1, 6))
    assert (where.line, where.start, where.end) == (0, 1, 8)


@pytest.mark.parametrize(
    ("carets", "expected"),
    [
        ("            ^^", True),  # inside of one copied run
        ("             ^^", False),  # over its end
        ("  ^^^", False),  # in a use
        ("                   ^^^^^^", True),
    ],
)
def test_where_an_edit_is_one_of_the_original(carets: str, expected: bool) -> None:
    found = one_line()
    assert found.is_copied(Location(found.source.path, 0, *marked(carets))) is expected


def test_text_may_be_inserted_before_a_use_that_begins_its_line() -> None:
    found = one_line()
    path = found.source.path
    assert found.is_copied(Location(path, 0, 2, 2))
    assert not found.is_copied(Location(path, 0, 14, 14))


def test_nothing_can_be_edited_that_others_lead_to() -> None:
    steps = ((Location("", 0, 0, 3), "called here"),)
    found = one_line(Origin("", 0, PIECES, steps))
    assert not found.is_copied(Location(found.source.path, 0, 12, 14))
    assert found.origin(0).steps == ((Location("a.S", 0, 0, 3), "called here"),)


def test_a_place_of_another_text_stays() -> None:
    where = Location("regs.h", 3, 1, 2)
    assert one_line().to_original(where) == where
    assert one_line().is_copied(where)


def test_later_blocks_count_from_their_first_line() -> None:
    steps = ((Location("", 0, 0, 1), "here"), (Location("code.h", 4, 0, 1), "there"))
    mistakes = (
        Mistake("a-rule", Location("", 0, 0, 1), "wrong"),
        Mistake("a-rule", Location("code.h", 7, 0, 1), "bad"),
    )
    block = LineRun(1, (b"x",), (Origin("", 0, (MappedBytes(0, 1, 0, 0, 1, True),), steps),), mistakes)
    found = Derived(source("a\nb\nc"), (LineRun(2, (b"a", b"b")), block))
    origin = found.origin(2)
    assert origin.line == 2
    assert origin.pieces == (MappedBytes(0, 1, 2, 0, 1, True),)
    assert [(where.path, where.line) for where, _ in origin.steps] == [("a.S", 2), ("code.h", 4)]
    assert [(each.where.path, each.where.line) for each in found.mistakes] == [("a.S", 2), ("code.h", 7)]


def test_lines_of_an_included_file_stay_when_the_block_moves() -> None:
    assert Origin("code.h", 4).moved(9) == Origin("code.h", 4)
    assert Origin("", 4).moved(9) == Origin("", 13)


def test_a_text_as_it_is_written_stands_for_itself() -> None:
    text = source("s_nop 0\ns_endpgm")
    found = as_written(text)
    assert found.is_written
    assert found.source is text
    where = Location("a.S", 1, 2, 4)
    assert found.to_original(where) == where
    assert found.is_copied(where)
    assert found.to_derived(1, 4) == (1, 4)
    assert found.first_derived(1) == 1
    assert not one_line().is_written


def test_a_sentence_names_the_original() -> None:
    found = one_line()
    assert found.source.path != "a.S"
    assert maps.plain(f"as in {found.source.path} above") == "as in a.S above"
