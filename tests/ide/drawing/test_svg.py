"""The drawing of control flow: rows of blocks, what a click opens, and the shapes of ways."""

import xml.etree.ElementTree as ElementTree

from gcn_lsp.ide import control_flow
from gcn_lsp.ide.control_flow import ControlFlow
from gcn_lsp.ide.drawing import svg
from gcn_lsp.program import program
from gcn_lsp.text import SourceText

_TEXT = "{http://www.w3.org/2000/svg}text"


def flow(text: str) -> ControlFlow:
    built = program.build(SourceText.from_bytes("k.s", text.encode()), program.Options("gfx90a"))
    found = control_flow.control_flow(built, control_flow.kernels(built)[0])
    assert found is not None
    return found


def texts(drawn: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(drawn).iter(_TEXT))


def test_each_text_has_its_line_and_waits_a_colour_of_their_own() -> None:
    drawn = texts(svg.drawing(flow("k:\n  s_load_dword s0, s[4:5], 0\n  s_waitcnt lgkmcnt(0)\n  s_endpgm\n")))
    assert [(text.text, text.get("data-line"), text.get("class")) for text in drawn] == [
        ("k: lines 2-4, 0 VGPRs, 2 SGPRs, 1 wait", "2", "title"),
        ("s_load_dword s0, s[4:5], 0", "2", None),
        ("s_waitcnt lgkmcnt(0)", "3", "wait"),
        ("s_endpgm", "4", None),
    ]


def test_a_long_block_is_opened_and_closed() -> None:
    long = flow("k:\n" + "  v_mov_b32 v0, 0\n" * 30 + "  s_endpgm\n")
    closed = texts(svg.drawing(long, ()))
    assert len(closed) == 16
    assert [(text.text, text.get("data-line")) for text in closed if text.get("class") == "more"] == [
        ("▾ 17 more", "2")
    ]
    opened = texts(svg.drawing(long, (1,)))
    assert len(opened) == 33
    assert [text.text for text in opened if text.get("class") == "more"] == ["▴ show less"]
    assert [text.text for text in texts(svg.drawing(long)) if text.get("class") == "more"] == []


def test_a_loop_turns_around_below_and_above_its_block() -> None:
    drawn = svg.drawing(flow("k:\n  s_nop 0\nloop:\n  s_sub_u32 s0, s0, 1\n  s_cbranch_scc1 loop\n  s_endpgm\n"))
    ways = ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}path")
    (back,) = (way.get("d", "") for way in ways if way.get("marker-end") == "url(#back)")
    assert back.count("C") == 2


def test_what_is_left_out_is_shown_by_a_pointer() -> None:
    long = flow("k:\n" + "".join(f"  s_mov_b32 s0, {number}\n" for number in range(20)) + "  s_endpgm\n")
    assert "... 7 more" in svg.drawing(long)
    assert svg.drawing(long).count("s_mov_b32 s0, 9") == 1  # in the hint alone
    assert "s_mov_b32 s0, 9" not in svg.drawing(long, opened=())
