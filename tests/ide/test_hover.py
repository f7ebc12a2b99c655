"""The hover of each kind of thing, in the words and values of its line."""

import pytest

from gcn_lsp.ide import hover
from tests.support import check, fixture
from tests.support.ide import check_hover, check_hover_span, check_no_hover, hover_text

# Mnemonics


def test_mnemonic_tells_syntax_operation_operands_encoding_and_targets() -> None:
    check_hover(
        """
        .set v_acc, 32
        v_add_$0f32 v0, 1.0, v[v_acc+3]
        """,
        "v_add_f32 vdst, src0, src1",
        "D.f32 =",
        "| `vdst` (written) | `v0` | `v0` |",
        "| `src0` | `1.0` | 1.0 (0x3f800000), inline constant |",
        "| `src1` | `v[v_acc+3]` | `v35` |",
        "Encoding VOP2, at `.text` + 0x0",
        "`f2 46 00 02` (`020046F2`, 4 bytes)",
        "| src0 | 8:0 | 0xf2 |",
        "These bytes, read back, are `v_add_f32_e32 v0, 1.0, v35`.",
        "Targets: all.",
    )


def test_mnemonic_with_literal() -> None:
    check_hover(
        "s_mov$0_b32 s7, 0x4f800000",
        "| `src0` | `0x4f800000` | 1333788672 (0x4f800000, 4294967296.0 as f32), literal |",
        "| literal | 63:32 | 0x4f800000 |",
    )


def test_mnemonic_with_encoding_suffix() -> None:
    check_hover("v_add_f32_e$064 v0, s0, v1 clamp", "v_add_f32 vdst, src0, src1 [clamp]", "Encoding VOP3")


def test_cache_policy_is_told_apart() -> None:
    check_hover(
        "buffer_load_d$0word v0, v1, s[8:11], 0 offen offset:16 slc",
        "| slc | 17 | 1 |",
        "| srsrc[6:2] | 52:48 | 2 | `s[8:11]` |",
    )


def test_source_modifiers_have_rows_of_their_own() -> None:
    check_hover("v_fma_f$032 v0, -v1, |v2|, v3", "| src0 neg | 61 | 1 |", "| src1 abs | 9 | 1 |")
    check_hover("v_pk_add_f$016 v0, v1, v2 neg_hi:[0,1]", "| src1 neg_hi | 9 | 1 |", "Encoding VOP3P")
    check_hover("v_add_u32_s$0dwa v0, sext(v1), v2 src0_sel:WORD_0", "| src0 sext | 51 | 1 |", "with SDWA")


def test_constant_of_a_packed_operand_has_the_bits_of_a_half() -> None:
    check_hover("v_pk_add_f$016 v0, v1, 1.0", "1.0 (0x3c00), inline constant")


def test_implicit_effects_and_counters() -> None:
    check_hover("s_add$0_u32 s0, s1, s2", "Also writes `SCC`.")
    check_hover("global_load_$0dword v0, v[2:3], off", "Counted by `vmcnt`.")


def test_branch_tells_its_target() -> None:
    check_hover(
        """
        s_br$0anch skip
        s_nop 0
        skip:
        s_endpgm
        """,
        "| `simm16` | `skip` | `.text` + 0x8, 1 dword after the next instruction |",
    )


def test_offset_of_the_line() -> None:
    check_hover(
        """
        s_nop 0
        start: s_end$0pgm
        """,
        "`.text` + 0x4",
    )


def test_mnemonic_in_a_branch_not_taken_is_explained_without_values() -> None:
    text = """
        .if 0
        v_mov$0_b32 v0, v1
        .endif
        """
    check_hover(text, "Not assembled: its branch is not taken", "v_mov_b32 vdst, src0")
    assert "operand" not in (hover_text(text) or "")


def test_mnemonic_of_another_target() -> None:
    check_hover("v_mfma_f32_4x4x1$0f32 a[0:3], v0, v1, a[0:3]", "gfx900 does not have this mnemonic", "gfx908")


def test_mnemonic_that_nobody_has() -> None:
    check_no_hover("v_frobnicate$0 v0, v1")


