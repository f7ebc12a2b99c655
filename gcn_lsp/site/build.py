"""Writes the site: its pages, the index for the search, the style and the script."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from gcn_lsp.site import content, pages
from gcn_lsp.site.markup import escape, link, tag

_ASSETS = Path(__file__).with_name("assets")
_STYLE, _SCRIPT, _ICON, _INDEX = "style.css", "search.js", "icon.svg", "search-index.js"


def build(directory: Path, targets: Sequence[str]) -> int:
    """Write the site of some targets into a directory, which is created if necessary; return the number of pages."""
    mnemonics = content.mnemonics(targets)
    count = 0
    for page in pages.pages(mnemonics, targets):
        path = directory / page.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_document(page), encoding="utf-8")
        count += 1
    for name in (_STYLE, _SCRIPT, _ICON):
        (directory / name).write_bytes((_ASSETS / name).read_bytes())
    # JSON in a script: a page opened as a file may load a script, but may not fetch JSON.
    found = msgspec.json.encode(pages.index(mnemonics, targets)).decode()
    (directory / _INDEX).write_text(f"searchIndex({found});\n", encoding="utf-8")
    return count


def _document(page: pages.Page) -> str:
    """The whole of a page."""
    root = "../" * page.path.count("/")
    head = (
        tag("title", f"{escape(page.title)} - gcn-lsp")
        + '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        + '<meta name="color-scheme" content="light dark">'
        + f'<link rel="icon" type="image/svg+xml" href="{root}{_ICON}">'
        + f'<link rel="stylesheet" href="{root}{_STYLE}">'
        + tag("script", "", src=f"{root}{_SCRIPT}", defer="", data_root=root, data_index=f"{root}{_INDEX}")
    )
    search = (
        '<form id="search" role="search" hidden><label for="query">Search</label>'
        '<input id="query" type="search" autocomplete="off" spellcheck="false" aria-controls="results" '
        'placeholder="mnemonic, modifier, register ...">'
        '<p id="count" role="status"></p><ol id="results"></ol></form>'
    )
    body = (
        link("#main", "Skip to the text").replace("<a ", '<a class="skip" ')
        + tag("header", tag("nav", link(f"{root}index.html", "gcn-lsp"), aria_label="Site") + search)
        + tag("main", tag("h1", escape(page.title)) + page.body, id="main")
    )
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>{body}</body></html>\n'
