"""`textDocument/inlineCompletion`: the next line where only one can be meant, if the settings ask for that."""

from lsprotocol import types

from gcn_lsp.ide import inline_completion as ide
from gcn_lsp.server import convert, wire
from gcn_lsp.server.snapshot import Snapshot


def inline_completion(snapshot: Snapshot, params: types.InlineCompletionParams) -> wire.InlineCompletionList | None:
    """The lines that may come at the cursor, which is at the end of its line."""
    if not snapshot.setup.settings.inline_completion:
        return None
    line, column = convert.position_to_place(snapshot, params.position)
    text = snapshot.source.lines[line]
    if column < len(text.rstrip()):
        return None
    where = convert.span_to_range(text, line, 0, len(text), snapshot)
    found = ide.next_lines(snapshot.program, snapshot.findings, line)
    return wire.InlineCompletionList(tuple(wire.InlineCompletionItem(each, where) for each in found))