def test_mnemonic_without_a_target() -> None:
    check_hover("v_mov$0_b32 v0, v1", "Copies", "Targets: all.", target=None)


def test_mnemonic_that_does_not_match_still_explains_itself() -> None:
    check_hover("v_mov$0_b32 v0", "v_mov_b32 vdst, src0")


# Macros


def test_line_of_a_macro_body_shows_the_values_of_its_expansions() -> None:
    check_hover(
        """
        .macro scale dst:req, by=2
        v_mul$0_u32_u24 v[\\dst], \\by, v[\\dst]
        .endm
        scale 4
        scale 5
        """,
        "assembled 2 times",
        "| `vdst` (written) | `v[\\dst]` | `v4` or `v5` |",
        "| `src0` | `\\by` | 2 (0x2), inline constant |",
    )


def test_line_of_a_macro_body_that_nothing_calls() -> None:
    check_hover(
        """
        .macro scale dst
        v_mov$0_b32 v[\\dst], 0
        .endm
        """,
        "no call expands this line",
    )


def test_operand_in_a_macro_body() -> None:
    check_hover(
        """
        .macro clear dst
        v_mov_b32 v$0[\\dst], 0
        .endm
        clear 4
        clear 6
        """,
        "`v[\\dst]` is `v4` or `v6`",
    )


def test_operand_of_a_macro_body_that_an_expansion_lacks() -> None:
    check_hover(
        """
        .set sym, 16
        .macro LOAD mod
        buffer_load_dword v0, off, s[0:3], 0 \\mod offset:s$0ym
        .endm
        LOAD
        """,
        "**symbol** `sym` = 16",
    )


def test_macro_call_shows_what_it_expands_to() -> None:
    check_hover(
        """
        .macro twice reg
        v_add_u32 v[\\reg], 1, v[\\reg]
        v_add_u32 v[\\reg], 1, v[\\reg]
        .endm
        twi$0ce 9
        """,
        ".macro twice reg",
        "Macro, defined at line 1.",
        "Here `reg` is `9`.",
        "2 instructions (8 bytes)",
        "v_add_u32 v9, 1, v9",
    )


def test_macro_call_shows_symbols_data_and_defaults() -> None:
    check_hover(
        """
        .set base, 4
        .macro make name, at=base+1
        .set \\name, \\at*2
        \\name\\()_data:
        .long \\at
        .endm
        mak$0e thing
        """,
        "Here `name` is `thing`, `at` is `base+1` by default.",
        "1 label, 1 assignment, 1 directive",
        ".set thing, 6",
        "thing_data:",
        ".long 5",
    )


def test_macro_call_is_cut_when_it_is_long() -> None:
    check_hover(
        ".macro many\n.rept 99\ns_nop 0\n.endr\n.endm\nmany$0", "99 instructions (396 bytes)", "// ... 87 more lines"
    )


def test_macro_call_that_is_not_assembled_shows_the_body() -> None:
    check_hover(".macro one\ns_nop 1\n.endm\n.if 0\non$0e\n.endif", "Macro, defined at line 1.", "s_nop 1")


def test_symbol_with_a_label_in_it() -> None:
    check_hover("start: s_nop 0\nend:\n.set si$0ze, end-start", "`size` = 4")
    check_hover(".set wh$0ere, end+4\ns_nop 0\nend:", "`where` = `.text` + 8 (0x8)")


def test_symbol_set_in_a_repetition() -> None:
    check_hover(".set n, 0\n.rept 2\nn$0 = n+3\n.endr", "`n` = 3 or 6", "The value differs between expansions.")


def test_macro_parameter() -> None:
    check_hover(
        """
        .macro scale dst:req, by=2
        v_mul_u32_u24 v[\\dst], \\b$0y, v[\\dst]
        .endm
        """,
        "**parameter** `by` of macro `scale`, default `2`",
    )


