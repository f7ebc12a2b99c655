"""The table of operands, and the place under the cursor that it is made for."""

from gcn_lsp.ide.describe import operand_table
from gcn_lsp.ide.describe.hovered import Hovered
from gcn_lsp.ide.reading import cursors
from gcn_lsp.program import program
from gcn_lsp.text import SourceText

TEXT = """\
.macro MOVE number
  v_mov_b32 v[\\number], 0
.endm
MOVE 1
MOVE 2
label: v_add_f32 v0, s1, v2
s_branch label
"""


def hovered(line: int, column: int) -> Hovered:
    built = program.build(SourceText.from_bytes("k.s", TEXT.encode()), program.Options("gfx90a"))
    return Hovered(built, line, cursors.locate(built.line(line), column))


def table(at: Hovered) -> list[str]:
    assert at.cursor.statement is not None
    return operand_table.describe(at, at.cursor.statement).split("\n")[2:]


def test_a_row_for_each_operand() -> None:
    assert table(hovered(5, 10)) == [
        "| `vdst` (written) | `v0` | `v0` |",
        "| `src0` | `s1` | `s1` |",
        "| `src1` | `v2` | `v2` |",
    ]


def test_the_values_of_all_expansions() -> None:
    at = hovered(1, 5)
    assert [each.operands[0].text for each in at.instructions] == ["v1", "v2"]
    assert table(at)[0] == "| `vdst` (written) | `v[\\number]` | `v1` or `v2` |"


def test_a_branch_has_its_distance() -> None:
    assert table(hovered(6, 3)) == ["| `simm16` | `label` | `.text` + 0x8, 2 dwords before the next instruction |"]


def test_an_operand_under_the_cursor_becomes_one_for_each_expansion() -> None:
    assert [operand.text for operand in hovered(1, 15).resolved()] == ["v1", "v2"]
    assert hovered(1, 5).resolved() == []
    assert (hovered(0, 3).items, hovered(0, 3).form) == ([], None)
