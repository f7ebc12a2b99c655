"""Where labels, symbols, macros, parameters and included files are defined."""

from gcn_lsp.ide import definition
from tests.support.ide import check_definition, program_and_cursor


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
    check_definition("v_mov_b32 v0, v$01")
    check_definition("v_mov_b32 v0, 12$0")
    check_definition("s_nop 0 ; lo$0op")
    check_definition("s_mov_b32 s0, nowhere$0")


def test_a_register_is_defined_by_what_wrote_it() -> None:
    text = """\
    kernel:
      v_mov_b32 v4, 1.0
      s_cbranch_scc1 other
      v_mov_b32 v[4:4], 2.0
    other:
      v_add_f32 v5, v4, v4
      v_mov_b32 v4, 0
      s_endpgm
    """
    built, line, column = program_and_cursor(text.replace("v5, v4, v4", "v5, v$04, v4"))
    found = definition.definition(built, line, column)
    places = [(where.line, built.source.lines[where.line][where.start : where.end].decode()) for where in found]
    assert places == [(1, "v4"), (3, "v[4:4]")]


def test_a_result_is_its_own_definition() -> None:
    built, line, column = program_and_cursor("k:\n  v_mov_b32 v4, 0\n  v_mov_b32 v$04, v4\n  s_endpgm\n")
    (where,) = definition.definition(built, line, column)
    assert (where.line, where.start) == (2, 12)
    built, line, column = program_and_cursor("k:\n  v_mov_b32 v4, 0\n  v_mov_b32 v4, v$04\n  s_endpgm\n")
    (where,) = definition.definition(built, line, column)
    assert where.line == 1


def test_a_part_of_a_loaded_tuple_leads_to_the_load() -> None:
    text = "k:\n  s_load_dwordx4 s[4:7], s[0:1], 0x0\n  s_waitcnt lgkmcnt(0)\n  v_mov_b32 v0, s$06\n  s_endpgm\n"
    built, line, column = program_and_cursor(text)
    (where,) = definition.definition(built, line, column)
    assert built.source.lines[where.line][where.start : where.end] == b"s[4:7]"
