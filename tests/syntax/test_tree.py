"""The tree of a file: what is found in it, and that an edit gives the same as reading the file anew."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcn_lsp.syntax.tree import Extent, Flaw, Fold, SyntaxTree
from gcn_lsp.text import SourceText

KERNEL = Path(__file__).parents[1] / "data" / "gemm_tile_gfx90a.s"

SOURCE = """\
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


def tree_of(source: str | bytes) -> SyntaxTree:
    data = source.encode() if isinstance(source, str) else source
    return SyntaxTree.of(SourceText.from_bytes("test.s", data))


def test_node_at() -> None:
    parsed = tree_of(SOURCE)
    assert parsed.node_at(10, 0).type == "identifier"
    assert parsed.node_at(10, 27).type == "integer"
    assert parsed.node_at(11, 0).type == "source_file"


def test_selection_widens_from_the_name_to_the_file() -> None:
    parsed = tree_of(SOURCE)
    last = "start: v_add_f32 v0, v[acc+1:acc+2], |v1| clamp"
    texts = [
        last[extent.column : extent.end_column] for extent in parsed.selection(10, 24) if extent.line == extent.end_line
    ]
    assert texts == ["acc", "acc+1", "v[acc+1:acc+2]", "v_add_f32 v0, v[acc+1:acc+2], |v1| clamp"]
    assert parsed.selection(10, 24)[-1] == Extent(0, 0, 10, len(last))


def test_selection_of_a_block_has_no_line_ends_at_its_sides() -> None:
    assert Extent(6, 4, 7, 12) in tree_of(SOURCE).selection(6, 5)


def test_folds_are_blocks_branches_and_comments() -> None:
    assert tree_of(SOURCE).folds() == [
        Fold(0, 1, "comment"),
        Fold(2, 9, "macro_definition"),
        Fold(3, 4, "conditional"),
        Fold(5, 7, "else_clause"),
    ]


def test_a_block_left_open_folds_to_the_end_of_the_file() -> None:
    assert tree_of(".macro m\n s_nop 0\n s_nop 1\n").folds() == [Fold(0, 2, "macro_definition")]


def test_comments_after_statements_do_not_fold() -> None:
    assert tree_of("s_nop 0 ; a\ns_nop 1 ; b\n").folds() == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("s_nop 0\n", []),
        ("v_mov_b32 v0, v[1\ns_nop 0\n", [Flaw(Extent(0, 17, 0, 17), True)]),
        ("x = 1 +\n", [Flaw(Extent(0, 7, 0, 7), True)]),
        ('.ascii "a\n', [Flaw(Extent(0, 9, 0, 9), True)]),
        ("v_mov_b32 v0, ) v1\n", [Flaw(Extent(0, 14, 0, 15), False)]),
        ("= 3\n", [Flaw(Extent(0, 0, 0, 0), True)]),
    ],
)
def test_flaws(source: str, expected: list[Flaw]) -> None:
    assert tree_of(source).flaws() == expected


@pytest.mark.parametrize(
    ("replaced", "new"),
    [
        (Extent(4, 10, 4, 11), b"7"),
        (Extent(4, 4, 4, 4), b"s_nop 1\n    "),
        (Extent(3, 0, 8, 8), b""),
        (Extent(9, 0, 9, 5), b""),
        (Extent(0, 0, 0, 0), b".if 1\r\n"),
        (Extent(10, 0, 10, 0), "; ä\n".encode()),
    ],
)
def test_an_edit_gives_the_tree_of_the_new_text(replaced: Extent, new: bytes) -> None:
    edited = tree_of(SOURCE).replace(replaced, new)
    assert str(edited.tree.root_node) == str(SyntaxTree.of(edited.source).tree.root_node)
    assert edited.tree.root_node.end_byte == len(edited.source.to_bytes())


def test_an_edit_leaves_the_older_tree_as_it_was() -> None:
    parsed = tree_of(SOURCE)
    before = str(parsed.tree.root_node)
    parsed.replace(Extent(4, 0, 5, 0), b"junk )\n")
    assert str(parsed.tree.root_node) == before


@given(seed=st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_typing_gives_the_same_as_reading_anew(seed: int) -> None:
    """Edits that leave no flaw; where there is one, two ways to mend it may be equally good."""
    chooser = random.Random(seed)
    parsed = SyntaxTree.of(SourceText.from_bytes("test.s", KERNEL.read_bytes()))
    for _ in range(5):
        edited = parsed.replace(*_random_edit(chooser, parsed.source))
        fresh = SyntaxTree.of(edited.source)
        assert edited.tree.root_node.end_byte == fresh.tree.root_node.end_byte
        if not fresh.flaws():
            assert str(edited.tree.root_node) == str(fresh.tree.root_node)
            parsed = edited


@given(seed=st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_a_mistake_spoils_its_own_line_only(seed: int) -> None:
    chooser = random.Random(seed)
    source = SourceText.from_bytes("test.s", KERNEL.read_bytes())
    line = chooser.choice(
        [number for number, text in enumerate(source.lines) if text.startswith((b"v_", b"s_", b"ds_"))]
    )
    start = chooser.randrange(len(source.lines[line]) + 1)
    junk = bytes(chooser.choice(b"()[]{}|:,\"'\\<>=!~@#-+&^ $`0v") for _ in range(3))
    for flaw in SyntaxTree.of(source.replace(line, start, line, start, junk)).flaws():
        assert flaw.extent.line == line
        assert (flaw.extent.end_line, flaw.extent.end_column) <= (line + 1, 0)


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"\0" * 1000,
        bytes(range(256)) * 100,
        b"a" * 2_000_000,
        b"(" * 100_000,
        b"x = " + b"-" * 100_000 + b"1\n",
        b"x = 1" + b"+1" * 50_000 + b"\n",
        b".if 1\n" * 10_000,
        b".endif\n" * 10_000,
        b'"\n' * 10_000,
        b"/*" * 10_000,
        b"\r" * 1000,
        b".amdgpu_metadata",
        b".macro m\n.if (",
    ],
    ids=lambda source: repr(source[:12]),
)
def test_anything_is_read(source: bytes) -> None:
    parsed = tree_of(source)
    assert parsed.tree.root_node.end_byte == len(parsed.source.to_bytes())
    parsed.flaws()
    parsed.folds()
    parsed.selection(0, 0)


def _random_edit(chooser: random.Random, source: SourceText) -> tuple[Extent, bytes]:
    line = chooser.randrange(len(source.lines))
    length = len(source.lines[line])
    start = chooser.randrange(length + 1)
    end = min(length, start + chooser.choice((0, 0, 1, 4)))
    pieces = (b"", b"", b"1", b"x", b", v1", b"\n", b"\ns_nop 0\n", b"\n.if x\n", b"\n.endif\n", b" ; c\n", b":", b"+2")
    return Extent(line, start, line, end), chooser.choice(pieces)
