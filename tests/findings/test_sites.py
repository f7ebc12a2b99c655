"""The places of instructions, and edits before and after them."""

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.findings import sites
from gcn_lsp.program.program import Program
from gcn_lsp.text import Location, TextEdit
from tests.analysis.support import program

MACRO = ".macro add2 d\n  v_add_f32 \\d, v0, v1\n  s_nop 0\n.endm\nadd2 v2\nadd2 v3\n"


def built(text: str) -> tuple[Program, Graph, list[Site]]:
    made = program(text)
    found = graphs.of(made)
    assert found is not None
    return made, found, [site for segment in found.nodes for site in segment.sites]


def edited(text: str, edit: TextEdit) -> str:
    where = edit.where
    source = program(text).source.replace(where.line, where.start, where.line, where.end, edit.new_text.encode())
    return source.to_bytes().decode()


def test_a_place_in_a_macro_names_the_calls() -> None:
    made, flow, found = built(MACRO)
    first, nop, third, _ = (sites.place(made, flow, site) for site in found)
    assert first.where == third.where == Location("k.s", 1, 2, 22)
    assert [step.where.line for step in third.related] == [5]
    assert (first.own, nop.own) == (False, True)
    assert sites.line(made, flow, found[2]) == Location("k.s", 1, 0, 0)


def test_a_line_that_stands_for_several_is_fixed_for_all_or_not_at_all() -> None:
    made, flow, found = built(MACRO + "v_mov_b32 v0, v1\n")
    body, nop = sites.written(flow, found[0]), sites.written(flow, found[1])
    assert sites.fixable(made, flow, found) == {body, nop, sites.written(flow, found[4])}
    assert sites.fixable(made, flow, [found[0], found[2], found[3]]) == {body}
    assert sites.fixable(made, flow, [found[0], found[0], found[3]]) == set()


def test_steps_of_a_repetition_are_one_line() -> None:
    made, flow, found = built(".rept 3\ns_nop 0\n.endr\ns_nop 1\n")
    assert len(sites.fixable(made, flow, found)) == 2
    assert sites.fixable(made, flow, found[1:]) == {sites.written(flow, found[3])}


def test_what_is_inserted_is_indented_like_what_follows() -> None:
    text = "\tv_mov_b32 v0, v1 // why\n"
    made, flow, (site,) = built(text)
    edit = sites.insertion(made, sites.place(made, flow, site), "s_nop 1")
    assert edited(text, edit) == "\ts_nop 1\n" + text


def test_what_is_inserted_stands_behind_a_label_of_the_same_line() -> None:
    text = "loop: v_mov_b32 v0, v1\n"
    made, flow, (site,) = built(text)
    edit = sites.insertion(made, sites.place(made, flow, site), "s_nop 1")
    assert edited(text, edit) == "loop: s_nop 1\n      v_mov_b32 v0, v1\n"


def test_what_is_appended_stands_behind_a_comment() -> None:
    text = "  v_mov_b32 v0, v1 // why\n"
    made, flow, (site,) = built(text)
    edit = sites.appending(made, sites.place(made, flow, site), "s_nop 1")
    assert edited(text, edit) == text[:-1] + "\n  s_nop 1\n"


def test_only_own_text_is_replaced() -> None:
    made, flow, found = built(MACRO)
    assert sites.replacement(sites.place(made, flow, found[0]), "s_nop 1") is None
    edit = sites.replacement(sites.place(made, flow, found[1]), "s_nop 1")
    assert edit is not None
    assert edited(MACRO, edit) == MACRO.replace("s_nop 0", "s_nop 1")
