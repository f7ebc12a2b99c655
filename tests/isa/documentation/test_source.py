"""The form of the documentation sources: patterns, choices, shared fields, and what is wrong in them."""

import pytest

from gcn_lsp.isa.documentation import source


def check_names(text: str, expected: dict[str, list[tuple[str, str]]]) -> None:
    """`text` documents exactly the names of `expected`, with these fields."""
    parsed = source.parse(text, "test.txt")
    assert {name: list(parsed.fields(block, binding)) for name, block, binding in parsed.names()} == expected


def read_all(text: str) -> None:
    """Expand every entry of `text`."""
    parsed = source.parse(text, "test.txt")
    for _, block, binding in parsed.names():
        list(parsed.fields(block, binding))


def test_plain_entry() -> None:
    check_names("s_nop\n  summary Waits.\n", {"s_nop": [("summary", "Waits.")]})


def test_several_patterns_share_their_fields() -> None:
    check_names("a b\n  summary Same.\n", {"a": [("summary", "Same.")], "b": [("summary", "Same.")]})


def test_values_on_the_spot() -> None:
    check_names("bit<v=0|1>\n  op D = {v}\n", {"bit0": [("op", "D = 0")], "bit1": [("op", "D = 1")]})


def test_choice_rows_and_columns() -> None:
    text = "choice cond  word\n  eq  equal\n  lt  less\ncmp_<cond>\n  summary Is {cond.word} ({cond}).\n"
    check_names(text, {"cmp_eq": [("summary", "Is equal (eq).")], "cmp_lt": [("summary", "Is less (lt).")]})


def test_renamed_subset_of_a_choice() -> None:
    text = "choice int  bits\n  u32  32\n  u64  64\nadd_<t=int:u64>\n  summary {t.bits} bits.\n"
    check_names(text, {"add_u64": [("summary", "64 bits.")]})


def test_empty_row_stands_for_nothing_in_the_name() -> None:
    text = "choice size  bits\n  -  32\n  _x2  64\nadd<size>\n  summary {size.bits} bits.\n"
    check_names(text, {"add": [("summary", "32 bits.")], "add_x2": [("summary", "64 bits.")]})


def test_column_may_use_other_parameters() -> None:
    text = "choice f  does\n  add  Adds {t}\n<f>_<t=u8|u16>\n  summary {f.does}.\n"
    check_names(text, {"add_u8": [("summary", "Adds u8.")], "add_u16": [("summary", "Adds u16.")]})


def test_empty_field_is_left_out() -> None:
    text = "choice f  note\n  a  -\n  b  Odd.\n<f>\n  note {f.note}\n"
    check_names(text, {"a": [], "b": [("note", "Odd.")]})


def test_shared_fields_stand_where_they_are_used() -> None:
    text = "a\n  note 1.\n  use both\n  note 4.\nshared both\n  note 2.\n  note 3.\n"
    check_names(text, {"a": [("note", "1."), ("note", "2."), ("note", "3."), ("note", "4.")]})


def test_shared_name_from_a_parameter() -> None:
    text = "choice g  rule\n  x  more\n  y  -\nshared more\n  note More.\n<g>\n  use {g.rule}\n"
    check_names(text, {"x": [("note", "More.")], "y": []})


def test_operation_keeps_its_indentation() -> None:
    check_names("a\n  op if x:\n  op   y\n", {"a": [("op", "if x:"), ("op", "  y")]})


def test_gap_left_by_an_empty_parameter_closes() -> None:
    text = "choice f  how\n  a  -\n<f>\n  summary Adds {f.how} , twice.\n"
    check_names(text, {"a": [("summary", "Adds, twice.")]})


def test_base_lends_choices_and_shared_fields() -> None:
    base = source.parse("choice t  bits\n  u8  8\nshared s\n  note {t.bits}.\n", "base.txt")
    parsed = source.parse("family Bytes\nx_<t>\n  use s\n", "test.txt", base)
    ((name, block, binding),) = parsed.names()
    assert (name, block.family, list(parsed.fields(block, binding))) == ("x_u8", "Bytes", [("note", "8.")])


def test_name_from_a_column() -> None:
    text = "choice op  new\n  swap  swap_b\n  add  add_u\nx_<op@new:add>32\n  op {op}\n"
    check_names(text, {"x_add_u32": [("op", "add")]})


def test_number_alone_is_a_value() -> None:
    check_names("x<k=4>\n  op {k}\n", {"x4": [("op", "4")]})


def test_fields_of_a_family_come_last() -> None:
    text = "family Some\n  source A book.\na\n  note 1.\n"
    check_names(text, {"a": [("note", "1."), ("source", "A book.")]})


def test_field_with_a_condition() -> None:
    text = "a\n  note[gfx9] Old.\n  note[gfx10+] New.\n  use[gfx10+ !gfx1250] more\nshared more\n  note More.\n"
    parsed = source.parse(text, "test.txt")
    ((_, block, binding),) = parsed.names()

    def told(target: str | None) -> list[str]:
        return [sentence for _, sentence in parsed.fields(block, binding, target)]

    assert told("gfx900") == ["Old."]
    assert told("gfx1100") == ["New.", "More."]
    assert told("gfx1250") == ["New."]
    assert told(None) == ["Old.", "New.", "More."]


def test_block_with_a_condition() -> None:
    parsed = source.parse("a b [gfx6-8 gfx90a]\n  note 1.\n", "test.txt")
    assert [(name, block.condition) for name, block, _ in parsed.names()] == [
        ("a", "gfx6-8 gfx90a"),
        ("b", "gfx6-8 gfx90a"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("  summary Lost.\n", "test.txt:1: a field before any entry"),
        ("a_<cond>\n", "test.txt:1: there is no choice 'cond'"),
        ("choice c  w\n  x  y\na_<c:z>\n", "test.txt:3: the choice 'c' has no row 'z'"),
        ("choice c  w\n  x  y  z\n", "test.txt:1: row 'x' has 2 columns instead of 1"),
        ("choice c  w\n  x  y\n  x  z\n", "test.txt:1: row 'x' is there twice"),
        ("a\n  use nothing\n", "test.txt:1: nothing shared is called 'nothing'"),
        ("a\n  note[gpu] Text.\n", "test.txt:1: gpu is not a target, a range of generations or an exclusion"),
        ("choice c  w\n  x  y\na_<c@z>\n", "test.txt:3: there is no column 'z'"),
        ("# comment\na\n  summary {x.y}\n", "test.txt:2: {x.y} is not known here"),
    ],
)
def test_mistake_is_reported_with_its_place(text: str, message: str) -> None:
    with pytest.raises(source.SourceError) as caught:
        read_all(text)
    assert str(caught.value) == message
