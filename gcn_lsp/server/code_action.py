"""`textDocument/codeAction`: the fixes of the findings under the cursor or in the selection."""

from lsprotocol import types

from gcn_lsp.ide import fixes as ide
from gcn_lsp.server import convert, diagnostics, wire
from gcn_lsp.server.documents import Snapshot
from gcn_lsp.text import TextEdit


def code_action(snapshot: Snapshot, params: types.CodeActionParams) -> list[wire.CodeAction]:
    """One action for each fix; the client applies its edits."""
    wanted = params.context.only
    if wanted is not None and not any(kind in ("", types.CodeActionKind.QuickFix.value) for kind in wanted):
        return []
    first, start = convert.position_to_place(snapshot, params.range.start)
    last, end = convert.position_to_place(snapshot, params.range.end)
    offered = ide.fixes(snapshot.findings, snapshot.source.path, first, start, last, end)
    return [_action(snapshot, offer) for offer in offered]


def _action(snapshot: Snapshot, offer: ide.OfferedFix) -> wire.CodeAction:
    changes: dict[str, list[wire.TextEdit]] = {}
    for edit in offer.fix.edits:
        changes.setdefault(snapshot.uri_of(edit.where.path), []).append(_edit(snapshot, edit))
    return wire.CodeAction(
        title=offer.fix.title,
        kind=types.CodeActionKind.QuickFix.value,
        diagnostics=(diagnostics.finding_to_diagnostic(snapshot, offer.finding),),
        is_preferred=len(offer.finding.fixes) == 1,
        edit=wire.WorkspaceEdit(changes),
    )


def _edit(snapshot: Snapshot, edit: TextEdit) -> wire.TextEdit:
    return wire.TextEdit(convert.location_to_range(snapshot, edit.where), edit.new_text)
