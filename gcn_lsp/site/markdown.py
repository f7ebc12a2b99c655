"""Markdown as pages use it, as HTML: headings, paragraphs, lists, tables, code; inside of these code and links."""

import re
from collections.abc import Iterator

from gcn_lsp.site.markup import code, escape, link, pre, table, tag

_FENCE = "```"
_INLINE = re.compile(r"`([^`]+)`|\*\*(.+?)\*\*|\[([^\]]+)\]\(([^)\s]+)\)")


def body(text: str, caption: str = "") -> str:
    """The text without its first heading, which is the page's title. caption: of its tables."""
    lines = text.split("\n")
    if lines[0].startswith("# "):
        del lines[0]
    return "".join(_blocks(iter(lines), caption))


def _blocks(lines: Iterator[str], caption: str) -> Iterator[str]:
    paragraph: list[str] = []
    points: list[str] = []
    rows: list[list[str]] = []
    for line in lines:
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip().strip("|").split(" | ")])
            continue
        if rows:
            yield _table(rows, caption)
            rows = []
        is_point, goes_on = line.startswith("- "), line.startswith("  ") and bool(points)
        if not is_point and not goes_on and points:
            yield tag("ul", "".join(tag("li", _inline(point)) for point in points))
            points = []
        is_text = bool(line.strip()) and not line.startswith(("#", _FENCE)) and not is_point and not goes_on
        if not is_text and paragraph:
            yield tag("p", _inline(" ".join(paragraph)))
            paragraph = []
        if line.startswith(_FENCE):
            yield pre("\n".join(_until_fence(lines)), "Code")
        elif line.startswith("#"):
            level = len(line) - len(line.lstrip("#"))
            yield tag(f"h{min(level, 6)}", _inline(line.lstrip("# ")))
        elif is_point:
            points.append(line[2:])
        elif goes_on:
            points[-1] += f" {line.strip()}"
        elif is_text:
            paragraph.append(line.strip())
    if rows:
        yield _table(rows, caption)
    if points:
        yield tag("ul", "".join(tag("li", _inline(point)) for point in points))
    if paragraph:
        yield tag("p", _inline(" ".join(paragraph)))


def _table(rows: list[list[str]], caption: str) -> str:
    head, _, *others = rows
    return table(caption, head, ([_inline(cell) for cell in row] for row in others))


def _until_fence(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        if line.startswith(_FENCE):
            return
        yield line


def _inline(text: str) -> str:
    parts, done = [], 0
    for match in _INLINE.finditer(text):
        parts.append(escape(text[done : match.start()]))
        if match[1]:
            parts.append(code(match[1]))
        elif match[2]:
            parts.append(tag("strong", _inline(match[2])))
        else:
            parts.append(link(escape(match[4]), escape(match[3])))
        done = match.end()
    return "".join(parts) + escape(text[done:])
