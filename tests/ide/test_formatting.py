"""Formatting: what the layout is, that it settles at once, and that it never changes the bytes."""

import json
import textwrap
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gcn_lsp import project
from gcn_lsp.ide import formatting
from gcn_lsp.ide.formatting import Style
from gcn_lsp.program import program
from gcn_lsp.text import SourceText, TextEdit
from tests.benchmarks.kernel import kernel
from tests.support import check, fixture

CORPUS = Path(__file__).parents[3] / "shared" / "corpus"
DATA = Path(__file__).parents[1] / "data"


def applied(source: SourceText, edits: list[TextEdit]) -> SourceText:
    for edit in sorted(edits, key=lambda edit: edit.where, reverse=True):
        where = edit.where
        source = source.replace(
            where.line, where.start, where.line, where.end, edit.new_text.encode("utf-8", "surrogateescape")
        )
    return source


DEFAULT = Style()


def formatted(text: str, style: Style = DEFAULT) -> str:
    built = check.build(fixture.parse(text))
    return applied(built.source, formatting.format_document(built, style)).to_bytes().decode()


def check_format(text: str, expected: str, style: Style = DEFAULT) -> None:
    expected = textwrap.dedent(expected).strip("\n") if expected.startswith("\n") else expected
    assert formatted(textwrap.dedent(text).strip("\n"), style) == expected
    assert formatted(expected, style) == expected


def test_columns_of_operands_and_comments() -> None:
    check_format(
        """
        kernel:
         v_mov_b32   v0 ,v1 // one
        \tbuffer_load_dwordx4 v[0:3],v4,  s[0:3],0 offen   // two
        s_nop 0
          s_endpgm ; three

        s_nop 0 ; four
        """,
        """
        kernel:
            v_mov_b32           v0, v1                         // one
            buffer_load_dwordx4 v[0:3], v4, s[0:3], 0 offen  // two
            s_nop               0
            s_endpgm                                           ; three

            s_nop 0  ; four
        """.replace("                         // one", "                       // one").replace(
            "                                           ; three", "                                         ; three"
        ),
        Style(operands="column"),
    )


def test_a_layout_by_hand_stays() -> None:
    by_hand = textwrap.indent(
        "v_mov_b32    v0, v1         // one\n"
        "ds_read_b32  v2, v3         // two\n"
        "v_cvt_f32_f16_e32 v4, v5    // three\n"
        "s_nop        0              // four",
        "    ",
    )
    check_format(f"k:\n{by_hand}", f"k:\n{by_hand}")
    plain = "    v_mov_b32 v0, v1 // one\n    s_nop 0 // two\n    ds_read_b32 v2, v3"
    check_format(plain, plain)
    check_format(plain.replace("s_nop 0", "s_nop    0"), plain)


def test_the_style_says_where_operands_and_comments_are() -> None:
    text = "    v_mov_b32 v0, v1 // one\n    s_nop     0      // two"
    columns = "    v_mov_b32 v0, v1  // one\n    s_nop     0       // two"
    blanks = "    v_mov_b32 v0, v1 // one\n    s_nop 0 // two"
    check_format(text, columns, Style(operands="column", comments="column"))
    check_format(text, blanks, Style(operands="blank", comments="blank"))


def test_blocks_are_indented_and_labels_stand_out() -> None:
    check_format(
        """
        .macro M a
        .if \\a
        1: s_nop \\a
        2:
        v_mov_b32 v0, v1
        .else
        .set x, 1
        .endif
        .endm
        start: M 1
        x = 2
        """,
        """
        .macro M a
            .if \\a
            1:  s_nop \\a
            2:
                v_mov_b32 v0, v1
            .else
                .set x, 1
            .endif
        .endm
        start: M 1
        x = 2
        """,
    )


def test_with_tabs() -> None:
    check_format(
        ".if 1\n  s_nop 0\n  v_mov_b32 v0, v1\n.endif",
        ".if 1\n\ts_nop     0\n\tv_mov_b32 v0, v1\n.endif",
        Style(8, True, operands="column"),
    )


def test_comments_keep_their_text_and_go_on_below_each_other() -> None:
    check_format(
        """
        // at the left
           // at the code;  as it is
        s_nop 0        // first
                       //   second
        s_endpgm
        """,
        """
        // at the left
            // at the code;  as it is
            s_nop 0  // first
                     //   second
            s_endpgm
        """,
    )


def test_what_is_left_as_it_is() -> None:
    kept = """

        .amdgpu_metadata
          a:   1
        .end_amdgpu_metadata
        /* two
             lines */  s_nop   0
        s_nop   /* inside */   0
        # 1   "file"
        +  what
        """
    check_format(kept, kept)
    raw = ".amdgpu_metadata\n a:  1  \n.end_amdgpu_metadata"
    check_format(raw, raw)


def test_arguments_of_macros_and_directives_are_not_touched() -> None:
    check_format(
        """
        .macro s_nop2 a
        .endm
        s_nop2  a  ,b
        UNKNOWN   "a , b",c
        .ascii   "a  ,b"
        .set  x ,  1
        call(1 ,2)
        """,
        """
        .macro s_nop2 a
        .endm
            s_nop2  a  ,b
            UNKNOWN "a , b",c
        .ascii "a  ,b"
        .set x ,  1
            call(1 ,2)
        """,
    )


def test_a_macro_with_the_name_of_an_instruction() -> None:
    check_format(".macro s_nop a\n.endm\ns_nop  1 ,2", ".macro s_nop a\n.endm\n    s_nop 1 ,2")


