"""Makes the files of the site: its pages, the index for the search, the style and the script."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from gcn_lsp.site import content, pages
from gcn_lsp.site.markup import escape, link, tag

_ASSETS = Path(__file__).with_name("assets")
_STYLE, _SCRIPT, _ICON, _INDEX = "style.css", "search.js", "icon.svg", "search-index.js"
_PICTURE = "debugging.png"  # of the page on running kernels


def build(targets: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """The files of the site of some targets: the path of each in its folder, with `/`, and its contents."""
    mnemonics = content.mnemonics(targets)
    for page in pages.pages(mnemonics, targets):
        yield page.path, _document(page).encode()
    for name in (_STYLE, _SCRIPT, _ICON, _PICTURE):
        yield name, (_ASSETS / name).read_bytes()
    # JSON in a script: a page opened as a file may load a script, but may not fetch JSON.
    found = msgspec.json.encode(pages.index(mnemonics, targets)).decode()
    yield _INDEX, f"searchIndex({found});\n".encode()


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
