"""Values of which bits get lost without a word of the assembler."""

import pytest

from tests.instruction.support import assemble, code_of


@pytest.mark.parametrize(
    ("cpu", "line", "text", "message"),
    [
        ("gfx900", "buffer_load_dword v1, off, s[4:7], s1 offset:4096", "offset:4096", "becomes 0"),
        ("gfx1100", "tbuffer_load_format_x v1, off, s[4:7], s1 format:4 offset:5000", "offset:5000", "becomes 904"),
        ("gfx900", "s_atc_probe 128, s[4:5], 0x4", "128", "becomes 0"),
        ("gfx900", "s_load_dword s0, s[4:5], 0x6", "0x6", "accesses 4"),
        ("gfx700", "s_nop 8", "8", "3 bits"),
        ("gfx900", "s_nop 16", "16", "becomes 0"),
        ("gfx1200", "s_nop 128", "128", "7 bits"),
        ("gfx900", "s_trap 257", "257", "8 bits"),
        ("gfx1200", "s_trap 16", "16", "4 bits"),
        ("gfx900", "s_sleep 128", "128", "becomes 0"),
        ("gfx900", "s_setprio 4", "4", "becomes 0"),
        ("gfx950", "v_bitop3_b32 v0, v1, v2, v3 bitop3:256", "bitop3:256", "becomes 0"),
        ("gfx900", "v_mov_b32_dpp v0, v1 row_mirror row_mask:0x10", "row_mask:0x10", "becomes 0"),
        ("gfx900", "s_dcache_discard s[4:5], 0x44", "0x44", "all 64 bytes from 64 are discarded"),
        ("gfx1030", "buffer_atomic_add v1, off, s[4:7], s1 dlc", "dlc", "no bit for `dlc` on gfx1030"),
        (
            "gfx1200",
            "s_ceil_f16 s0, 0.3",
            "0.3",
            "a 32-bit float, 0x3e99999a; s_ceil_f16 reads its low 16 bits, 0x999a",
        ),
        ("gfx1200", "s_cmp_lt_f16 s0, -0.3", "-0.3", "0xbe99999a"),
        ("gfx1150", "s_cvt_f32_f16 s0, 0.3", "0.3", "0x999a"),
        ("gfx1100", "v_readlane_b32 s0, v1, 63", "63", "waves of 32 lanes have no lane 63"),
        ("gfx1250", "v_writelane_b32 v1, s0, 32", "32", "takes lane 0"),
        ("gfx900", "v_readlane_b32 s0, v1, 64", "64", "waves of 64 lanes have no lane 64"),
    ],
)
def test_told_beside_the_bytes(cpu: str, line: str, text: str, message: str) -> None:
    instruction = assemble(line, cpu)
    (problem,) = instruction.problems
    assert (problem.rule, line[problem.start : problem.end]) == ("silently-truncated", text)
    assert message in problem.message
    assert instruction.code


@pytest.mark.parametrize(
    ("cpu", "line"),
    [
        ("gfx900", "buffer_load_dword v1, off, s[4:7], s1 offset:4095"),
        ("gfx1200", "buffer_load_dword v1, off, s[4:7], s1 offset:4096"),
        ("gfx900", "s_atc_probe 127, s[4:5], 0x4"),
        ("gfx600", "s_load_dword s0, s[4:5], 0x3"),
        ("gfx900", "s_dcache_discard s[4:5], 0x40"),
        ("gfx1030", "buffer_load_dword v1, off, s[4:7], s1 dlc"),
        ("gfx1030", "buffer_atomic_add v1, off, s[4:7], s1 glc"),
        ("gfx942", "global_atomic_add_f64 v[0:1], v[2:3], off sc1"),
        ("gfx900", "s_load_dword s0, s[4:5], s6 offset:-4"),
        ("gfx1200", "s_load_u8 s0, s[4:5], 0x3"),
        ("gfx900", "s_nop 15"),
        ("gfx900", "v_readlane_b32 s0, v1, 63"),
        ("gfx1100", "v_readlane_b32 s0, v1, 31"),
        ("gfx1100:+wavefrontsize64", "v_readlane_b32 s0, v1, 63"),
        ("gfx1100:+wavefrontsize32,+wavefrontsize64", "v_readlane_b32 s0, v1, 63"),
        ("gfx1100", "v_readlane_b32 s0, v1, -1"),
        ("gfx1100", "v_readlane_b32 s0, v1, m0"),
        ("gfx1100", "v_writelane_b32 v1, 63, s40"),
        ("gfx700", "s_nop 7"),
        ("gfx900", "s_sleep 127"),
        ("gfx900", "v_mov_b32_dpp v0, v1 row_mirror row_mask:0xf bank_mask:0xf"),
        ("gfx900", "s_waitcnt 0xffff"),
        ("gfx900", "s_movk_i32 s0, -1"),
        ("gfx1250", "s_monitor_sleep 0xffff8000"),
        ("gfx1200", "s_ceil_f16 s0, 0.5"),
        ("gfx1200", "s_ceil_f16 s0, 0x34cd"),
        ("gfx1200", "s_ceil_f32 s0, 0.3"),
        ("gfx1200", "s_add_f16 s0, s0, 0.3"),
        ("gfx900", "s_movk_i32 s0, 0xffff"),
        ("gfx900", "global_load_dword v0, v[2:3], off offset:-4096"),
    ],
)
def test_silent(cpu: str, line: str) -> None:
    assert code_of(line, cpu)
    assert not assemble(line, cpu).problems


def test_the_bits_of_a_half_are_offered() -> None:
    (problem,) = assemble("s_cmp_lt_f16 s0, -0.3", "gfx1200").problems
    (fix,) = problem.fixes
    assert (fix.title, fix.new_text) == ("Change to `0xb4cd`", "0xb4cd")
    assert not assemble("s_cmp_lt_f16 s0, 0xb4cd", "gfx1200").problems