def test_mnemonic_made_of_a_parameter() -> None:
    text = """
        .macro op name
        v_\\name\\()_f32 v0, v1, v2
        .endm
        op add
        {}
        """.replace("v_\\name", "v$0_\\name")
    check_hover(text.format(""), "D.f32 =", "v_add_f32 vdst, src0, src1")
    check_hover(text.format("op mul"), "`v_add_f32`, `v_mul_f32`")


def test_argument_of_a_macro_call() -> None:
    check_hover(
        """
        .set base, 4
        .macro clear dst:req
        v_mov_b32 \\dst, 0
        .endm
        clear v$0[base+1]
        """,
        "VGPR 5, 32 bits",
        "**parameter** `dst` of macro `clear`",
    )


def test_symbol_that_a_macro_defines() -> None:
    check_hover(
        """
        .macro alloc name
        .set \\name, 7
        .endm
        alloc v_tmp
        v_mov_b32 v[v_t$0mp], 0
        """,
        "**symbol** `v_tmp` = 7",
        "Defined at line 2, expanded from line 4.",
    )


def test_symbol_of_a_branch_not_taken() -> None:
    check_hover(
        """
        .if 0
        .set x$0, 1
        .endif
        """,
        "the lines that set it are not assembled",
    )


def test_line_of_a_repetition_shows_the_values_of_its_rounds() -> None:
    check_hover(
        """
        .set n, 0
        .rept 3
        v_mov$0_b32 v[n], 0
        .set n, n+1
        .endr
        """,
        "assembled 3 times",
        "`v0` or `v1` or `v2`",
    )


# Operands


def test_register_tuple_says_what_it_resolves_to() -> None:
    check_hover(
        """
        .set base, 4
        global_load_dwordx2 v$0[base:base+1], v[2:3], off
        """,
        "`v[base:base+1]` is `v[4:5]`",
        "2 VGPRs, v4 to v5, 64 bits",
        "`vdst`: destination",
    )


def test_special_register() -> None:
    check_hover("s_mov_b64 ex$0ec, s[0:1]", "**register** `exec`", "64 bits")


def test_number_in_every_notation() -> None:
    check_hover("v_mul_f32 v0, 0x3f80$00000, v1", "1065353216", "0x3f800000", "1.0 as f32", "inline constant")


def test_symbol_in_an_operand_shows_value_and_operand() -> None:
    check_hover(
        """
        .set step, 0x20
        s_add_u32 s0, s0, st$0ep
        """,
        "**symbol** `step` = 32 (0x20)",
        ".set step, 0x20",
        "Defined at line 1.",
        "The operand is `32`",
    )


def test_symbol_has_the_value_of_the_line() -> None:
    text = """
        .set x, 1
        s_mov_b32 s0, {}
        .set x, 2
        s_mov_b32 s1, {}
        """
    check_hover(text.format("x$0", "x"), "`x` = 1")
    check_hover(text.format("x", "x$0"), "`x` = 2", "Last set at line 3. Set 2 times: line 1, line 3.")


def test_symbol_where_it_is_set() -> None:
    check_hover(
        """
        .set x, 1
        .set x$0, x+1
        """,
        "`x` = 2",
    )


def test_symbol_that_only_the_build_defines() -> None:
    check_hover(
        """
        .if uses_lds$0
        s_nop 0
        .endif
        """,
        "Only the build can give it a value",
    )


def test_label() -> None:
    check_hover(
        """
        s_nop 0
        loop:
        s_branch lo$0op
        """,
        "**label** `loop`",
        "`.text` + 4 (0x4)",
    )


def test_modifier() -> None:
    check_hover("ds_read_b32 v0, v1 off$0set:16", "**modifier** `offset:N`")


def test_wait_counts_are_decoded() -> None:
    check_hover("s_waitcnt vmc$0nt(3)", "at most 3 vector memory operations", "the range is 0 to 63")
    check_hover(
        "s_wait$0cnt vmcnt(3) & lgkmcnt(0)", "| `vmcnt` | 3 |", "| `lgkmcnt` | 0 |", "| `expcnt` | 7 | (no wait) |"
    )


