"""The evaluator of expressions, with whole numbers of any size as its policy."""

import time

import pytest

from gcn_lsp.views.c import expressions
from gcn_lsp.views.c.expressions import SHIFT, Expression
from gcn_lsp.views.c.lex import Token, Wrong, tokens


class Exact(Expression[int]):
    def primary(self, token: Token) -> int:
        if not token.text.isdigit():
            self.at -= 1
            self.unexpected()
        return int(token.text)

    def indexed(self, value: int) -> int:
        self.need(b"[")
        value = value * 100 + self.value()
        self.need(b"]")
        return value

    def prefixed(self, operator: Token, value: int) -> int:
        return expressions.prefixed(operator.text, value)

    def combined(self, operator: Token, left: int, right: int, start: int) -> int:
        result = expressions.combined(operator.text, left, right)
        if result is None:
            raise Wrong(self.found[start].start, self.found[self.at - 1].end, "division by zero")
        return result

    def chosen(self, condition: int, first: int, second: int) -> int:
        return first if condition else second


def value(text: str) -> int:
    return Exact(tokens(text.encode())).whole()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("10 - 2 - 3", 5),
        ("-2 - -3", 1),
        ("- ~ ! 0 * 3", 6),
        ("7 / -2 * 10 + 7 % -2", -29),
        ("1 << 2 + 1", 8),
        ("1 | 2 ^ 3 & 2", 1 | 2 ^ 3 & 2),
        ("1 < 2 == 1", 1),
        ("1 || 0 && 0", 1),
        ("1 ? 2 : 3 ? 4 : 5", 2),
        ("0 ? 2 : 0 ? 4 : 5", 5),
        ("1 ? 0 ? 2 : 3 : 4", 3),
        ("(1 ? 2 : 3) + 1", 3),
        ("0 || 1 ? 2 : 3", 2),
        ("2[3] + (1)[2]", 305),
        ("-1[2]", -102),
    ],
)
def test_values(text: str, expected: int) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("1 +", 2, 3),
        ("(1", 1, 2),
        ("1)", 1, 2),
        ("1 ? 2", 4, 5),
        ("1 : 2", 2, 3),
        ("(1 ? 2)", 6, 7),
        ("1 2", 2, 3),
        ("x", 0, 1),
        ("1 + (2 + 3) / 0", 4, 15),
        ("-2 / 0", 0, 6),
    ],
)
def test_the_place_of_a_mistake(text: str, start: int, end: int) -> None:
    with pytest.raises(Wrong) as raised:
        value(text)
    assert (raised.value.start, raised.value.end) == (start, end)


def test_only_the_operators_that_bind_tight() -> None:
    reader = Exact(tokens(b"1 << (2 | 1) & 3"))
    assert reader.value(SHIFT) == 8
    assert reader.text == b"&"


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100_000 + "1" + ")" * 100_000,
        "-" * 100_000 + "1",
        "1?" * 100_000 + "1" + ":1" * 100_000,
        "1?1:" * 100_000 + "1",
        "1|1^1&1==1<1<<1+1*(" * 10_000 + "1" + ")" * 10_000,
        "(" * 100_000,
        "1" + ")" * 100_000,
    ],
)
def test_no_depth_is_too_deep(text: str) -> None:
    found = tokens(text.encode())
    started = time.process_time()
    if text.count("(") == text.count(")"):
        assert Exact(found).whole() in (-1, 0, 1)
    else:
        with pytest.raises(Wrong):
            Exact(found).whole()
    assert time.process_time() - started < 5
