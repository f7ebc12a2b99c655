"""The names of included files as links to these files, and those of what else a code object holds."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from gcn_lsp.ide import workspace_symbol
from gcn_lsp.ide.reading.lines import occurrences
from gcn_lsp.text import Location, SourceText

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program
    from gcn_lsp.views.view import View

_INCLUDE = ".include"
_COMMENT = b"// "


class DocumentLink(msgspec.Struct, frozen=True):
    """The name of a file, without its quotes, and the path of that file."""

    where: Location
    path: str


def document_links(program: "Program") -> list[DocumentLink]:
    """A link for each `.include` whose file exists, whether or not its branch is assembled."""
    found = []
    for number in dict.fromkeys(number for number, _ in occurrences(program, _INCLUDE.encode())):
        for statement in program.line(number).statements:
            name = statement.rest.strip().strip(b'"')
            if statement.word != _INCLUDE or not name:
                continue
            source = program.options.include(program.path, name.decode("utf-8", "surrogateescape"))
            if source is not None:
                start = statement.line.find(name, statement.rest_start)
                found.append(DocumentLink(Location(program.path, number, start, start + len(name)), source.path))
    return found


def summary(source: SourceText) -> str:
    """How long an included file is and what it defines: `12 lines, 2 macros, 1 symbol`."""
    kinds = Counter(workspace_symbol.scan(source.to_bytes()).kinds)
    counts = (len(source.lines) - (not source.lines[-1]), *(kinds[kind] for kind in _COUNTED))
    words = ("line", *_COUNTED.values())
    return ", ".join(
        f"{count} {word}{'s' * (count != 1)}"
        for count, word in zip(counts, words, strict=True)
        if count or word == "line"
    )


_COUNTED = {
    workspace_symbol.KERNEL: "kernel",
    workspace_symbol.FUNCTION: "function",
    workspace_symbol.MACRO: "macro",
    workspace_symbol.SYMBOL: "symbol",
    workspace_symbol.LABEL: "label",
}


def further_links(path: str, lines: Sequence[bytes], view: "View") -> Iterator[DocumentLink]:
    """The names of further views in the comments at the end of the text of a code object, as `FILE(NAME)`."""
    names = {each.name.encode() for each in view.further}
    last = len(lines) - 1 if lines[-1] else len(lines) - 2
    for number in range(last, -1, -1):
        line = lines[number]
        if not line.startswith(_COMMENT):
            return
        name = line.removeprefix(_COMMENT)
        if name in names:
            where = Location(path, number, len(_COMMENT), len(line))
            yield DocumentLink(where, f"{path}({name.decode()})")
