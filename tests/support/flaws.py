"""Finds in tree-sitter's tree of a text where it does not have the shape of assembly."""

from typing import NamedTuple

import tree_sitter

from gcn_lsp.syntax import tree
from gcn_lsp.syntax.language import LANGUAGE

# The grammar puts these where a line ends too early.
_MISSING = tree_sitter.Query(LANGUAGE, "(missing) @missing")


class Extent(NamedTuple):
    """Half-open range of a text from (`line`, `column`) to (`end_line`, `end_column`), columns in bytes, all from 0."""

    line: int
    column: int
    end_line: int
    end_column: int


class Flaw(NamedTuple):
    """Text that fits nowhere; with `is_missing`, the place where a line or a word ends too early."""

    extent: Extent
    is_missing: bool


def flaws(source: bytes) -> list[Flaw]:
    """The places where a text does not have the shape of assembly, in the order of the text."""
    root = tree.parse(source).root_node
    missing = tree_sitter.QueryCursor(_MISSING).captures(root).get("missing", [])
    found = [Flaw(_extent(place), True) for place in missing]
    # tree-sitter's error nodes. A query for them would visit every node, and misses one at the very start.
    pending = [root] if root.has_error else []
    while pending:
        place = pending.pop()
        if place.is_missing or place.is_error:
            found.append(Flaw(_extent(place), place.is_missing))
        else:
            pending.extend(child for child in place.children if child.has_error)
    return sorted(found)


def _extent(node: tree_sitter.Node) -> Extent:
    start, end = node.start_point, node.end_point
    return Extent(start.row, start.column, end.row, end.column)
