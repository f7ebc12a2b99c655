"""Rule `overwritten-address`."""

import pytest

from tests.instruction.support import assemble, code_of, problem_of


@pytest.mark.parametrize(
    ("cpu", "line", "text"),
    [
        ("gfx90a", "s_load_dwordx2 s[4:5], s[4:5], 0x4", "s[4:5]"),
        ("gfx90a", "s_load_dwordx8 s[0:7], s[4:5], 0x20", "s[0:7]"),
        ("gfx900", "s_buffer_load_dwordx2 s[6:7], s[4:7], 0xc", "s[6:7]"),
        ("gfx900", "s_load_dwordx4 s[0:3], s[2:3], 0x8", "s[0:3]"),
    ],
)
def test_told_beside_the_bytes(cpu: str, line: str, text: str) -> None:
    rule, place, _ = problem_of(line, cpu)
    assert (rule, place) == ("overwritten-address", text)
    assert assemble(line, cpu).code


def test_a_warning_where_accesses_are_replayed() -> None:
    line = "s_load_dwordx4 s[0:3], s[2:3], 0x8"
    rule, place, _ = problem_of(line, "gfx900:+xnack")
    assert (rule, place) == ("unreplayable-clause", "s[0:3]")
    assert assemble(line, "gfx900:+xnack").code
    rule, place, _ = problem_of("s_load_b96 s[0:2], s[0:1], 0x8", "gfx1250")
    assert (rule, place) == ("unreplayable-clause", "s[0:2]")


@pytest.mark.parametrize(
    ("cpu", "line"),
    [
        ("gfx90a", "s_load_dwordx2 s[6:7], s[4:5], 0x0"),
        ("gfx90a", "s_load_dword s4, s[4:5], 0x0"),
        ("gfx90a:-xnack", "s_load_dwordx2 s[4:5], s[4:5], 0x4"),
        ("gfx1030", "s_load_dwordx2 s[4:5], s[4:5], 0x4"),
        ("gfx90a:+xnack", "s_load_dwordx2 s[4:5], s[4:5], 0x8"),
        ("gfx90a:+xnack", "s_load_dwordx4 s[4:7], s[4:5], 0x10"),
        ("gfx1250", "s_load_b96 s[0:2], s[0:1], 0x10"),
    ],
)
def test_silent(cpu: str, line: str) -> None:
    assert code_of(line, cpu)
    assert not assemble(line, cpu).problems
