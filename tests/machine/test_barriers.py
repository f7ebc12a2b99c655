"""Barriers by number: of a cluster, named ones; and GDS, by which work-groups exchange values."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gcn_lsp.running import api
from gcn_lsp.running.runs import Outcome

CLUSTER = """
.text
.globl k
k:
  s_load_b64 s[4:5], s[0:1], 0x0
  s_mov_b32 s2, ttmp9
  s_and_b32 s3, ttmp6, 0xf
  s_lshl_b32 s6, s2, 1
  s_add_co_i32 s6, s6, s3
  v_and_b32 v0, 0x3ff, v0
  v_lshl_add_u32 v1, s6, 6, v0
  v_lshlrev_b32 v1, 2, v1
  v_xor_b32 v2, 256, v1
  v_mov_b32 v3, s6
  s_wait_kmcnt 0
  global_store_b32 v1, v3, s[4:5] scope:SCOPE_SE
  s_wait_storecnt 0
  s_barrier_signal -1
  s_barrier_wait -1
  v_cmp_gt_u32 vcc_lo, 32, v0
  s_cbranch_vccz .Lwait
  SIGNAL
.Lwait:
  WAIT
  global_load_b32 v4, v2, s[4:5] scope:SCOPE_SE
  v_add_nc_u32 v1, 1024, v1
  s_wait_loadcnt 0
  global_store_b32 v1, v4, s[4:5]
  s_endpgm
.rodata
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 3]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 16
    .vgpr_count: 8
    .max_flat_workgroup_size: 64
    .cluster_dims: [2, 1, 1]
    .args:
      - {.name: x, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
...
.end_amdgpu_metadata
"""


def cluster(folder: Path, signal: str, wait: str) -> "tuple[Outcome, np.ndarray[Any, Any]]":
    """Each work-item writes the number of its work-group, and reads what its neighbour in the cluster wrote."""
    path = folder / "cluster.s"
    path.write_text(CLUSTER.replace("SIGNAL", signal).replace("WAIT", wait))
    x = np.full(512, 99, np.uint32)
    return api.run(path, target="gfx1250", grid=256, block=64, x=x, check=False, limit=20_000), x


def test_the_work_groups_of_a_cluster_wait_for_each_other(tmp_path: Path) -> None:
    outcome, x = cluster(tmp_path, "s_barrier_signal -3", "s_barrier_wait -3")
    assert outcome.findings == ()
    assert x[:256].tolist() == [each for each in range(4) for _ in range(64)]
    assert x[256:].tolist() == [each ^ 1 for each in range(4) for _ in range(64)]


def test_without_the_barrier_they_do_not(tmp_path: Path) -> None:
    _, x = cluster(tmp_path, "s_nop 0", "s_nop 0")
    assert 99 in x[256:]


def test_a_cluster_whose_work_groups_do_not_arrive_cannot_go_on(tmp_path: Path) -> None:
    outcome, _ = cluster(tmp_path, "s_nop 0", "s_barrier_wait -3")
    assert "wait at barriers that no other wave reaches" in outcome.findings[0].message


NAMED = """k:
  v_lshlrev_b32 v1, 2, v0
  v_readfirstlane_b32 s6, v0
  s_cmp_eq_u32 s6, 0
  s_cbranch_scc0 .Lready
  s_mov_b32 m0, 0x20002
  s_barrier_init m0
.Lready:
  s_barrier_signal -1
  s_barrier_wait -1
  s_cmp_ge_u32 s6, 64
  s_cbranch_scc1 .Lend
  s_barrier_join 2
  ds_store_b32 v1, v0
  s_wait_dscnt 0
  s_barrier_signal 2
  s_barrier_wait 2
  v_xor_b32 v2, 128, v1
  ds_load_b32 v3, v2
  s_wait_dscnt 0
  global_store_b32 v1, v3, s[2:3]
.Lend:
  s_endpgm
"""


@pytest.mark.parametrize("waits", [True, False])
def test_a_named_barrier_is_for_the_waves_that_it_is_set_up_for(waits: bool, tmp_path: Path) -> None:
    path = tmp_path / "named.s"
    path.write_text(NAMED if waits else NAMED.replace("s_barrier_wait 2", "s_nop 0"))
    y = np.zeros(64, np.uint32)
    registers = {"s[2:3]": "y", "v0": "item_x"}
    launch: dict[str, Any] = {"kernel": "k", "target": "gfx1250", "grid": 128, "block": 128, "dynamic_lds": 256}
    outcome = api.run(path, **launch, registers=registers, y=y, check=False)
    if waits:
        assert outcome.findings == ()
        assert (y == np.arange(64) ^ 32).all()
    else:
        assert "lds-race" in {each.rule for each in outcome.findings}


GDS = """k:
  v_mov_b32 v1, 8
  v_mov_b32 v2, 1
  s_mov_b32 m0, 0x100010
  ds_add_rtn_u32 v3, v1, v2 gds
  s_waitcnt lgkmcnt(0)
  v_lshlrev_b32 v4, 2, v0
  s_lshl_b32 s6, s4, 8
  v_add_u32 v4, s6, v4
  global_store_dword v4, v3, s[2:3]
  s_endpgm
"""


def test_work_groups_count_in_gds(tmp_path: Path) -> None:
    path = tmp_path / "gds.s"
    path.write_text(GDS)
    y = np.zeros(128, np.uint32)
    registers = {"s[2:3]": "y", "s4": "group_x", "v0": "item_x"}
    outcome = api.run(path, kernel="k", target="gfx900", grid=128, registers=registers, y=y)
    assert outcome.findings == ()
    assert sorted(y.tolist()) == list(range(128))


def test_an_address_outside_the_part_of_gds_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "gds.s"
    path.write_text(GDS.replace("0x100010", "0x100008"))
    y = np.zeros(64, np.uint32)
    registers = {"s[2:3]": "y", "s4": "group_x", "v0": "item_x"}
    outcome = api.run(path, kernel="k", target="gfx900", grid=64, registers=registers, y=y, check=False)
    assert "lane 0 reads 4 bytes of GDS at 8; M0 gives the wave 8 bytes" in outcome.findings[0].message
