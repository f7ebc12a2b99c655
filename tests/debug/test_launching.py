"""Launches that are made up from the metadata of kernels, as an editor offers them."""

import json
from pathlib import Path

from click.testing import CliRunner

from gcn_lsp.cli.main import main
from tests.running.compiled import FOLDER

KINDS = """.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
k:
  s_endpgm
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 12
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 0]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 64
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 24
    .vgpr_count: 12
    .max_flat_workgroup_size: 256
    .reqd_workgroup_size: [16, 8, 1]
    .args:
      - {.name: a, .size: 8, .offset: 0, .value_kind: global_buffer, .type_name: 'half*'}
      - {.name: b, .size: 8, .offset: 8, .value_kind: global_buffer, .type_name: 'uint4*'}
      - {.name: c, .size: 4, .offset: 16, .value_kind: dynamic_shared_pointer}
      - {.name: d, .size: 1, .offset: 20, .value_kind: by_value, .type_name: char}
      - {.name: e, .size: 24, .offset: 24, .value_kind: by_value, .type_name: struct}
      - {.name: '', .size: 8, .offset: 48, .value_kind: hidden_global_offset_x}
...
.end_amdgpu_metadata
"""


def launches(path: Path) -> str:
    return CliRunner().invoke(main, ["debug", "--launches", str(path)]).output


def test_a_launch_of_each_kernel() -> None:
    path = FOLDER / "saxpy.s"
    assert json.loads(launches(path)) == [
        {
            "type": "gcn",
            "request": "launch",
            "name": "Debug saxpy",
            "program": str(path),
            "kernel": "saxpy",
            "grid": 64,
            "block": 64,
            "args": {"x": "random:f32:4096", "y": "random:f32:4096", "a": "2.0", "n": "64"},
        }
    ]


def test_values_by_kind_and_type(tmp_path: Path) -> None:
    path = tmp_path / "kinds.s"
    path.write_text(KINDS)
    (found,) = json.loads(launches(path))
    assert (found["grid"], found["block"]) == ([16, 8, 1], [16, 8, 1])
    assert found["args"] == {"a": "random:f16:4096", "b": "random:u32:4096", "c": "4096", "d": "127", "e": "null"}
    said = CliRunner().invoke(main, ["debug", "--launches", str(tmp_path / "absent.s")])
    assert said.exit_code == 2
    assert "absent.s" in said.output
