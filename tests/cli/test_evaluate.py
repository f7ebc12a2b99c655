"""`gcn-lsp eval`."""

import sys

import pytest
from click.testing import CliRunner, Result

from gcn_lsp.cli.main import main


def evaluated(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["eval", *arguments])


@pytest.mark.parametrize(
    ("line", "registers", "target", "printed"),
    [
        ("v_fma_f32 v0, v1, v2, v3", "v1=1.5 v2=0x40000000 v3=-1.0", "gfx942", "v0[0] = 2.0 (f32, 0x40000000)\n"),
        ("s_add_u32 s0, s1, s2", "s1=0xffffffff s2=2", "gfx900", "s0 = 1 (u32, 0x00000001)\nscc = 1\n"),
        ("v_fma_f64 v[0:1], v[2:3], 0.5, 1.0", "v[2:3]=3.0", "gfx900", "v[0:1][0] = 2.5 (f64, 0x4004000000000000)\n"),
        ("v_pk_add_f16 v0, v1, v1", "v1=0x3c004000", "gfx1100", "v0[0] = 4.0 2.0 (f16, 0x40004400)\n"),
        ("v_add_i32 v0, v1, v2", "v1=-3 v2=1", "gfx900", "v0[0] = -2 (i32, 0xfffffffe)\n"),
        ("v_cmp_lt_f32 vcc, v1, v2", "v2=1.0 exec=0xf", "gfx900", "vcc = 0x000000000000000f\n"),
        ("s_nop 0", "", "gfx900", "nothing is written\n"),
        ("s_branch 5", "", "gfx900", "pc = 0x18, a jump\n"),
    ],
)
def test_results(line: str, registers: str, target: str, printed: str) -> None:
    result = evaluated(line, *registers.split(), "--target", target)
    assert (result.output, result.exit_code) == (printed, 0)


def test_lanes() -> None:
    result = evaluated("v_mov_b32 v0, v1", "v1=1,2,3", "--target", "gfx900", "--lanes", "1-3")
    assert result.output == "v0[1] = 0x00000002\nv0[2] = 0x00000003\nv0[3] = 0x00000000\n"


def test_an_approximation_says_so() -> None:
    assert "hardware only comes near" in evaluated("v_rcp_f32 v0, v1", "v1=3.0", "--target", "gfx900").output


@pytest.mark.parametrize(
    ("line", "register", "said"),
    [
        ("v_foo v1", "v1=1", "`v_foo` is not an instruction of gfx900"),
        ("exp mrt0, v0, v1, v2, v3", "v1=1", "Exports are not executed"),
        ("global_load_dword v1, v[2:3], off", "v1=1", "It accesses memory"),
        ("v_mov_b32 v0, v1", "v9999=1", "gfx900 has no register v9999."),
        ("v_mov_b32 v0, v1", "v1", "'v1' is not REGISTER=VALUE."),
        ("v_mov_b32 v0, v1", "v1=x", "'x' is no number."),
        ("v_mov_b32 v0, v1", "q1=2", "'q1' is no register"),
        ("v_mov_b32 v0, v1 ; v_nop", "v1=f7:2", "'f7' is no type"),
    ],
)
def test_what_cannot_be_is_said(line: str, register: str, said: str) -> None:
    result = evaluated(line, register, "--target", "gfx900")
    assert said in result.output
    assert result.exit_code == 2


def test_numpy_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    result = evaluated("v_mov_b32 v0, v1", "--target", "gfx900")
    assert "pip install 'gcn-lsp[run]'" in result.output
    assert result.exit_code == 2
