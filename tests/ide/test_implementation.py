"""The label of what a directive or metadata declares."""

import pytest

from gcn_lsp.ide import implementation
from tests.ide.test_declaration import KERNEL
from tests.support.ide import places, program_and_cursor


def implemented(text: str) -> list[str]:
    program, line, column = program_and_cursor(text)
    return places(program, implementation.implementation(program, line, column))


@pytest.mark.parametrize(
    "at", ["copy\n.type", "copy\n  .amdhsa", "copy\n    .symbol", "copy.kd\n.end", "copy\n.rodata"]
)
def test_a_declaration_leads_to_the_label(at: str) -> None:
    assert implemented(KERNEL.replace(at, f"$0{at}", 1)) == ["kernel.s:3:copy"]


def test_a_label_that_a_macro_makes_is_where_it_is_called() -> None:
    text = ".macro KERNEL name\n\\name:\n  s_endpgm\n.endm\n.globl cop$0y\nKERNEL copy\n"
    assert implemented(text) == ["kernel.s:6:copy"]


def test_the_label_of_an_included_file_is_found_there() -> None:
    text = '//- kernel.s\n.include "code.inc"\n.globl co$0py\n//- code.inc\ncopy:\n  s_endpgm\n'
    assert implemented(text) == ["code.inc:1:copy"]


def test_what_is_declared_only_has_no_label() -> None:
    assert implemented(".extern oth$0er\n") == []
