"""The names in a statement and what it does with them."""

import pytest

from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.syntax.names import statement_names


def found(text: bytes) -> list[str]:
    return [
        f"{role} {name} {text[start:end].decode()}"
        for statement in parse_line(text).statements
        for role, name, start, end in statement_names(statement)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"loop: s_branch loop", ["label loop loop", "word s_branch s_branch", "use loop loop"]),
        (b"vA = vB + 1", ["assignment vA vA", "use vB vB"]),
        (b".set vA, vB", ["assignment vA vA", "use vB vB"]),
        (b".macro add a, b", ["macro add add"]),
        (b'add x, "y", \\z', ["word add add", "use x x"]),
        (b"s_branch 1b", ["word s_branch s_branch", "use 1b 1b"]),
    ],
)
def test_names(text: bytes, expected: list[str]) -> None:
    assert found(text) == expected
