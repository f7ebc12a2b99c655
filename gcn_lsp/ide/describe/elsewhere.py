"""The other targets that accept a rejected line, for the hover at the operand at fault."""

from gcn_lsp.ide.reading import scope
from gcn_lsp.instruction.model import Problem
from gcn_lsp.instruction.rejection import elsewhere
from gcn_lsp.program.program import Program
from gcn_lsp.text import Location


def describe(program: Program, line: int, column: int) -> tuple[Location, str] | None:
    """The place of the mistake at a byte column of the main file, and the targets that accept the line as written.

    None if nothing is wrong, if no target accepts it, or if the problem itself names those that do.
    """
    for number, index in scope.written_numbers(program, line):
        item = program.chunks[number].items[index]
        if item.instruction is None or item.instruction.code:
            continue
        for problem in item.instruction.problems:
            if not elsewhere.is_asked(problem, item.statement):
                continue
            where = _place(program, number, index, problem)
            if (where.path, where.line) == (program.path, line) and where.start <= column <= where.end:
                names = elsewhere.legal_on(program.assembler, (item.instruction,)).get(id(item.instruction), ())
                text = f"As written this line is legal on {elsewhere.words(names)}." if names else ""
                return (where, text) if text else None
    return None


def _place(program: Program, number: int, index: int, problem: Problem) -> Location:
    item = program.chunks[number].items[index]
    where, _ = program.locate(number, item.written, item.statement.line, problem.start, problem.end)
    return where
