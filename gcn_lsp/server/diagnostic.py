"""`textDocument/diagnostic`: for clients that pull diagnostics."""

from lsprotocol import types

from gcn_lsp.flow.steps import finish
from gcn_lsp.server import diagnostics, kept_diagnostics, wire
from gcn_lsp.server.snapshot import Snapshot


def diagnostic(snapshot: Snapshot, params: types.DocumentDiagnosticParams) -> wire.FullReport | wire.UnchangedReport:
    """The answer to `textDocument/diagnostic`: the file's own diagnostics, or that they are unchanged.

    Only a client that can be asked to pull again gets those of an earlier session, and those that are there before the
    targets are compared.
    """
    document = snapshot.document
    may_ask = document.client.refreshes_diagnostics
    kept = kept_diagnostics.find(snapshot) if may_ask and document.built is None else None
    if kept is not None:
        found = snapshot.pulled_early = kept[document.uri]
    else:
        if not may_ask:
            finish(snapshot.settle())
        found = diagnostics.diagnose(snapshot)[document.uri]
        if not snapshot.is_settled:
            snapshot.pulled_early = found
        # Whoever has seen the findings may ask what is in flight, before the check for others.
        document.is_analysed = True
    if document.reported is None or document.reported[0] != found:
        number = 1 if document.reported is None else document.reported[1] + 1
        document.reported = (found, number)
    result_id = str(document.reported[1])
    if params.previous_result_id == result_id:
        return wire.UnchangedReport("unchanged", result_id)
    return wire.FullReport("full", found, result_id)
