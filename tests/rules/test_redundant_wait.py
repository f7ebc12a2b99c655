"""Waits that never wait, and those that keep a hazard away all the same."""

from tests.support.check import check_diagnostics, check_no_finding, findings

RULE = "redundant-wait"
DESCRIPTOR = """
        .amdhsa_kernel k
          .amdhsa_next_free_vgpr 16
          .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
"""


def test_what_an_earlier_wait_has_done() -> None:
    check_diagnostics(
        """
        k:
          s_load_dwordx2 s[2:3], s[0:1], 0x0
          s_waitcnt lgkmcnt(0)
          s_mov_b32 s4, s2
          s_waitcnt lgkmcnt(0)
        //^^^^^^^^^^^^^^^^^^^^ hint[redundant-wait]: this never waits: lgkmcnt is 0 on every path
          s_mov_b32 s5, s3
          s_waitcnt lgkmcnt(2)
        //^^^^^^^^^^^^^^^^^^^^ hint[redundant-wait]: this never waits: lgkmcnt is at most 2 on every path
          s_endpgm
        """
        + DESCRIPTOR
    )


# On gfx10.1 such a wait separates an access to LDS and one to memory after a branch.
BRANCH = """
    k:
      ds_read_b32 v1, v0
      s_cbranch_scc0 next
    next:
      s_waitcnt_vscnt null, 0x0
      global_load_dword v2, v0, s[0:1]
      s_waitcnt vmcnt(0) lgkmcnt(0)
      s_endpgm
"""


def test_a_wait_that_keeps_a_hazard_away() -> None:
    check_no_finding(BRANCH + DESCRIPTOR, RULE, "gfx1010")
    check_no_finding(BRANCH + DESCRIPTOR, "missing-wait-states", "gfx1010")
    assert RULE in [found.rule for found in findings(BRANCH + DESCRIPTOR, "gfx1030")]


def test_a_wait_that_is_a_wait_state() -> None:
    """The SGPR that the VALU writes reaches the load only after five steps, and the wait is one of them."""
    check_no_finding(
        """
        k:
          v_readfirstlane_b32 s4, v0
          s_nop 3
          s_waitcnt vmcnt(0)
          buffer_load_dword v9, v8, s[8:11], s4 offen
          s_waitcnt vmcnt(0)
          s_endpgm
        """
        + DESCRIPTOR,
        RULE,
        "gfx900",
    )
