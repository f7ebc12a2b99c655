"""Runs of memory instructions that could not be carried out a second time."""

from tests.support.check import check_diagnostics, check_fix, check_no_finding, findings

RULE = "unreplayable-clause"


def test_a_source_is_overwritten() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx90a mattr:+xnack
        s_load_dword s8, s[4:5], 0x0
        s_load_dwordx2 s[4:5], s[6:7], 0x0
        //<^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[unreplayable-clause]: because of s[4:5]
        s_waitcnt lgkmcnt(0)
        s_endpgm
        """
    )


def test_where_xnack_is_left_open_it_is_a_note() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx90a
        global_load_dword v1, v[2:3], off
        global_load_dword v2, v[6:7], off
        //<^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ information[unreplayable-clause]: because of v2
        s_waitcnt vmcnt(0)
        s_endpgm
        """
    )


def test_without_xnack_there_is_none() -> None:
    loads = "s_load_dword s8, s[4:5], 0x0\ns_load_dwordx2 s[4:5], s[6:7], 0x0\ns_waitcnt lgkmcnt(0)\n"
    check_no_finding(f"//- k.s target:gfx90a mattr:-xnack\n{loads}", RULE)
    check_no_finding(f"//- k.s target:gfx1030\n{loads}", RULE)


def test_the_run_is_ended() -> None:
    before = "s_load_dword s8, s[4:5], 0x0\ns_load_dwordx2 s[4:5], s[6:7], 0x0\ns_waitcnt lgkmcnt(0)\ns_endpgm\n"
    check_fix(before, before.replace("s_load_dwordx2", "s_nop 0\ns_load_dwordx2"), "gfx90a")


def test_of_two_reasons_the_same_is_told_each_time() -> None:
    atomic = "image_atomic_cmpswap v[5:6], v[1:4], s[8:15] dmask:0x3 unorm glc\n"
    text = f"{atomic}next:\nimage_atomic_add v5, v1, s[8:15] dmask:0x1 unorm glc\ns_endpgm\n"
    # Which of them is found first depends on where the objects of the analysis happen to lie.
    assert len({tuple(findings(text)) for _ in range(20)}) == 1
