"""The URIs of texts that are derived from a file, each with a scheme of its own.

`gcn-lsp-object:PATH` is the assembly of a code object, `gcn-lsp-expansion:PATH` a file with macros, repetitions and
includes expanded, `gcn-lsp-encoded:PATH` its instructions with their bytes, `gcn-lsp-assembly:PATH` what the assembler
reads of a preprocessed file, of SP3 or of inline assembly. A `?` adds `lines=FIRST-LAST`, from
1, for an expansion, and `uri=URI` for a document that is not a file.
"""

from urllib.parse import parse_qs, quote, unquote, urlencode, urlsplit

import msgspec

from gcn_lsp.server import paths


class Asked(msgspec.Struct, frozen=True):
    """What a URI asks for: a scheme, the document's URI, and lines from 0, inclusive; all lines without them."""

    scheme: str
    uri: str
    lines: tuple[int, int] | None = None


class Unknown(Exception):
    """A URI that asks for nothing."""


def uri_of(scheme: str, document: str, lines: tuple[int, int] | None = None) -> str:
    """The URI of a text that is derived from a document, which ends as that does, so that editors know its language."""
    parts = urlsplit(document)
    asked = {} if parts.scheme == "file" else {"uri": document}
    if lines is not None:
        asked["lines"] = f"{lines[0] + 1}-{lines[1] + 1}"
    path = parts.path if parts.path.startswith("/") else f"/{parts.path}"
    return f"{scheme}:{quote(unquote(path))}" + (f"?{urlencode(asked)}" if asked else "")


def asked(uri: str) -> Asked:
    """What a URI asks for. Raises `Unknown`."""
    try:
        parts = urlsplit(uri)
    except ValueError as error:
        raise Unknown from error
    if parts.scheme not in paths.SCHEMES or not parts.path:
        raise Unknown
    given = parse_qs(parts.query)
    document = given.get("uri", [f"file://{parts.path}"])[0]
    first, _, last = given.get("lines", [""])[0].partition("-")
    lines = (int(first) - 1, int(last or first) - 1) if _is_number(first) and _is_number(last or first) else None
    return Asked(parts.scheme, document, lines)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10
