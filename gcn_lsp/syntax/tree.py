"""Finds in tree-sitter's tree of a text where it does not have the shape of assembly, and which lines are a block.

The grammar is in `grammar/`. Nothing is interpreted here: macros are not expanded, conditions are not decided.
"""

from functools import lru_cache

import msgspec
import tree_sitter

from gcn_lsp.syntax.language import LANGUAGE

_BLOCKS = frozenset(("macro_definition", "repetition", "conditional", "kernel_descriptor", "metadata"))
# Nodes that hold lines, and so may hold blocks.
_ENTERED = _BLOCKS | {"block", "elseif_clause", "else_clause", "ERROR"}

# The grammar puts these where a line ends too early.
_MISSING = tree_sitter.Query(LANGUAGE, "(missing) @missing")


class Extent(msgspec.Struct, frozen=True, order=True, gc=False):
    """Half-open range of a text from (`line`, `column`) to (`end_line`, `end_column`), columns in bytes, all from 0."""

    line: int
    column: int
    end_line: int
    end_column: int


class Flaw(msgspec.Struct, frozen=True, order=True, gc=False):
    """Text that fits nowhere; with `is_missing`, the place where a line or a word ends too early."""

    extent: Extent
    is_missing: bool


class Block(msgspec.Struct, frozen=True, gc=False):
    """Lines `first` to `last`, which open and close a block; `branches` are those of its `.elseif` and `.else`.

    kind: the type of the node, such as `conditional`. Lines are counted from 0.
    """

    kind: str
    first: int
    last: int
    branches: tuple[int, ...] = ()


def parse(source: bytes) -> tree_sitter.Tree:
    """The tree of `source`."""
    # A parser keeps state between calls, so it is not shared between threads; making one costs a microsecond.
    return tree_sitter.Parser(LANGUAGE).parse(source)


def flaws(node: tree_sitter.Node) -> list[Flaw]:
    """The places where the text below `node` does not have the shape of assembly, in the order of the text."""
    missing = tree_sitter.QueryCursor(_MISSING).captures(node).get("missing", [])
    found = [Flaw(_extent(place), True) for place in missing]
    # tree-sitter's error nodes. A query for them would visit every node, and misses one at the very start.
    pending = [node] if node.has_error else []
    while pending:
        place = pending.pop()
        if place.is_missing or place.is_error:
            found.append(Flaw(_extent(place), place.is_missing))
        else:
            pending.extend(child for child in place.children if child.has_error)
    return sorted(found)


@lru_cache(maxsize=4)
def blocks(source: bytes) -> tuple[Block, ...]:
    """The closed blocks of a text, in the order in which they end."""
    found: list[Block] = []
    pending = [parse(source).root_node]
    while pending:
        node = pending.pop()
        kind = node.type
        end = node.child_by_field_name("end") if kind in _BLOCKS else None
        if end is not None:
            branches = node.children_by_field_name("alternative")
            starts = tuple(branch.start_point.row for branch in branches)
            found.append(Block(kind, node.start_point.row, end.start_point.row, starts))
        pending.extend(child for child in node.named_children if child.type in _ENTERED)
    return tuple(sorted(found, key=lambda block: block.last))


def _extent(node: tree_sitter.Node) -> Extent:
    start, end = node.start_point, node.end_point
    return Extent(start.row, start.column, end.row, end.column)
