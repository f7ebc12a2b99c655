"""`textDocument/inlayHint`."""

from lsprotocol import types

from gcn_lsp.ide import inlay_hint as ide
from gcn_lsp.server import convert, wire
from gcn_lsp.server.documents import Snapshot


def inlay_hint(snapshot: Snapshot, params: types.InlayHintParams) -> "list[wire.InlayHint]":
    """The hints in a range of lines, of the kinds that the settings ask for."""
    asked = snapshot.setup.settings.inlay_hints
    kinds = [kind for kind in (ide.REGISTERS, ide.OFFSET, ide.ENCODING) if getattr(asked, kind)]
    if not kinds:
        return []
    found = ide.inlay_hints(snapshot.program, params.range.start.line, params.range.end.line, kinds)
    path = snapshot.source.path
    return [
        wire.InlayHint(
            convert.span_to_range(snapshot.line(path, hint.line), hint.line, hint.column, hint.column, snapshot).start,
            hint.text,
            padding_left=True,
        )
        for hint in found
    ]
