"""Replaces symbols in statements by numbers: `v_mov_b32 v[v_acc+3], size*4` becomes `v_mov_b32 v35, 64`.

The caller gives the values of names, so this works wherever a statement is interpreted. Expressions without a number
here, such as an address or a symbol of the build, remain as written.
"""

from collections.abc import Callable, Iterator

import msgspec

from gcn_lsp.ide.reading import cursors
from gcn_lsp.program.data_bytes import split_arguments
from gcn_lsp.syntax import expressions, nodes
from gcn_lsp.syntax.expressions import MissingSymbol
from gcn_lsp.syntax.statement import Statement

# The value of a name; only plain numbers replace it.
Lookup = Callable[[str], "int | expressions.Address | MissingSymbol"]

# Register files with an index.
REGISTER_FILES = frozenset(("v", "s", "a", "acc", "ttmp"))
# From this value a number is easier to read in hexadecimal.
_LARGE = 0x10000


class Replacement(msgspec.Struct, frozen=True, gc=False):
    """`text` in the place of bytes `start` to `end` of a line."""

    start: int
    end: int
    text: str


def in_instruction(statement: Statement, lookup: Lookup, is_register: Callable[[str], bool]) -> tuple[Replacement, ...]:
    """The replacements in the operands of an instruction.

    A register's name is not a symbol, except inside `v[...]`, where there are only symbols.
    """

    def outside(name: str) -> "int | expressions.Address | MissingSymbol":
        return MissingSymbol(False) if is_register(name) else lookup(name)

    return tuple(
        part
        for node in statement.operands
        for part in in_node(statement.line, node, lookup if isinstance(node, nodes.Index) else outside)
    )


def in_arguments(statement: Statement, lookup: Lookup) -> tuple[Replacement, ...]:
    """The replacements in the arguments of a directive that takes expressions."""
    found: list[Replacement] = []
    for start, end in split_arguments(statement):
        found += in_node(statement.line, statement.expression(start, end), lookup)
    return tuple(found)


def in_node(line: bytes, node: nodes.Node, lookup: Lookup) -> Iterator[Replacement]:
    """The replacements in an operand or an expression of `line`."""
    if isinstance(node, nodes.Index):
        yield from _register(line, node, lookup)
        return
    if _is_expression(node):
        value = expressions.evaluate(node, lookup)
        if type(value) is int:
            start, end = _with_parentheses(line, node.start, node.end)
            yield Replacement(start, end, number(value))
            return
    for part in cursors.children(node):
        yield from in_node(line, part, lookup)


def register(node: nodes.Index, lookup: Lookup) -> str | None:
    """The register `v[expression]` as written without symbols; None if it is not known."""
    first = expressions.evaluate(node.first, lookup)
    last = first if node.last is None else expressions.evaluate(node.last, lookup)
    if type(first) is not int or type(last) is not int or not 0 <= first <= last:
        return None
    return f"{node.base}{first}" if node.last is None else f"{node.base}[{first}:{last}]"


def is_computed(node: nodes.Index) -> bool:
    """Whether the index contains more than plain numbers."""
    return not (isinstance(node.first, nodes.Integer) and isinstance(node.last, nodes.Integer | None))


def apply(text: bytes, start: int, end: int, replacements: tuple[Replacement, ...]) -> str:
    """Bytes `start` to `end` of `text` with the replacements made."""
    parts: list[str] = []
    position = start
    for part in replacements:
        parts += (text[position : part.start].decode("utf-8", "surrogateescape"), part.text)
        position = part.end
    parts.append(text[position:end].decode("utf-8", "surrogateescape"))
    return "".join(parts)


def number(value: int) -> str:
    """A number as a person would write it: small ones in decimal, large ones in hexadecimal."""
    return str(value) if -_LARGE < value < _LARGE else f"{value:#x}"


def _register(line: bytes, node: nodes.Index, lookup: Lookup) -> Iterator[Replacement]:
    if not is_computed(node) and node.last is not None:
        return
    text = register(node, lookup) if node.base in REGISTER_FILES else None
    if text is not None:
        yield Replacement(node.start, node.end, text)
        return
    for part in (node.first, *((node.last,) if node.last is not None else ())):
        yield from in_node(line, part, lookup)


def _is_expression(node: nodes.Node) -> bool:
    """Whether there is something to evaluate; a number with a sign is one already."""
    if isinstance(node, nodes.Unary):
        return not isinstance(node.operand, nodes.Integer)
    return isinstance(node, nodes.Name | nodes.Binary | nodes.Call)


def _with_parentheses(line: bytes, start: int, end: int) -> tuple[int, int]:
    """The span widened to include the parentheses whose partners are inside it: nodes leave out their outermost."""
    depth = opened = 0
    for byte in line[start:end]:
        depth += (byte == 0x28) - (byte == 0x29)
        opened = min(opened, depth)
    closing = depth - opened
    while opened < 0 and start > 0:
        start -= 1
        opened += line[start] == 0x28
    while closing > 0 and end < len(line):
        closing -= line[end] == 0x29
        end += 1
    return start, end
