"""Where labels, symbols, macros, parameters and included files are defined."""

from tests.support.ide import check_definition


def test_label() -> None:
    check_definition(
        """
        loop:
        s_branch lo$0op
        """,
        "kernel.s:1:loop",
    )


def test_the_assignment_that_counts_comes_first() -> None:
    check_definition(
        """
        .set x, 1
        x = 2
        s_mov_b32 s0, x$0
        .set x, 3
        """,
        "kernel.s:2:x",
        "kernel.s:1:x",
        "kernel.s:4:x",
    )


def test_symbol_in_a_register_index() -> None:
    check_definition(
        """
        .set base, 1
        v_mov_b32 v[ba$0se+1], 0
        """,
        "kernel.s:1:base",
    )


def test_macro() -> None:
    check_definition(
        """
        .macro clear dst
        v_mov_b32 v[\\dst], 0
        .endm
        cle$0ar 1
        """,
        "kernel.s:1:clear",
    )


def test_parameter_in_a_body() -> None:
    check_definition(
        """
        .macro clear by:req, dst=by
        v_mov_b32 v[\\d$0st], \\by
        .endm
        """,
        "kernel.s:1:dst",
    )


def test_keyword_argument_of_a_call() -> None:
    check_definition(
        """
        .macro clear dst
        .endm
        clear ds$0t=4
        """,
        "kernel.s:1:dst",
    )


def test_local_labels() -> None:
    text = """
        1: s_nop 0
        s_branch 1{}
        1: s_nop 0
        """
    check_definition(text.format("b$0"), "kernel.s:1:1")
    check_definition(text.format("f$0"), "kernel.s:3:1")


def test_include() -> None:
    check_definition(
        """
        //- kernel.s
        .include "regs$0.inc"
        //- regs.inc
        .set a, 1
        """,
        "regs.inc:1:",
    )


def test_symbol_in_an_included_file() -> None:
    check_definition(
        """
        //- kernel.s
        .include "regs.inc"
        s_mov_b32 s0, a$0
        //- regs.inc
        .set a, 1
        """,
        "regs.inc:1:a",
    )


def test_kernel_named_by_directives_and_metadata() -> None:
    check_definition(
        """
        .globl my$0_kernel
        my_kernel:
        s_endpgm
        """,
        "kernel.s:2:my_kernel",
    )
    check_definition(
        """
        my_kernel:
        s_endpgm
        .amdgpu_metadata
        amdhsa.kernels:
          - .symbol: 'my_kern$0el.kd'
        .end_amdgpu_metadata
        """,
        "kernel.s:1:my_kernel",
    )


def test_nothing() -> None:
    check_definition("v_mov_b32 v$00, v1")
    check_definition("v_mov_b32 v0, 12$0")
    check_definition("s_nop 0 ; lo$0op")
    check_definition("s_mov_b32 s0, nowhere$0")
