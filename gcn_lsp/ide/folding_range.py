"""The lines that an editor can fold: macros, each branch of a condition, repetitions, descriptors, comments."""

from typing import TYPE_CHECKING, Literal

import msgspec

from gcn_lsp.ide.reading.blocks import LineBlock, blocks

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program


class FoldingRange(msgspec.Struct, frozen=True, order=True, gc=False):
    """Lines `first` to `last`; the first one remains visible."""

    first: int
    last: int
    kind: Literal["region", "comment"]


def folding_ranges(program: "Program") -> list[FoldingRange]:
    """The foldable ranges of the main file, from top to bottom."""
    return sorted({range_ for block in blocks(program) for range_ in _ranges(block) if range_.last > range_.first})


def _ranges(block: LineBlock) -> list[FoldingRange]:
    if block.kind == "comment":
        return [FoldingRange(block.first, block.last, "comment")]
    if not block.branches:
        # The closing line is folded too: it adds nothing to the opening one.
        return [FoldingRange(block.first, block.last, "region")]
    # Each branch separately; its `.else` and the `.endif` remain visible.
    starts = (block.first, *block.branches)
    ends = (*block.branches, block.last)
    return [FoldingRange(start, end - 1, "region") for start, end in zip(starts, ends, strict=True)]
