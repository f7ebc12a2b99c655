"""Markdown turned into plain text, piece by piece."""

from gcn_lsp.server.plain_text import plain_text, with_aligned_tables


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


def test_tables_that_are_shown_as_they_are_written_have_columns() -> None:
    table = "| operand | here |\n| --- | --- |\n| `vdst` (written) | `v0` |\n|  | as long as it is |"
    aligned = (
        "| operand        | here |\n"
        "| -------------- | ---------------- |\n"
        "| `vdst` (written) | `v0` |\n"  # as wide as the others without the marks of code
        "|                | as long as it is |"
    )
    assert with_aligned_tables(f"before\n\n{table}\n\nafter") == f"before\n\n{aligned}\n\nafter"


def test_bars_that_are_no_table_stay() -> None:
    for text in ("```text\n| a | b |\n| --- | --- |\n| long | c |\n```", "| a", "|", "| a | b |\n| c | d |"):
        assert with_aligned_tables(text) == text


def test_aligned_tables_mean_the_same() -> None:
    table = "| a | b | c |\n| --- | --- | --- |\n| `x\\|y` |  | z |\n| 1 | 22 | 333 |"
    assert plain_text(with_aligned_tables(table)) == plain_text(table)
