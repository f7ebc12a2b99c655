"""Small pieces of Markdown: code spans, code blocks, tables, joined sections, places."""

from collections.abc import Iterable, Sequence
from typing import overload

from gcn_lsp.text import Location, Text, joined, message, safe

RULE = "---"
"""A line across the page, as a paragraph of its own."""


code = safe.code
escaped = safe.escaped
sentence = safe.sentence


def block(text: str, language: str = "gcn") -> str:
    """`text` as a fenced code block."""
    return safe.block(text, language)


@overload
def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str: ...
@overload
def table(heads: Sequence[str], rows: Iterable[Sequence[Text]]) -> Text: ...
def table(heads: Sequence[str], rows: Iterable[Sequence[Text]]) -> Text:
    """A table; empty without rows. Bars in cells are escaped, so `a | b` remains in its cell."""
    lines = [joined("", ("| ", joined(" | ", map(_cell, row)), " |")) for row in rows]
    if not lines:
        return ""
    return joined("\n", ("| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads), *lines))


def _cell(text: Text) -> Text:
    return text.replace("|", "\\|") if isinstance(text, str) else text


@overload
def join(*parts: str | None) -> str: ...
@overload
def join(*parts: Text | None) -> Text: ...
def join(*parts: Text | None) -> Text:
    """The non-empty parts, as separate paragraphs."""
    return joined("\n\n", (part for part in parts if part))


@overload
def section(title: str, rows: Iterable[str]) -> str: ...
@overload
def section(title: str, rows: Iterable[Text]) -> Text: ...
def section(title: str, rows: Iterable[Text]) -> Text:
    """A list below its title; empty without rows."""
    items = [f"- {row}" if isinstance(row, str) else message("- {}", row) for row in rows]
    return joined("\n", (title, "", *items)) if items else ""


def place(where: Location, path: str) -> str:
    """A place in a text about the file `path`: `line 12`, or "line 12 of" and another file."""
    return f"line {where.line + 1}" if where.path == path else f"line {where.line + 1} of {code(where.file_name)}"


def listing(names: Iterable[str]) -> str:
    """Names as code spans, separated by commas."""
    return ", ".join(code(name) for name in names)
