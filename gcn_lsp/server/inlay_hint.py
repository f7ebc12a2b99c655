"""`textDocument/inlayHint`, and `inlayHint/resolve` for what a hint under the pointer means."""

from lsprotocol import types

from gcn_lsp.ide import hint_explanation, in_flight
from gcn_lsp.ide import inlay_hint as ide
from gcn_lsp.server import convert, resolving, wire
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
    return list(filter(None, (_hint(snapshot, each) for each in found)))


def _hint(snapshot: Snapshot, hint: ide.InlayHint) -> wire.InlayHint | None:
    """A hint in the client's form; None if its place is in another file."""
    where = Location(snapshot.program.path, hint.line, hint.column, hint.column)
    if snapshot.in_text(where).path != snapshot.source.path:
        return None
    is_explained = snapshot.client.resolves_hints and hint.kind in hint_explanation.EXPLAINED
    data = resolving.data(snapshot, hint.line, hint.column, hint.kind) if is_explained else ()
    at = convert.location_to_range(snapshot, where).end
    return wire.InlayHint(at, safe.one_line(hint.text), padding_left=True, data=data)


class _HintData(resolving.ItemData, frozen=True):
    line: int
    column: int
    kind: str


def resolve(snapshot: Snapshot, params: types.InlayHint) -> types.InlayHint:
    """The same hint with its explanation; without one if the document has changed since."""
    known = resolving.known(snapshot, params.data, _HintData)
    if known is not None:
        said = hint_explanation.explanation(snapshot.program, known.line, known.column, known.kind)
        text = convert.markdown(snapshot, said)
        params.tooltip = convert.markup_content(snapshot, text) if text else None
    return params
