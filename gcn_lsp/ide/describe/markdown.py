"""Small pieces of Markdown: code spans, code blocks, tables, joined sections."""

from collections.abc import Iterable, Sequence

from gcn_lsp.text import safe

RULE = "---"
"""A line across the page, as a paragraph of its own."""


code = safe.code
escaped = safe.escaped
sentence = safe.sentence


def block(text: str, language: str = "gcn") -> str:
    """`text` as a fenced code block."""
    return safe.block(text, language)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; empty without rows. Bars in cells are escaped, so `a | b` remains in its cell."""
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    if not lines:
        return ""
    return "\n".join(("| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads), *lines))


def join(*parts: str | None) -> str:
    """The non-empty parts, as separate paragraphs."""
    return "\n\n".join(part for part in parts if part)


def listing(names: Iterable[str]) -> str:
    """Names as code spans, separated by commas."""
    return ", ".join(code(name) for name in names)
