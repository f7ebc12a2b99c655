"""Requests about sources with inline assembly: answered in the templates of statements, and nowhere else.

Another server knows the source itself. A request in a template is answered by the same adapter as in a file of
assembly, from the text that the statement stands for and the words of its source; only what concerns
the whole source is answered here, and the builtins that become instructions.
"""

from collections.abc import Callable, Iterator
from typing import Any

from lsprotocol import types

from gcn_lsp.ide import format_inline
from gcn_lsp.ide.original import builtin
from gcn_lsp.ide.original import inline as ide
from gcn_lsp.server import code_action, completion, content, convert, derived_tokens, wire
from gcn_lsp.server import hover as hovers
from gcn_lsp.server.adapters import adapter
from gcn_lsp.server.source_snapshot import SourceSnapshot
from gcn_lsp.text import Location, TextEdit

_FORMAT = "Format the assembly of this statement"
_AT_A_PLACE = frozenset(("hover", "completion", "signature_help", "definition", "document_highlight", "references"))


def answer(snapshot: SourceSnapshot, name: str, params: Any) -> Any:
    """The answer to a request; null for what such a source has not, or where there is no template."""
    if name == "diagnostic":
        return adapter(name)(snapshot, params)
    of_builtin = _OF_BUILTINS[name](snapshot, params) if name in _OF_BUILTINS else None
    if of_builtin is not None:
        return of_builtin
    if snapshot.inline is None:
        return None
    if name in _OWN:
        return _OWN[name](snapshot, params)
    if name.endswith(".resolve"):
        return params
    inner = snapshot.at(*convert.position_to_place(snapshot, params.position)) if name in _AT_A_PLACE else None
    return adapter(name)(inner, params) if inner is not None else None


def _hover(snapshot: SourceSnapshot, params: types.HoverParams) -> wire.Hover | None:
    line, column = convert.position_to_place(snapshot, params.position)
    return hovers.shown(snapshot, builtin.hover(snapshot.source, line, column, snapshot.targets))


def _completion(snapshot: SourceSnapshot, params: types.CompletionParams) -> wire.CompletionList | None:
    line, column = convert.position_to_place(snapshot, params.position)
    found = builtin.completed(snapshot.source, line, column, snapshot.targets)
    return completion.listed(snapshot, found, line) if found is not None else None


_OF_BUILTINS: dict[str, Callable[[SourceSnapshot, Any], Any]] = {"hover": _hover, "completion": _completion}


def _prepare_rename(snapshot: SourceSnapshot, params: types.PrepareRenameParams) -> wire.Range | None:
    found = _renamed(snapshot, params.position)
    return convert.location_to_range(snapshot, found[0]) if found else None


def _rename(snapshot: SourceSnapshot, params: types.RenameParams) -> "wire.WorkspaceEdit | wire.Failure | None":
    found = _renamed(snapshot, params.position)
    if not found:
        return None
    if not ide.is_name(params.new_name):
        return wire.Failure(types.LSPErrorCodes.RequestFailed.value, f"Cannot rename: {params.new_name} is not a name.")
    edits = [TextEdit(where, params.new_name) for where in found]
    return wire.WorkspaceEdit(convert.edits_by_uri(snapshot, edits))


def _renamed(snapshot: SourceSnapshot, position: types.Position) -> list[Location]:
    """Where the name of an operand is written: the place at the cursor first."""
    line, column = convert.position_to_place(snapshot, position)
    for text in snapshot.documents_at(line):
        found = ide.names(text, snapshot.source.path, line, column)
        if found:
            return found
    return []


def _tokens(snapshot: SourceSnapshot, params: Any) -> wire.SemanticTokens:
    first, last = 0, len(snapshot.source.lines) - 1
    if hasattr(params, "range"):
        first, last = params.range.start.line, params.range.end.line
    found: dict[tuple[int, int], tuple[int, int, int]] = {}
    for inner in snapshot.statements_on(first, last):
        found.update(derived_tokens.places(inner, first, last))
    return wire.SemanticTokens(derived_tokens.encoded(found))


def _code_actions(snapshot: SourceSnapshot, params: types.CodeActionParams) -> list[wire.CodeAction]:
    return code_action.offered(snapshot, params, _actions(snapshot))


def _resolved_action(snapshot: SourceSnapshot, params: types.CodeAction) -> wire.CodeAction | wire.Failure:
    return code_action.resolved(snapshot, params, _actions(snapshot))


def _actions(snapshot: SourceSnapshot) -> code_action.Actions:
    return lambda asked: code_action.wanted(
        asked, (*code_action.of_findings(snapshot, asked), *_formattings(snapshot, asked))
    )


def _formattings(snapshot: SourceSnapshot, params: types.CodeActionParams) -> Iterator[wire.CodeAction]:
    """The action that formats the template at the cursor: the source as a whole is formatted by its own server."""
    line, column = convert.position_to_place(snapshot, params.range.start)
    for text in snapshot.documents_at(line):
        edits = format_inline.formatted(text, snapshot.source.path) if text.statement.covers(line, column) else ()
        if edits:
            changes = wire.WorkspaceEdit(convert.edits_by_uri(snapshot, edits))
            yield wire.CodeAction(_FORMAT, types.CodeActionKind.RefactorRewrite.value, changes)


_OWN: dict[str, Callable[[SourceSnapshot, Any], Any]] = {
    "rename.prepare_rename": _prepare_rename,
    "rename": _rename,
    "semantic_tokens": _tokens,
    "semantic_tokens.semantic_tokens_delta": _tokens,
    "semantic_tokens.semantic_tokens_range": _tokens,
    "code_action": _code_actions,
    "code_action.resolve": _resolved_action,
    "content": content.of_statements,
}
