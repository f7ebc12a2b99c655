"""`textDocument/inlayHint`."""

from lsprotocol import types

from gcn_lsp.ide import in_flight
from gcn_lsp.ide import inlay_hint as ide
from gcn_lsp.server import convert, wire
from gcn_lsp.server.snapshot import Snapshot
from gcn_lsp.text import Location, safe


def inlay_hint(snapshot: Snapshot, params: types.InlayHintParams) -> "list[wire.InlayHint]":
    """The hints on a range of lines, of the kinds switched on in the settings; addresses and encodings of an object."""
    asked, view = snapshot.setup.settings.inlay_hints, snapshot.view
    choice: tuple[str, ...] = (ide.REGISTERS, ide.INPUTS)
    if view is None:
        choice = (*choice, ide.OFFSET, ide.ENCODING, ide.DATA)
    kinds = [kind for kind in choice if getattr(asked, kind)]
    first, last = snapshot.in_program(params.range.start.line), snapshot.in_program(params.range.end.line)
    found = ide.inlay_hints(snapshot.program, first, last, kinds) if kinds else []
    if view is not None:
        found += ide.of_object(snapshot.program, view, first, last)
    if asked.in_flight:
        found += in_flight.hints(snapshot.program, first, last)
    path = snapshot.program.path
    places = ((Location(path, hint.line, hint.column, hint.column), hint.text) for hint in found)
    return [
        wire.InlayHint(convert.location_to_range(snapshot, where).end, safe.one_line(text), padding_left=True)
        for where, text in places
        if snapshot.in_text(where).path == snapshot.source.path
    ]
