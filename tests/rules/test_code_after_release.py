"""What follows the release of the VGPRs."""

import pytest

from tests.support.check import check_diagnostics, check_no_finding, findings

RULE = "code-after-release"
RELEASE = "s_nop 0\ns_sendmsg sendmsg(MSG_DEALLOC_VGPRS)\n"


def test_the_place_and_the_release() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx1100
        s_nop 0
        s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
        s_mov_b32 s0, 0
        //<^^^^^^^^^^^^ warning[code-after-release]: `s_mov_b32` comes after the release of the VGPRs
        s_endpgm
        """
    )


@pytest.mark.parametrize(
    ("target", "after"),
    [
        ("gfx1100", "v_nop\ns_endpgm"),
        ("gfx1150", "s_nop 0\ns_waitcnt vmcnt(0)\ns_endpgm"),
        ("gfx1100", "s_branch far\nfar:\ns_endpgm"),
        ("gfx1100", "far:\ns_mov_b32 s0, 0\ns_endpgm"),
        ("gfx1200", "s_mov_b32 s0, 0\nscratch_store_b32 off, v0, s4\ns_endpgm"),
        ("gfx1250", "s_mov_b32 s0, 0\nv_mov_b32 v0, 0\ns_endpgm"),
    ],
)
def test_what_must_not_follow(target: str, after: str) -> None:
    found = findings(f"//- k.s target:{target}\nk:\n{RELEASE}{after}\n")
    assert RULE in [finding.rule for finding in found]


@pytest.mark.parametrize(
    ("target", "after"),
    [
        ("gfx1100", "s_endpgm"),
        ("gfx1100", "s_nop 0\ns_endpgm"),
        ("gfx1100", "end:\ns_endpgm"),
        ("gfx1200", "s_mov_b32 s0, 0\ns_wait_storecnt 0\ns_endpgm"),
        # What comes is not known.
        ("gfx1100", ".long 0xbf800000\ns_endpgm"),
    ],
)
def test_what_may_follow(target: str, after: str) -> None:
    check_no_finding(f"//- k.s target:{target}\nk:\n{RELEASE}{after}\n", RULE)


@pytest.mark.parametrize("message", ["MSG_HS_TESSFACTOR", "MSG_INTERRUPT"])
def test_another_message(message: str) -> None:
    check_no_finding(f"//- k.s target:gfx1100\nk:\ns_sendmsg sendmsg({message})\nv_nop\ns_endpgm\n", RULE)


def test_its_number_means_another_message_before_gfx11() -> None:
    check_no_finding("//- k.s target:gfx1030\nk:\ns_sendmsg 3\nv_nop\ns_endpgm\n", RULE)


def test_in_a_macro_and_in_an_included_file() -> None:
    text = """
        //- k.s target:gfx1100
        .include "release.inc"
        .macro done
        s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
        v_nop
        //<^^ warning[code-after-release]
        s_endpgm
        .endm
        s_nop 0
        done
        //- release.inc
        """
    check_diagnostics(text)
