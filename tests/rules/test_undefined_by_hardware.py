"""What the assembler takes and the hardware has not."""

import pytest

from tests.asm.support import assemble, code_of

_LOAD = "tbuffer_load_format_x v1, off, s[4:7],"


@pytest.mark.parametrize(
    ("cpu", "line", "text"),
    [
        ("gfx802", "s_store_dword s0, s[4:5], s3", "s3"),
        ("gfx802", "s_buffer_store_dwordx2 s[0:1], s[4:7], s3", "s3"),
        ("gfx1030", "s_clause 0x0", "0x0"),
        ("gfx1030", "s_clause 0x3f", "0x3f"),
        ("gfx1030", "s_clause 0x40", "0x40"),
        ("gfx908", "s_getreg_b32 s0, hwreg(1, 31, 2)", "hwreg(1, 31, 2)"),
        ("gfx1200", "s_setreg_b32 hwreg(HW_REG_MODE, 1, 32), s0", "hwreg(HW_REG_MODE, 1, 32)"),
        ("gfx900", f"{_LOAD} s1 format:[BUF_DATA_FORMAT_8,BUF_NUM_FORMAT_FLOAT]", "format"),
        ("gfx900", f"{_LOAD} s1 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_UNORM]", "format"),
        ("gfx900", "tbuffer_load_format_x v1, off, s[4:7], dfmt:15, nfmt:2, s1", "dfmt"),
        ("gfx900", "tbuffer_load_format_x v1, off, s[4:7], dfmt:4, nfmt:6, s1", "dfmt"),
        ("gfx900", "tbuffer_store_format_x v1, off, s[4:7], dfmt:1, nfmt:2, s1", "dfmt"),
        ("gfx1100", "tbuffer_load_format_x v1, off, s[4:7], s1 format:64", "format:64"),
    ],
)
def test_told_beside_the_bytes(cpu: str, line: str, text: str) -> None:
    instruction = assemble(line, cpu)
    (problem,) = instruction.problems
    assert problem.rule == "undefined-by-hardware"
    assert line[problem.start : problem.end].startswith(text)
    assert instruction.code


@pytest.mark.parametrize(
    ("cpu", "line"),
    [
        ("gfx802", "s_store_dword s0, s[4:5], m0"),
        ("gfx802", "s_store_dword s0, s[4:5], 0x10"),
        ("gfx802", "s_load_dword s0, s[4:5], s3"),
        ("gfx900", "s_store_dword s0, s[4:5], s3"),
        ("gfx1030", "s_clause 0x1"),
        ("gfx1030", "s_clause 0x3e"),
        ("gfx908", "s_getreg_b32 s0, hwreg(1, 0, 32)"),
        ("gfx908", "s_getreg_b32 s0, hwreg(1, 28, 4)"),
        ("gfx900", "tbuffer_load_format_x v1, off, s[4:7], s1 format:[BUF_DATA_FORMAT_16,BUF_NUM_FORMAT_FLOAT]"),
        ("gfx900", "tbuffer_load_format_x v1, off, s[4:7], dfmt:1, nfmt:2, s1"),
        ("gfx700", "tbuffer_load_format_x v1, off, s[4:7], dfmt:1, nfmt:6, s1"),
        ("gfx1100", "tbuffer_load_format_x v1, off, s[4:7], s1 format:63"),
        ("gfx900", "tbuffer_load_format_x v1, off, s[4:7], s1"),
    ],
)
def test_silent(cpu: str, line: str) -> None:
    assert code_of(line, cpu)
    assert not assemble(line, cpu).problems
