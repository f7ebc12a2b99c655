"""A line that is being typed: its placeholders and names without a value are no findings and have no lens."""

from gcn_lsp.ide import being_typed, code_lens
from gcn_lsp.program.program import Program
from gcn_lsp.rules import check
from tests.support.check import build
from tests.support.fixture import parse


def _program(*lines: str) -> Program:
    return build(parse("\n".join(lines)), "gfx1100")


def _found(program: Program, line: int) -> list[tuple[str, int]]:
    found = being_typed.without(program, line, check(program))
    return [(each.rule, each.where.line) for each in found]


PLACEHOLDERS = ("k:", "s_load_b128 sdst, sbase, soffset", "s_endpgm")


def test_placeholders_are_no_symbols() -> None:
    program = _program(*PLACEHOLDERS)
    assert program.build_defined == ()
    assert _found(program, 2) == [("undefined-symbol", 1)]
    assert _found(program, 1) == []


def test_a_name_that_is_begun_is_not_the_builds() -> None:
    program = _program("k:", "s_nop siz", "s_endpgm")
    assert _found(program, 0) == [("build-defined-symbols", 1)]
    assert _found(program, 1) == []
    assert not [each for each in code_lens.code_lenses(program, 1) if "configuration" in each.text]
    assert [each for each in code_lens.code_lenses(program) if "configuration" in each.text]


def test_a_name_that_another_line_needs_too_is_the_builds() -> None:
    program = _program("k:", "s_nop size", "s_nop size", "s_endpgm")
    assert _found(program, 1) == [("build-defined-symbols", 1)]


def test_a_symbol_may_be_called_like_an_operand() -> None:
    program = _program("k:", "s_load_b128 s[0:3], s[4:5], offset + 4", "s_endpgm")
    assert program.build_defined == ("offset",)
