"""Liveness: which registers some path still reads, including lanes that EXEC switches off and unknown ends."""

import pytest

from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.values import liveness
from tests.analysis.support import program


def live_before(text: str, target: str = "gfx900", node: int = 0) -> str:
    """The registers that may be read in active lanes at the start of a node."""
    found = liveness.of(program(text, target))
    assert found is not None
    here = found.before(node).here
    return "everything" if here < 0 else registers.describe(here & ~registers.EXEC & ~registers.MODE, 99)


@pytest.mark.parametrize(
    ("text", "live"),
    [
        ("v_mov_b32 v0, v1\n ds_write_b32 v2, v0\n s_endpgm", "v[1:2], m0"),
        ("v_mov_b32 v0, v1\n s_endpgm", "v1"),
        # A write that only fills a part of the register leaves the rest of it alive.
        ("v_add_f16 v0, v1, v2\n ds_write_b32 v3, v0\n s_endpgm", "v[0:3], m0"),
        ("v_cvt_pkrtz_f16_f32 v0, v1, v2\n ds_write_b32 v3, v0\n s_endpgm", "v[1:3], m0"),
        ("s_cmov_b32 s0, s1\n s_mov_b32 m0, s0\n s_endpgm", "s[0:1], scc"),
        ("s_bitset1_b32 s0, s1\n s_mov_b32 m0, s0\n s_endpgm", "s[0:1]"),
        # What a DPP move or a write of one lane leaves of the old value counts only if somebody reads it.
        ("v_mov_b32_dpp v0, v1 row_shl:1 row_mask:0xf bank_mask:0xf\n s_endpgm", "v1"),
        ("v_writelane_b32 v0, s1, 3\n ds_write_b32 v2, v0\n s_endpgm", "v0, v2, s1, m0"),
        ("v_writelane_b32 v0, s1, 3\n s_endpgm", "s1"),
        ("v_mac_f32 v0, v1, v2\n s_endpgm", "v[0:2]"),
        # Registers found through M0, and eyes that nobody knows.
        ("v_mov_b32 v0, 0\n s_trap 2\n s_endpgm", "everything"),
        ("v_mov_b32 v0, 0\n s_setpc_b64 s[0:1]", "everything"),
        ("v_mov_b32 v0, 0\n", "everything"),
        ("v_mov_b32 v0, 0\n s_branch elsewhere", "everything"),
        ("v_mov_b32 v0, 0\n .long 0xffffffff\n s_endpgm", "everything"),
        ("v_mov_b32 v0, 0\n .long 0xbf810000\n s_endpgm", ""),  # s_endpgm
    ],
)
def test_before_straight_code(text: str, live: str) -> None:
    assert live_before(f"k:\n {text}\n") == live


def test_after_exec_changes_inactive_lanes_are_live_again() -> None:
    text = "k:\n s_and_saveexec_b64 s[0:1], s[2:3]\n v_mov_b32 v0, 0\n s_mov_b64 exec, s[0:1]\n {}\n s_endpgm\n"
    assert live_before(text.format("ds_write_b32 v1, v0")) == "v[0:1], s[2:3], m0"
    # The second write does not replace lanes that may be active elsewhere.
    assert live_before(text.format("v_mov_b32 v0, 1\n ds_write_b32 v1, v0"), node=0) == "v[0:1], s[2:3], m0"


def test_while_exec_stays_a_write_replaces_what_anybody_reads() -> None:
    assert live_before("k:\n v_mov_b32 v0, 1\n ds_write_b32 v1, v0\n s_mov_b64 exec, 0\n s_endpgm\n") == "v1, m0"


def test_matrix_results_are_written_in_all_lanes() -> None:
    text = "k:\n s_mov_b64 exec, s[2:3]\n v_mfma_f32_4x4x1f32 v[0:3], v4, v5, 0\n s_mov_b64 exec, -1\n"
    assert live_before(text + " ds_write_b32 v4, v0\n s_endpgm\n", "gfx90a") == "v[4:5], s[2:3], m0"


def test_around_a_loop() -> None:
    text = "k:\n s_mov_b32 s0, 0\nloop:\n s_add_u32 s0, s0, s1\n s_cmp_lt_u32 s0, 9\n s_cbranch_scc1 loop\n s_endpgm\n"
    assert live_before(text) == "s1"
    assert live_before(text, node=1) == "s[0:1]"


def test_at_a_join_what_one_path_reads_is_live() -> None:
    text = "k:\n s_cbranch_scc0 b\n v_mov_b32 v0, v1\n s_branch e\nb:\n v_mov_b32 v0, v2\ne:\n ds_write_b32 v0, v3\n"
    assert live_before(text + " s_endpgm\n") == "v[1:3], m0, scc"


def test_before_a_call_everything_is_live() -> None:
    assert live_before("k:\n s_call_b64 s[0:1], f\n s_endpgm\nf:\n s_setpc_b64 s[0:1]\n") == "everything"


def test_a_loop_without_end_reads_nothing_else() -> None:
    assert live_before("k:\n s_mov_b32 s1, s0\nloop:\n s_branch loop\n") == "s0"


def test_data_behind_the_end_do_no_harm() -> None:
    assert live_before("k:\n v_mov_b32 v0, v1\n s_endpgm\n.fill 4, 4, 0xbf9f0000\n") == "v1"


def test_after_an_edit_it_is_that_of_a_fresh_program() -> None:
    lines = ["k:", *(f" v_add_u32 v{n % 9}, v{(n * 5) % 11}, v{(n * 3) % 7}" for n in range(300)), " s_endpgm", ""]
    first = program("\n".join(lines))
    liveness.of(first)
    lines[150] = " ds_write_b32 v1, v77"
    text = "\n".join(lines)
    edited, fresh = liveness.of(program(text, previous=first)), liveness.of(program(text))
    assert edited is not None
    assert fresh is not None
    assert edited.after == fresh.after
    assert edited.before(0) == fresh.before(0)
