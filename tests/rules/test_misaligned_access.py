"""Accesses at addresses that are not multiples of what they need."""

from pathlib import Path

import pytest

from gcn_lsp.findings.model import Severity
from tests.support.check import findings
from tests.support.running import rules, run

RULE = "misaligned-access"


def test_an_atomic_across_a_dword(tmp_path: Path) -> None:
    code = "  v_mov_b32 v1, 2\n  global_atomic_add v1, v0, s[0:1]"
    found = run(tmp_path, code)
    assert rules(found) == ["misaligned-access"]
    assert "an atomic of 4 bytes needs a multiple" in found.findings[0].message


def test_an_atomic_at_a_dword(tmp_path: Path) -> None:
    assert rules(run(tmp_path, "  v_mov_b32 v1, 4\n  global_atomic_add v1, v0, s[0:1]")) == []


@pytest.mark.parametrize(("target", "found"), [("gfx803", ["misaligned-access"]), ("gfx900", [])])
def test_lds_at_half_a_pair(target: str, found: list[str], tmp_path: Path) -> None:
    code = "  s_mov_b32 m0, -1\n  v_mov_b32 v1, 4\n  v_mov_b32 v3, 0\n  ds_write_b64 v1, v[2:3]\n  s_waitcnt lgkmcnt(0)"
    assert rules(run(tmp_path, code.replace("v_mov_b32 v3", "v_mov_b32 v2, 0\n  v_mov_b32 v3"), target=target)) == found


def test_an_atomic_in_lds(tmp_path: Path) -> None:
    code = (
        "  v_mov_b32 v1, 0\n  ds_write_b64 v1, v[0:1]\n  v_mov_b32 v1, 2\n  ds_add_u32 v1, v0\n  s_waitcnt lgkmcnt(0)"
    )
    assert rules(run(tmp_path, code)) == ["misaligned-access"]


SCALED = """kernel:
v_lshlrev_b32 v1, 2, v0
global_load_dword v2, v1, s[4:5]
s_waitcnt vmcnt(0)
{}
ds_add_u32 v2, v0
s_endpgm
.rodata
.amdhsa_kernel kernel
  .amdhsa_group_segment_fixed_size 1024
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
"""


def of_check(address: str) -> list[tuple[str, Severity]]:
    return [(each.message, each.severity) for each in findings(SCALED.format(address)) if each.rule == RULE]


def test_an_atomic_whose_address_nothing_scales() -> None:
    ((message, severity),) = of_check("v_mov_b32 v2, v0")
    assert message == "work-item 1 has an address that is not a multiple of 4, which this atomic needs"
    assert severity is Severity.WARNING
    assert of_check("v_lshlrev_b32 v2, 2, v0") == of_check("v_mov_b32 v2, 0") == []


def test_an_atomic_at_data_that_nothing_scales() -> None:
    ((message, severity),) = of_check("v_and_b32 v2, 0xff, v2")
    assert message == "this atomic needs a multiple of 4 as its address, which data decide: nothing scales them"
    assert severity is Severity.INFORMATION
    assert of_check("v_and_b32 v2, 0x3fc, v2") == of_check("v_and_b32 v2, 0xffff, v2") == of_check("") == []
    assert of_check("v_and_b32 v2, 0xff, v2\nv_lshlrev_b32 v2, 2, v2") == []