def test_a_guard_around_the_file_does_not_indent() -> None:
    check_format("// x\n.ifndef G\n.set G, 1\ns_nop 0\n.endif\n", "// x\n.ifndef G\n.set G, 1\n    s_nop 0\n.endif")


def test_a_block_without_an_end_does_not_indent() -> None:
    check_format(".if 1\ns_nop 0", ".if 1\n    s_nop 0")


def test_brackets_and_signs() -> None:
    check_format(
        "v_mov_b32 v0 , -|v1|  quad_perm:[0,1, 2,3]  row_mask:0xf",
        "    v_mov_b32 v0, -|v1| quad_perm:[0,1, 2,3] row_mask:0xf",
    )


def test_range_and_typing_change_their_lines_only() -> None:
    built = check.build(fixture.parse("s_nop 0\nv_mov_b32 v0,v1\ns_nop   1\n\ns_nop  2"))
    assert {edit.where.line for edit in formatting.format_lines(built, 1, 2, Style())} == {1, 2}
    assert {edit.where.line for edit in formatting.format_typed(built, 2, Style())} == {1, 2}
    assert {edit.where.line for edit in formatting.format_typed(built, 3, Style())} == {2}
    assert formatting.format_typed(built, 0, Style()) == []
    whole = applied(built.source, formatting.format_document(built, Style()))
    by_lines = built.source
    for line in reversed(range(5)):
        by_lines = applied(by_lines, formatting.format_lines(built, line, line, Style()))
    assert by_lines == whole


def check_bytes(path: str, source: SourceText, options: program.Options) -> None:
    before = program.build(source, options)
    after = program.build(applied(source, formatting.format_document(before, Style())), options)
    assert after.source != before.source, f"{path} was laid out already"
    sections = {piece.section for chunk in before.chunks for piece in chunk.pieces}
    assert {name: after.section_bytes(name) for name in sections} == {
        name: before.section_bytes(name) for name in sections
    }
    assert formatting.format_document(after, Style()) == []


@pytest.mark.parametrize("path", sorted(DATA.glob("*_gfx*.s")), ids=lambda path: path.name)
def test_bytes_of_own_kernels(path: Path) -> None:
    setup = project.load(str(path))
    assert setup.source is not None
    check_bytes(path.name, setup.source, setup.options)


def test_bytes_of_a_made_kernel() -> None:
    source = SourceText.from_bytes("made.s", kernel(1500).encode())
    check_bytes("made.s", source, program.Options("gfx90a"))


def _manifest() -> list[list[str]]:
    path = CORPUS / "MANIFEST.tsv"
    return [line.split("\t") for line in path.read_text().splitlines()[1:]] if path.exists() else []


def _name(row: list[str]) -> str:
    return row[0].rpartition("/")[2][:40]


@pytest.mark.skipif(not CORPUS.exists(), reason="there is no shared corpus beside the checkout")
@pytest.mark.parametrize("row", _manifest()[:: len(_manifest()) // 3 or 1], ids=_name)
def test_bytes_of_some_of_the_corpus(row: list[str]) -> None:
    check_row(row)


@pytest.mark.slow
@pytest.mark.skipif(not CORPUS.exists(), reason="there is no shared corpus beside the checkout")
@pytest.mark.parametrize("row", _manifest(), ids=_name)
def test_bytes_of_the_corpus(row: list[str]) -> None:
    check_row(row)


def check_row(row: list[str]) -> None:
    path = CORPUS / row[0]
    around = project.surroundings(str(path), project.Settings(), project.Files())
    source = SourceText.from_bytes(str(path), path.read_bytes())
    options = program.Options(row[1], row[2], json.loads(row[3]), around.resolver)
    check_bytes(row[0], source, options)


LINES = (
    *("", "  ", "// c", "   // c", "\t/* c */", "/* open", "close */ s_nop 0", "x:", " y: s_nop 0 // d", "s_nop 0;z"),
    *("v_mov_b32  v0 ,v1 // e", "\ts_endpgm", ".if 1", ".else", ".endif", ".macro M a", ".endm", "M  1 , 2  // f"),
    *(
        ".set a ,1",
        "a = 2 // g",
        "# 1 x",
        "?",
        '.ascii "a  , b"',
        ".rept 2",
        ".endr",
        "s_mov_b32 s0, '",
        "\u00e9: // \u00e9",
    ),
    *(".amdgpu_metadata", ".end_amdgpu_metadata", "image_sample v[0:3],v[0:1],s[0:7],s[8:11]  dmask:0xf", "::  x"),
)


LAYOUTS = st.sampled_from(("auto", "column", "blank"))


@settings(max_examples=300, deadline=None)
@example([" y: s_nop 0 // d", "M  1 , 2  // f", "M  1 , 2  // f"], Style(2, False, "column", "auto"))
@given(
    st.lists(st.sampled_from(LINES), max_size=25),
    st.builds(Style, st.sampled_from((2, 4, 8)), st.booleans(), LAYOUTS, LAYOUTS),
)
def test_it_settles_at_once_and_changes_only_blanks(lines: list[str], style: Style) -> None:
    source = SourceText.from_bytes("k.s", "\n".join(lines).encode())
    options = program.Options("gfx900")
    built = program.build(source, options)
    once = applied(source, formatting.format_document(built, style))
    assert [b"".join(line.split()) for line in once.lines] == [b"".join(line.split()) for line in source.lines]
    after = program.build(once, options)
    assert formatting.format_document(after, style) == []
    assert after.section_bytes(".text") == built.section_bytes(".text")
