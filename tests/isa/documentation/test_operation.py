"""The tree of an operation has everything that its text says, and refuses what the notation does not know."""

import pytest

from gcn_lsp.isa.documentation.operation import (
    As,
    Assign,
    At,
    Binary,
    Call,
    Choice,
    For,
    Group,
    If,
    Name,
    NotAnOperation,
    Number,
    Type,
    Unary,
    parse,
    text,
)
from tests.isa.documentation.forms import TARGETS, known

D, S0, S1 = Name("D"), Name("S0"), Name("S1")
F32 = Type("f", 32)


@pytest.mark.parametrize("target", TARGETS)
def test_every_operation_is_a_tree_that_prints_the_same(target: str) -> None:
    operations = {found.entry.operation for found in known(target).values()}
    assert [each for each in operations if text(parse(each)) != each] == []


@pytest.mark.parametrize("target", TARGETS)
def test_every_call_has_arguments_of_a_known_type_or_function(target: str) -> None:
    from gcn_lsp.isa.documentation import notation

    for found in known(target).values():
        for call in calls(parse(found.entry.operation)):
            assert call.converts_to is not None or call.function in notation.FUNCTIONS, found.entry.mnemonic


def calls(tree: object) -> "list[Call]":
    """All calls in a tree."""
    if isinstance(tree, tuple | list):
        return [call for each in tree for call in calls(each)]
    fields = getattr(tree, "__struct_fields__", ())
    inner = [call for field in fields for call in calls(getattr(tree, field))]
    return [tree, *inner] if isinstance(tree, Call) else inner


def test_types_and_indices_belong_to_what_is_before_them() -> None:
    (statement,) = parse("D.f32 = S0.f16[1] + S1[7:0]")
    left, right = At(As(S0, Type("f", 16)), Number("1")), At(S1, Number("7"), Number("0"))
    assert statement == Assign(As(D, F32), Binary("+", left, right))


def test_operators_group_by_rank_and_to_the_left() -> None:
    (statement,) = parse("D = S0 - S1 - 1 << 2 & ~S0")
    difference = Binary("-", Binary("-", S0, S1), Number("1"))
    assert statement == Assign(D, Binary("&", Binary("<<", difference, Number("2")), Unary("~", S0)))


def test_a_power_is_tighter_than_a_product() -> None:
    (statement,) = parse("D = 3 * 2 ** S0")
    assert statement == Assign(D, Binary("*", Number("3"), Binary("**", Number("2"), S0)))


def test_a_choice_of_choices_groups_to_the_right() -> None:
    (statement,) = parse("D = S0 ? 1 : S1 ? 2 : (3)")
    assert statement == Assign(D, Choice(S0, Number("1"), Choice(S1, Number("2"), Group(Number("3")))))


def test_else_joins_its_if() -> None:
    (statement,) = parse("if S0 == 0: D = 1\nelse if S1 == 0:\n  D = 2\n  SCC = 1\nelse: D = 3")
    assert isinstance(statement, If)
    tests = [test for test, _ in statement.branches]
    assert tests == [Binary("==", S0, Number("0")), Binary("==", S1, Number("0")), None]
    assert [len(list(body)) for _, body in statement.branches] == [1, 2, 1]


def test_a_loop_rules_the_rest_of_its_line() -> None:
    (statement,) = parse("for i < 4: for j < 2: D[i] = j; SCC = 1")
    assert isinstance(statement, For)
    (inner,) = statement.body
    assert isinstance(inner, For)
    assert len(list(inner.body)) == 2


def test_numbers_keep_their_writing() -> None:
    assert [Number(each).value for each in ("0x10", "16", "0.5")] == [16, 16, 0.5]


@pytest.mark.parametrize(
    "wrong",
    ["D =", "D = (S0", "D = S0)", "D = S0 S1", "else: D = 1", "D = 1\n  D = 2", "D = S0.q32", "if S0 D = 1", "D = @"],
)
def test_other_text_is_refused(wrong: str) -> None:
    with pytest.raises(NotAnOperation):
        parse(wrong)
