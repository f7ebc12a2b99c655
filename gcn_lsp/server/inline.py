"""Requests about sources with inline assembly: answered in the templates of statements, and nowhere else.

Another server knows the source itself. A request in a template is answered by the same adapter as in a file of
assembly, from the text that the statement stands for; only what concerns operands is answered here.
"""

import importlib
from collections.abc import Callable, Iterator
from typing import Any

from lsprotocol import types

from gcn_lsp.ide import format_inline
from gcn_lsp.ide import inline as ide
from gcn_lsp.server import convert, wire
from gcn_lsp.server.documents import InlineSnapshot, Snapshot
from gcn_lsp.text import Location, TextEdit

_FORMAT = "Format the assembly of this statement"
_AT_A_PLACE = frozenset(("hover", "completion", "signature_help", "definition", "document_highlight", "references"))


def answer(snapshot: InlineSnapshot, name: str, params: Any) -> Any:
    """The answer to a request; null for what such a source has not, or where there is no template."""
    if snapshot.inline is None:
        return _function("diagnostic")(snapshot, params) if name == "diagnostic" else None
    if name in _OWN:
        return _OWN[name](snapshot, params)
    if name in _AT_A_PLACE:
        return _at_place(snapshot, name, params)
    return None


def _at_place(snapshot: InlineSnapshot, name: str, params: Any) -> Any:
    line, column = convert.position_to_place(snapshot, params.position)
    found = snapshot.at(line, column)
    if found is None:
        return None
    text, inner = found
    own = _OF_OPERANDS.get(name)
    if own is not None and (answered := own(snapshot, text, line, column)) is not None:
        return answered
    answered = _function(name)(inner, params)
    if name == "hover" and answered is not None:
        shown = wire.MarkupContent(answered.contents.kind, text.in_source(answered.contents.value))
        return wire.Hover(shown, answered.range)
    return answered


def _hover(snapshot: InlineSnapshot, text: ide.Document, line: int, column: int) -> wire.Hover | None:
    found = ide.hover(text, snapshot.source.path, line, column)
    if found is None:
        return None
    return wire.Hover(convert.markup(snapshot, found.markdown), convert.location_to_range(snapshot, found.where))


def _definition(snapshot: InlineSnapshot, text: ide.Document, line: int, column: int) -> list[wire.Location] | None:
    where = ide.definition(text, snapshot.source.path, line, column)
    return None if where is None else [convert.location_to_location(snapshot, where)]


def _highlight(
    snapshot: InlineSnapshot, text: ide.Document, line: int, column: int
) -> list[wire.DocumentHighlight] | None:
    places = ide.references(text, snapshot.source.path, line, column)
    kind = types.DocumentHighlightKind.Text.value
    return [wire.DocumentHighlight(convert.location_to_range(snapshot, where), kind) for where in places] or None


def _references(snapshot: InlineSnapshot, text: ide.Document, line: int, column: int) -> list[wire.Location] | None:
    places = ide.references(text, snapshot.source.path, line, column)
    return [convert.location_to_location(snapshot, where) for where in places] or None


def _completion(snapshot: InlineSnapshot, text: ide.Document, line: int, column: int) -> wire.CompletionList | None:
    where, items = ide.completions(text, snapshot.source, line, column)
    if where is None:
        return None
    replaced = convert.location_to_range(snapshot, where)
    kind = types.CompletionItemKind.Variable.value
    return wire.CompletionList(
        False,
        tuple(
            wire.CompletionItem(label, kind, ("operand", line), detail, text_edit=wire.TextEdit(replaced, label))
            for label, detail in items
        ),
    )


_OF_OPERANDS: dict[str, Callable[[InlineSnapshot, ide.Document, int, int], Any]] = {
    "hover": _hover,
    "definition": _definition,
    "document_highlight": _highlight,
    "references": _references,
    "completion": _completion,
}


def _prepare_rename(snapshot: InlineSnapshot, params: types.PrepareRenameParams) -> wire.Range | None:
    found = _renamed(snapshot, params.position)
    return convert.location_to_range(snapshot, found[0]) if found else None


def _rename(snapshot: InlineSnapshot, params: types.RenameParams) -> "wire.WorkspaceEdit | wire.Failure | None":
    found = _renamed(snapshot, params.position)
    if not found:
        return None
    if not ide.is_name(params.new_name):
        return wire.Failure(types.LSPErrorCodes.RequestFailed.value, f"Cannot rename: {params.new_name} is not a name.")
    edits = [TextEdit(where, params.new_name) for where in found]
    return wire.WorkspaceEdit(convert.edits_by_uri(snapshot, edits))


def _renamed(snapshot: InlineSnapshot, position: types.Position) -> list[Location]:
    """Where the name of an operand is written: the place at the cursor first."""
    line, column = convert.position_to_place(snapshot, position)
    for text in snapshot.documents_at(line):
        found = ide.names(text, snapshot.source.path, line, column)
        if found:
            return found
    return []


def _tokens(snapshot: InlineSnapshot, params: Any) -> wire.SemanticTokens:
    first, last = 0, len(snapshot.source.lines) - 1
    if hasattr(params, "range"):
        first, last = params.range.start.line, params.range.end.line
    semantic = importlib.import_module("gcn_lsp.server.semantic_tokens")
    found: dict[tuple[int, int], tuple[int, int, int]] = {}
    for inner in snapshot.statements_on(first, last):
        derived = inner.derived
        if derived is not None:
            found.update(semantic.places(inner, derived, first, last))
    return wire.SemanticTokens(semantic.encoded(found))


def _code_action(snapshot: InlineSnapshot, params: types.CodeActionParams) -> list[wire.CodeAction]:
    actions = importlib.import_module("gcn_lsp.server.code_action")
    return list(actions.wanted(params, (*actions.of_findings(snapshot, params), *_formattings(snapshot, params))))


def _formattings(snapshot: InlineSnapshot, params: types.CodeActionParams) -> Iterator[wire.CodeAction]:
    """The action that formats the template at the cursor: the source as a whole is formatted by its own server."""
    line, column = convert.position_to_place(snapshot, params.range.start)
    for text in snapshot.documents_at(line):
        edits = format_inline.formatted(text, snapshot.source.path) if text.statement.covers(line, column) else ()
        if edits:
            changes = wire.WorkspaceEdit(convert.edits_by_uri(snapshot, edits))
            yield wire.CodeAction(_FORMAT, types.CodeActionKind.RefactorRewrite.value, changes)


def _diagnostic(snapshot: InlineSnapshot, params: Any) -> Any:
    return _function("diagnostic")(snapshot, params)


_OWN: dict[str, Callable[[InlineSnapshot, Any], Any]] = {
    "rename.prepare_rename": _prepare_rename,
    "rename": _rename,
    "semantic_tokens": _tokens,
    "semantic_tokens.semantic_tokens_delta": _tokens,
    "semantic_tokens.semantic_tokens_range": _tokens,
    "code_action": _code_action,
    "diagnostic": _diagnostic,
}


def _function(name: str) -> Callable[[Snapshot, Any], Any]:
    found: Callable[[Snapshot, Any], Any] = getattr(importlib.import_module(f"gcn_lsp.server.{name}"), name)
    return found
