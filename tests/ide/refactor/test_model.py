"""Common questions of refactorings: the instruction of a line, a statement assembled again, a name that is free."""

import pytest

from gcn_lsp.ide.refactor import model
from gcn_lsp.program.program import Program
from tests.support import check, fixture


def built(text: str) -> Program:
    return check.build(fixture.parse(text), "gfx900")


def test_a_line_has_one_instruction_or_none_to_change() -> None:
    program = built("s_nop 0\n.set x, 1\ns_nop 1; s_nop 2\n.macro m\ns_nop 3\n.endm\nm\n")
    found = [model.instruction_on(program, line) is not None for line in range(7)]
    assert found[:2] == [True, False]
    assert found[4:] == [False, False, False]


def test_two_instructions_on_a_line_are_none() -> None:
    program = built("s_nop 1\\\n s_nop 2\n".replace("\\\n", "\n"))
    assert model.instruction_on(program, 0) is not None
    repeated = built(".rept 2\ns_nop 0\n.endr\n")
    assert model.instruction_on(repeated, 1) is None


@pytest.mark.parametrize(
    ("text", "is_assembled"),
    [
        (b"s_mov_b32 s0, x", True),
        (b"s_mov_b32 s0, fresh", True),
        (b"s_mov_b32 s0, v1", False),
        (b"s_mov_b33 s0, s1", False),
        (b"", False),
        (b"a: b: s_nop 0", False),
    ],
)
def test_a_statement_is_assembled_again_with_the_symbols_of_its_line(text: bytes, is_assembled: bool) -> None:
    found = model.reassembled(built(".set x, 3\ns_nop 0\n"), 1, text, {"fresh": 4})
    assert (found is not None) == is_assembled


def test_a_further_symbol_is_preferred() -> None:
    program = built(".set x, 3\ns_nop 0\n")
    own, other = (model.reassembled(program, 1, b"s_nop x", defined) for defined in (None, {"x": 5}))
    assert own is not None
    assert other is not None
    assert (own.code[0], other.code[0]) == (3, 5)


@pytest.mark.parametrize("taken", [".set v_5, 1", "v_5:", ".macro v_5\n.endm", "; v_5 is in a comment"])
def test_a_name_that_is_written_anywhere_is_not_free(taken: str) -> None:
    assert model.free_name(built(f"{taken}\ns_nop 0\n"), "v_5") == "v_5_2"
    assert model.free_name(built("s_nop 0\n"), "v_5") == "v_5"


def test_numbers_go_up_until_a_name_is_free() -> None:
    assert model.free_name(built(".set a, 1\n.set a_2, 1\n"), "a") == "a_3"
