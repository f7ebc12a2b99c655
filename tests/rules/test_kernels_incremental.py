"""After any edit the findings about kernels and their descriptors' bytes are those of a fresh build."""

import random

import pytest

from gcn_lsp import rules
from gcn_lsp.program import program
from gcn_lsp.text import SourceText

METADATA = """\
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: NAME
    .symbol: NAME.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 4096
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 46
    .vgpr_count: 30
    .max_flat_workgroup_size: 256
.end_amdgpu_metadata
"""
KERNEL = """\
.text
NAME:
  s_load_dwordx2 s[8:9], s[0:1], 0x8
  v_mov_b32 v29, s39
  FILLER
loop_NAME:
  v_accvgpr_write_b32 a3, v1
  s_endpgm
.rodata
.p2align 6
.amdhsa_kernel NAME
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_kernarg_size 24
  .amdhsa_next_free_vgpr count
  .amdhsa_next_free_sgpr 40
  .amdhsa_accum_offset 32
.end_amdhsa_kernel
"""
LINES = (
    "  v_mov_b32 v40, 0",
    "  v_accvgpr_write_b32 a9, v1",
    "  s_mov_b32 s50, 0",
    "  s_mov_b32 s0, 0",
    "  s_load_dwordx2 s[8:9], s[0:1], 0x20",
    "b:",
    ".amdhsa_kernel a",
    ".end_amdhsa_kernel",
    "  .amdhsa_accum_offset 16",
    "  .amdhsa_next_free_vgpr 24",
    "  .amdhsa_group_segment_fixed_size 70000",
    ".set count, 20",
    ".amdgpu_metadata",
    "    .vgpr_count: 99",
    ".end_amdgpu_metadata",
    ".type loop_a,@function",
    ".globl loop_b",
    ".if 0",
    ".endif",
    "",
)


def text() -> str:
    kernels = "".join(
        KERNEL.replace("NAME", name).replace("FILLER", "s_nop 0\n" * 50) + METADATA.replace("NAME", name)
        for name in ("a", "b", "c")
    )
    return kernels + ".set count, 40\n"


@pytest.mark.parametrize("seed", range(6))
def test_random_edits(seed: int) -> None:
    chooser = random.Random(seed)
    options = program.Options("gfx90a")
    source = SourceText.from_bytes("k.s", text().encode())
    built = program.build(source, options)
    rules.check(built)
    for _ in range(12):
        line = chooser.randrange(len(source.lines))
        if chooser.random() < 0.4 and len(source.lines) > 2 and line + 1 < len(source.lines):
            source = source.replace(line, 0, line + 1, 0, b"")
        else:
            source = source.replace(line, 0, line, 0, chooser.choice(LINES).encode() + b"\n")
        built = program.build(source, options, built)
        fresh = program.build(source, options)
        assert rules.check(built) == rules.check(fresh)
        assert built.section_bytes(".rodata") == fresh.section_bytes(".rodata")
        assert built.kernels == fresh.kernels
