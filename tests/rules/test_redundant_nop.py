"""Wait states that nothing asks for."""

import pytest

from tests.support.check import check_diagnostics, check_fix, check_no_finding, findings

RULE = "redundant-nop"
FIRST, SECOND = "v_readfirstlane_b32 s4, v0", "v_add_f32 v1, s4, v2"
BUFFER = "buffer_load_dword v9, v8, s[8:11], s4 offen"


def test_a_nop_that_nothing_asks_for() -> None:
    check_diagnostics(
        f"""
        {FIRST}
        s_nop 4
        //<^^^^ hint[redundant-nop]: no hazard of the target needs this `s_nop`
        {SECOND}
        s_endpgm
        """
    )


def test_it_is_removed() -> None:
    check_fix(f"{FIRST}\n  s_nop 4\n{SECOND}\ns_endpgm\n", f"{FIRST}\n\n{SECOND}\ns_endpgm\n")


@pytest.mark.parametrize(
    "text",
    [
        f"{FIRST}\ns_nop 4\n{BUFFER}\ns_waitcnt vmcnt(0)\ns_endpgm\n",
        f"{FIRST}\ns_nop 3\nv_mov_b32 v1, v2\n{BUFFER}\ns_waitcnt vmcnt(0)\ns_endpgm\n",
        f"{FIRST}\ns_nop 2 // so that the clock settles\n{SECOND}\ns_endpgm\n",
        f"{FIRST}\ns_nop 2\ns_setprio 2\n{SECOND}\ns_endpgm\n",
        f"s_barrier\ns_nop 2\n{SECOND}\ns_endpgm\n",
        f"s_nop 2\n{SECOND}\ns_endpgm\n",
        f"{SECOND}\ns_nop 0\ns_nop 0\ns_setprio 2\n{SECOND}\ns_endpgm\n",
        f"exp mrt0 v0, off, off, off\ns_nop 0\n{SECOND}\ns_endpgm\n",
        f"{SECOND}\ns_nop 1\nv_mov_b32_dpp v1, v2 row_shl:1 row_mask:0xf bank_mask:0xf\ns_endpgm\n",
        f"{FIRST}\ns_nop 4\nnext:\n{BUFFER}\ns_waitcnt vmcnt(0)\ns_endpgm\n",
        f"{SECOND}\ns_endpgm\ns_nop 0\ns_nop 0\ns_nop 0\n",
        f"{FIRST}\n.rept 2\ns_nop 4\n.endr\n{SECOND}\ns_endpgm\n",
        f".macro wait\ns_nop 4\n.endm\n{FIRST}\nwait\n{SECOND}\ns_endpgm\n",
    ],
)
def test_silent(text: str) -> None:
    check_no_finding(text, RULE)


def test_several_between_two_instructions_are_all_kept() -> None:
    check_no_finding(f"{FIRST}\ns_nop 4\nv_mov_b32 v1, v2\ns_nop 4\n{BUFFER}\ns_waitcnt vmcnt(0)\ns_endpgm\n", RULE)


def test_across_a_label_and_around_a_loop() -> None:
    loop = f"{SECOND}\nloop:\n{BUFFER}\nv_mov_b32 v1, v2\ns_waitcnt vmcnt(0)\n{FIRST}\ns_nop 3\nv_mov_b32 v1, v2\n"
    check_no_finding(f"{loop}s_cbranch_scc0 loop\ns_endpgm\n", RULE)
    check_diagnostics(
        f"""
        {FIRST}
        middle:
        s_nop 3
        //<^^^^ hint[redundant-nop]: no hazard
        v_mov_b32 v1, v2
        s_endpgm
        """
    )


def test_scalar_memory_that_may_be_replayed_is_kept_apart() -> None:
    loads = (
        "s_load_dword s8, s[4:5], 0x0\ns_nop 0\ns_load_dwordx2 s[4:5], s[6:7], 0x0\ns_waitcnt lgkmcnt(0)\ns_endpgm\n"
    )
    check_no_finding(f"//- k.s target:gfx90a\n{loads}", RULE)
    check_no_finding(f"//- k.s target:gfx90a mattr:+xnack\n{loads}", RULE)


def test_what_ends_a_run_of_memory_instructions_is_only_judged_where_none_is_replayed() -> None:
    stores = "buffer_store_dword v1, off, s[4:7], 0\ns_nop 0\nbuffer_store_dword v2, off, s[4:7], 0\ns_endpgm\n"
    check_no_finding(stores, RULE)
    assert RULE in [found.rule for found in findings(f"//- k.s target:gfx900 mattr:-xnack\n{stores}")]


@pytest.mark.parametrize("lines_before", range(56, 66))
def test_the_neighbours_of_several_are_the_same_wherever_a_chunk_ends(lines_before: int) -> None:
    before = f"{SECOND}\n" * lines_before
    check_no_finding(f"{before}{SECOND}\ns_nop 0\ns_nop 0\ns_nop 0\ns_setprio 2\n{SECOND}\ns_endpgm\n", RULE)
    found = findings(f"{before}{SECOND}\ns_nop 0\ns_nop 0\ns_nop 0\n{SECOND}\ns_endpgm\n")
    assert [each.rule for each in found if each.rule == RULE] == [RULE] * 3


@pytest.mark.parametrize("first", ["s_setprio 2", SECOND])
def test_rows_over_several_chunks_are_judged_by_what_is_around_them(first: str) -> None:
    found = findings(f"{first}\n" + "s_nop 0\n" * 200 + f"{SECOND}\ns_endpgm\n")
    assert len([each for each in found if each.rule == RULE]) == (200 if first is SECOND else 0)


READ = "v_accvgpr_read_b32 v1, a0"


@pytest.mark.parametrize(
    "rejected",
    [
        "v_mfma_f32_32x32x8f16 a[0:15], v[2:3], v[7:8], a[0:15]",
        "v_mfma_f32_32x32x8f16 a[0:15], v[2:3], v[unknown:unknown+1], a[0:15]",
        "v_mfma_f32_32x32x8 a[0:15], v[2:3], v[6:7], a[0:15]",
    ],
)
def test_a_rejected_instruction_may_need_it(rejected: str) -> None:
    after = f"v_mov_b32 v20, v21\ns_nop 15\ns_nop 1\nv_mov_b32 v22, v21\n{READ}\ns_endpgm\n"
    check_no_finding(f"//- k.s target:gfx90a\n{rejected}\n{after}", RULE)
    before = "v_accvgpr_write_b32 a0, v1\nv_mov_b32 v20, v21\ns_nop 2\nv_mov_b32 v22, v21\n"
    check_no_finding(f"//- k.s target:gfx90a\n{before}{rejected}\ns_endpgm\n", RULE)


def test_a_rejected_instruction_needs_no_more_than_its_mnemonic() -> None:
    text = f"v_mov_b32 v20, v21, v22\nv_mov_b32 v20, v21\ns_nop 3\nv_mov_b32 v22, v21\n{READ}\ns_endpgm\n"
    assert RULE in [found.rule for found in findings(f"//- k.s target:gfx90a\n{text}")]
    known = "v_mfma_f32_32x32x8f16 a[0:15], v[2:3], v[6:7], a[0:15]\nv_mov_b32 v20, v21, v22\n"
    check_no_finding(
        f"//- k.s target:gfx90a\n{known}v_mov_b32 v23, v22\ns_nop 15\nv_mov_b32 v22, v21\n{READ}\ns_endpgm\n", RULE
    )
