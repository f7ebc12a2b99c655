"""A statement: one label, instruction, directive, assignment or macro call on a line.

Whether the first word is a mnemonic, a macro or neither is decided elsewhere. Operands are read from the line's tree on
first use: bodies of macros and branches not taken never need theirs.
"""

from enum import Enum

import tree_sitter

from gcn_lsp.syntax import nodes, operands


class StatementKind(Enum):
    """How a statement is written."""

    LABEL = "label"  # `name:` or `1:`
    COMMAND = "command"  # `word rest`: an instruction, a directive (the word starts with `.`) or a macro call
    ASSIGNMENT = "assignment"  # `name = expression` or `name == expression`
    MALFORMED = "malformed"  # starts with text that no statement starts with


class Statement:
    """One statement and the line it is written in.

    line: the line's bytes; every column below counts from its start.
    name: the label, the command word as written, or the assigned symbol.
    start, end: the statement without comment and surrounding blanks.
    name_start, name_end: the name in it. rest_start: where the arguments begin (`end` is where they end).
    """

    __slots__ = (
        *("kind", "line", "name", "word", "start", "end", "name_start", "name_end", "rest_start"),
        *("_node", "_operands"),
    )

    def __init__(
        self,
        kind: StatementKind,
        line: bytes,
        name: str,
        start: int,
        end: int,
        name_start: int,
        name_end: int,
        rest_start: int,
        node: "tree_sitter.Node | None" = None,
    ) -> None:
        self.kind = kind
        self.line = line
        self.name = name
        self.word = name.lower()  # mnemonics and directives are not case-sensitive
        self.start = start
        self.end = end
        self.name_start = name_start
        self.name_end = name_end
        self.rest_start = rest_start
        self._node = node  # this in the line's tree, until its operands or its last expression are read
        self._operands: tuple[nodes.Node, ...] | None = None

    @property
    def rest(self) -> bytes:
        """The argument text; comments inside it are blanks."""
        return self.line[self.rest_start : self.end]

    @property
    def operands(self) -> tuple[nodes.Node, ...]:
        """The argument text as instruction operands; a part that is not an operand is a `nodes.Malformed`."""
        if self._operands is None:
            self._operands = operands.read(self._node, self.line, self.rest_start, self.end)
            self._node = None
        return self._operands

    def expression(self, start: int, end: int) -> nodes.Node:
        """The one expression in bytes `start` to `end` of the line; anything after it makes it a `nodes.Malformed`."""
        node = self._node
        if end == self.end:
            self._node = None
        return operands.parse_expression(self.line, start, end, node)


class Line:
    """The statements of one line, its comment, and whether a block comment is open at its end."""

    __slots__ = ("text", "statements", "comment_start", "comment_open")

    def __init__(
        self, text: bytes, statements: tuple[Statement, ...], comment_start: int | None, comment_open: bool
    ) -> None:
        self.text = text
        self.statements = statements
        self.comment_start = comment_start
        self.comment_open = comment_open
