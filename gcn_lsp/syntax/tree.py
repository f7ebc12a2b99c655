"""Finds in tree-sitter's tree of a text which lines are a block.

The grammar is in `grammar/`. Nothing is interpreted here: macros are not expanded, conditions are not decided.
"""

from functools import lru_cache

import msgspec
import tree_sitter

from gcn_lsp.syntax.language import LANGUAGE

_BLOCKS = frozenset(("macro_definition", "repetition", "conditional", "kernel_descriptor", "metadata"))
# Nodes that hold lines, and so may hold blocks.
_ENTERED = _BLOCKS | {"block", "elseif_clause", "else_clause", "ERROR"}


class DirectiveBlock(msgspec.Struct, frozen=True, gc=False):
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


@lru_cache(maxsize=4)
def blocks(source: bytes) -> tuple[DirectiveBlock, ...]:
    """The closed blocks of a text, in the order in which they end."""
    found: list[DirectiveBlock] = []
    pending = [parse(source).root_node]
    while pending:
        node = pending.pop()
        kind = node.type
        end = node.child_by_field_name("end") if kind in _BLOCKS else None
        if end is not None:
            branches = node.children_by_field_name("alternative")
            starts = tuple(branch.start_point.row for branch in branches)
            found.append(DirectiveBlock(kind, node.start_point.row, end.start_point.row, starts))
        pending.extend(child for child in node.named_children if child.type in _ENTERED)
    return tuple(sorted(found, key=lambda block: block.last))
