import pytest

from tests.instruction.support import code_of, problem_of


@pytest.mark.parametrize(
    ("cpu", "line", "rule", "text"),
    [
        ("gfx900", "ds_read_b32 v0, v1 offset:65536", "modifier-out-of-range", "offset:65536"),
        ("gfx900", "flat_load_dword v0, v[2:3] offset:-1", "modifier-out-of-range", "offset:-1"),
        ("gfx900", "global_load_dword v0, v[2:3], off offset:4096", "modifier-out-of-range", "offset:4096"),
        ("gfx900", "s_load_dword s0, s[2:3], 0x100000", "immediate-out-of-range", "0x100000"),
        ("gfx900", "s_buffer_load_dword s0, s[4:7], -4", "immediate-out-of-range", "-4"),
    ],
)
def test_broken(cpu: str, line: str, rule: str, text: str) -> None:
    assert problem_of(line, cpu)[:2] == (rule, text)


@pytest.mark.parametrize(
    ("cpu", "line"),
    [
        ("gfx900", "global_load_dword v0, v[2:3], off offset:-4096"),
    ],
)
def test_right(cpu: str, line: str) -> None:
    assert code_of(line, cpu)


def test_a_range_is_what_the_encoding_holds_and_llvm_takes_more_before_gfx12() -> None:
    line = "buffer_load_dword v0, off, s[4:7], s4 offset:"
    assert "the range for buffer_load_dword is 0 to 4095" in problem_of(line + "65536")[2]
    assert code_of(line + "65535")
