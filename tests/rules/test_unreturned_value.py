"""Atomics that return nothing, and what reads their data all the same."""

import pytest

from tests.support.check import check_diagnostics, check_no_finding

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
