"""The names in a statement (labels, symbols, macros) and what the statement does with each."""

from collections.abc import Iterator
from typing import Literal

from gcn_lsp.patterns import regex
from gcn_lsp.syntax.directives import SETTERS
from gcn_lsp.syntax.statement import Statement, StatementKind

_NAME = regex(rb'"(?:\\.|[^"\\])*"|(?<![\w.$?@\\])([A-Za-z_.$?@][A-Za-z0-9_.$?@]*|[0-9]+[bf](?![\w]))')


NameRole = Literal["label", "assignment", "macro", "word", "use"]
"""The use of a name: `macro` is in its header, `word` a command."""


def statement_names(statement: Statement) -> Iterator[tuple[NameRole, str, int, int]]:
    """The names in a statement with their roles and columns."""
    kind = statement.kind
    defines: NameRole = "use"
    if kind is StatementKind.LABEL:
        yield "label", statement.name, statement.name_start, statement.name_end
        return
    if kind is StatementKind.ASSIGNMENT:
        yield "assignment", statement.name, statement.name_start, statement.name_end
    elif kind is StatementKind.COMMAND:
        if statement.word == ".macro":
            defines = "macro"
        elif statement.word in SETTERS:
            defines = "assignment"
        else:
            yield "word", statement.name, statement.name_start, statement.name_end
    for match in _NAME.finditer(statement.line, statement.rest_start, statement.end):
        if match.group(1) is None:
            continue
        name = match.group(1).decode("utf-8", "surrogateescape")
        yield defines, name, match.start(1), match.end(1)
        defines = "use"
        if statement.word == ".macro":
            return
