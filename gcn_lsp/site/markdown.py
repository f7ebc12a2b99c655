"""Markdown as pages use it, as HTML of the site's own kit; markdown-it-py reads it."""

from functools import lru_cache
from typing import TYPE_CHECKING

from gcn_lsp.site.markup import code, escape, image, link, pre, table, tag

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode


def body(text: str, caption: str = "") -> str:
    """The text without its first heading, which is the page's title. caption: of its tables."""
    from markdown_it.tree import SyntaxTreeNode  # late: only the site needs it

    nodes = SyntaxTreeNode(_reader().parse(text)).children
    if nodes and nodes[0].tag == "h1":
        del nodes[0]
    return "".join(_html(node, caption) for node in nodes)


@lru_cache(maxsize=1)
def _reader() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table")


def _html(node: "SyntaxTreeNode", caption: str) -> str:
    if node.type == "text":
        return escape(node.content)
    if node.type == "softbreak":
        return " "
    if node.type == "code_inline":
        return code(node.content)
    if node.type in ("fence", "code_block"):
        return pre(node.content.removesuffix("\n"), "Code")
    if node.type == "table":
        head, *others = (row.children for part in node.children for row in part.children)
        heads = [child.content for cell in head for child in cell.children]
        return table(caption, heads, ([_inside(cell, caption) for cell in row] for row in others))
    if node.type == "image":
        return image(str(node.attrs["src"]), node.content)
    inside = _inside(node, caption)
    if node.type == "link":
        return link(str(node.attrs["href"]), inside)
    is_bare = not node.tag or (node.type == "paragraph" and node.hidden)  # the paragraph of an item of a tight list
    return inside if is_bare else tag(node.tag, inside)


def _inside(node: "SyntaxTreeNode", caption: str) -> str:
    return "".join(_html(child, caption) for child in node.children)