def test_hardware_register_is_decoded() -> None:
    check_hover("s_setreg_imm32_b32 hwr$0eg(HW_REG_MODE, 4, 4), 0", "bits 7 to 4 of `HW_REG_MODE`")
    check_hover("s_getreg_b32 s0, hwreg(HW_REG_TRAP$0STS)", "**hardware register**")


def test_plain_number_of_a_wait_is_decoded() -> None:
    check_hover("s_waitcnt 0x$0f70", "| `vmcnt` | 0 |", "| `lgkmcnt` | 15 | (no wait) |")


def test_operand_of_a_macro_that_nothing_calls() -> None:
    text = """
        .set base, 3
        .macro clear dst
        v_mov_b32 {}, {}
        .endm
        """
    check_hover(text.format("v$0[\\dst]", "0"), "VGPR whose number comes from the macro's arguments")
    check_hover(text.format("v0", "$0-base"), "-3 (0xfffffffd)")


def test_target_directive() -> None:
    check_hover('.amdgcn_target "amdgcn-amd-amd$0hsa--gfx90a"', "`gfx90a`, GFX9", target="gfx90a")


def test_message_is_decoded() -> None:
    check_hover("s_sendmsg sendm$0sg(MSG_INTERRUPT)", "`sendmsg(MSG_INTERRUPT)`")


def test_hover_covers_the_operand() -> None:
    check_hover_span("v_mov_b32 v0, s$0[4:5]", "s[4:5]")
    check_hover_span("v_mov$0_b32 v0, v1", "v_mov_b32")


# Directives, metadata, comments


def test_directive() -> None:
    check_hover(".p2al$0ign 8", ".p2align power", "multiple of 2^`power`")


def test_synonym_of_a_directive() -> None:
    check_hover(".gl$0obal x", "visible to other object files")


def test_the_operand_of_a_clause_is_the_number_of_its_instructions() -> None:
    check_hover("s_clause $00x2", "The next 3 instructions are one clause.", target="gfx1100")
    of_none = hover_text("s_clause $00x0", "gfx1100")
    assert of_none is not None
    assert "are one clause" not in of_none


def test_descriptor_field() -> None:
    check_hover(
        """
        .amdhsa_kernel k
        .amdhsa_next_free$0_vgpr 8
        .end_amdhsa_kernel
        """,
        "highest VGPR number",
        "must be given",
    )


def test_descriptor_field_that_the_target_lacks() -> None:
    check_hover(".amdhsa_accum$0_offset 4", "gfx900 does not have it.")


def test_metadata_key() -> None:
    check_hover(
        """
        .amdgpu_metadata
        amdhsa.kernels:
          - .name: k
            .kernarg_segment_si$0ze: 8
        .end_amdgpu_metadata
        """,
        "Bytes of the kernarg segment",
    )


def test_include() -> None:
    check_hover(
        """
        //- kernel.s
        .include "regs$0.inc"
        //- regs.inc
        .set a, 1
        """,
        "includes `regs.inc`",
    )


def test_symbol_of_an_included_file() -> None:
    check_hover(
        """
        //- kernel.s
        .include "regs.inc"
        s_mov_b32 s0, v_ba$0se
        //- regs.inc
        .set v_base, 12
        """,
        "`v_base` = 12 (0xc)",
        "line 1 of `regs.inc`",
    )


def test_rule_in_a_suppression_comment() -> None:
    check_hover("s_nop 0 ; gcn-lsp: disable=misaligned-re$0gister", "**rule** `misaligned-register`")


@pytest.mark.parametrize(
    "text",
    [
        ".amdgpu_metadata\n$0---\n.end_amdgpu_metadata",
        "s_nop 0 ; plain com$0ment",
        "$0",
        "v_mov_b32  $0",
        "nothing$0 here",
        '.ascii "te$0xt"',
    ],
)
def test_nothing_to_say(text: str) -> None:
    check_no_hover(text)


_ODD_LINES = r"""
v_mov_b32 v[1:, |x
\x\@ \()
1: s_branch 1b
a: b: c = d + 'x
/* open
*/ s_nop
"
:: ::
é = ü ; ß
.macro
.set
.set ,
x ==
.include
hwreg(
v_mov_b32 v0, neg(
[
s[
\
"""


