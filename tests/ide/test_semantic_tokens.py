"""Semantic tokens: what each word is, ranges, and changes that give what a fresh answer would."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from gcn_lsp.ide import semantic_tokens, token_types
from gcn_lsp.program import program
from gcn_lsp.text import SourceText
from tests.support import check, fixture
from tests.support.ide import decode_tokens, tokens


def test_instructions_and_registers() -> None:
    text = """
        s_mov_b32 s0, ttmp1
        v_add_f32 v[4:5], -v1, |s2|
        v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]
        global_load_dword v0, v[0:1], off glc
        s_cbranch_vccz loop
        s_waitcnt vmcnt(0)
        s_barrier
        s_mov_b32 m0, vcc_lo
        """
    assert tokens(text, "gfx908") == [
        *("s_mov_b32 scalarInstruction", "s0 scalarRegister", "ttmp1 scalarRegister", ""),
        *("v_add_f32 vectorInstruction", "v[4:5] vectorRegister", "v1 vectorRegister", "s2 scalarRegister", ""),
        *("v_mfma_f32_4x4x1f32 matrixInstruction", "a[0:3] accumulatorRegister", "v0 vectorRegister"),
        *("v1 vectorRegister", "a[0:3] accumulatorRegister", ""),
        *("global_load_dword memoryInstruction", "v0 vectorRegister", "v[0:1] vectorRegister", "off modifier"),
        *("glc modifier", ""),
        *("s_cbranch_vccz branchInstruction", "loop label", ""),
        *("s_waitcnt waitInstruction", "vmcnt function", ""),
        *("s_barrier syncInstruction", ""),
        *("s_mov_b32 scalarInstruction", "m0 specialRegister", "vcc_lo specialRegister"),
    ]


def test_symbols_macros_directives_and_labels() -> None:
    text = """
        .set acc, 4
        size = acc*2
        .macro MOVE dst, src=v0
        v_mov_b32 v[\\dst+acc], \\src row_shl:1
        .endm
        start: MOVE 1, v2
        v_mov_b32 v[acc+1], size
        .globl start
        """
    assert tokens(text) == [
        *(".set keyword", "acc variable", "", "size variable", "acc variable", ""),
        *(".macro keyword", "MOVE macro", "dst parameter", "src parameter", ""),
        *("v_mov_b32 vectorInstruction", "v vectorRegister", "\\dst parameter", "acc variable", "\\src parameter"),
        *("row_shl modifier", "", ".endm keyword", ""),
        *("start label", "MOVE macro", "v2 vectorRegister", ""),
        *("v_mov_b32 vectorInstruction", "v vectorRegister", "acc variable", "size variable", ""),
        *(".globl keyword", "start label"),
    ]


def test_a_symbol_in_a_wrapper_is_one_and_a_word_of_a_function_is_a_value() -> None:
    text = """
        .set acc, 4
        v_add_f32 v0, abs(v[acc]), lit(acc)
        s_getreg_b32 s0, hwreg(HW_REG_MODE)
        """
    assert tokens(text) == [
        *(".set keyword", "acc variable", ""),
        *("v_add_f32 vectorInstruction", "v0 vectorRegister", "abs function", "v vectorRegister", "acc variable"),
        *("lit function", "acc variable", ""),
        *("s_getreg_b32 scalarInstruction", "s0 scalarRegister", "hwreg function", "HW_REG_MODE enumMember"),
    ]


def test_a_macro_with_the_name_of_an_instruction() -> None:
    assert tokens(".macro s_nop n\n.endm\ns_nop 1")[-1] == "s_nop macro"


def test_what_the_target_does_not_have_is_taken_for_a_macro() -> None:
    assert tokens("v_dual_add_f32 v0, v1", "gfx900")[0] == "v_dual_add_f32 macro"
    assert tokens("ds_read_b32 v0, v1", None)[0] == "ds_read_b32 memoryInstruction"


def test_metadata_and_comments_have_none() -> None:
    assert tokens(".amdgpu_metadata\nv0: v1\n.end_amdgpu_metadata\n/* v0\nv1 */ // v2") == [
        ".amdgpu_metadata keyword",
        "",
        ".end_amdgpu_metadata keyword",
    ]


def test_columns_in_every_encoding() -> None:
    built = check.build(fixture.parse("/* 𝄞é */ v_mov_b32 v0, v1"))
    starts = {
        encoding: semantic_tokens.semantic_tokens(built, encoding).numbers()[1]
        for encoding in ("utf-8", "utf-16", "utf-32")
    }
    assert starts == {"utf-8": 13, "utf-16": 10, "utf-32": 9}


LINES = ("", "// x", "s_nop 0", "v_mov_b32 v0, v1", ".set x, 1", "x:", "\ts_endpgm")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=300), st.data())
def test_changes_and_ranges_agree_with_a_fresh_answer(lines: list[str], data: st.DataObject) -> None:
    source = SourceText.from_bytes("k.s", "\n".join(lines).encode())
    options = program.Options("gfx900")
    built = program.build(source, options)
    tokens = semantic_tokens.semantic_tokens(built, "utf-8")
    for _ in range(3):
        first = data.draw(st.integers(0, len(source.lines) - 1))
        last = data.draw(st.integers(first, min(first + 3, len(source.lines) - 1)))
        new = data.draw(st.sampled_from((b"", b"s_nop 1", b"x = 2\n", b"\n\n", b"v_mov_b32 v2, v3\n// y\n")))
        source = source.replace(first, 0, last, len(source.lines[last]), new)
        built = program.build(source, options, built)
        after = semantic_tokens.semantic_tokens(built, "utf-8")
        change = semantic_tokens.difference(tokens, after)
        numbers = tokens.numbers()
        if change is not None:
            numbers[change.start : change.start + change.removed] = change.data
        fresh = semantic_tokens.semantic_tokens(program.build(source, options), "utf-8").numbers()
        assert numbers == after.numbers() == fresh
        tokens = after
    assert semantic_tokens.tokens_on(built, 0, len(source.lines), "utf-8") == fresh
    half = len(source.lines) // 2
    parts = [semantic_tokens.tokens_on(built, *lines, "utf-8") for lines in ((0, half - 1), (half, len(source.lines)))]
    assert [each for part in parts for each in decode_tokens(built, part) if each] == [
        each for each in decode_tokens(built, fresh) if each
    ]


def test_the_types_are_documented() -> None:
    page = token_types.__doc__ or ""
    assert [name for name in token_types.LEGEND if f"`{name}`" not in page] == []
    readme = (Path(__file__).parents[2] / "editors" / "README.md").read_text()
    assert [name for name in token_types.OWN_TYPES if f"`{name}`" not in readme] == []


def test_directives_that_expand_are_directives_and_values_of_modifiers_are_values() -> None:
    found = tokens(".rept 2\n image_sample v0, v0, s[0:7], s[0:3] dmask:1 dim:SQ_RSRC_IMG_1D\n.endr\n", "gfx1030")
    assert [each for each in found if each.startswith((".", "dim", "SQ"))] == [
        *(".rept keyword", "dim modifier", "SQ_RSRC_IMG_1D enumMember", ".endr keyword"),
    ]
