"""Atomics that return nothing, and what reads their data all the same."""

import pytest

from tests.support.check import check_diagnostics, check_no_finding, findings

RULE = "unreturned-value"
ATOMIC, WAIT = "s_atomic_add s0, s[4:5], 0x0", "s_waitcnt lgkmcnt(0)"


def test_the_operand_is_read() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx900
        s_atomic_add s0, s[4:5], 0x0
        s_waitcnt lgkmcnt(0)
        s_nop 0
        s_cmp_eq_u32 s0, 0
        //<^^^^^^^^^^^^^^^ warning[unreturned-value]: `s0` is still the operand of `s_atomic_add` on line 1
        s_cbranch_scc0 0
        """
    )


def test_the_compared_half_stays_as_it_was() -> None:
    exchange = f"s_atomic_cmpswap s[0:1], s[4:5], 0x0\n{WAIT}\n"
    check_no_finding(f"{exchange}s_cmp_eq_u32 s1, 0\n", RULE)
    check_diagnostics(
        """
        //- k.s target:gfx1010
        s_buffer_atomic_cmpswap_x2 s[0:3], s[4:7], 0x0
        s_waitcnt lgkmcnt(0)
        s_cmp_eq_u64 s[0:1], 0
        //<^^^^^^^^^^^^^^^^^^^ warning[unreturned-value]: `s[0:1]` is still the operand
        s_cbranch_scc0 0
        """
    )


@pytest.mark.parametrize(
    "text",
    [
        f"{ATOMIC} glc\n{WAIT}\ns_cmp_eq_u32 s0, 0\n",
        f"{ATOMIC}\ns_cmp_eq_u32 s0, 0\n",  # nobody waits for a result
        f"{ATOMIC}\n{WAIT}\ns_mov_b32 s0, 1\ns_cmp_eq_u32 s0, 0\n",
        f"{ATOMIC}\n{WAIT}\ns_atomic_add s0, s[4:5], 0x4\n",  # the operand serves once more
        f"{ATOMIC}\n{WAIT}\nother:\ns_cmp_eq_u32 s0, 0\ns_branch other\n",  # another value may come here
        f"{ATOMIC}\n{WAIT}\ns_cmp_eq_u32 s1, 0\n",
    ],
)
def test_silent(text: str) -> None:
    check_no_finding(f"{text}s_endpgm\n", RULE)


def test_in_a_macro_and_after_an_include() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx900
        .macro check
        s_cmp_eq_u32 s0, 0
        //<^^^^^^^^^^^^^^^ warning[unreturned-value]
        .endm
        .include "atomic.inc"
        check
        s_cbranch_scc0 0
        //- atomic.inc
        s_atomic_add s0, s[4:5], 0x0
        s_waitcnt lgkmcnt(0)
        """
    )


VECTOR = "v_mov_b32 v2, s2\n{}\n{}\nv_readfirstlane_b32 s3, v2\nv_mov_b32 v4, s3\ns_endpgm\n"


@pytest.mark.parametrize(
    ("target", "atomic", "wait", "word"),
    [
        ("gfx90a", "global_atomic_add v0, v2, s[8:9]", "s_waitcnt vmcnt(0)", "glc"),
        ("gfx942", "global_atomic_add v0, v2, s[8:9]", "s_waitcnt vmcnt(0)", "sc0"),
        ("gfx942", "flat_atomic_or v[0:1], v2", "s_waitcnt vmcnt(0) lgkmcnt(0)", "sc0"),
        ("gfx1100", "global_atomic_add_u32 v0, v2, s[8:9]", "s_waitcnt vmcnt(0)", "glc"),
        ("gfx1201", "global_atomic_add_u32 v0, v2, s[8:9]", "s_wait_loadcnt 0x0", "th:TH_ATOMIC_RETURN"),
    ],
)
def test_vector_atomics(target: str, atomic: str, wait: str, word: str) -> None:
    found = [each for each in findings(f"//- k.s target:{target}\n{VECTOR.format(atomic, wait)}") if each.rule == RULE]
    assert [f"returns nothing without `{word}`" in str(each.message) for each in found] == [True]


@pytest.mark.parametrize(
    "text",
    [
        VECTOR.format("global_atomic_add v2, v0, v2, s[8:9] sc0", "s_waitcnt vmcnt(0)"),
        VECTOR.format("global_atomic_add v0, v2, s[8:9]", "global_store_dword v0, v5, s[8:9]\ns_waitcnt vmcnt(0)"),
        VECTOR.format("global_atomic_add v0, v2, s[8:9]", "s_waitcnt vmcnt(0)").replace(
            "v_mov_b32 v2, s2", "v_mov_b32 v2, v6"
        ),
        VECTOR.format("global_atomic_add v0, v2, s[8:9]", "s_waitcnt vmcnt(0)\nv_add_u32 v7, v2, v2"),
        VECTOR.format("global_atomic_add v0, v2, s[8:9]", "s_waitcnt vmcnt(0)\nv_mov_b32 v2, v7"),
    ],
)
def test_operands_that_are_used_again(text: str) -> None:
    check_no_finding(f"//- k.s target:gfx942\n{text}", RULE)
