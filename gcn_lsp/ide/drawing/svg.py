"""The format `svg`: blocks in layers, control flow from above, loops back at the side. Editors show the same drawing.

The colours are attributes, so that the drawing looks right anywhere; a page may replace them by the classes: `frame`,
`head`, `title`, `wait`, `more`, `edge`. Elements with `data-line` are about a line, from 1.
"""

from collections.abc import Collection, Iterator
from html import escape
from itertools import pairwise

from gcn_lsp.ide.control_flow import BasicBlock, ControlFlow
from gcn_lsp.ide.drawing import dot
from gcn_lsp.ide.drawing.colours import WAYS, heat
from gcn_lsp.ide.drawing.layout import Box, Way, layout
from gcn_lsp.records import NamedTuple

_FONT = 12  # pixels
_CHARACTER = 7.25  # width of a character in pixels; the attribute textLength fits any font to it
_LINE = 16  # height of a line of text
_PADDING = 8
MOST = 16  # instructions of a block; the middle of a longer one is left out
_IN_HINT = 100  # instructions
_LONGEST, _LONGEST_TITLE = 64, 96  # characters
_TURN = 30  # depth of the arc in which a way back turns around


class _TextLine(NamedTuple):
    """A line of text in a block. line: from 0. opens: a click shows the whole block, or less of it again."""

    text: str
    line: int
    is_wait: bool = False
    opens: bool = False


def render(flow: ControlFlow) -> str:
    """The drawing as a complete document."""
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + drawing(flow)


def drawing(flow: ControlFlow, opened: Collection[int] | None = None, most: int = MOST) -> str:
    """The drawing as an element for a page.

    opened: the first lines of long blocks that are drawn in full, for a page that asks for the drawing again at a
    click; None for a page that cannot. most: the instructions above which a block is long.
    """
    rows = [_rows(block, opened, most) for block in flow.blocks]
    titles = [_short(_title(block), _LONGEST_TITLE) for block in flow.blocks]
    sizes = [_size(title, texts) for title, texts in zip(titles, rows, strict=True)]
    laid = layout(sizes, [(edge.source, edge.target) for edge in flow.edges])
    highest = max(block.vgprs for block in flow.blocks)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{laid.width}" height="{laid.height}" '
        f'viewBox="0 0 {laid.width} {laid.height}" font-family="ui-monospace, Menlo, Consolas, monospace" '
        f'font-size="{_FONT}">',
        f"<title>Control flow of {escape(flow.kernel)}</title>",
        "<defs>",
        *(_arrow(kind, colour) for kind, (colour, _) in WAYS.items()),
        "</defs>",
    ]
    parts += (_way(edge.kind, way) for edge, way in zip(flow.edges, laid.ways, strict=True))
    for block, box, title, texts in zip(flow.blocks, laid.boxes, titles, rows, strict=True):
        parts += _block(block, box, title, texts, heat(block.vgprs, highest), _hint(block, opened, most))
    return "\n".join((*parts, "</svg>")) + "\n"


def _rows(block: BasicBlock, opened: Collection[int] | None, most: int) -> list[_TextLine]:
    """The instructions of a block, the middle of a long one only if it is opened."""
    found = [_TextLine(" ".join(each.text.split()), each.line, each.is_wait) for each in block.instructions]
    if len(found) <= most:
        return found
    if opened is not None and block.first_line in opened:
        return [*found, _TextLine("▴ show less", block.first_line, opens=True)]
    half = (most - 2) // 2
    more = f"{len(found) - 2 * half} more"
    mark = _TextLine(f"... {more}" if opened is None else f"▾ {more}", block.first_line, opens=opened is not None)
    return [*found[:half], mark, *found[-half:]]


def _title(block: BasicBlock) -> str:
    waits = f", {block.waits} wait{'s' if block.waits > 1 else ''}" if block.waits else ""
    return f"{dot.title(block)}{waits}"


def _hint(block: BasicBlock, opened: Collection[int] | None, most: int) -> str:
    """The tooltip of a block, with the instructions that are left out if nothing opens it."""
    if opened is not None or len(block.instructions) <= most:
        return _title(block)
    texts = [" ".join(each.text.split()) for each in block.instructions[:_IN_HINT]]
    return "\n".join((_title(block), *texts, *(["..."] if len(block.instructions) > _IN_HINT else [])))


def _size(title: str, rows: list[_TextLine]) -> tuple[int, int]:
    longest = max(len(title), *(min(len(row.text), _LONGEST) for row in rows))
    return round(longest * _CHARACTER) + 2 * _PADDING, _LINE * (1 + len(rows)) + 2 * _PADDING


def _block(block: BasicBlock, box: Box, title: str, rows: list[_TextLine], colour: str, hint: str) -> Iterator[str]:
    corner = f'x="{box.x}" y="{box.y}" width="{box.width}" rx="5"'
    x, y = box.x + _PADDING, box.y + _LINE
    yield f'<g class="block" data-line="{block.first_line + 1}">'
    yield f"<title>{escape(hint)}</title>"
    yield f'<rect class="frame" {corner} height="{box.height}" fill="#ffffff" stroke="{colour}"/>'
    yield f'<rect class="head" {corner} height="{_LINE + _PADDING}" fill="{colour}"/>'
    yield _text(title, x, y, 'class="title" fill="#ffffff" font-weight="bold"', block.first_line)
    for number, row in enumerate(rows, start=1):
        fill = "#b3541e" if row.is_wait else "#24292f"
        kind = "more" if row.opens else "wait" if row.is_wait else ""
        style = f'class="{kind}" fill="{fill}"' if kind else f'fill="{fill}"'
        yield _text(_short(row.text, _LONGEST), x, y + number * _LINE + _PADDING, style, row.line)
    yield "</g>"


def _text(text: str, x: int, y: int, style: str, line: int) -> str:
    length = f'textLength="{len(text) * _CHARACTER:.1f}" lengthAdjust="spacingAndGlyphs"'
    return f'<text x="{x}" y="{y}" {style} data-line="{line + 1}" {length}>{escape(text)}</text>'


def _way(kind: str, way: Way) -> str:
    dashes = ' stroke-dasharray="5 3"' if kind == "call" else ""
    style = f'fill="none" stroke="{WAYS[kind][0]}" stroke-width="1.5"{dashes}'
    return f'<path class="edge" d="{_shape(way)}" {style} marker-end="url(#{kind})"/>'


def _shape(way: Way) -> str:
    """Lines between points above each other, curves that begin and end upright between others."""
    points = [*way.points[:-1], (way.points[-1][0], way.points[-1][1] - 2)]  # the tip of the arrow touches the box
    parts = [f"M{points[0][0]} {points[0][1]}"]
    for number, ((x, y), (to_x, to_y)) in enumerate(pairwise(points)):
        turns = way.is_back and number in (1, len(points) - 2)
        if turns:
            depth = _TURN if number == 1 else -_TURN
            parts.append(f"C{x} {y + depth} {to_x} {to_y + depth} {to_x} {to_y}")
        elif x == to_x:
            parts.append(f"V{to_y}")
        else:
            middle = (y + to_y) // 2
            parts.append(f"C{x} {middle} {to_x} {middle} {to_x} {to_y}")
    return "".join(parts)


def _arrow(kind: str, colour: str) -> str:
    return (
        f'<marker id="{kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0 0L8 4L0 8Z" fill="{colour}"/></marker>'
    )


def _short(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 3]}..."
