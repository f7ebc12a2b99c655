"""Functions that change registers which their caller keeps values in."""

import pytest

from tests.support.check import check_no_finding, findings

RULE = "unsaved-register"
HEAD = ".globl f\n.type f,@function\nf:\ns_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)\n"
RETURN = "s_setpc_b64 s[30:31]\n"


@pytest.mark.parametrize(
    ("target", "text", "names"),
    [
        ("gfx900", f"{HEAD}v_mov_b32 v40, 0\nv_mov_b32 v40, 1\n{RETURN}", ["v40"]),
        ("gfx900", f"{HEAD}s_mov_b64 s[34:35], 0\n{RETURN}", ["s[34:35]"]),
        ("gfx90a", f"{HEAD}v_accvgpr_write_b32 a40, v0\n{RETURN}", ["a40"]),
        ("gfx1100", f"{HEAD}s_cbranch_scc0 l\nv_mov_b32 v56, 0\nl:\nv_mov_b32 v72, 0\n{RETURN}", ["v56", "v72"]),
    ],
)
def test_found(target: str, text: str, names: list[str]) -> None:
    found = [each for each in findings(f"//- k.s target:{target}\n{text}") if each.rule == RULE]
    assert [each.message.split("`")[3] for each in found] == names


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("gfx900", f"{HEAD}v_mov_b32 v1, v40\nv_mov_b32 v40, 0\nv_mov_b32 v40, v1\n{RETURN}"),
        ("gfx900", f"{HEAD}buffer_store_dword v40, off, s[0:3], s32\nv_mov_b32 v40, 0\n{RETURN}"),
        ("gfx900", f"{HEAD}v_writelane_b32 v1, s34, 0\ns_mov_b32 s34, 0\n{RETURN}"),
        ("gfx900", f"{HEAD}v_mov_b32 v39, 0\nv_mov_b32 v48, 0\ns_mov_b32 s30, s30\ns_mov_b32 s40, 0\n{RETURN}"),
        ("gfx908", f"{HEAD}v_accvgpr_write_b32 a40, v0\n{RETURN}"),
        ("gfx900", f"{HEAD.removeprefix('.globl f')}v_mov_b32 v40, 0\n{RETURN}"),  # only this file calls it
        ("gfx900", f"{HEAD}v_mov_b32 v40, 0\ns_endpgm\n"),
    ],
)
def test_silent(target: str, text: str) -> None:
    check_no_finding(f"//- k.s target:{target}\n{text}", RULE)


@pytest.mark.parametrize(
    ("directive", "names"),
    [
        ('.amdgcn_target "amdgcn-amd-amdhsa--gfx1010"', ["s34", "s64", "v40"]),
        ('.amdgcn_target "amdgcn-amd-amdpal--gfx1010"', ["s64", "v40"]),
        ('.amd_amdgpu_isa "amdgcn-unknown-unknown--gfx1010"', ["s64", "v40"]),
        ("", ["s34", "s64", "v40"]),
    ],
)
def test_functions_of_shaders_preserve_other_registers(directive: str, names: list[str]) -> None:
    text = f"{directive}\n{HEAD}s_mov_b32 s34, 0\ns_mov_b32 s64, 0\nv_mov_b32 v40, 0\n{RETURN}"
    found = [each for each in findings(f"//- k.s target:gfx1010\n{text}") if each.rule == RULE]
    assert [each.message.split("`")[3] for each in found] == names
