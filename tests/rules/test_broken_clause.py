"""Clauses with something in them that does not belong there."""

import pytest

from tests.support.check import check_diagnostics, check_fix, check_no_finding, check_no_fix, findings

RULE = "broken-clause"
LOADS = "s_load_dword s0, s[4:5], 0x0\ns_load_dword s1, s[4:5], 0x4\n"
IMAGE = "image_load v[0:3], [v4, v5], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D"
NSA = "image_load v0, [v1, v8], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D"
WAIT = "s_waitcnt lgkmcnt(0)\ns_endpgm\n"


def _rules(text: str) -> list[str]:
    return [finding.rule for finding in findings(text)]


def test_a_scalar_instruction() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx1030
        s_clause 0x1
        //<^^^^^^^^^ warning[broken-clause]: this clause has 2 instructions, but `s_mov_b32`, number 2, cannot be in it
        s_load_dword s0, s[4:5], 0x0
        s_mov_b32 s1, 0
        s_waitcnt lgkmcnt(0)
        s_endpgm
        """
    )


@pytest.mark.parametrize(
    ("target", "inside"),
    [
        ("gfx1030", "s_load_dword s0, s[4:5], 0x0\ns_clause 0x1\ns_load_dword s1, s[4:5], 0x4"),
        ("gfx1030", "s_load_dword s0, s[4:5], 0x0\ns_dcache_inv"),
        ("gfx1100", "s_gl1_inv\ns_load_b32 s0, s[4:5], 0x0"),
        ("gfx1030", "s_load_dword s0, s[4:5], 0x0\nglobal_load_dword v0, v1, s[4:5]"),
        ("gfx1030", "s_load_dword s0, s[4:5], 0x0\nv_mov_b32 v0, 0"),
        ("gfx1030", "flat_load_dword v0, v[2:3]\nglobal_load_dword v0, v1, s[4:5]"),
        ("gfx1030", "ds_read_b32 v0, v1\nglobal_load_dword v2, v1, s[4:5]"),
        ("gfx1030", "s_load_dword s0, s[4:5], 0x0\ns_cbranch_scc0 far\ns_load_dword s1, s[4:5], 0x4\nfar:"),
        ("gfx1030", "s_load_dword s0, s[4:5], 0x0"),
        ("gfx1100", "global_load_b32 v0, v1, s[4:5]\nglobal_store_b32 v1, v2, s[4:5]"),
        ("gfx1100", f"{IMAGE}\nglobal_load_b32 v4, v1, s[4:5]"),
        ("gfx1200", "buffer_load_b32 v0, off, s[4:7], null\nbuffer_atomic_add_u32 v1, off, s[4:7], null"),
        ("gfx1010", f"{NSA}\nbuffer_load_dword v9, off, s[8:11], 0"),
        ("gfx1250", "ds_atomic_async_barrier_arrive_b64 v1\nds_load_b32 v2, v3"),
        ("gfx1200", "s_load_b32 s0, s[4:5], 0x0\ns_sleep 1\ns_load_b32 s1, s[4:5], 0x4"),
        ("gfx1100", "s_delay_alu instid0(VALU_DEP_1)\nglobal_load_b32 v0, v1, s[4:5]"),
        ("gfx1200", "s_wait_loadcnt 0\nglobal_load_b32 v0, v1, s[4:5]"),
        ("gfx1100", "v_mov_b32 v0, 0\ns_delay_alu instid0(VALU_DEP_1)\nv_mov_b32 v1, v0"),
        ("gfx1250", "v_mov_b32 v0, 0\ns_delay_alu instid0(VALU_DEP_1)\nv_mov_b32 v1, v0"),
    ],
)
def test_what_cannot_be_in_it(target: str, inside: str) -> None:
    assert RULE in _rules(f"//- k.s target:{target}\nk:\ns_clause 0x1\n{inside}\ns_endpgm\n")


@pytest.mark.parametrize(
    ("target", "inside"),
    [
        ("gfx1030", "s_load_dword s0, s[4:5], 0x0\ns_buffer_load_dword s1, s[8:11], 0x4"),
        ("gfx1030", "global_load_dword v0, v1, s[4:5]\nglobal_store_dword v1, v2, s[4:5]"),
        ("gfx1030", f"{NSA}\nbuffer_load_dword v9, off, s[8:11], 0"),
        ("gfx1010", "s_load_dword s0, s[4:5], 0x0\ns_sleep 1\ns_load_dword s1, s[4:5], 0x4"),
        ("gfx1100", "global_load_b32 v0, v1, s[4:5]\ns_sleep 1\nglobal_load_b32 v2, v1, s[4:5]"),
        ("gfx1100", "global_load_b32 v0, v1, s[4:5]\ns_waitcnt vmcnt(7)\nglobal_load_b32 v2, v1, s[4:5]"),
        ("gfx1030", "s_load_dword s0, s[4:5], 0x0\nlater:\ns_load_dword s1, s[4:5], 0x4"),
        ("gfx1030", "s_load_dword s0, s[4:5], 0x0\ns_nop 0\n"),
        ("gfx1100", "global_load_b32 v0, v1, s[4:5]\nscratch_load_b32 v2, off, s4"),
        ("gfx1030", "s_nop 0\nglobal_load_dword v0, v1, s[4:5]"),
        ("gfx1030", f"{IMAGE}\nglobal_load_dword v4, v1, s[4:5]"),
        ("gfx1100", f"{IMAGE}\n{IMAGE}"),
        ("gfx1200", f"{IMAGE}\nglobal_load_b32 v4, v1, s[4:5]"),
        ("gfx1100", "global_load_b32 v0, v1, s[4:5]\ns_delay_alu instid0(VALU_DEP_1)"),
        ("gfx1200", "s_load_b32 s0, s[4:5], 0x0\ns_delay_alu instid0(SALU_CYCLE_1)\ns_load_b32 s1, s[4:5], 0x4"),
        ("gfx1100", "v_mov_b32 v0, 0\ns_nop 0\nv_mov_b32 v1, v0"),
        ("gfx1250", "global_load_b32 v0, v1, s[4:5]\nglobal_store_b32 v1, v2, s[4:5]"),
        # Its contents are not known.
        ("gfx1030", "s_load_dword s0, s[4:5], 0x0\n.long 0xbf800000"),
        ("gfx1030", "s_load_dword s0, s[4:5], 0x0\nunknown_macro s0"),
    ],
)
def test_what_can_be_in_it(target: str, inside: str) -> None:
    check_no_finding(f"//- k.s target:{target}\nk:\ns_clause 0x1\n{inside}\ns_endpgm\n", RULE)


def test_a_wait_that_begins_it_has_no_fix() -> None:
    """To remove the clause is not what is wanted; the lines change places by hand."""
    text = "//- k.s target:gfx1200\nk:\ns_clause 0x1\ns_wait_loadcnt 0\nglobal_load_b32 v0, v1, s[4:5]\ns_endpgm\n"
    check_no_fix(text, RULE)


def test_the_clause_is_made_shorter() -> None:
    before = f"//- k.s target:gfx1030\ns_clause 0x103\n{LOADS}s_mov_b32 s2, 0\n{WAIT}"
    check_fix(before, before.replace("0x103", "0x101"))


def test_of_one_instruction_no_clause_is_left() -> None:
    before = (
        f"//- k.s target:gfx1030\ns_mov_b32 s2, 0\ns_clause 0x1\ns_load_dword s0, s[4:5], 0x0\ns_mov_b32 s3, 0\n{WAIT}"
    )
    check_fix(before, before.replace("s_clause 0x1\n", "\n"))


def test_in_a_macro_that_is_right_elsewhere() -> None:
    macro = ".macro begin\ns_clause 0x1\n.endm\n"
    text = f"//- k.s target:gfx1030\n{macro}begin\n{LOADS}begin\ns_load_dword s2, s[4:5], 0x0\ns_mov_b32 s3, 0\n{WAIT}"
    assert _rules(text).count(RULE) == 1
    check_no_fix(text)


def test_after_an_include() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx1030
        .include "loads.inc"
        s_mov_b32 s2, 0
        s_waitcnt lgkmcnt(0)
        s_endpgm
        //- loads.inc
        s_clause 0x1
        //<^^^^^^^^^ warning[broken-clause]: `s_mov_b32`, number 2
        s_load_dword s0, s[4:5], 0x0
        """
    )
