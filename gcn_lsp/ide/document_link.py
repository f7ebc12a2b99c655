"""The names of included files, as links to these files."""

from typing import TYPE_CHECKING

import msgspec

from gcn_lsp.ide.reading.lines import occurrences
from gcn_lsp.text import Location

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program

_INCLUDE = ".include"


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
