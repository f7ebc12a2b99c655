"""Reads a rule's page: its sections, its examples, and the page as Markdown.

A page is a rule module's docstring: `name: summary`, then sections. A heading stands alone on its line, blocks
of code are indented.
"""

import re
import textwrap
from collections.abc import Mapping

HEADINGS = ("What it checks", "Why it matters", "Example", "Use instead", "Targets")

_HEADING = re.compile(rf"^({'|'.join(HEADINGS)})$", re.MULTILINE)


def sections(page: str) -> Mapping[str, str]:
    """The text under each heading of `page`, code blocks without their indentation, in the page's order."""
    parts = _HEADING.split(page)
    return {heading: textwrap.dedent(text).strip("\n") for heading, text in zip(parts[1::2], parts[2::2], strict=True)}


def is_about_inline(page: str) -> bool:
    """Whether the examples of a page are sources with inline assembly."""
    return "asm volatile(" in page


def markdown(page: str) -> str:
    """`page` as Markdown: the name as the title, the summary, sections under headings, code fenced."""
    name, _, summary = page.partition("\n")[0].partition(": ")
    blocks = [f"# {name}", summary[:1].upper() + summary[1:]]
    for heading, text in sections(page).items():
        code = heading in ("Example", "Use instead")
        language = "cpp" if is_about_inline(page) else "gcn"
        blocks += [f"## {heading}", f"```{language}\n{text}\n```" if code else text]
    return "\n\n".join(blocks) + "\n"
