"""`textDocument/codeAction`: the fixes of the findings under the cursor or in the selection."""

from lsprotocol import types

from gcn_lsp.ide import fixes as ide
from gcn_lsp.server import convert, diagnostics, wire
from gcn_lsp.server.documents import Snapshot


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
    return wire.CodeAction(
        title=offer.fix.title,
        kind=types.CodeActionKind.QuickFix.value,
        diagnostics=(diagnostics.finding_to_diagnostic(snapshot, offer.finding),),
        is_preferred=len(offer.finding.fixes) == 1,
        edit=wire.WorkspaceEdit(convert.edits_by_uri(snapshot, offer.fix.edits)),
    )
