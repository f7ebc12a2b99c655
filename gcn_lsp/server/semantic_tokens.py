"""`textDocument/semanticTokens`: all, the change since the last answer, and those of a range."""

from lsprotocol import types

from gcn_lsp.ide import semantic_tokens as ide
from gcn_lsp.server import wire
from gcn_lsp.server.snapshot import Snapshot


def semantic_tokens(
    snapshot: Snapshot, params: types.SemanticTokensParams | types.SemanticTokensDeltaParams
) -> wire.SemanticTokens:
    """All tokens, with a number by which the next request can ask for changes."""
    found = ide.semantic_tokens(snapshot.program, snapshot.client.encoding)
    return wire.SemanticTokens(found.numbers(), _keep(snapshot, found))


def semantic_tokens_delta(
    snapshot: Snapshot, params: types.SemanticTokensDeltaParams
) -> "wire.SemanticTokens | wire.SemanticTokensDelta":
    """The change since the answer of that number, or all tokens if it is not the last one."""
    known = snapshot.document.tokens
    if known is None:
        return semantic_tokens(snapshot, params)
    found = ide.semantic_tokens(snapshot.program, snapshot.client.encoding)
    result_id = _keep(snapshot, found)
    if params.previous_result_id != str(known[1]):
        return wire.SemanticTokens(found.numbers(), result_id)
    change = ide.difference(known[0], found)
    edits = () if change is None else (wire.SemanticTokensEdit(change.start, change.removed, change.data),)
    return wire.SemanticTokensDelta(edits, result_id)


def semantic_tokens_range(snapshot: Snapshot, params: types.SemanticTokensRangeParams) -> wire.SemanticTokens:
    """The tokens on the lines that the range touches."""
    first, last = params.range.start.line, params.range.end.line
    return wire.SemanticTokens(ide.tokens_on(snapshot.program, first, last, snapshot.client.encoding))


def _keep(snapshot: Snapshot, found: ide.Tokens) -> str:
    known = snapshot.document.tokens
    number = 1 if known is None else known[1] + 1
    snapshot.document.tokens = found, number
    return str(number)
