"""The lines of a code object's text, and the bytes, functions and sources that they stand for."""

import pytest

from gcn_lsp.views.view import AddressRun, Further, Origin, SourcePlace, View

LINES = (b".text", b"f:", b"s_nop 0", b"v_add_f32 v0, v0, 0x1234", b"s_endpgm", b".data", b".long 1")
CODE = AddressRun(2, (0, 4, 12, 16), 0x1000, 0x100, is_code=True, symbol="f", symbol_place=0)
DATA = AddressRun(6, (0, 4), 0x2000, 0x200)


class Table:
    """A line of `k.hip` for each instruction but the last."""

    def at(self, address: int) -> SourcePlace | None:
        return SourcePlace("k.hip", address - 0x1000 + 1, 0, "f") if address < 0x100C else None


def view(places: Table | None = None) -> View:
    return View(LINES, "gfx90a", "", (CODE, DATA), places)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (0, None),
        (1, None),
        (2, Origin(0x1000, 0x100, 4, "f", 0)),
        (3, Origin(0x1004, 0x104, 8, "f", 4)),
        (4, Origin(0x100C, 0x10C, 4, "f", 12)),
        (5, None),
        (6, Origin(0x2000, 0x200, 4)),
    ],
)
def test_the_bytes_of_a_line(line: int, expected: Origin | None) -> None:
    assert view().origin(line) == expected


@pytest.mark.parametrize(
    ("address", "line"), [(0xFFF, None), (0x1000, 2), (0x1003, 2), (0x1008, 3), (0x100C, 4), (0x1010, None)]
)
def test_the_line_of_an_address(address: int, line: int | None) -> None:
    assert view().line(address) == line


def test_data_has_no_line_by_its_address() -> None:
    assert view().line(0x2000) is None


def test_the_source_of_an_instruction() -> None:
    found = view(Table())
    assert found.place(3) == SourcePlace("k.hip", 5, 0, "f")
    assert found.place(4) is None
    assert found.place(6) is None
    assert [(line, place.line) for line, place in found.compiled()] == [(2, 1), (3, 5)]


def test_nothing_is_compiled_from_an_unknown_source() -> None:
    assert view().place(3) is None
    assert list(view().compiled()) == []


def test_another_view_of_the_same_file_by_its_name() -> None:
    other = view()
    found = View(LINES, "gfx90a", "", further=(Further("g", lambda: other),))
    assert found.named("g") is other
    assert found.named("h") is None
