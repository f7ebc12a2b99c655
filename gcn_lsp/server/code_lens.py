"""`textDocument/codeLens`, and `codeLens/resolve` for what only a visible lens has to say."""

from typing import Any

from lsprotocol import types

from gcn_lsp.ide import code_lens as ide
from gcn_lsp.server import commands, convert, resolving, wire
from gcn_lsp.server.snapshot import Snapshot
from gcn_lsp.text import safe

# The editor's command for what a lens opens. A client that has it names it in `experimental.commands.commands`.
_COMMANDS = {
    "report": "gcn-lsp.showReport",
    "line": "gcn-lsp.goToLine",
    "control-flow": "gcn-lsp.showControlFlow",
    "debug": "gcn-lsp.debugKernel",
}
_ONLY_COMMANDS = (ide.CONTROL_FLOW, ide.DEBUG)


def code_lens(snapshot: Snapshot, params: types.CodeLensParams) -> list[wire.CodeLens]:
    """The lenses of each kernel. A lens whose command the client lacks is only text, or left out if it says nothing."""
    if snapshot.client.resolves_lenses:
        found = ide.unresolved(snapshot.program, snapshot.typed_line)
    else:
        found = ide.code_lenses(snapshot.program, snapshot.typed_line)
    return [_lens(snapshot, each) for each in found if each.opens not in _ONLY_COMMANDS or _has(snapshot, each)]


def _lens(snapshot: Snapshot, lens: ide.CodeLens) -> wire.CodeLens:
    where = convert.location_to_range(snapshot, lens.where)
    if not lens.text:
        return wire.CodeLens(where, data=resolving.data(snapshot, lens.kernel, lens.opens))
    return wire.CodeLens(where, _command(snapshot, lens))


def _has(snapshot: Snapshot, lens: ide.CodeLens) -> bool:
    return _COMMANDS[lens.opens] in snapshot.client.commands


def _command(snapshot: Snapshot, lens: ide.CodeLens) -> wire.Command:
    """What a click on a lens does: nothing where the client has no command for it."""
    title = safe.one_line(convert.said(snapshot, lens.text))
    uri, line = snapshot.document.uri, snapshot.line_in_text(lens.line)
    if _has(snapshot, lens):
        arguments: tuple[Any, ...] = (uri, line, lens.kernel)
        return wire.Command(title, _COMMANDS[lens.opens], arguments)
    if lens.opens == ide.LINE and commands.SHOW_LINE in commands.announced(snapshot.client):
        return wire.Command(title, commands.SHOW_LINE, (uri, line))
    return wire.Command(title, "")


class _LensData(resolving.ItemData, frozen=True):
    kernel: str
    opens: str


def resolve(snapshot: Snapshot, params: types.CodeLens) -> types.CodeLens:
    """The same lens with its command.

    A lens of an earlier version says what is true now: an editor shows it until it has asked for the lenses again.
    """
    known = resolving.known(snapshot, params.data, _LensData, any_version=True)
    found = ide.code_lenses(snapshot.program, only=known.kernel) if known is not None and known.kernel else []
    lens = next((each for each in found if known is not None and each.opens == known.opens), None)
    command = _command(snapshot, lens) if lens is not None else wire.Command("no registers", "")
    params.command = types.Command(command.title, command.command, arguments=list(command.arguments))
    return params
