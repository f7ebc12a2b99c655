"""`textDocument/codeLens`."""

from typing import Any

from lsprotocol import types

from gcn_lsp.ide import code_lens as ide
from gcn_lsp.server import convert, wire
from gcn_lsp.server.snapshot import Snapshot
from gcn_lsp.text import safe

# The editor's command for what a lens opens. A client that has it names it in `experimental.commands.commands`.
_COMMANDS = {"report": "gcn-lsp.showReport", "line": "gcn-lsp.goToLine", "control-flow": "gcn-lsp.showControlFlow"}


def code_lens(snapshot: Snapshot, params: types.CodeLensParams) -> list[wire.CodeLens]:
    """The lenses of each kernel. A lens whose command the client lacks is only text, or left out if it says nothing."""
    lenses = []
    for found in ide.code_lenses(snapshot.program, snapshot.typed_line if snapshot.text.is_written else -1):
        command, title = _COMMANDS[found.opens], safe.one_line(found.text)
        if command in snapshot.client.commands:
            arguments: tuple[Any, ...] = (params.text_document.uri, snapshot.line_in_text(found.line), found.kernel)
            shown = wire.Command(title, command, arguments)
        elif found.opens == "control-flow":
            continue
        else:
            shown = wire.Command(title, "")
        lenses.append(wire.CodeLens(convert.location_to_range(snapshot, found.where), shown))
    return lenses
