"""The format `dot`: a graph for Graphviz and other readers of its language."""

from gcn_lsp.ide.control_flow import BasicBlock, ControlFlow
from gcn_lsp.ide.drawing.colours import heat

_STYLES = {
    "next": "color=gray40",
    "branch": "color=steelblue",
    "back": "color=firebrick constraint=false penwidth=2",
    "call": "color=purple style=dashed",
}
_SHOWN = 24  # instructions of a block; the middle of a longer one is left out


def render(flow: ControlFlow) -> str:
    """The graph in the DOT language."""
    highest = max(block.vgprs for block in flow.blocks)
    lines = [
        f"digraph {_quoted(flow.kernel)} {{",
        '  node [shape=box fontname="monospace" fontsize=10 style=filled];',
        '  edge [fontname="monospace" fontsize=9];',
    ]
    for block in flow.blocks:
        colour = heat(block.vgprs, highest)
        lines.append(f'  b{block.number} [label={_label(block)} fillcolor="{colour}40" color="{colour}"];')
    for edge in flow.edges:
        lines.append(f"  b{edge.source} -> b{edge.target} [{_STYLES[edge.kind]}];")
    return "\n".join((*lines, "}")) + "\n"


def title(block: BasicBlock) -> str:
    """A block in one line: its labels, its lines counted from 1, its registers in use."""
    names = ", ".join(block.labels)
    first, last = block.first_line + 1, block.last_line + 1
    where = f"line {first}" if first == last else f"lines {first}-{last}"
    counts = (("VGPR", block.vgprs), ("AGPR", block.agprs), ("SGPR", block.sgprs))
    shown = (f"{count} {file}{'' if count == 1 else 's'}" for file, count in counts if count or file != "AGPR")
    registers = ", ".join(shown)
    return f"{names}: {where}, {registers}" if names else f"{where}, {registers}"


def _shown(block: BasicBlock, most: int) -> list[str]:
    """The texts of a block's instructions, without the middle of a long block."""
    texts = [" ".join(each.text.split()) for each in block.instructions]
    if len(texts) <= most:
        return texts
    half = (most - 1) // 2
    return [*texts[:half], f"... {len(texts) - 2 * half} more", *texts[-half:]]


def _label(block: BasicBlock) -> str:
    lines = (title(block), *_shown(block, _SHOWN))
    return '"' + "".join(line.replace("\\", "\\\\").replace('"', '\\"') + "\\l" for line in lines) + '"'


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
