"""One instruction of SP3 as LLVM's assembler reads it, and the places of its parts."""

from gcn_lsp import isa
from gcn_lsp.views.c.lex import tokens
from gcn_lsp.views.sp3.instructions import translated
from gcn_lsp.views.sp3.values import ValueReader


def test_an_instruction_and_its_places() -> None:
    line = b"  buffer_store_dword v1, v0, s4, a glc:1 offset:4*2"
    reader = ValueReader(tokens(line), {"a": 1}, {}, lambda *given: 0)
    made = translated(reader, line, 7, isa.load_target("gfx900"), lambda name: name)
    assert made.text == b"buffer_store_dword v1, off, s[4:7], 1 offset:8 glc"
    shown = [(made.text[part.start : part.end], line[part.source_start : part.source_end]) for part in made.pieces]
    assert shown == [
        (b"buffer_store_dword", b"buffer_store_dword"),
        (b"v1", b"v1"),
        (b"off", b"v0"),
        (b"s[4:7]", b"s4"),
        (b"1", b"a"),
        (b"offset:8", b"offset:4*2"),
        (b"glc", b"glc:1"),
    ]
    assert [part.copied for part in made.pieces] == [True, True, False, False, False, False, False]
    assert {part.line for part in made.on_line(3)} == {3}


def test_a_label_has_the_name_that_the_call_gives_it() -> None:
    line = b"s_branch L"
    made = translated(
        ValueReader(tokens(line), {}, {}, lambda *given: 0),
        line,
        0,
        isa.load_target("gfx900"),
        lambda name: f"{name}_1",
    )
    assert made.text == b"s_branch L_1"
