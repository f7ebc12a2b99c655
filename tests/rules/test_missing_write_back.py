"""Scalar stores that nothing writes back."""

from tests.support.check import check_diagnostics, check_fix, check_no_finding

RULE = "missing-write-back"
STORE = "s_store_dword s0, s[4:5], 0x0"


def test_a_store_before_the_end() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx900
        s_store_dword s0, s[4:5], 0x0
        //<^^^^^^^^^^^^^^^^^^^^^^^^^^ information[missing-write-back]: stays in the scalar cache
        s_endpgm
        """
    )


def test_of_several_stores_the_last() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx803
        s_store_dword s0, s[4:5], 0x0
        s_buffer_store_dword s0, s[4:7], 0x4
        //<^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ information[missing-write-back]
        s_endpgm
        """
    )


def test_written_back() -> None:
    check_no_finding(f"{STORE}\ns_dcache_wb\ns_endpgm\n", RULE)
    check_no_finding(f"//- k.s target:gfx1010\n{STORE}\ns_nop 0\ns_dcache_wb\ns_endpgm\n", RULE)
    check_no_finding(f"{STORE} glc\ns_endpgm\n", RULE)


def test_one_way_with_a_write_back_is_enough() -> None:
    check_no_finding(f"{STORE}\ns_cbranch_scc0 done\ns_dcache_wb\ndone:\ns_endpgm\n", RULE)


def test_a_function_may_do_it() -> None:
    check_no_finding(f"{STORE}\ns_swappc_b64 s[30:31], s[2:3]\ns_endpgm\n", RULE)
    check_no_finding(f"{STORE}\ns_setpc_b64 s[30:31]\n", RULE)
    check_no_finding(f"{STORE}\n", RULE)


def test_around_a_loop() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx900
        again:
        s_store_dword s0, s[4:5], 0x0
        //<^^^^^^^^^^^^^^^^^^^^^^^^^^ information[missing-write-back]
        s_sub_u32 s6, s6, 1
        s_cbranch_scc0 again
        s_endpgm
        """
    )
    check_no_finding(f"again:\n{STORE}\ns_cbranch_scc0 again\ns_dcache_wb\ns_endpgm\n", RULE)


def test_in_a_macro_and_after_an_include() -> None:
    check_diagnostics(
        """
        //- k.s target:gfx900
        .macro put
        s_store_dword s0, s[4:5], 0x0
        //<^^^^^^^^^^^^^^^^^^^^^^^^^^ information[missing-write-back]
        .endm
        put
        .include "end.inc"
        //- end.inc
        s_endpgm
        """
    )


def test_it_is_written_back_at_every_end() -> None:
    before = f"  {STORE}\n  s_cbranch_scc0 other\n  s_endpgm\nother:\n  s_endpgm\n"
    check_fix(before, before.replace("  s_endpgm", "  s_dcache_wb\n  s_endpgm"))
