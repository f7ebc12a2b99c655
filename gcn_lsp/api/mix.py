"""How many instructions of which class a kernel has, block by block."""

from collections import Counter
from collections.abc import Sequence

import msgspec

from gcn_lsp import isa
from gcn_lsp.ide.control_flow import BasicBlock
from gcn_lsp.ide.reading.instruction_class import instruction_class


class BlockMix(msgspec.Struct, frozen=True):
    """The instructions of a basic block by class.

    block: its number, as in `CodeBlock`. label: the first one at its start, or empty. first_line, last_line: in the
    file. in_loop: numbers of the blocks that begin the loops around it, the outermost first. classes: `scalar`,
    `vector`, `matrix`, `memory`, `branch`, `wait` and `sync`, those that occur. mnemonics: how often each occurs.
    """

    block: int
    label: str
    first_line: int
    last_line: int
    in_loop: tuple[int, ...]
    classes: dict[str, int]
    mnemonics: dict[str, int]


def of_block(block: BasicBlock, loops: Sequence[tuple[int, int]], target: "isa.Target | None") -> BlockMix:
    """The mix of a block. loops: the first and the last block of each loop."""
    names = Counter(each.text.split()[0].lower() for each in block.instructions)
    classes: Counter[str] = Counter()
    for name, count in names.items():
        classes[instruction_class(target, name) or "unknown"] += count
    around = tuple(first for first, last in sorted(loops) if first <= block.number <= last)
    label = block.labels[0] if block.labels else ""
    return BlockMix(block.number, label, block.first_line + 1, block.last_line + 1, around, dict(classes), dict(names))
