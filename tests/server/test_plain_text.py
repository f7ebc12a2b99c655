"""Markdown turned into plain text, piece by piece."""

from gcn_lsp.server.plain_text import plain_text


def test_marks_are_dropped() -> None:
    assert plain_text("# `v_add` **adds**\n\nsee [here](x.md), `` a`b ``") == "v_add adds\n\nsee here, a`b"


def test_code_stays_as_it_is() -> None:
    assert plain_text("```text\n| a | `b` **c**\n```\n\nend") == "| a | `b` **c**\n\nend"
    assert plain_text("`**x**`") == "**x**"


def test_tables_become_columns() -> None:
    table = "| operand | here |\n| --- | --- |\n| `vdst` | `v0` |\n| `a\\|b` |  |"
    assert plain_text(f"before\n\n{table}\n\nafter") == ("before\n\noperand  here\nvdst     v0\na|b\n\nafter")


def test_lists_and_text_without_marks_stay() -> None:
    assert plain_text("- one\n- 2 * 3") == "- one\n- 2 * 3"
    assert plain_text("") == ""


def test_a_rule_is_a_line() -> None:
    assert plain_text("one\n\n---\n\ntwo") == f"one\n\n{'-' * 40}\n\ntwo"
