"""The names that files define, found by searching their text for definitions, and a search over many files.

A workspace may have thousands of kernels with ten thousand lines each, so nothing is interpreted, and a file's names
are kept as one text. A definition is ASCII up to the end of its name, so its columns hold in any encoding.
"""

import re
from array import array
from collections.abc import Iterable, Iterator

import msgspec

from gcn_lsp.patterns import regex
from gcn_lsp.text import SourceText

KERNEL, FUNCTION, MACRO, SYMBOL, LABEL = range(5)
"""Kinds, in the order in which they are listed."""

_WORD = rb"[A-Za-z_.$][A-Za-z0-9_.$@]*"
_DEFINITION = regex(
    rb"^[ \t]*(?:(?P<label>" + _WORD + rb")[ \t]*:(?![:=])"
    rb"|\.macro[ \t]+(?P<macro>" + _WORD + rb")"
    rb"|\.(?:set|equ|equiv)[ \t]+(?P<set>" + _WORD + rb")[ \t]*,"
    rb"|\.amdhsa_kernel[ \t]+(?P<kernel>" + _WORD + rb")"
    rb"|\.type[ \t]+(?P<function>" + _WORD + rb")[ \t]*,?[ \t]*[@%#\"]?function"
    rb'|\.include[ \t]+"(?P<include>[^"\r\n]+)"'
    rb'|(?:\.incbin|#[ \t]*include)[ \t]+"(?P<other>[^"\r\n]+)"'
    rb"|(?P<assigned>" + _WORD + rb")[ \t]*=(?!=))",
    re.MULTILINE,
)
_KINDS = {"label": LABEL, "macro": MACRO, "set": SYMBOL, "assigned": SYMBOL}
SLICE = 1 << 16
"""Bytes that are searched at a time: a millisecond or two."""


class FileSymbols(msgspec.Struct, frozen=True):
    """The definitions of a file. names: each with a line end before and after it; lower: the same in lower case.

    kinds, lines, columns: of each in turn. includes: the files that it names in `.include`; others: those in `.incbin`
    and `#include`.
    """

    names: bytes
    lower: bytes
    kinds: bytes
    lines: "array[int]"
    columns: "array[int]"
    includes: tuple[str, ...]
    others: tuple[str, ...] = ()


class WorkspaceSymbol(msgspec.Struct, frozen=True):
    """A name that was found: its kind, and its line and columns in the file `path`."""

    name: str
    kind: int
    path: str
    line: int
    start: int
    end: int


def scan(text: bytes) -> FileSymbols:
    """The definitions in a file."""
    return next(found for found in scan_slices(text) if found is not None)


def scan_slices(text: bytes) -> Iterator[FileSymbols | None]:
    """The same in slices: None after each slice, at last the result."""
    names: dict[str, tuple[int, int, int]] = {}
    kernels: set[str] = set()
    functions: set[str] = set()
    includes: dict[str, None] = {}
    others: dict[str, None] = {}
    start = line = counted = 0
    while start < len(text):
        end = text.find(b"\n", start + SLICE) + 1 or len(text)
        for match in _DEFINITION.finditer(text, start, end):
            sort = match.lastgroup or ""
            name = match[sort].decode("utf-8", "replace")
            if sort == "include":
                includes[name] = None
            elif sort == "other":
                others[name] = None
            elif sort == "kernel":
                kernels.add(name)
            elif sort == "function":
                functions.add(name)
            elif name not in names:
                at = match.start(sort)
                line += text.count(b"\n", counted, at)
                counted = at
                names[name] = (_KINDS[sort], line, at - (text.rfind(b"\n", 0, at) + 1))
        start = end
        yield None
    kinds = bytes(
        KERNEL if name in kernels else FUNCTION if name in functions else kind for name, (kind, _, _) in names.items()
    )
    text_of_names = "\n".join(("", *names, "")).encode()
    places = names.values()
    lines, columns = array("I", (line for _, line, _ in places)), array("I", (column for _, _, column in places))
    yield FileSymbols(text_of_names, text_of_names.lower(), kinds, lines, columns, tuple(includes), tuple(others))


_scanned: dict[str, tuple[SourceText, FileSymbols]] = {}
_MOST_SCANNED = 64  # files: those that were opened first are forgotten, and searched again when they are asked for


def of_buffer(source: SourceText) -> FileSymbols:
    """The definitions in an open file; searched again only after its text has changed."""
    known = _scanned.get(source.path)
    if known is None or known[0] is not source:
        known = _scanned[source.path] = source, scan(source.to_bytes())
        if len(_scanned) > _MOST_SCANNED:
            del _scanned[next(iter(_scanned))]
    return known[1]


LIMIT = 500
_ENOUGH = 5000  # of which the best are listed


def search(files: Iterable[tuple[str, FileSymbols]], query: str) -> list[WorkspaceSymbol]:
    """Names that contain `query`, in any case: exact matches first, then those that begin with it."""
    wanted = query.strip().lower()
    text = wanted.encode("utf-8", "replace")
    ranked: list[tuple[tuple[int, int, int, str], WorkspaceSymbol]] = []
    for path, file in files:
        for index, name in _matches(file, text):
            kind = file.kinds[index]
            lower = name.lower()
            rank = 0 if lower == wanted else 1 if lower.startswith(wanted) else 2
            start, line = file.columns[index], file.lines[index]
            found = WorkspaceSymbol(name, kind, path, line, start, start + len(name))
            ranked.append(((rank, kind, len(name), name), found))
        if len(ranked) >= _ENOUGH:
            break
    ranked.sort(key=lambda entry: entry[0])
    return [found for _, found in ranked[:LIMIT]]


def _matches(file: FileSymbols, text: bytes) -> Iterator[tuple[int, str]]:
    """The names that contain a text, with their numbers."""
    if not text:
        yield from enumerate(file.names.decode().split("\n")[1:-1])
        return
    position = file.lower.find(text)
    number = counted = 0
    while position >= 0:
        number += file.lower.count(b"\n", counted, position)
        counted = position
        start = file.names.rfind(b"\n", 0, position) + 1
        end = file.names.find(b"\n", position)
        yield number - 1, file.names[start:end].decode()
        position = file.lower.find(text, end)
