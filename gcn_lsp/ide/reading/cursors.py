"""Finds what is under the cursor: the word, the statement of the line, the operand, the node inside it.

All functions work on one parsed line and never look at another, so they take microseconds in any file.
"""

from collections.abc import Iterator

import msgspec

from gcn_lsp import isa
from gcn_lsp.patterns import regex
from gcn_lsp.syntax import nodes
from gcn_lsp.syntax.statement import Line, Statement, StatementKind

# The characters of a symbol, a mnemonic, a directive or a macro argument.
_NUMBERED = regex(r"(?:v|s|a|acc|ttmp)[0-9]+")
_WORD_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$@\\")


class Word(msgspec.Struct, frozen=True, gc=False):
    """A word of a line: bytes `start` to `end`. `text` is empty if the cursor touches no word."""

    start: int
    end: int
    text: str


class Cursor(msgspec.Struct, frozen=True):
    """What is under a column of a line.

    place: `comment`, `name` (the label, mnemonic, directive or assigned symbol), `operands`, or `blank`. statement: the
    statement at the column, or before it. index: the operand's number in `statement.operands` if the column touches
    one. path: that operand and the nodes inside it that the column touches, outermost first.
    """

    place: str
    statement: Statement | None
    index: int | None
    path: tuple[nodes.Node, ...]
    word: Word

    @property
    def node(self) -> nodes.Node | None:
        """The innermost node under the cursor."""
        return self.path[-1] if self.path else None


def locate(line: Line, column: int) -> Cursor:
    """The cursor at `column`; directly after a word or an operand it touches it."""
    word = word_at(line.text, column)
    if in_comment(line, column):
        return Cursor("comment", None, None, (), word)
    statement = statement_at(line, column)
    if statement is None:
        return Cursor("blank", None, None, (), word)
    if statement.name_start <= column <= statement.name_end:
        return Cursor("name", statement, None, (), word)
    if column < statement.name_start or (column < statement.rest_start and statement.rest_start < statement.end):
        return Cursor("blank", statement, None, (), word)
    index = operand_at(statement, column)
    path = tuple(_descend(statement.operands[index], column)) if index is not None else ()
    return Cursor("operands", statement, index, path, word)


def in_comment(line: Line, column: int) -> bool:
    """Whether `column` is in a comment or directly after one; assembly may follow a comment on its line."""
    if line.comment_start is None or column <= line.comment_start:
        return False
    opened = line.text.rfind(b"/*", line.comment_start, column)
    if opened >= 0 and line.text.find(b"*/", opened + 2, column) < 0:
        return True
    return not any(statement.start <= column <= statement.end for statement in line.statements)


def word_at(line: bytes, column: int) -> Word:
    """The word that `column` is in or directly after."""
    column = max(0, min(column, len(line)))
    start = end = column
    while start > 0 and line[start - 1] in _WORD_BYTES:
        start -= 1
    while end < len(line) and line[end] in _WORD_BYTES:
        end += 1
    # `\argument` starts at its backslash; two adjacent ones (`\a\b`) are two words.
    backslash = line.rfind(b"\\", start, column + 1 if column < end else column)
    if backslash > start:
        start = backslash
    cut = line.find(b"\\", max(start + 1, column), end)
    if cut != -1:
        end = cut
    return Word(start, end, line[start:end].decode("utf-8", "replace"))


def is_command(cursor: Cursor) -> bool:
    """Whether the cursor touches the word of an instruction, a directive or a macro call."""
    statement = cursor.statement
    return cursor.place == "name" and statement is not None and statement.kind is StatementKind.COMMAND


def is_register(cursor: Cursor, target: "isa.Target | None") -> bool:
    """Whether the word under the cursor is a register's name, or the file in `v[...]`."""
    node = cursor.node
    if isinstance(node, nodes.Index):
        return cursor.word.text == node.base
    return isinstance(node, nodes.Name) and is_register_name(node.name.lower(), target)


def is_register_name(name: str, target: "isa.Target | None") -> bool:
    """Whether an operand of that name is a register."""
    return _NUMBERED.fullmatch(name) is not None or (target is not None and name in target.registers)


def statement_at(line: Line, column: int) -> Statement | None:
    """The last statement of the line that begins at or before `column`; the first one if none does."""
    found = None
    for statement in line.statements:
        if found is not None and statement.start > column:
            break
        found = statement
    return found


def operand_at(statement: Statement, column: int) -> int | None:
    """The number of the operand that `column` touches."""
    for index, operand in enumerate(statement.operands):
        if operand.start <= column <= operand.end:
            # Between two operands without a blank the right one wins: `v0,|v1`.
            following = statement.operands[index + 1 : index + 2]
            return index + 1 if following and following[0].start == column else index
    return None


def children(node: nodes.Node) -> tuple[nodes.Node, ...]:
    """The nodes directly inside `node`, in the order of the text."""
    match node:
        case nodes.Unary() | nodes.Absolute():
            return (node.operand,)
        case nodes.Binary():
            return (node.left, node.right)
        case nodes.Call():
            return node.arguments
        case nodes.Index():
            return (node.first,) if node.last is None else (node.first, node.last)
        case nodes.Bracket():
            return node.items
        case nodes.Modifier():
            return (node.value,)
        case nodes.Structure():
            return node.fields
        case _:
            return ()


def walk(node: nodes.Node) -> Iterator[nodes.Node]:
    """`node` and everything inside it."""
    yield node
    for child in children(node):
        yield from walk(child)


def _descend(node: nodes.Node, column: int) -> Iterator[nodes.Node]:
    yield node
    for child in children(node):
        if child.start <= column <= child.end:
            yield from _descend(child, column)
            return