def test_every_column_of_odd_lines_is_survived() -> None:
    program = check.build(fixture.parse(_ODD_LINES))
    for number, line in enumerate(program.source.lines):
        for column in range(len(line) + 2):
            hover.hover(program, number, column)
    assert hover.hover(program, 999, 0) is None


# Directives with their values


def test_directives_tell_what_they_take() -> None:
    check_hover(".p2$0align 8", "`power` is 0 to 28", "as many as it takes")
    check_hover(".by$0te 1", "Each is -128 to 255")
    check_hover(".amdgpu$0_lds x, 4", "4 when it is not given")
    check_hover(".hsa_code_object_$0version 2, 1", "LLVM 18 dropped it.")


def test_descriptor_fields_tell_range_and_default_on_the_target() -> None:
    block = ".amdhsa_kernel k\n.amdhsa_{}$0 0\n.end_amdhsa_kernel"
    check_hover(block.format("float_denorm_mode_16_64"), "On gfx900: 0 to 3; the default is 3.")
    check_hover(block.format("inst_pref_size"), "On gfx1100: 0 to 63; the default is 0.", target="gfx1100")
    check_hover(block.format("inst_pref_size"), "On gfx1200: 0 to 255; the default is 0.", target="gfx1200")
    check_hover(block.format("inst_pref_size"), "gfx900 does not have it.", target="gfx900")
    check_hover(block.format("accum_offset"), "On gfx90a: a multiple of 4 from 4 to 256.", target="gfx90a")
    check_hover(block.format("user_sgpr_count"), "On gfx1250: 0 to 32.", target="gfx1250")


def test_fields_of_a_kernel_header() -> None:
    check_hover(
        ".amd_kernel_code_t\nwavefront_si$0ze = 6\n.end_amd_kernel_code_t", "It takes 0 to 255; the default is 6."
    )


def test_a_number_in_an_index_is_no_constant() -> None:
    for text in ("s_mov_b64 s[1$0:2], 0", "nosuch s[1$0:2]", "nosuch s[1:1$0+1]", ".macro m\nnosuch v[$05]\n.endm"):
        found = hover_text(text)
        assert found is not None
        assert "inline constant" not in found, text


# Rejected lines


def test_a_mistake_tells_who_takes_the_line() -> None:
    legal = "As written this line is legal on gfx10 and later."
    check_hover("v_fma_f32 v0, v1, v2, 0x12$034", legal)
    check_hover_span("v_fma_f32 v0, v1, v2, 0x12$034", "0x1234")
    check_hover(".macro m x\nv_fma_f32 v0, v1, \\x, 0x12$034\n.endm\nm v2\n", legal)
    elsewhere = hover_text("v_fma_f32 v0, v$01, v2, 0x1234")
    assert elsewhere is None or "legal on" not in elsewhere
    nobody = hover_text("s_load_dwordx4 s[2$0:5], s[0:1], 0x0")
    assert nobody is None or "legal on" not in nobody


@pytest.mark.parametrize("before", [0, 61, 62, 63])
def test_a_symbol_that_only_the_build_can_set_is_unknown_from_the_next_line(before: int) -> None:
    """Whether the text is interpreted in one piece up to there or not."""
    lines = (*["s_nop 0"] * before, ".if of_the_build", ".set both, 3", ".endif", "s_mov_b32 s0, bo$0th")
    check_hover("\n".join(lines), "Only the build can give it a value")


def test_what_is_special_here_is_above_the_page_of_the_mnemonic() -> None:
    text = "global_load_dword v1, v0, s[2:3]\n$0v_add_f32 v2, v1, v0"
    first, _, page = (hover_text(text) or "").partition("\n\n---\n\n")
    assert "| `src0` | `v1` | `v1` |" in first
    assert "- vmcnt: `global_load_dword` on line 1 will write `v1`" in first
    assert "Encoding VOP2" in page
    assert "D.f32" in page


def test_what_is_written_as_it_is_read_back_is_not_repeated() -> None:
    assert "read back" not in (hover_text("s_mov$0_b32   S7, 0x4f800000") or "read back")
