"""Copies to LDS that go where another one in flight goes."""

import pytest

from gcn_lsp.findings.model import Severity
from tests.support.check import check_diagnostics, check_no_finding, findings

RULE = "overwritten-lds-copy"
FILL = "buffer_load_dword v0, s[8:11], 0 offen lds\n"
END = "s_waitcnt vmcnt(0)\ns_endpgm\n"


def test_two_copies_with_one_m0() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx942
        s_mov_b32 m0, 0x100
        s_nop 0
        buffer_load_dword v0, s[8:11], 0 offen lds
        s_mov_b32 m0, 0
        s_nop 0
        buffer_load_dword v1, s[8:11], 0 offen offset:256 lds
        //<^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ information[overwritten-lds-copy]: its data is lost
        s_waitcnt vmcnt(0)
        s_endpgm
        """
    )


def test_asynchronous_copies() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx1250
        global_load_async_to_lds_b128 v4, v2, s[8:9]
        global_load_async_to_lds_b128 v4, v3, s[8:9] offset:8
        //<^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[overwritten-lds-copy]: wait for asynccnt(0)
        s_wait_asynccnt 0
        s_endpgm
        """
    )


@pytest.mark.parametrize(
    "between",
    [
        "s_mov_b32 m0, 0x100\ns_nop 0\n",  # another place
        "s_waitcnt vmcnt(0)\n",
        "s_barrier\n",
        "s_mov_b32 exec_lo, 1\n",  # perhaps other lanes
        "s_mov_b64 exec, 0\n",
        "s_mov_b32 m0, s20\ns_nop 0\n",
    ],
)
def test_silence(between: str) -> None:
    check_no_finding(f"s_mov_b32 m0, 0\ns_nop 0\n{FILL}{between}{FILL}{END}", RULE, "gfx942")


def test_halves_of_the_lanes() -> None:
    head = f"s_mov_b32 m0, 0\ns_mov_b64 exec, 0xffffffff\n{FILL}s_mov_b32 m0, {{}}\ns_nop 0\n"
    check_no_finding(head.format("0x80") + FILL + END, RULE, "gfx942")
    assert [each.rule for each in findings(head.format("0x7c") + FILL + END, "gfx942")] == [RULE]


def test_tensors_come_in_order() -> None:
    tensor = "tensor_load_to_lds s[24:27], s[28:35]\n"
    (found,) = findings(f"s_mov_b32 s25, 0\n{tensor}{tensor}s_wait_tensorcnt 0\ns_endpgm\n", "gfx1250")
    assert (found.rule, found.severity) == (RULE, Severity.INFORMATION)


def test_a_copy_in_a_loop() -> None:
    loop = f"s_mov_b32 m0, 0\nround:\n{FILL}s_sub_u32 s4, s4, 1\ns_cmp_lg_u32 s4, 0\ns_cbranch_scc1 round\n{END}"
    check_no_finding(loop, RULE, "gfx942")
    check_no_finding(f".macro fill\n{FILL}.endm\ns_mov_b32 m0, s4\nfill\n{END}", RULE, "gfx942")
