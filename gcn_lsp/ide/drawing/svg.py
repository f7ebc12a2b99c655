"""The format `svg`: blocks below each other as in the file, ways forward at their right, loops at their left.

The order of the file is kept, since that is how its author thinks of it, and needs no search for a layout.
"""

from collections.abc import Iterable
from html import escape

import msgspec

from gcn_lsp.ide.control_flow import Block, ControlFlow, Edge
from gcn_lsp.ide.drawing import dot, heat

_WIDTH = 560  # of a block
_LINE = 15  # height of a line of text
_PADDING = 8
_GAP = 26  # between blocks
_LANE = 14  # between parallel edges
_SHOWN = 14  # instructions of a block; the middle of a longer one is left out
_CHARACTERS = 76  # of an instruction
_COLOURS = {"next": "#8a8f98", "branch": "#3f7fbf", "back": "#c93c37", "call": "#8657b5"}


class _Box(msgspec.Struct, frozen=True):
    """Where a block is drawn: its top and height, in pixels."""

    top: int
    height: int

    @property
    def bottom(self) -> int:
        return self.top + self.height


class _Way(msgspec.Struct, frozen=True):
    """An edge beside the blocks: its first and last row, and its lane, from 0 next to the blocks."""

    edge: Edge
    lane: int


def render(flow: ControlFlow) -> str:
    """The drawing as a complete document."""
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + drawing(flow)


def drawing(flow: ControlFlow) -> str:
    """The drawing as an element for a page."""
    boxes = _boxes(flow.blocks)
    straight = [edge for edge in flow.edges if edge.kind == "next" and edge.target == edge.source + 1]
    beside = [edge for edge in flow.edges if edge not in straight]
    right = _lanes(edge for edge in beside if edge.target > edge.source)
    left = _lanes(edge for edge in beside if edge.target <= edge.source)
    margin_left = _LANE * (2 + max((way.lane for way in left), default=0))
    margin_right = _LANE * (2 + max((way.lane for way in right), default=0))
    width = margin_left + _WIDTH + margin_right
    height = boxes[-1].bottom + _GAP
    highest = max(block.vgprs for block in flow.blocks)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="ui-monospace, Menlo, Consolas, monospace" font-size="11">',
        f"<title>Control flow of {escape(flow.kernel)}</title>",
        "<defs>",
        *(_arrow(kind, colour) for kind, colour in _COLOURS.items()),
        "</defs>",
    ]
    for block, box in zip(flow.blocks, boxes, strict=True):
        parts += _block(block, box, margin_left, heat.colour(block.vgprs, highest))
    middle = margin_left + _WIDTH // 2
    for edge in straight:
        parts.append(_path("next", f"M{middle} {boxes[edge.source].bottom}V{boxes[edge.target].top - 2}"))
    for way in right:
        parts.append(_side(way, boxes, margin_left + _WIDTH, 1))
    for way in left:
        parts.append(_side(way, boxes, margin_left, -1))
    return "\n".join((*parts, "</svg>")) + "\n"


def _boxes(blocks: Iterable[Block]) -> list[_Box]:
    found: list[_Box] = []
    top = _GAP
    for block in blocks:
        height = _LINE * (1 + len(dot.shown(block, _SHOWN))) + 2 * _PADDING
        found.append(_Box(top, height))
        top += height + _GAP
    return found


def _lanes(edges: Iterable[Edge]) -> list[_Way]:
    """A lane for each edge, so that parallel edges do not overlap; short edges are nearest to the blocks."""
    taken: list[list[tuple[int, int]]] = []
    found = []
    for edge in sorted(edges, key=lambda edge: (abs(edge.target - edge.source), edge.source)):
        first, last = sorted((edge.source, edge.target))
        lane = next(
            (
                number
                for number, spans in enumerate(taken)
                if all(last < other_first or other_last < first for other_first, other_last in spans)
            ),
            len(taken),
        )
        if lane == len(taken):
            taken.append([])
        taken[lane].append((first, last))
        found.append(_Way(edge, lane))
    return found


def _block(block: Block, box: _Box, left: int, colour: str) -> list[str]:
    baseline = box.top + _PADDING + _LINE - 4
    title = dot.title(block)
    corner = f'x="{left}" y="{box.top}" width="{_WIDTH}" rx="5"'
    white = f'y="{baseline - 3}" fill="#ffffff"'
    parts = [
        f'<g class="block" data-line="{block.first_line + 1}">',
        f"<title>{escape(title)}</title>",
        f'<rect {corner} height="{box.height}" fill="#ffffff" stroke="{colour}"/>',
        f'<rect {corner} height="{_LINE + _PADDING}" fill="{colour}"/>',
        f'<text x="{left + _PADDING}" {white} font-weight="bold">{escape(_short(title))}</text>',
    ]
    if block.waits:
        waits = f"{block.waits} wait" + ("s" if block.waits > 1 else "")
        parts.append(f'<text x="{left + _WIDTH - _PADDING}" {white} text-anchor="end">{waits}</text>')
    waiting = {" ".join(each.text.split()) for each in block.instructions if each.is_wait}
    for number, text in enumerate(dot.shown(block, _SHOWN), start=1):
        colour = "#b3541e" if text in waiting else "#24292f"
        y = baseline + number * _LINE + _PADDING // 2
        parts.append(f'<text x="{left + _PADDING}" y="{y}" fill="{colour}">{escape(_short(text))}</text>')
    return [*parts, "</g>"]


def _side(way: _Way, boxes: list[_Box], x: int, direction: int) -> str:
    source, target = boxes[way.edge.source], boxes[way.edge.target]
    lane = x + direction * _LANE * (way.lane + 1)
    start, end = source.bottom - _PADDING, target.top + _PADDING + 4 * (way.edge.kind == "back")
    return _path(way.edge.kind, f"M{x} {start}H{lane}V{end}H{x + 2 * direction}")


def _path(kind: str, shape: str) -> str:
    dashes = ' stroke-dasharray="5 3"' if kind == "call" else ""
    stroke = f'stroke="{_COLOURS[kind]}" stroke-width="1.5"{dashes}'
    return f'<path d="{shape}" fill="none" {stroke} marker-end="url(#{kind})"/>'


def _arrow(kind: str, colour: str) -> str:
    return (
        f'<marker id="{kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0 0L8 4L0 8Z" fill="{colour}"/></marker>'
    )


def _short(text: str) -> str:
    return text if len(text) <= _CHARACTERS else text[: _CHARACTERS - 3] + "..."
