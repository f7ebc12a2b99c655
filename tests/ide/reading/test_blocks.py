"""The blocks that features know are those of the grammar, and the same after edits as in a fresh file."""

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gcn_lsp.ide.document_symbol import document_symbols
from gcn_lsp.ide.folding_range import folding_ranges
from gcn_lsp.ide.reading import blocks
from gcn_lsp.ide.selection_range import selection_range
from gcn_lsp.program import program
from gcn_lsp.syntax import tree
from gcn_lsp.text import SourceText
from tests.grammar.sources import OWN_KERNELS, REPOSITORY, corpus_parameters, own_parameters

OPTIONS = program.Options(target="gfx90a")
PIECES = (
    *(b"", b"", b"1", b"x", b"\n", b"/*", b"*/", b" ; c", b"\n; c\n; d\n", b'"', b"(", b"#", b"\\", b":", b"\0"),
    *(b"\r\n", b"\r", "\nä: s_nop 0\n".encode(), b"\n.set a, 1\n", b"\n.type f,@function\nf:\n", b"\n.end\n"),
    *(b"\n.if 1\n", b"\n.elseif 1\n", b"\n.else\n", b"\n.endif\n", b"\n.macro q\n", b"\n.endm\n", b"\n.rept 2\n"),
    *(b"\n.endr\n", b"\n.amdgpu_metadata\n", b"\n.end_amdgpu_metadata\n", b"\n.amdhsa_kernel k\n"),
)


@pytest.mark.parametrize("path", [*own_parameters(), *corpus_parameters()])
def test_blocks_are_those_of_the_tree_of_the_whole_file(path: Path) -> None:
    source = SourceText.from_bytes(str(path), path.read_bytes())
    found = blocks.blocks(program.build(source, OPTIONS))
    expected = [(block.first, block.last, block.branches) for block in tree.blocks(source.to_bytes())]
    assert [(block.first, block.last, block.branches) for block in found if block.kind != "comment"] == expected


def test_every_word_of_the_scanner_is_read() -> None:
    scanner = (REPOSITORY / "grammar" / "src" / "scanner.c").read_text()
    words = re.findall(r'\{"(\.\w+)", \w+, \w+, (\w+)\}', scanner)
    assert {role for _, role in words} == {"OPENS", "CONTINUES", "CLOSES", "ASSIGNS"}
    assert [word for word, role in words if role != "ASSIGNS" and not blocks.PART.fullmatch(word)] == []


@pytest.mark.parametrize("mistake", [b")", b"#", b"(", b'"', b"\0", b"\\"])
def test_a_mistake_in_a_directive_leaves_its_block(mistake: bytes) -> None:
    text = b".macro m a " + mistake + b"\n.if " + mistake + b"\n.elseif " + mistake + b"\n.endif\n.endm\n"
    found = blocks.blocks(program.build(SourceText.from_bytes("test.s", text), OPTIONS))
    assert [(block.kind, block.first, block.last, block.branches) for block in found] == [
        ("condition", 1, 3, (2,)),
        ("macro", 0, 4, ()),
    ]


@given(seed=st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_an_edited_file_has_the_structure_of_a_fresh_one(seed: int) -> None:
    chooser = random.Random(seed)
    path = chooser.choice(OWN_KERNELS)
    edited = program.build(SourceText.from_bytes("test.s", path.read_bytes()), OPTIONS)
    for _ in range(6):
        lines = edited.source.lines
        first = chooser.randrange(len(lines))
        last = min(first + chooser.choice((0, 0, 0, 1, 5)), len(lines) - 1)
        start = chooser.randrange(len(lines[first]) + 1)
        end = chooser.randrange(len(lines[last]) + 1)
        if first == last:
            end = min(len(lines[last]), start + chooser.choice((0, 0, 1, 9)))
        source = edited.source.replace(first, start, last, end, chooser.choice(PIECES))
        edited = program.build(source, OPTIONS, edited)
        fresh = program.build(source, OPTIONS)
        assert folding_ranges(edited) == folding_ranges(fresh)
        assert document_symbols(edited) == document_symbols(fresh)
        line = chooser.randrange(len(source.lines))
        column = chooser.randrange(len(source.lines[line]) + 1)
        assert selection_range(edited, line, column) == selection_range(fresh, line, column)
