"""Every place that names a label, a symbol, a macro or a parameter."""

from tests.support.ide import check_references


def test_label() -> None:
    text = """
        lo$0op:
        s_branch loop ; loop
        s_cbranch_vccz loop
        """
    check_references(text, "kernel.s:1:loop", "kernel.s:2:loop", "kernel.s:3:loop")
    check_references(text, "kernel.s:2:loop", "kernel.s:3:loop", include_declaration=False)


def test_symbol_with_several_assignments_and_a_longer_name() -> None:
    check_references(
        """
        .set x, 1
        .set x, x+1
        .set xx, 1
        v_mov_b32 v[x$0], xx
        """,
        "kernel.s:1:x",
        "kernel.s:2:x",
        "kernel.s:2:x",
        "kernel.s:4:x",
    )


def test_macro() -> None:
    check_references(
        """
        .macro clear dst
        .endm
        cle$0ar 1
        clear 2
        """,
        "kernel.s:1:clear",
        "kernel.s:3:clear",
        "kernel.s:4:clear",
    )


def test_parameter_stays_in_its_macro() -> None:
    check_references(
        """
        .macro clear dst
        v_mov_b32 v[\\dst], \\dst
        .endm
        .macro other dst
        v_mov_b32 v[\\ds$0t], 0
        .endm
        """,
        "kernel.s:4:dst",
        "kernel.s:5:\\dst",
    )


def test_local_label_with_its_own_branches_only() -> None:
    check_references(
        """
        1: s_branch 1f
        $01: s_branch 1b
        s_branch 1b
        1: s_nop 0
        """,
        "kernel.s:1:1f",
        "kernel.s:2:1",
        "kernel.s:2:1b",
        "kernel.s:3:1b",
    )


def test_uses_in_an_included_file() -> None:
    check_references(
        """
        //- kernel.s
        .set ba$0se, 1
        .include "body.inc"
        //- body.inc
        s_mov_b32 s0, base
        """,
        "kernel.s:1:base",
        "body.inc:1:base",
    )


def test_register_in_its_kernel_with_tuples() -> None:
    text = """
        .type one,@function
        .type two,@function
        one:
        v_mov_b32 v$05, v1
        global_load_dwordx4 v[4:7], v[0:1], off
        global_store_dwordx2 v[6:7], v[4:5], off
        v_mov_b32 v6, v7
        two:
        v_mov_b32 v5, v5
        """
    expected = ("kernel.s:4:v5", "kernel.s:5:v[4:7]", "kernel.s:6:v[4:5]")
    check_references(text, *expected)
    check_references(text, *expected, include_declaration=False)


def test_nothing() -> None:
    check_references("s_mov_b32 s0, nowhere$0")


def test_nothing_in_comments_and_outside_of_the_text() -> None:
    check_references(".set x, 1\ns_nop 0 ; x$0\n")
    check_references("s_nop 0 ; lo$0op\nloop:\n")


def test_a_mnemonic_and_a_directive_have_no_references() -> None:
    check_references("s_n$0op 0\ns_nop 1\n")
    check_references(".se$0t x, 1\n.set y, 2\n")


def test_a_number_has_no_references() -> None:
    check_references("s_nop 1$02\ns_nop 12\n")


def test_a_name_without_a_definition_has_no_references() -> None:
    check_references("s_branch nowh$0ere\ns_branch nowhere\n")


def test_the_declaration_of_a_register_stays_without_declarations() -> None:
    text = "k:\nv_mov_b32 v$01, 0\nv_mov_b32 v2, v1\n"
    check_references(text, "kernel.s:2:v1", "kernel.s:3:v1", include_declaration=False)
