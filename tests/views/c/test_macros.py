"""Definitions of macros and their expansion."""

import pytest

from gcn_lsp.views.c import macros
from gcn_lsp.views.c.lex import Wrong, tokens
from gcn_lsp.views.c.macros import Budget, Macro, Unfinished


def defined(*texts: str) -> dict[bytes, Macro]:
    made = [macros.define(tokens(text.encode()), b"") for text in texts]
    return {macro.name: macro for macro in made}


def budget(most: int) -> Budget:
    made = Budget(most)
    made.start_line(most)
    return made


def expanded(text: str, *definitions: str) -> str:
    return " ".join(
        token.said for token in macros.expand(tokens(text.encode()), defined(*definitions), budget(100_000))
    )


@pytest.mark.parametrize(
    ("text", "definitions", "expected"),
    [
        ("A + A", ["A 1 + B", "B A"], "1 + A + 1 + A"),
        ("F(1, (2, 3))", ["F(x, y) y - x"], "( 2 , 3 ) - 1"),
        ("F(a)", ["F(x) x##1 #x"], 'a1 "a"'),
        ("F(1, 2, 3)", ["F(x, ...) x | __VA_ARGS__"], "1 | 2 , 3"),
        ("F(1, 2)", ["F(x, rest...) rest"], "2"),
        ("F", ["F(x) x"], "F"),
        ("F()", ["F() 1"], "1"),
        ("F(A, B)", ["F(x, y) x##y", "A 1", "B 2"], "AB"),
        ("F(, B)", ["F(x, y) x##y", "B 2"], "2"),
        ("F(A)", ["F(x) x + x ##1", "A 1"], "1 + A1"),
        ("F(A)", ["F(x) ## x ##", "A 1"], "## 1 ##"),
    ],
)
def test_expansion(text: str, definitions: list[str], expected: str) -> None:
    assert expanded(text, *definitions) == expected


@pytest.mark.parametrize("text", ["", "1", "defined", "F(a", "F(1)", "F(a b)", "F(..., a)", "F(,)"])
def test_a_definition_that_is_wrong(text: str) -> None:
    with pytest.raises(Wrong):
        defined(text)


def test_a_call_that_goes_on_in_the_next_line() -> None:
    with pytest.raises(Unfinished):
        macros.expand(tokens(b"F(1,"), defined("F(x) x"), budget(10), more=True)
    with pytest.raises(Wrong, match="lacks"):
        macros.expand(tokens(b"F(1,"), defined("F(x) x"), budget(10))


def test_a_budget_ends_an_expansion() -> None:
    bomb = [f"A{number} A{number + 1} A{number + 1}" for number in range(60)]
    with pytest.raises(Wrong, match="too many tokens"):
        expanded("A0", *bomb)


def test_calls_that_nest_too_deep() -> None:
    assert expanded("F(" * 90 + "1" + ")" * 90, "F(x) x") == "1"
    with pytest.raises(Wrong, match="nest more than 100 deep"):
        expanded("F(" * 5000 + "1" + ")" * 5000, "F(x) x")
