"""Editors parse with the grammar edit by edit: what an edit leaves is the tree of the new text."""

import random

import pytest
import tree_sitter
from hypothesis import given, settings
from hypothesis import strategies as st

from gcn_lsp.syntax import language, tree
from tests.grammar.sources import OWN_KERNELS
from tests.support.flaws import flaws

SOURCE = b"""\
; A macro
; and its call.
.macro twice x
  .if \\x == 1
    s_nop 0
  .else
    s_nop \\x
    s_nop \\x
  .endif
.endm
start: v_add_f32 v0, v[acc+1:acc+2], |v1| clamp
"""
PIECES = (b"", b"", b"1", b"x", b", v1", b"\n", b"\ns_nop 0\n", b"\n.if x\n", b"\n.endif\n", b" ; c\n", b":", b"+2")


def edited(old: tree_sitter.Tree, source: bytes, start: int, end: int, new: bytes) -> tuple[tree_sitter.Tree, bytes]:
    """The tree and the text after bytes `start` to `end` of `source`, whose tree is `old`, became `new`."""
    text = source[:start] + new + source[end:]
    moved = old.copy()
    moved.edit(
        start_byte=start,
        old_end_byte=end,
        new_end_byte=start + len(new),
        start_point=_point(source, start),
        old_end_point=_point(source, end),
        new_end_point=_point(text, start + len(new)),
    )
    return tree_sitter.Parser(language.LANGUAGE).parse(text, moved), text


def _point(source: bytes, offset: int) -> tuple[int, int]:
    return source.count(b"\n", 0, offset), offset - source.rfind(b"\n", 0, offset) - 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"s_nop 0", b"s_nop 7"),
        (b"    s_nop 0\n", b"    s_nop 1\n    s_nop 0\n"),
        (b"  .if \\x == 1\n    s_nop 0\n", b""),
        (b".endm", b""),
        (b"; A macro", b".if 1\r\n; A macro"),
        (b"start:", "; ä\nstart:".encode()),
    ],
)
def test_an_edit_gives_the_tree_of_the_new_text(old: bytes, new: bytes) -> None:
    before = tree.parse(SOURCE)
    as_it_was = str(before.root_node)
    start = SOURCE.index(old)
    after, text = edited(before, SOURCE, start, start + len(old), new)
    assert str(after.root_node) == str(tree.parse(text).root_node)
    assert after.root_node.end_byte == len(text)
    assert str(before.root_node) == as_it_was


@given(seed=st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_typing_gives_the_same_as_reading_anew(seed: int) -> None:
    """Edits that leave no flaw; where there is one, two ways to recover from it may be equally good."""
    chooser = random.Random(seed)
    source = chooser.choice(OWN_KERNELS).read_bytes()
    parsed = tree.parse(source)
    for _ in range(5):
        start = chooser.randrange(len(source) + 1)
        end = min(len(source), start + chooser.choice((0, 0, 1, 4)))
        after, text = edited(parsed, source, start, end, chooser.choice(PIECES))
        fresh = tree.parse(text)
        assert after.root_node.end_byte == fresh.root_node.end_byte
        if not flaws(text):
            assert str(after.root_node) == str(fresh.root_node)
            parsed, source = after, text
