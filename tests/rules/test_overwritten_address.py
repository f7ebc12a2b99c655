"""Rule `overwritten-address`."""

import pytest

from tests.instruction.support import assemble, code_of, problem_of


@pytest.mark.parametrize(
    ("cpu", "line", "text"),
    [
        ("gfx90a", "s_load_dwordx2 s[4:5], s[4:5], 0x0", "s[4:5]"),
        ("gfx900", "s_buffer_load_dwordx2 s[6:7], s[4:7], 0x0", "s[6:7]"),
        ("gfx900", "s_load_dwordx4 s[0:3], s[2:3], 0x0", "s[0:3]"),
    ],
)
def test_told_beside_the_bytes(cpu: str, line: str, text: str) -> None:
    rule, place, _ = problem_of(line, cpu)
    assert (rule, place) == ("overwritten-address", text)
    assert assemble(line, cpu).code


def test_a_warning_where_accesses_are_replayed() -> None:
    line = "s_load_dwordx4 s[0:3], s[2:3], 0x0"
    rule, place, _ = problem_of(line, "gfx900:+xnack")
    assert (rule, place) == ("unreplayable-clause", "s[0:3]")
    assert assemble(line, "gfx900:+xnack").code


@pytest.mark.parametrize(
    ("cpu", "line"),
    [
        ("gfx90a", "s_load_dwordx2 s[6:7], s[4:5], 0x0"),
        ("gfx90a", "s_load_dword s4, s[4:5], 0x0"),
        ("gfx90a:-xnack", "s_load_dwordx2 s[4:5], s[4:5], 0x0"),
        ("gfx1030", "s_load_dwordx2 s[4:5], s[4:5], 0x0"),
    ],
)
def test_silent(cpu: str, line: str) -> None:
    assert code_of(line, cpu)
    assert not assemble(line, cpu).problems
