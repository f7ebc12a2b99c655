"""A symbol for a register: where it is offered, what it renames, and where it is defined."""

import pytest

from gcn_lsp.ide import refactor
from tests.support import check, fixture


def titles(text: str, target: str = "gfx900") -> list[str]:
    parsed = fixture.parse(text)
    (cursor,) = [cursor for file in parsed.files for cursor in file.cursors]
    selection = refactor.Selection(cursor.line, cursor.column, cursor.line, cursor.column)
    found = refactor.refactorings(check.build(parsed, target), selection)
    return [each.title for each in found if each.title.startswith("Introduce")]


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("v_mov_b32 v$05, v1", "v5"),
        ("v_mov_b32 v5, v$01", "v1"),
        ("v_mov_b32 $0v5, v1", "v5"),
        ("v_add_f32 v5, -v$01, v2", "v1"),
        ("v_add_f32 v5, |v$01|, v2", "v1"),
        ("s_mov_b64 s[2$0:3], 0", "s[2:3]"),
    ],
)
def test_it_is_offered_at_a_register(line: str, title: str) -> None:
    assert titles(line) == [f"Introduce a symbol for {title}"]


@pytest.mark.parametrize(
    "line",
    [
        "v_mov$0_b32 v5, v1",
        "v_mov_b32 v5, 1$02",
        "v_mov_b32 vc$0c_lo, v1",
        "; v$05",
        ".set x, 1\nv_mov_b32 v[x$0], v1",
        "v_mov_b32 v[2+$03], v1",
        ".macro m\nv_mov_b32 v$05, v1\n.endm\nm",
        "$0",
    ],
)
def test_it_is_not_offered_elsewhere(line: str) -> None:
    assert titles(line) == []


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("v_mov_b32 v0, 0\nv_add_f32 v$05, v5, v1", (2, len("v_add_f32 v["))),
        ("v_mov_b32 v0, 0\nv_add_f32 v5, v$05, v1", (2, len("v_add_f32 v[v_5], v["))),
        ("v_mov_b32 v0, 0\n  s_mov_b64 s[2:3$0], 0", (2, len("  s_mov_b64 s["))),
    ],
)
def test_it_is_renamed_at_the_register_that_was_selected(text: str, named: tuple[int, int]) -> None:
    parsed = fixture.parse(text)
    (cursor,) = [cursor for file in parsed.files for cursor in file.cursors]
    selection = refactor.Selection(cursor.line, cursor.column, cursor.line, cursor.column)
    found = refactor.refactorings(check.build(parsed, "gfx900"), selection)
    assert [each.named_at for each in found if each.title.startswith("Introduce")] == [named]


@pytest.mark.parametrize(
    ("above", "line"),
    [
        ("", 0),  # of the label, which is the first line of its function
        (".set a, 1\nb = 2\n; a kernel\n", 2),
        (".macro m\n.set a, 1\n.endm\n", 3),
    ],
)
def test_its_definition_is_with_those_of_the_file(above: str, line: int) -> None:
    text = f"{above}k:\n  v_mov_b32 v$05, v1\n  s_endpgm\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr 8\n"
    parsed = fixture.parse(text + ".amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n")
    selection = refactor.Selection(parsed.cursor.line, parsed.cursor.column, parsed.cursor.line, parsed.cursor.column)
    found = refactor.refactorings(check.build(parsed, "gfx900"), selection)
    (offer,) = (each for each in found if each.title.startswith("Introduce"))
    definition = next(edit for edit in offer.edits if edit.text.startswith(".set"))
    assert (definition.first, definition.start) == (line, 0)
