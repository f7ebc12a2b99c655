"""HTML as text: all text is escaped, names of mnemonics become links."""

import html
import re
from collections.abc import Iterable, Mapping, Sequence

_NAME = re.compile(r"\b[a-z]+_[a-z0-9_]+\b(?!\*)|`[^`]+`")


def escape(text: str) -> str:
    """Text as HTML shows it."""
    return html.escape(text, quote=True)


def tag(name: str, body: str, **attributes: str) -> str:
    """An element; `body` is HTML already, `class_` is the attribute class."""
    return f"<{name}{_attributes(attributes)}>{body}</{name}>"


def code(text: str) -> str:
    """A bit of code."""
    return tag("code", escape(text))


def pre(text: str, label: str) -> str:
    """Lines of code that a keyboard can scroll."""
    return tag("pre", tag("code", escape(text)), tabindex="0", role="region", aria_label=label)


def link(address: str, text: str) -> str:
    """A link; `text` is HTML already."""
    return tag("a", text, href=address)


def image(address: str, text: str) -> str:
    """A picture, and what it shows in words."""
    return f"<img{_attributes({'src': address, 'alt': text})}>"


def items(texts: Iterable[str]) -> str:
    """A list of HTML; empty if it has no items."""
    body = "".join(tag("li", text) for text in texts)
    return tag("ul", body) if body else ""


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of HTML cells with a caption; empty without rows. The first cell heads its row."""
    body = "".join(
        tag("tr", tag("th", first, scope="row") + "".join(tag("td", cell) for cell in rest)) for first, *rest in rows
    )
    if not body:
        return ""
    heads = tag("tr", "".join(tag("th", escape(text), scope="col") for text in head))
    table = tag("table", tag("caption", escape(caption)) + tag("thead", heads) + tag("tbody", body))
    return tag("div", table, class_="wide", tabindex="0", role="region", aria_label=caption)


def prose(text: str, addresses: Mapping[str, str]) -> str:
    """A sentence in which names that have a page are links, and names and `code` look like code."""
    parts, done = [], 0
    for match in _NAME.finditer(text):
        name = match[0].strip("`")
        parts.append(escape(text[done : match.start()]))
        parts.append(link(addresses[name], code(name)) if name in addresses else code(name))
        done = match.end()
    return "".join(parts) + escape(text[done:])


def slug(text: str) -> str:
    """A title as part of an address."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def _attributes(attributes: Mapping[str, str]) -> str:
    return "".join(f' {name.rstrip("_").replace("_", "-")}="{escape(value)}"' for name, value in attributes.items())
