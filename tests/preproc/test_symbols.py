"""Values of symbols: assignments, expressions without a value yet, and what has no value at all."""

import pytest

from gcn_lsp.preproc import symbols
from tests.preproc.recorder import run, texts


def reported(text: str) -> list[str]:
    recorder, _ = run(text)
    return [rule for rule, _ in recorder.problems]


def chosen(text: str, condition: str) -> bool:
    return texts(f"{text}\n.if {condition}\nyes\n.else\nno\n.endif")[-1] == "yes"


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        (".set a, 2\n.set a, a+1", "a == 3"),
        ("a = 5", "a == 5"),
        (".equ a, 1\n.equ a, 2", "a == 2"),
        (".equiv a, 7", "a == 7"),
        ('.set "a", 4', "a == 4"),
        (".set a, b+1\n.set b, 2", "a == 3"),
        (".set a, b+1\n.set b, c+1\n.set c, 1", "a == 3"),
        (".set a, 1 ; comment", "a == 1"),
    ],
)
def test_the_value_of_a_symbol(text: str, condition: str) -> None:
    assert chosen(text, condition)


def test_a_later_value_counts_once_it_is_known() -> None:
    # As in LLVM, `a` keeps the value that it had when it was first needed.
    assert chosen(".set a, b\n.set b, 1\n.if a\n.endif\n.set b, 2", "a == 1")


@pytest.mark.parametrize("text", [".equiv a, 1\n.equiv a, 2", ".equiv a, 1\n.set a, 2", ".set a, 1\n.equiv a, 1"])
def test_a_fixed_symbol_keeps_its_value(text: str) -> None:
    assert reported(text) == ["symbol-redefined"]


@pytest.mark.parametrize("text", [".set a", ".set 1, 2", ".set , 2", ".equ"])
def test_an_assignment_needs_a_name_a_comma_and_a_value(text: str) -> None:
    assert reported(text) == ["malformed-directive"]


def test_a_value_that_cannot_be_read_is_one_problem() -> None:
    assert reported(".set a, 1+\n.if a\n.endif") == ["invalid-expression"]


def test_a_division_by_zero_has_no_value() -> None:
    assert reported(".set a, 1/0") == ["invalid-expression"]


@pytest.mark.parametrize("length", [symbols.MAX_DEFERRED_DEPTH // 2, 40])
def test_a_chain_that_is_too_long_has_no_value(length: int) -> None:
    chain = "\n".join(f".set a{n}, a{n + 1}" for n in range(length))
    recorder, _ = run(f"{chain}\n.set a{length}, 1\n.if a0 == 1\nyes\n.endif")
    assert recorder.problems == []
    assert ("yes" in recorder.texts) == (length < symbols.MAX_DEFERRED_DEPTH)
