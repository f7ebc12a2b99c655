"""Reads of what nothing has written: only those that change what the kernel leaves are found."""

from pathlib import Path

import numpy as np
import pytest

from gcn_lsp.machine import arguments as values
from gcn_lsp.running import api
from tests.running.test_runs import rules

GUARDED = """; gcn-lsp: target=gfx1100
k:
  s_load_b128 s[4:7], s[0:1], 0x0
  s_load_b32 s8, s[0:1], 0x10
  v_lshlrev_b32_e32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
  v_cmp_gt_u32_e32 vcc_lo, s8, v0
  s_and_saveexec_b32 s9, vcc_lo
  global_load_b32 v2, v1, s[6:7]
  s_waitcnt vmcnt(0)
  ds_store_b32 v1, v2
  s_mov_b32 exec_lo, s9
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_load_b32 v3, v1
  ds_load_b32 v4, v1 offset:4
  v_add_nc_u32_e32 v5, 1, v0
  v_cmp_gt_u32_e64 s10, s8, v5
  s_waitcnt lgkmcnt(0)
  v_cndmask_b32_e64 v4, 0, v4, s10
  v_add_f32_e32 v3, v3, v4
  s_and_saveexec_b32 s9, vcc_lo
  global_store_b32 v1, v3, s[4:5]
  s_endpgm
.rodata
.amdhsa_kernel k
  .amdhsa_group_segment_fixed_size 264
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_user_sgpr_count 2
  .amdhsa_wavefront_size32 1
  .amdhsa_next_free_vgpr 6
  .amdhsa_next_free_sgpr 12
  .amdhsa_kernarg_size 20
.end_amdhsa_kernel
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 20
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 264
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 12
    .vgpr_count: 6
    .max_flat_workgroup_size: 64
    .args:
      - {.name: out, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: in, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: n, .offset: 16, .size: 4, .value_kind: by_value}
.end_amdgpu_metadata
"""
"""Each lane adds the element of the next one; those past the end neither write LDS nor store."""

CHOICE = "v_cndmask_b32_e64 v4, 0, v4, s10"
STORE_UNDER_MASK = "s_and_saveexec_b32 s9, vcc_lo\n  global_store"


def found(folder: Path, text: str, name: str = "arange", *, orders: bool = False) -> list[str]:
    """The rules of a run on 50 elements of 64, each with the number of the line that it is about."""
    path = folder / "k.s"
    path.write_text(text)
    given = {"arange": np.arange(64, dtype=np.float32), "negative": -1 - np.arange(64, dtype=np.float32)}[name]
    arguments = {"0": np.zeros(64, np.float32), "1": given, "2": np.int32(50)}
    outcome = api.run(path, grid=64, block=64, limit=20_000, check=False, orders=orders, arguments=arguments)
    lines = text.splitlines()
    return [f"{each.rule} {lines[each.where.line].split()[0]}" for each in outcome.findings]


@pytest.mark.parametrize("orders", [False, True])
def test_a_value_that_is_masked_away_is_no_finding(tmp_path: Path, orders: bool) -> None:
    assert found(tmp_path, GUARDED, orders=orders) == []


def test_only_the_read_that_changes_the_result_is_found(tmp_path: Path) -> None:
    assert GUARDED.count(CHOICE) == 1
    text = GUARDED.replace("offset:4", "offset:8").replace(CHOICE, "v_nop")
    assert found(tmp_path, text) == ["unwritten-lds-read ds_load_b32"]


@pytest.mark.parametrize("name", ["arange", "negative"])
@pytest.mark.parametrize(
    "change",
    [
        "v_max_f32_e32 v4, v4, v3",
        "v_min_f32_e32 v4, v4, v3",
        "v_and_b32_e32 v4, 1, v4\n  v_cvt_f32_u32_e32 v4, v4",
        "v_max_i32_e32 v4, v4, v3",
    ],
)
def test_what_a_comparison_or_a_bit_decides_is_found(change: str, name: str, tmp_path: Path) -> None:
    assert found(tmp_path, GUARDED.replace(CHOICE, change), name) == ["unwritten-lds-read ds_load_b32"]


def test_a_store_of_all_lanes_shows_both_reads(tmp_path: Path) -> None:
    assert GUARDED.count(STORE_UNDER_MASK) == 1
    text = GUARDED.replace(STORE_UNDER_MASK, "s_nop 0\n  global_store").replace(CHOICE, "v_nop")
    assert found(tmp_path, text) == ["unwritten-lds-read ds_load_b32"] * 2


def test_an_address_from_there_is_found(tmp_path: Path) -> None:
    text = GUARDED.replace(STORE_UNDER_MASK, "v_and_b32_e32 v1, 0xfc, v3\n  global_store")
    assert "unwritten-lds-read ds_load_b32" in found(tmp_path, text)


def test_code_without_a_result_has_nothing_to_compare(tmp_path: Path) -> None:
    text = GUARDED.replace("global_store_b32 v1, v3, s[4:5]", "s_nop 0")
    assert found(tmp_path, text) == ["unwritten-lds-read ds_load_b32"] * 2


def test_a_run_that_such_a_value_never_lets_end_is_found(tmp_path: Path) -> None:
    # The second wave turns around as long as the value past the end is not 0.
    loop = "v_readlane_b32 s11, v4, 17\n  v_readfirstlane_b32 s12, v0\n  s_cmp_eq_u32 s12, 0\n  s_cbranch_scc1 out\n"
    loop += "again:\n  s_cmp_lg_u32 s11, 0\n  s_cbranch_scc1 again\nout:\n"
    assert found(tmp_path, GUARDED.replace(CHOICE, f"{loop}  {CHOICE}")) == ["unwritten-lds-read ds_load_b32"]


def test_memory_that_nothing_wrote(tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    path.write_text(GUARDED.replace("v_cmp_gt_u32_e32 vcc_lo, s8, v0", "v_cmp_gt_u32_e32 vcc_lo, 64, v0"))
    more = ["in=empty:f32:64", "n=50"]
    assert run_rules(path, more) == ["unwritten-memory-read"]
    path.write_text(path.read_text().replace("global_store_b32 v1, v3", "global_store_b32 v1, v5"))
    assert run_rules(path, more) == []


def run_rules(path: Path, arguments: list[str]) -> list[str]:
    given = {name: values.parse(text) for name, _, text in (each.partition("=") for each in arguments)}
    return rules(api.run(path, grid=64, block=64, check=False, arguments={"out": np.zeros(64, np.float32), **given}))


def test_the_message_names_the_wave_of_the_lane(tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    path.write_text(GUARDED.replace(CHOICE, "v_nop"))
    arguments = {"0": np.zeros(64, np.float32), "1": np.arange(64, dtype=np.float32), "2": np.int32(50)}
    (finding,) = api.run(path, grid=64, block=64, check=False, arguments=arguments).findings
    said = "lane 17 reads 4 bytes of LDS at 200, which nothing has written; in wave 1 of work-group 0,0,0"
    assert finding.message == said
