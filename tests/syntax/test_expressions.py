"""Values of expressions; every expectation was checked with LLVM's assembler."""

import pytest

from gcn_lsp.syntax import operands
from gcn_lsp.syntax.expressions import Address, MissingSymbol, Unresolved, Value, evaluate

SYMBOLS: "dict[str, int | Address | MissingSymbol]" = {
    "two": 2,
    "start": Address(".text", 8),
    "stop": Address(".text", 24),
    "elsewhere": Address(".data", 0),
    "build": MissingSymbol(True),
    "late": MissingSymbol(True, ("elsewhere",)),
}


def value(text: str) -> Value:
    data = text.encode()
    node = operands.parse_expression(data, 0, len(data))
    return evaluate(node, lambda name: SYMBOLS.get(name, MissingSymbol(False)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + two * 3", 7),
        ("2 == 2", -1),
        ("2 != 2", 0),
        ("1 && 2", 1),
        ("0 || 0", 0),
        ("-8 >> 1", 0x7FFF_FFFF_FFFF_FFFC),
        ("1 << 64", 1),
        ("5 / -2", -2),
        ("-5 % 3", -2),
        ("~0", -1),
        ("!7", 0),
        ("0xffffffffffffffff", -1),
        ("max(1, two, 0)", 2),
        ("alignto(9, 8)", 16),
        ("stop - start", 16),
        ("start + 4", Address(".text", 12)),
    ],
)
def test_values(text: str, expected: Value) -> None:
    assert value(text) == expected


def test_missing_names_are_told() -> None:
    assert value("one + other") == Unresolved(("one", "other"))
    assert value("build + 1") == Unresolved((), unknown=True)
    assert value("late + 1") == Unresolved(("elsewhere",), unknown=True)


@pytest.mark.parametrize("text", ["1 / 0", "1 % 0", "start + stop", "stop - elsewhere", "start * 2", "nothing(1)"])
def test_what_has_no_value_says_why(text: str) -> None:
    result = value(text)
    assert isinstance(result, Unresolved)
    assert result.message
