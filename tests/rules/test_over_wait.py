"""Waits that ask for more than anything after them needs."""

from tests.support.check import check_diagnostics, check_silent

DESCRIPTOR = """
        .amdhsa_kernel k
          .amdhsa_next_free_vgpr 16
          .amdhsa_next_free_sgpr 16
        .end_amdhsa_kernel
"""
LOADS = """
        k:
          global_load_dword v1, v0, s[2:3]
          global_load_dword v2, v0, s[4:5]
"""


def test_only_the_older_is_needed() -> None:
    check_diagnostics(
        LOADS
        + """
          s_waitcnt vmcnt(0)
        //^^^^^^^^^^^^^^^^^^ hint[over-wait]: vmcnt(1) is enough
          v_mov_b32 v3, v1
          s_endpgm
        """
        + DESCRIPTOR
    )


def test_nothing_is_needed() -> None:
    check_diagnostics(
        LOADS
        + """
          s_waitcnt vmcnt(0)
        //^^^^^^^^^^^^^^^^^^ hint[over-wait]: nothing used later depends on this wait
          v_mov_b32 v3, v0
          s_endpgm
        """
        + DESCRIPTOR
    )


def test_memory_is_ordered_later() -> None:
    for later in (
        "s_barrier",
        "global_store_dword v0, v3, s[2:3]",
        "s_swappc_b64 s[0:1], s[2:3]",
        "s_setpc_b64 s[0:1]",
    ):
        check_silent(LOADS + f"  s_waitcnt vmcnt(0)\n  v_mov_b32 v3, v0\n  {later}\n  s_endpgm\n" + DESCRIPTOR)


def test_stores_are_waited_for_because_of_memory() -> None:
    check_silent(
        "k:\n  global_store_dword v0, v3, s[2:3]\n  s_waitcnt vmcnt(0)\n  v_mov_b32 v3, v0\n  s_endpgm\n" + DESCRIPTOR
    )


def test_needed_on_one_path_only() -> None:
    check_silent(
        LOADS
        + "  s_waitcnt vmcnt(0)\n  s_cbranch_scc1 1f\n  v_mov_b32 v3, v2\n1:\n  v_mov_b32 v3, v1\n  s_endpgm\n"
        + DESCRIPTOR
    )


def test_nothing_is_claimed_of_what_was_issued_elsewhere() -> None:
    check_silent("f:\n  s_waitcnt vmcnt(0)\n  s_setpc_b64 s[0:1]\n")


def test_out_of_order_only_zero_will_do() -> None:
    check_silent(
        "k:\n  s_load_dword s4, s[2:3], 0x0\n  s_load_dword s5, s[2:3], 0x4\n  s_waitcnt lgkmcnt(0)\n"
        "  s_mov_b32 s6, s4\n  s_endpgm\n" + DESCRIPTOR
    )
