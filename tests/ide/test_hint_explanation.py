"""What an inlay hint means."""

from gcn_lsp.ide import hint_explanation, in_flight, inlay_hint
from gcn_lsp.ide.inlay_hint import InlayHint
from gcn_lsp.text import rendered
from tests.support.ide import program_and_cursor


def explained(text: str, kind: str) -> list[str]:
    program, _, _ = program_and_cursor(f"{text}$0")
    last = len(program.source.lines)
    hints: list[InlayHint] = inlay_hint.inlay_hints(program, 0, last, (kind,)) + in_flight.hints(program, 0, last)
    return [
        rendered(hint_explanation.explanation(program, each.line, each.column, each.kind), program.path)
        for each in hints
        if each.kind == kind
    ]


def test_a_register_is_explained_by_its_operand() -> None:
    (found,) = explained(".set base, 4\nv_mov_b32 v[base+3], 0\n", inlay_hint.REGISTERS)
    assert "v7" in found


def test_what_is_in_flight_is_listed() -> None:
    (found,) = explained("global_load_dword v1, v[2:3], off\ns_nop 0\n", in_flight.KIND)
    assert "global_load_dword" in found


def test_an_offset_says_all_that_it_means() -> None:
    assert explained("s_nop 0\ns_nop 1\n", inlay_hint.OFFSET) == ["", ""]


def test_a_place_outside_has_no_explanation() -> None:
    program, _, _ = program_and_cursor("$0")
    assert hint_explanation.explanation(program, 7, 0, inlay_hint.REGISTERS) == ""
