"""`gcn-lsp/sourceLines`: what the compiler made of each line of its sources, by the `.loc` of an assembly document, or
by the debug information of a code object.

Parameters: the document's `uri`.
"""

from typing import Any

from gcn_lsp.ide import source_lines as ide
from gcn_lsp.server import wire
from gcn_lsp.server.snapshot import Snapshot


class SourceLine(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """A line of a source, from 0, with its instructions: `lines` of the document, from 0."""

    uri: str
    line: int
    lines: tuple[int, ...]
    instructions: int
    waits: int
    spills: int
    vgprs: int
    agprs: int
    sgprs: int


class SourceLines(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """The answer: the lines in the order of files and lines."""

    lines: tuple[SourceLine, ...]


def source_lines(snapshot: Snapshot, params: Any) -> SourceLines:
    """The lines of all sources; none where nothing says what the document was compiled from."""
    view = snapshot.view
    found = ide.lines(snapshot.program, view.compiled() if view is not None else None)
    return SourceLines(
        tuple(
            SourceLine(
                snapshot.uri_of(each.file),
                each.line - 1,
                each.lines,
                each.instructions,
                each.waits,
                each.spills,
                each.vgprs,
                each.agprs,
                each.sgprs,
            )
            for each in found
        )
    )


def of_derived(snapshot: Snapshot, params: Any) -> SourceLines:
    """No lines: those of a derived text are not the document's."""
    return SourceLines(())
