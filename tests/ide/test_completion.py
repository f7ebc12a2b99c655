"""What is offered where: the start of a statement, each kind of operand, comments."""

from gcn_lsp.ide import completion
from tests.support.ide import check_completion, completions, program_and_cursor

# The start of a statement


def test_mnemonics_of_the_target() -> None:
    check_completion("v_mo$0", "v_mov_b32", "v_mul_f32", absent=("v_mfma_f32_4x4x1f32", "s_wait_loadcnt"))
    check_completion("v_mo$0", "v_mfma_f32_4x4x1f32", target="gfx908")


def test_a_mnemonic_says_what_it_does() -> None:
    assert completions("v_ad$0")["v_add_f32"].detail.startswith("Adds")


def test_mnemonics_behind_a_label() -> None:
    check_completion("start: s_$0", "s_endpgm")


def test_directives() -> None:
    check_completion(".se$0", ".section", ".set")


def test_macros() -> None:
    text = """
        .macro clear dst:req
        .endm
        cl$0
        """
    check_completion(text, "clear")
    assert completions(text)["clear"].detail == "clear dst:req"


def test_on_an_empty_line() -> None:
    check_completion("$0", "s_endpgm", ".text")


def test_the_word_under_the_cursor_is_replaced() -> None:
    program, line, column = program_and_cursor("s_m$0ov")
    found = completion.complete(program, line, column)
    assert found is not None
    assert (found.where.start, found.where.end) == (0, 5)


# Operands


def test_registers_that_fit_come_first() -> None:
    check_completion("v_mov_b32 $0", "v0", "v255", absent=("s0", "exec"))
    check_completion("v_mov_b32 v0, $0", "v0", "s0", "m0")
    check_completion("s_mov_b64 $0", "s[:]", "exec", "vcc", absent=("v0", "s0"))


def test_a_tuple_is_offered_where_one_is_wanted() -> None:
    check_completion("global_load_dwordx4 $0", "v[:]", absent=("v0",))


def test_symbols() -> None:
    text = """
        .set v_tmp, 4
        v_mov_b32 v[v_$0
        """
    check_completion(text, "v_tmp", absent=("v0",))
    assert completions(text)["v_tmp"].detail == "4 (0x4)"


def test_labels_for_branches() -> None:
    check_completion(
        """
        loop:
        s_branch $0
        """,
        "loop",
        absent=("s0",),
    )


def test_modifiers_of_this_instruction() -> None:
    check_completion("ds_read_b32 v0, v1 $0", "gds", "offset:", absent=("glc", "offset0:"))
    check_completion("buffer_load_dword v0, v1, s[0:3], 0 offen o$0", "glc", "offset:", absent=("dlc", "sc0"))
    check_completion("buffer_load_dword v0, v1, s[0:3], 0 $0", "offen", "sc0", target="gfx942", absent=("glc",))


def test_a_modifier_is_offered_once() -> None:
    check_completion("ds_read_b32 v0, v1 offset:4 $0", "gds", absent=("offset:",))


def test_values_of_a_modifier() -> None:
    check_completion("v_mov_b32_sdwa v0, v1 dst_sel:$0", "BYTE_0", "DWORD", "WORD_1")


def test_wait_counters() -> None:
    check_completion("s_waitcnt $0", "expcnt", "lgkmcnt", "vmcnt")


def test_names_inside_helpers() -> None:
    check_completion("s_getreg_b32 s0, $0", "hwreg")
    check_completion("s_getreg_b32 s0, hwreg(HW_$0", "HW_REG_MODE", "HW_REG_STATUS", absent=("HW_REG_SHADER_CYCLES",))
    check_completion("s_sendmsg sendmsg($0", "MSG_INTERRUPT", "MSG_GS")
    check_completion("s_sendmsg sendmsg(MSG_GS, $0", "GS_OP_CUT")


def test_arguments_of_a_macro() -> None:
    check_completion(
        """
        .macro clear dst:req
        .endm
        .set x, 1
        clear $0
        """,
        "dst=",
        "x",
    )


def test_parameters_in_a_macro_body() -> None:
    check_completion(
        """
        .macro clear dst:req, by
        v_mov_b32 v[\\$0], 0
        .endm
        """,
        "\\by",
        "\\dst",
    )


def test_without_a_target() -> None:
    check_completion("$0", ".text", target=None)
    check_completion("v_mov_b32 $0", target=None)


# Comments and strings


def test_rules_in_a_suppression_comment() -> None:
    check_completion("s_nop 0 ; gcn-lsp: disable=mis$0", "misaligned-register")
    check_completion("s_nop 0 ; gcn-lsp: disable-file=a,$0", "unknown-mnemonic")


def test_nothing_in_comments_and_strings() -> None:
    assert completions("s_nop 0 ; v_$0") == {}
    assert completions('.ascii "v_$0"') == {}


def test_nothing_in_metadata() -> None:
    text = """
        .amdgpu_metadata
        v_$0
        .end_amdgpu_metadata
        """
    assert completions(text) == {}


# Documentation of an entry


def test_documentation_is_made_for_one_entry() -> None:
    program, line, column = program_and_cursor(
        """
        .set x, 3
        .macro clear dst
        s_nop 0
        .endm
        $0
        """
    )
    offered = completion.complete(program, line, column)
    assert offered is not None
    items = {item.label: item for item in offered.items}
    assert "v_mov_b32 vdst, src0" in completion.resolve(program, items["v_mov_b32"], line)
    assert "section of instructions" in completion.resolve(program, items[".text"], line)
    assert ".macro clear dst" in completion.resolve(program, items["clear"], line)
    for item in items.values():
        assert isinstance(completion.resolve(program, item, line), str)
