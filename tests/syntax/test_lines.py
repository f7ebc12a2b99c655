"""Cutting a line into statements and its comment."""

import pytest

from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.syntax.statement import StatementKind


def shape(text: bytes) -> list[tuple[str, str, bytes]]:
    return [(statement.kind.value, statement.name, statement.rest) for statement in parse_line(text).statements]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"", []),
        (b"   ; nothing", []),
        (b"# 1 \"kernel.s\"", []),
        (b"s_endpgm", [("command", "s_endpgm", b"")]),
        (b"  V_ADD_F32 v0, v1, v2 // sum", [("command", "V_ADD_F32", b"v0, v1, v2")]),
        (b"loop: s_nop 0", [("label", "loop", b""), ("command", "s_nop", b"0")]),
        (b"1: 2: s_branch 1b", [("label", "1", b""), ("label", "2", b""), ("command", "s_branch", b"1b")]),
        (b'"odd name": s_nop 0', [("label", "odd name", b""), ("command", "s_nop", b"0")]),
        (b"a = 1", [("assignment", "a", b" 1")]),
        (b"a == 1", [("assignment", "a", b" 1")]),
        (b".set a, 1", [("command", ".set", b"a, 1")]),
        (b".ascii \"; not // a /* comment\" ; one", [("command", ".ascii", b'"; not // a /* comment"')]),
        (b"s_nop /* three */ 3", [("command", "s_nop", b"3")]),
        (b"v_dual_add v0, v1 :: v_dual_mov v2, v3", [("command", "v_dual_add", b"v0, v1 :: v_dual_mov v2, v3")]),
        (b"s_mov_b32{s0", [("command", "s_mov_b32", b"{s0")]),
        (b"a\\b: s_nop )", [("label", "a\\b", b""), ("command", "s_nop", b")")]),
        (b"\\name\\()_x: s_nop \\count", [("label", "\\name\\()_x", b""), ("command", "s_nop", b"\\count")]),
    ],
)  # fmt: skip
def test_statements(text: bytes, expected: list[tuple[str, str, bytes]]) -> None:
    assert shape(text) == expected


def test_what_starts_no_statement_is_malformed() -> None:
    (statement,) = parse_line(b"  ) s_nop 0").statements
    assert (statement.kind, statement.start) == (StatementKind.MALFORMED, 2)


def test_columns_count_from_the_start_of_the_line() -> None:
    (statement,) = parse_line(b"\ts_mov_b32  s0, /* x */ 1 ; end").statements
    assert (statement.name_start, statement.name_end, statement.rest_start) == (1, 10, 12)
    assert statement.line[statement.rest_start : statement.end] == b"s0,         1"


def test_block_comment_over_lines() -> None:
    first = parse_line(b"s_nop 0 /* begins")
    assert first.comment_open
    assert [statement.name for statement in first.statements] == ["s_nop"]
    middle = parse_line(b"s_nop 1 ; still inside", True)
    assert middle.comment_open
    assert not middle.statements
    last = parse_line(b"ends */ s_nop 2", True)
    assert not last.comment_open
    assert last.statements[0].rest == b"2"


def test_the_same_text_is_parsed_once() -> None:
    assert parse_line(b"s_nop 7") is parse_line(b"s_nop 7")


def test_a_comment_before_an_error_is_not_a_word() -> None:
    (statement,) = parse_line(b"/* */ .macro m a .rept 3").statements
    assert (statement.kind, statement.word, statement.name_start) == (StatementKind.COMMAND, ".macro", 6)


def test_lines_that_differ_in_a_comment_at_the_end_share_their_statement() -> None:
    one, other = (parse_line(f"  v_mov_b32 v0, v1   // {address}".encode()) for address in ("000000C8", "000000D0"))
    assert one.statements[0] is other.statements[0]
    assert (one.text, one.comment_start) != (other.text, None)
    assert other.text.endswith(b"D0")
    assert parse_line(b"  v_mov_b32 v0, v1 /* x */ ; y").statements[0].rest == b"v0, v1"
    assert parse_line(b"// only").statements == parse_line(b"; only").statements == ()
