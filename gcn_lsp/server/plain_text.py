"""Converts this project's Markdown for clients that do not render all of it.

For those that show plain text it loses its marks. Those that show tables as they are written get them in columns.
"""

from collections.abc import Iterator
from itertools import groupby

from gcn_lsp.patterns import regex

_FENCE = regex(r"\s*(`{3,})(.*)")
_RULE = regex(r"\|(?:\s*:?-+:?\s*\|)+\s*$")
_RULE_LEAST = 3  # dashes
_RULE_WIDTH = 40
_BAR = regex(r"(?<!\\)\|")
_HEADING = regex(r"#+\s+")
_CODE = regex(r"(?<![`\\])(`+)(?!`)(.*?)(?<!`)\1(?!`)")
_STRONG = regex(r"\*\*(.+?)\*\*")
_LINK = regex(r"\[([^\]]+)\]\([^)\s]*\)")
_ESCAPED = regex(r"\\([!-/:-@\[-`{-~])")


def plain_text(markdown: str) -> str:
    """The plain text; paragraphs and lists remain as they are."""
    lines: list[str] = []
    is_code, fence = False, ""
    for is_table, group in groupby(markdown.split("\n"), lambda line: line.startswith("|")):
        for line in _table(group) if is_table and not is_code else group:
            mark = _FENCE.match(line)
            if mark is not None and (not is_code or (mark[1].startswith(fence) and not mark[2])):
                is_code, fence = not is_code, mark[1]
            elif line == "---" and not is_code:
                lines.append("-" * _RULE_WIDTH)
            else:
                lines.append(line if is_code or is_table else _inline(_HEADING.sub("", line, count=1)))
    return "\n".join(lines).strip("\n")


def with_aligned_tables(markdown: str) -> str:
    """The Markdown with the cells of its tables below each other; it means the same."""
    lines: list[str] = []
    fence = ""
    for is_table, group in groupby(markdown.split("\n"), lambda line: line.startswith("|")):
        for line in _aligned(group) if is_table and not fence else group:
            mark = _FENCE.match(line)
            if mark is not None and (not fence or (mark[1].startswith(fence) and not mark[2])):
                fence = "" if fence else mark[1]
            lines.append(line)
    return "\n".join(lines)


def _aligned(lines: Iterator[str]) -> Iterator[str]:
    """The rows of a table; its last column ends where its text ends. Other lines between bars remain."""
    written = list(lines)
    if len(written) < 2 or not _RULE.match(written[1]):
        yield from written
        return
    rows = [[cell.strip() for cell in _BAR.split(line.strip())[1:-1]] for line in written]
    # Marks of code do not count: those who show tables as they are written hide these.
    sizes = [[len(_inline(cell)) for cell in row] for row in (rows[0], *rows[2:])]
    widths = [max(_RULE_LEAST, *column) for column in zip(*sizes, strict=False)]
    rows[1] = ["-" * width for width in widths]
    for row in rows:
        padded = (cell + " " * (width - len(_inline(cell))) for cell, width in zip(row[:-1], widths, strict=False))
        yield f"| {' | '.join((*padded, *row[-1:]))} |"


def _table(lines: Iterator[str]) -> Iterator[str]:
    """The rows with their cells below each other."""
    rows = [_cells(line) for line in lines if not _RULE.match(line)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=False)]
    for row in rows:
        padded = (cell.ljust(width) for cell, width in zip(row, widths, strict=False))
        yield "  ".join(padded).rstrip()


def _cells(line: str) -> list[str]:
    parts = _BAR.split(line.strip())[1:-1]
    return [_inline(part.strip().replace("\\|", "|")) for part in parts]


def _inline(text: str) -> str:
    """The text without the marks of code, emphasis and links; code remains as it is."""
    found: list[str] = []
    end = 0
    for match in _CODE.finditer(text):
        found += (_unmarked(text[end : match.start()]), match[2].strip())
        end = match.end()
    return "".join((*found, _unmarked(text[end:])))


def _unmarked(text: str) -> str:
    return _ESCAPED.sub(r"\1", _LINK.sub(r"\1", _STRONG.sub(r"\1", text)))
