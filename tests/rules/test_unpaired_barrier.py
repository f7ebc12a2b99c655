"""Barrier operations without their counterpart."""

import pytest

from tests.support.check import check_no_finding, findings

RULE = "unpaired-barrier"
KERNEL = (
    "//- k.s target:{}\nk:\n{}s_endpgm\n.rodata\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr 8\n"
    ".amdhsa_next_free_sgpr 32\n.end_amdhsa_kernel\n"
)
SIGNAL, WAIT = "s_barrier_signal -1\n", "s_barrier_wait -1\n"


@pytest.mark.parametrize(
    ("target", "text", "said"),
    [
        ("gfx1200", WAIT, "has not signalled to"),
        ("gfx1200", "s_barrier_wait 0xffff\n", "has not signalled to"),
        ("gfx1200", SIGNAL + WAIT + WAIT, "has not signalled to"),
        ("gfx1200", SIGNAL + SIGNAL + WAIT, "has signalled already"),
        ("gfx1250", SIGNAL + "s_barrier_signal_isfirst -1\n" + WAIT, "has signalled already"),
        ("gfx1200", f"l:\n{SIGNAL}{WAIT}s_cbranch_scc0 l\n{WAIT}", "has not signalled to"),
        ("gfx1200", "s_barrier_signal -2\n", "trap handler's"),
        ("gfx1250", "s_barrier_init -1\n", "not a named one"),
        ("gfx1250", "s_barrier_join -1\n", "not a named one"),
        ("gfx1250", "s_barrier_signal 2\n", "nothing sets up barrier 2"),
        ("gfx1250", "s_barrier_init m0\ns_barrier_signal 2\ns_barrier_wait 2\n", "not a member"),
    ],
)
def test_found(target: str, text: str, said: str) -> None:
    (found,) = (each for each in findings(KERNEL.format(target, text)) if each.rule == RULE)
    assert said in found.message


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("gfx1200", SIGNAL + WAIT),
        ("gfx1200", SIGNAL),
        ("gfx1200", f"s_cbranch_scc0 l\n{SIGNAL}l:\n{WAIT}"),  # the same condition may guard both
        ("gfx1200", f"s_cbranch_scc0 l\n{SIGNAL}s_branch m\nl:\n{SIGNAL}m:\n{WAIT}"),
        ("gfx1200", f"l:\n{SIGNAL}{WAIT}s_cbranch_scc0 l\n"),
        ("gfx1200", f"s_swappc_b64 s[30:31], s[4:5]\n{WAIT}"),
        ("gfx1250", "s_barrier_wait -3\n"),  # another wave of the work-group signals
        ("gfx1250", "s_barrier_init m0\ns_barrier_join 2\ns_barrier_signal 2\ns_barrier_wait 2\n"),
        ("gfx1250", "s_barrier_join 2\ns_barrier_signal m0\ns_barrier_wait 1\n"),  # M0 has the number of waves
        ("gfx1250", "s_barrier_join 0\n"),
        ("gfx1100", "s_barrier\ns_barrier\n"),
    ],
)
def test_silent(target: str, text: str) -> None:
    check_no_finding(KERNEL.format(target, text), RULE)


def test_code_without_a_descriptor_may_be_part_of_more() -> None:
    check_no_finding(f"//- k.s target:gfx1200\nk:\n{WAIT}s_endpgm\n", RULE)
