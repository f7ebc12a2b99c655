"""Small pieces of Markdown: code spans, code blocks, tables, sections put together."""

from collections.abc import Iterable, Sequence


def code(text: str) -> str:
    """`text` as a code span; text that holds a backquote gets a longer fence."""
    if "`" not in text:
        return f"`{text}`"
    return f"`` {text} ``"


def block(text: str, language: str = "gcn") -> str:
    """`text` as a fenced code block."""
    return f"```{language}\n{text}\n```"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; empty when there are no rows. Bars in cells are escaped, so that `a | b` stays in its cell."""
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    if not lines:
        return ""
    return "\n".join(("| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads), *lines))


def join(*parts: str | None) -> str:
    """The parts that are not empty, as paragraphs of their own."""
    return "\n\n".join(part for part in parts if part)


def listing(names: Iterable[str]) -> str:
    """Names as code spans, separated by commas."""
    return ", ".join(code(name) for name in names)
