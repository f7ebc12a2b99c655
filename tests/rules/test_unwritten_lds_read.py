"""Reads of LDS, in a run or in the code of a kernel, that nothing has written."""

from pathlib import Path

import pytest

from gcn_lsp.rules import unwritten_lds_read
from tests.support import fixture
from tests.support.check import build
from tests.support.running import rules, run


def test_a_read_of_what_nothing_wrote(tmp_path: Path) -> None:
    code = "  v_lshlrev_b32 v1, 2, v0\n  ds_write_b32 v1, v0\n  ds_read_b32 v2, v1 offset:4\n  s_waitcnt lgkmcnt(0)"
    found = run(tmp_path, code)
    assert rules(found) == ["unwritten-lds-read"]
    assert "lane 63 reads 4 bytes of LDS at 256, which nothing has written" in found.findings[0].message


def test_a_read_of_what_was_written(tmp_path: Path) -> None:
    code = "  v_lshlrev_b32 v1, 2, v0\n  ds_write_b32 v1, v0\n  ds_read_b32 v2, v1\n  s_waitcnt lgkmcnt(0)"
    assert rules(run(tmp_path, code)) == []


DESCRIPTOR = """
.rodata
.amdhsa_kernel k
  .amdhsa_group_segment_fixed_size {}
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
"""
USE = "ds_read_b32 v2, v1\n s_waitcnt lgkmcnt(0)\n global_store_dword v1, v2, s[0:1]"


def told(code: str, lds: int = 1024, target: str = "gfx900") -> list[int]:
    built = build(fixture.parse(f"k:\n {code}\n s_endpgm\n{DESCRIPTOR.format(lds)}"), target)
    return [each.where.line for each in unwritten_lds_read.check(built)]


@pytest.mark.parametrize(
    "code",
    [
        USE,
        f"ds_add_u32 v1, v0\n {USE}",
        "ds_add_rtn_f32 v2, v1, v0",
        f"ds_bpermute_b32 v1, v0, v0\n s_waitcnt lgkmcnt(0)\n {USE}",
        f"s_cbranch_scc1 over\n s_nop 0\nover:\n {USE}",
        # What no wave comes to does not write.
        f"{USE}\n s_endpgm\n ds_write_b32 v1, v0",
    ],
)
def test_nothing_writes(code: str) -> None:
    first = next(line for line, text in enumerate(code.split("\n")) if text.strip().startswith(("ds_read", "ds_add")))
    assert told(code) == [1 + first]


@pytest.mark.parametrize(
    "code",
    [
        f"ds_write_b32 v1, v0\n {USE}",
        # On a path, or in another round.
        f"s_cbranch_scc1 over\n ds_write_b32 v1, v0\nover:\n {USE}",
        f"next:\n {USE}\n ds_write_b32 v1, v0\n s_cbranch_scc1 next",
        # Atomics that may be the first to write.
        f"ds_wrxchg_rtn_b32 v3, v1, v0\n {USE}",
        f"ds_and_b32 v1, v0\n {USE}",
        f"ds_max_u32 v1, v0\n {USE}",
        # Copies from memory, and stores that may go there.
        f"s_mov_b32 m0, 0\n buffer_load_dword v0, s[4:7], 0 offen lds\n {USE}",
        f"flat_store_dword v[0:1], v0\n {USE}",
        # A function may write.
        f"s_swappc_b64 s[4:5], s[2:3]\n {USE}",
        "ds_add_u32 v1, v0 gds\n ds_read_b32 v2, v1 gds",
        "ds_swizzle_b32 v2, v1 offset:0x8055",
        "s_nop 0",
    ],
)
def test_something_writes(code: str) -> None:
    assert told(code) == []


def test_lds_of_the_launch() -> None:
    assert told(USE, 0) == []
    assert told(USE) == [1]
