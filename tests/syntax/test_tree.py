"""The tree of a text: where it has not the shape of assembly, and which of its lines are a block."""

import random
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gcn_lsp.syntax import tree
from gcn_lsp.syntax.tree import DirectiveBlock
from gcn_lsp.text import SourceText
from tests.support.flaws import Extent, Flaw, flaws

HEADS = (b".if", b".ifb", b".elseif", b".rept", b".irpc")
KERNEL = Path(__file__).parents[1] / "data" / "gemm_tile_gfx90a.s"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (b"s_nop 0\n", []),
        (b"v_mov_b32 v0, v[1\ns_nop 0\n", [Flaw(Extent(0, 17, 0, 17), True)]),
        (b"x = 1 +\n", [Flaw(Extent(0, 7, 0, 7), True)]),
        (b'.ascii "a\n', [Flaw(Extent(0, 9, 0, 9), True)]),
        (b"v_mov_b32 v0, ) v1\n", [Flaw(Extent(0, 14, 0, 15), False)]),
        (b"= 3\n", [Flaw(Extent(0, 0, 0, 3), False)]),
    ],
)
def test_flaws(source: bytes, expected: list[Flaw]) -> None:
    assert flaws(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (b"", ()),
        (
            b".macro m\n.if 1\n.endif\n.endm\n",
            (DirectiveBlock("conditional", 1, 2), DirectiveBlock("macro_definition", 0, 3)),
        ),
        (b".if 1\n.elseif 2\n.else\n.endif", (DirectiveBlock("conditional", 0, 3, (1, 2)),)),
        (b".rept 2\n.irp x, 1\n.endr\n.endr", (DirectiveBlock("repetition", 1, 2), DirectiveBlock("repetition", 0, 3))),
        (
            b".amdhsa_kernel k\n.amdhsa_next_free_vgpr 1\n.end_amdhsa_kernel",
            (DirectiveBlock("kernel_descriptor", 0, 2),),
        ),
        (b".amd_kernel_code_t\n.end_amd_kernel_code_t", (DirectiveBlock("kernel_descriptor", 0, 1),)),
        (b".amdgpu_metadata\n.if: 1\n.end_amdgpu_metadata", (DirectiveBlock("metadata", 0, 2),)),
        (b".amdgpu_pal_metadata\n.end_amdgpu_pal_metadata", (DirectiveBlock("metadata", 0, 1),)),
        # An unclosed block is not a block, a closing word without one is not an end.
        (b".if 1\n.macro m\n.rept 2\n.endif\n.endm\n", (DirectiveBlock("macro_definition", 1, 4),)),
        (b".endif\n.endm\n.else\n.end_amdhsa_kernel\n.macro m\n.endm", (DirectiveBlock("macro_definition", 4, 5),)),
        # A repetition reads its body as text: no condition reaches out of it.
        (
            b".if 1\n.rept 2\n.endif\n.endr\n.endif",
            (DirectiveBlock("repetition", 1, 3), DirectiveBlock("conditional", 0, 4)),
        ),
        # `.endrep` is not a directive.
        (b".rept 2\n.endrep\n.endr", (DirectiveBlock("repetition", 0, 2),)),
    ],
)
def test_blocks(source: bytes, expected: tuple[DirectiveBlock, ...]) -> None:
    assert tree.blocks(source) == expected


@given(seed=st.integers(0, 2**32))
@example(seed=8148)  # in the first line of a `.irpc`
@settings(max_examples=60, deadline=None)
def test_a_mistake_spoils_its_own_line_only(seed: int) -> None:
    chooser = random.Random(seed)
    source = SourceText.from_bytes("test.s", KERNEL.read_bytes())
    line = chooser.choice(
        [number for number, text in enumerate(source.lines) if text.startswith((b"v_", b"s_", b"ds_"))]
    )
    start = chooser.randrange(len(source.lines[line]) + 1)
    junk = bytes(chooser.choice(b"()[]{}|:,\"'\\<>=!~@#-+&^ $`0v") for _ in range(3))
    # In the first line of a block, error recovery may drop the end of the block's head too, once in 1,000.
    above = source.lines[line - 1].split()
    first = line - 1 if above and above[0] in HEADS else line
    for flaw in flaws(source.replace(line, start, line, start, junk).to_bytes()):
        assert first <= flaw.extent.line <= line
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
    root = tree.parse(source).root_node
    assert root.end_byte == len(source)
    flaws(source)
    assert tree.blocks(source) == ()
