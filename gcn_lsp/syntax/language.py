"""The compiled grammar: trees of pieces of text, the ids of the kinds of nodes, and the tokens of a tree."""

import threading
from collections.abc import Iterator

import tree_sitter

from gcn_lsp import _tree_sitter_gcn

LANGUAGE = tree_sitter.Language(_tree_sitter_gcn.language())

ERROR = 0xFFFF
"""The kind of nodes for text that the grammar does not fit; the same in every grammar."""


def kind(name: str) -> int:
    """The id of the named nodes of kind `name`."""
    found = LANGUAGE.id_for_node_kind(name, True)
    if found is None:
        raise LookupError(f"the grammar has no `{name}`")
    return found


_STRING, _PASTED = kind("string"), kind("pasted")


class _Local(threading.local):
    """A parser for each thread, since a parser keeps state while it reads."""

    def __init__(self) -> None:
        self.parse = tree_sitter.Parser(LANGUAGE).parse


_local = _Local()


def root(text: bytes) -> tree_sitter.Node:
    """The root of the tree of `text`; a NUL counts as a blank, as for an assembler."""
    return _local.parse(text.replace(b"\0", b" ") if b"\0" in text else text).root_node


def tokens(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The smallest pieces of text below `node`, in order; a whole string and a pasted word are one piece each."""
    cursor = node.walk()
    while True:
        current = cursor.node
        assert current is not None
        kind_id = current.kind_id
        is_whole = (kind_id == _PASTED and not current.has_error) or (
            kind_id == _STRING and current.children[-1].type == '"'
        )
        if not is_whole and cursor.goto_first_child():
            continue
        if current.end_byte > current.start_byte:
            yield current
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
