"""Writes to LDS for the next round before all waves have read this one's."""

import pytest

from tests.support.check import check_diagnostics, check_fix, check_no_finding, findings

RULE = "early-lds-write"
WAIT = "s_waitcnt lgkmcnt(0)\n"
WRITE, READ, OTHER = (
    f"ds_write_b32 v0, v1\n{WAIT}",
    f"ds_read_b32 v1, v3\n{WAIT}",
    f"ds_write_b32 v0, v1 offset:4096\n{WAIT}",
)
B = "s_barrier\n"
LOOP = "l:\n{}s_cmp_lg_u32 s0, 0\ns_cbranch_scc1 l\ns_endpgm\n"
WRITE_12, READ_12 = "ds_store_b32 v0, v1\ns_wait_dscnt 0x0\n", "ds_load_b32 v1, v3\ns_wait_dscnt 0x0\n"
B_12 = "s_barrier_signal -1\ns_barrier_wait -1\n"


def test_the_write_of_the_next_round() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx900
        l:
        ds_write_b32 v0, v1
        //<^^^^^^^^^^^^^^^^ warning[early-lds-write]: in the next round this overwrites what other waves may still read
        s_waitcnt lgkmcnt(0)
        s_barrier
        ds_read_b32 v1, v3
        s_waitcnt lgkmcnt(0)
        s_sub_u32 s0, s0, 1
        s_cmp_lg_u32 s0, 0
        s_cbranch_scc1 l
        s_endpgm
        """
    )


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("gfx900", LOOP.format(B + READ + WRITE)),
        ("gfx900", f"{WRITE}{B}{READ}{WRITE}{B}{READ}s_endpgm\n"),
        ("gfx1200", LOOP.format(WRITE_12 + B_12 + READ_12)),
        ("gfx900", LOOP.format(WRITE + OTHER + B + READ)),
        ("gfx900", LOOP.format(READ + WRITE + B)),
    ],
)
def test_found(target: str, text: str) -> None:
    assert [each.rule for each in findings(f"//- k.s target:{target}\n{text}") if each.rule == RULE]


@pytest.mark.parametrize(
    ("target", "text"),
    [
        # Two barriers in a round.
        ("gfx900", LOOP.format(WRITE + B + READ + B)),
        ("gfx900", LOOP.format(B + WRITE + B + READ)),
        ("gfx1200", LOOP.format(WRITE_12 + B_12 + READ_12 + B_12)),
        # Two buffers in turn, by offset or by register.
        ("gfx900", LOOP.format(WRITE + B + READ + OTHER + B + READ)),
        ("gfx900", LOOP.format(f"{WRITE}{B}{READ}v_xor_b32 v0, 0x1000, v0\n")),
        # The lanes that write are others, or not known to be the same.
        ("gfx900", f"{WRITE}{B}{READ}s_mov_b64 exec, s[4:5]\n{WRITE}s_endpgm\n"),
        ("gfx900", f"{WRITE}{B}{READ}s_cbranch_scc0 l\n{WRITE}l:\ns_endpgm\n"),
        # Own data, no read, reads of lanes, barriers for others.
        ("gfx900", LOOP.format(WRITE + B + READ.replace("v3", "v0"))),
        ("gfx900", LOOP.format(WRITE + B + READ + READ.replace("v3", "v0"))),
        ("gfx900", LOOP.format(WRITE + B)),
        ("gfx900", LOOP.format(f"{WRITE}{B}ds_bpermute_b32 v1, v3, v4\n{WAIT}")),
        ("gfx1250", LOOP.format(f"{WRITE_12}s_barrier_signal m0\ns_barrier_wait 1\n{READ_12}")),
        # The part of the wave.
        (
            "gfx900",
            f"v_readfirstlane_b32 s4, v9\ns_lshl_b32 s5, s4, 10\nv_add_u32 v0, v7, s5\nv_add_u32 v3, v8, s5\n"
            f"{WRITE}{B}{READ}{WRITE}s_endpgm\n",
        ),
    ],
)
def test_silent(target: str, text: str) -> None:
    check_no_finding(f"//- k.s target:{target}\n{text}", RULE)


def test_the_fix_inserts_a_barrier() -> None:
    check_fix(
        f"//- k.s target:gfx900\n{WRITE}{B}{READ}{WRITE}s_endpgm\n",
        f"//- k.s target:gfx900\n{WRITE}{B}{READ}{WAIT}{B}{WRITE}s_endpgm\n",
    )
    check_fix(
        f"//- k.s target:gfx1200\n{LOOP.format(WRITE_12 + B_12 + READ_12)}",
        f"//- k.s target:gfx1200\n{LOOP.format('s_wait_dscnt 0x0' + chr(10) + B_12 + WRITE_12 + B_12 + READ_12)}",
        rule=RULE,
    )


def test_in_a_macro_and_after_an_include() -> None:
    text = "//- k.s target:gfx900\n.macro again\n{}.endm\n{}\n.rept 3\n{}.endr\nagain\n{}{}again\ns_endpgm\n"
    assert RULE in {each.rule for each in findings(text.format(WRITE, "", "", B, READ))}
    included = f'//- k.s target:gfx900\n{WRITE}{B}{READ}.include "w.inc"\ns_endpgm\n//- w.inc\n{WRITE}'
    assert RULE in {each.rule for each in findings(included)}
