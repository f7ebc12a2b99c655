"""The places of a label that change while one of them is typed."""

from gcn_lsp.ide import linked_editing
from tests.ide.test_declaration import KERNEL
from tests.support import fixture
from tests.support.ide import places, program_and_cursor


def linked(text: str, others: tuple[str, ...] = ()) -> list[str]:
    program, line, column = program_and_cursor(text)
    sources = [file.source for file in fixture.parse(text).files if file.path in others]
    found = linked_editing.linked_editing(program, line, column, sources)
    return [place.partition(":")[2] for place in places(program, found)]


def test_a_label_and_all_that_names_it() -> None:
    every = ["1:copy", "2:copy", "3:copy", "4:copy", "6:copy", "12:copy", "13:copy"]
    assert linked(KERNEL.replace("copy:", "co$0py:")) == every
    assert linked(KERNEL.replace("s_branch copy", "s_branch copy$0")) == every


def test_a_label_of_another_file_is_not_linked() -> None:
    assert linked('//- kernel.s\n.include "code.inc"\ns_branch co$0py\n//- code.inc\ncopy:\n  s_endpgm\n') == []


def test_a_label_that_an_including_file_names_is_not_linked() -> None:
    text = '//- code.inc\ncopy:\n  s_branch co$0py\n//- kernel.s\n.include "code.inc"\n  s_branch copy\n'
    assert linked(text) == ["1:copy", "2:copy"]
    assert linked(text, ("kernel.s",)) == []


def test_symbols_macros_registers_and_single_places_are_not_linked() -> None:
    for text in (
        ".set si$0ze, 1\ns_mov_b32 s0, size\n",
        ".macro MO$0VE\n.endm\nMOVE\n",
        "v_mov_b32 v$01, v1\n",
        "alo$0ne:\n  s_endpgm\n",
        "copy:\ns_branch copy // co$0py\n",
    ):
        assert linked(text) == []
