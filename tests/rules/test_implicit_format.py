"""Rule `implicit-format`."""

import pytest

from tests.instruction.support import assemble, code_of, problem_of


@pytest.mark.parametrize(
    ("cpu", "line", "text"),
    [
        ("gfx900", "tbuffer_load_format_x v1, off, s[4:7], s1", "tbuffer_load_format_x"),
        ("gfx1100", "tbuffer_store_format_xy v[1:2], v0, s[4:7], 0 offen", "tbuffer_store_format_xy"),
    ],
)
def test_told_beside_the_bytes(cpu: str, line: str, text: str) -> None:
    rule, place, _ = problem_of(line, cpu)
    assert (rule, place) == ("implicit-format", text)
    assert assemble(line, cpu).code


@pytest.mark.parametrize(
    ("cpu", "line"),
    [
        ("gfx900", "tbuffer_load_format_x v1, off, s[4:7], dfmt:4, nfmt:7, s1"),
        ("gfx1100", "tbuffer_load_format_x v1, off, s[4:7], s1 format:1"),
        ("gfx900", "buffer_load_format_x v1, off, s[4:7], s1"),
    ],
)
def test_silent(cpu: str, line: str) -> None:
    assert code_of(line, cpu)
    assert not assemble(line, cpu).problems
