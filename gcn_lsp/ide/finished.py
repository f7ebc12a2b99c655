"""Whether the text before the cursor is already a whole statement, so that Enter has to end the line."""

from typing import TYPE_CHECKING

from gcn_lsp.instruction import assembler
from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.syntax.statement import Line, StatementKind

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program

_OPEN_ENDS = b" \t,([:|-+*/"  # more has to follow


def is_finished(program: "Program", line: int, parsed: Line, column: int) -> bool:
    """Whether a label or an instruction that assembles ends at byte `column`, and nothing but a comment follows."""
    text = parsed.text
    if not 0 < column <= len(text) or any(statement.end > column for statement in parsed.statements):
        return False
    statements = parse_line(text[:column]).statements
    last = statements[-1] if statements else None
    if last is None or last.end != column or text[column - 1] in b" \t":
        return False
    if last.kind is StatementKind.LABEL:
        return True
    if text[column - 1] in _OPEN_ENDS:
        return False
    target = program.target
    if target is None or last.kind is not StatementKind.COMMAND or last.word.startswith("."):
        return False
    if last.name in program.macros:
        return False
    values = {name: value if type(value) is int else None for name, value in program.final_state.symbols.items()}
    found = assembler.assemble(target, last, values)
    if found.problems or not found.judged or not found.code:
        return False
    labels = program.layout.labels
    # A name that is begun assembles as well: as a label that is still to come.
    return all(name in values or name in labels for name in assembler.symbol_names(target, last))
