"""Rule `scalar-offset-register`."""

import pytest

from tests.instruction.support import assemble, code_of, problem_of


@pytest.mark.parametrize(
    ("cpu", "line", "text"),
    [("gfx900", "s_store_dword s0, s[4:5], s3", "s3"), ("gfx1010", "s_buffer_atomic_add s0, s[4:7], s3 glc", "s3")],
)
def test_told_beside_the_bytes(cpu: str, line: str, text: str) -> None:
    rule, place, _ = problem_of(line, cpu)
    assert (rule, place) == ("scalar-offset-register", text)
    assert assemble(line, cpu).code


@pytest.mark.parametrize(
    ("cpu", "line"),
    [
        ("gfx900", "s_store_dword s0, s[4:5], m0"),
        ("gfx900", "s_atomic_add s0, s[4:5], 0x8"),
        ("gfx900", "s_load_dword s0, s[4:5], s3"),
        ("gfx1250", "s_prefetch_data s[0:1], 0x0, null, 0"),
    ],
)
def test_silent(cpu: str, line: str) -> None:
    assert code_of(line, cpu)
    assert not assemble(line, cpu).problems
