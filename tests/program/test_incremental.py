"""An edit gives what a fresh build gives where a limit or an include is involved."""

from gcn_lsp.program import problems as problems_of
from gcn_lsp.program.program import Options, Program, build
from gcn_lsp.text import SourceText


def built(lines: list[str], previous: "Program | None" = None) -> Program:
    return build(
        SourceText.from_bytes("k.s", "\n".join(lines).encode()), Options("gfx90a", expansion_limit=100), previous
    )


def said(program: Program) -> object:
    problems = [(found.problem.rule, found.where.line) for found in problems_of.of(program)]
    return problems, program.section_bytes(".text")


def test_lines_beyond_the_limit_come_back_when_others_go() -> None:
    repeated = [".rept 30", "s_nop 0", ".endr"]
    lines = [*repeated, *["s_nop 1"] * 70, *repeated, *["s_nop 2"] * 70, ".rept 2", "s_nop 3", ".endr"]
    first = built(lines)
    assert [problem.problem.rule for problem in problems_of.of(first)] == ["expansion-limit"]
    shorter = [".rept 3", *lines[1:]]
    second = built(shorter, first)
    assert list(problems_of.of(second)) == []
    assert said(second) == said(built(shorter))
    assert said(built(lines, second)) == said(first)
