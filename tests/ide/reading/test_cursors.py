"""Which word, statement, operand and node a column is in."""

import pytest

from gcn_lsp.ide.reading import cursors
from gcn_lsp.syntax import nodes
from gcn_lsp.syntax.lines import parse_line


def locate(marked: str) -> cursors.Cursor:
    before, after = marked.split("$0")
    return cursors.locate(parse_line((before + after).encode()), len(before.encode()))


@pytest.mark.parametrize(
    ("marked", "word"),
    [
        ("v_mov_b32 v0, my_sym$0bol", "my_symbol"),
        ("v_mov_b32 v0, my_symbol$0", "my_symbol"),
        ("v_mov_b32 v0, $0my_symbol", "my_symbol"),
        ("  .amd$0hsa_kernel x", ".amdhsa_kernel"),
        ("v_mov_b32 v[\\base$0+1], 0", "\\base"),
        ("v_mov_b32 \\$0a\\b, 0", "\\a"),
        ("v_mov_b32 \\a\\b$0, 0", "\\b"),
        ("v_mov_b32 v0 $0 , 0", ""),
        ("; é wörd$0", "rd"),
    ],
)
def test_word(marked: str, word: str) -> None:
    assert locate(marked).word.text == word


@pytest.mark.parametrize(
    ("marked", "place", "index"),
    [
        ("v_m$0ov_b32 v0, v1", "name", None),
        ("v_mov_b32 v$00, v1", "operands", 0),
        ("v_mov_b32 v0,$0 v1", "operands", None),
        ("v_mov_b32 v0, v1$0", "operands", 1),
        ("v_mov_b32 v0,|v$01|", "operands", 1),
        ("v_mov_b32 v0,$0|v1|", "operands", 1),
        ("v_mov_b32 v0, v1 ; com$0ment", "comment", None),
        ("/* x$0 */ v_mov_b32 v0, v1", "comment", None),
        ("/* x */ v_mov$0_b32 v0, v1", "name", None),
        ("/* x */ v_mov_b32 v$00, v1", "operands", 0),
        ("v_mov_b32 v0, /* $0x */ v1", "comment", None),
        ("lab$0el: s_endpgm", "name", None),
        ("label: s_end$0pgm", "name", None),
        ("sym$0 = 3", "name", None),
        ("  $0", "blank", None),
    ],
)
def test_place(marked: str, place: str, index: int | None) -> None:
    found = locate(marked)
    assert (found.place, found.index) == (place, index)


def test_path_leads_to_the_innermost_node() -> None:
    found = locate("v_mov_b32 v0, v[ba$0se+1]")
    assert [type(node) for node in found.path] == [nodes.Index, nodes.Binary, nodes.Name]


def test_modifier_value_is_a_node_of_its_own() -> None:
    found = locate("ds_read_b32 v0, v1 offset:of$0f+4")
    assert [type(node) for node in found.path] == [nodes.Modifier, nodes.Binary, nodes.Name]


def test_second_statement_of_the_line() -> None:
    found = locate("start: v_mov_b32 v0, v$01")
    assert found.statement is not None
    assert found.statement.name == "v_mov_b32"
