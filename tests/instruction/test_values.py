from gcn_lsp import isa
from gcn_lsp.instruction.model import Problem
from gcn_lsp.instruction.values import Scope
from gcn_lsp.syntax import nodes, operands


def read(text: str) -> "int | Problem | None":
    scope = Scope(isa.load_target("gfx900"), {"four": 4, "secret": None})
    return scope.number(operands.parse_expression(text.encode(), 0, len(text)))


def test_numbers_and_symbols() -> None:
    assert read("7") == 7
    assert read("four+1") == 5
    assert read("four*2-1") == 7
    assert read("-four") == -4
    assert read("0xffffffffffffffff") == -1


def test_what_only_the_build_knows() -> None:
    assert read("secret") is None
    assert read("four+secret") is None


def test_missing_names_are_placed() -> None:
    problem = read("four+nothing")
    assert isinstance(problem, Problem)
    assert problem.rule == "undefined-symbol"
    assert "nothing" in problem.message


def test_ranges() -> None:
    scope = Scope(isa.load_target("gfx900"), {})
    assert scope.ranged(nodes.Integer(0, 1, 3), 0, 3, "the lane") == 3
    problem = scope.ranged(nodes.Integer(2, 3, 4), 0, 3, "the lane")
    assert isinstance(problem, Problem)
    assert (problem.start, problem.end, problem.message) == (2, 3, "the lane is 4; the range is 0 to 3")
