"""Constant expressions of C in operands: values, and names that only the build knows."""

import pytest

from gcn_lsp.views.inline import constants


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4", (4, "")),
        ("0x10u + 010", (24, "")),
        ("(int)(3) * static_cast<unsigned int>(2)", (6, "")),
        ("-7 / 2", (-3, "")),
        ("1 << 4 | 1", (17, "")),
        ("1 << 64", (0, "1 << 64")),
        ("1 / 0", (0, "1 / 0")),
        ("N", (5, "")),
        ("N > 4 ? 2 : M", (2, "")),
        ("M", (0, "M")),
        ("M + 2 - 1", (1, "M")),
        ("ns::M + 1", (1, "ns__M")),
        ("M * 2", (0, "M * 2")),
        ("M + M", (0, "M + M")),
        ("f(1)", (0, "f(1)")),
        ("a.b", (0, "a.b")),
        ("'a' + 1", (98, "")),
        ("true", (1, "")),
        ("4 // four\n + 1", (5, "")),
        ("1'000", (1000, "")),
        ("", (0, "?")),
        ("1 << 63 << 63", (0, "1 << 63 << 63")),
    ],
)
def test_constants(text: str, expected: tuple[int, str]) -> None:
    assert constants.evaluate(text, {"N": 5}.get) == expected


def test_deep_parentheses_raise_nothing() -> None:
    assert constants.evaluate("(" * 150 + "1" + ")" * 150) == (1, "")
