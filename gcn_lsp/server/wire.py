"""The messages to the client: the protocol's structures, with its names for their fields, serialised by msgspec.

Messages from the client are lsprotocol's classes. For replies of a thousand elements these cost too much: a thousand
diagnostics take 12 ms to construct and serialise, the whole budget of a keystroke, and a tenth of that with these.
"""

# ruff: noqa: D101 (the protocol documents each class)

from typing import Any

import msgspec


class Wire(msgspec.Struct, frozen=True, gc=False, rename="camel", omit_defaults=True):
    """A structure that msgspec serialises rather than lsprotocol's converter."""


class Position(Wire, frozen=True, gc=False):
    line: int
    character: int


class Range(Wire, frozen=True, gc=False):
    start: Position
    end: Position


class Location(Wire, frozen=True, gc=False):
    uri: str
    range: Range


class Related(Wire, frozen=True, gc=False):
    location: Location
    message: str


class CodeDescription(Wire, frozen=True, gc=False):
    href: str


class Diagnostic(Wire, frozen=True, gc=False):
    range: Range
    severity: int
    code: str
    source: str
    message: str
    code_description: CodeDescription | None = None
    related_information: tuple[Related, ...] = ()
    tags: tuple[int, ...] = ()


class PublishDiagnostics(Wire, frozen=True, gc=False):
    uri: str
    diagnostics: tuple[Diagnostic, ...]
    version: int | None = None


class FullReport(Wire, frozen=True, gc=False):
    kind: str
    items: tuple[Diagnostic, ...]
    result_id: str


class UnchangedReport(Wire, frozen=True, gc=False):
    kind: str
    result_id: str


class TextEdit(Wire, frozen=True, gc=False):
    range: Range
    new_text: str


class MarkupContent(Wire, frozen=True, gc=False):
    kind: str
    value: str


class Hover(Wire, frozen=True, gc=False):
    contents: MarkupContent
    range: Range


class CreateFileOptions(Wire, frozen=True, gc=False):
    ignore_if_exists: bool = False


class CreateFile(Wire, frozen=True, gc=False, omit_defaults=False):
    uri: str
    options: CreateFileOptions
    kind: str = "create"


class VersionedDocument(Wire, frozen=True, gc=False, omit_defaults=False):
    uri: str
    version: int | None


class StringValue(Wire, frozen=True, gc=False, omit_defaults=False):
    value: str
    kind: str = "snippet"


class SnippetTextEdit(Wire, frozen=True, gc=False):
    range: Range
    snippet: StringValue


class TextDocumentEdit(Wire, frozen=True, gc=False):
    text_document: VersionedDocument
    edits: tuple[TextEdit | SnippetTextEdit, ...]


class WorkspaceEdit(Wire, frozen=True, gc=False):
    changes: dict[str, list[TextEdit]] = {}
    document_changes: tuple[CreateFile | TextDocumentEdit, ...] = ()


class Command(Wire, frozen=True, gc=False, omit_defaults=False):
    title: str
    command: str
    arguments: tuple[Any, ...] = ()


class CodeAction(Wire, frozen=True, gc=False):
    title: str
    kind: str
    edit: WorkspaceEdit | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    is_preferred: bool = False
    command: "Command | None" = None
    data: tuple[Any, ...] = ()


class CompletionItem(Wire, frozen=True, gc=False):
    label: str
    kind: int
    data: tuple[str, int]
    detail: str = ""
    sort_text: str = ""
    filter_text: str = ""
    text_edit_text: str = ""
    text_edit: TextEdit | None = None
    insert_text_format: int = 1
    command: "Command | None" = None


class ItemDefaults(Wire, frozen=True, gc=False):
    edit_range: Range


class CompletionList(Wire, frozen=True, gc=False):
    is_incomplete: bool
    items: tuple[CompletionItem, ...]
    item_defaults: ItemDefaults | None = None


class InlineCompletionItem(Wire, frozen=True, gc=False):
    insert_text: str
    range: Range


class InlineCompletionList(Wire, frozen=True, gc=False):
    items: tuple[InlineCompletionItem, ...]


class InlayHint(Wire, frozen=True, gc=False):
    position: Position
    label: str
    padding_left: bool = False
    tooltip: MarkupContent | None = None
    data: tuple[Any, ...] = ()


class CodeLens(Wire, frozen=True, gc=False):
    range: Range
    command: Command | None = None
    data: tuple[Any, ...] = ()


class FoldingRange(Wire, frozen=True, gc=False):
    start_line: int
    end_line: int
    kind: str = ""
    collapsed_text: str = ""


class DocumentSymbol(Wire, frozen=True, gc=False):
    name: str
    kind: int
    range: Range
    selection_range: Range
    detail: str = ""
    children: "tuple[DocumentSymbol, ...]" = ()


class SymbolInformation(Wire, frozen=True, gc=False):
    name: str
    kind: int
    location: Location
    container_name: str


class DocumentHighlight(Wire, frozen=True, gc=False):
    range: Range
    kind: int


class SelectionRange(Wire, frozen=True, gc=False):
    range: Range
    parent: "SelectionRange | None" = None


class DocumentLink(Wire, frozen=True, gc=False):
    range: Range
    target: str
    tooltip: str
    data: tuple[Any, ...] = ()


class LinkedRanges(Wire, frozen=True, gc=False):
    ranges: tuple[Range, ...]
    word_pattern: str


class ParameterInformation(Wire, frozen=True, gc=False):
    label: str | tuple[int, int]
    documentation: MarkupContent | None = None


class SignatureInformation(Wire, frozen=True, gc=False, omit_defaults=False):
    label: str
    documentation: MarkupContent | None
    parameters: tuple[ParameterInformation, ...]
    active_parameter: int


class SignatureHelp(Wire, frozen=True, gc=False, omit_defaults=False):
    signatures: tuple[SignatureInformation, ...]
    active_signature: int
    active_parameter: int


class SemanticTokens(Wire, frozen=True, gc=False):
    data: list[int]
    result_id: str = ""


class SemanticTokensEdit(Wire, frozen=True, gc=False):
    start: int
    delete_count: int
    data: list[int]


class SemanticTokensDelta(Wire, frozen=True, gc=False):
    edits: tuple[SemanticTokensEdit, ...]
    result_id: str


class CallHierarchyItem(Wire, frozen=True, gc=False):
    name: str
    kind: int
    uri: str
    range: Range
    selection_range: Range
    data: str
    detail: str


class CallHierarchyIncomingCall(Wire, frozen=True, gc=False, rename={"from_": "from", "from_ranges": "fromRanges"}):
    from_: CallHierarchyItem
    from_ranges: tuple[Range, ...]


class CallHierarchyOutgoingCall(Wire, frozen=True, gc=False):
    to: CallHierarchyItem
    from_ranges: tuple[Range, ...]


class InitializeResult(Wire, frozen=True, gc=False):
    capabilities: dict[str, Any]
    server_info: dict[str, str]


class Failure(Wire, frozen=True, gc=False):
    """A failed request: it replaces the result, and the message gives the reason."""

    code: int
    message: str


class Told(Wire, frozen=True, gc=False):
    """A result, and the message that `window/showMessage` shows the user after it."""

    result: Any
    message: str


class ErrorResponse(Wire, frozen=True, gc=False, omit_defaults=False):
    jsonrpc: str
    id: int | str | None
    error: Failure


class WireMessage(Wire, frozen=True, gc=False):
    """A notification or a response; `params` and `result` are any of the above or lists of them."""

    jsonrpc: str
    method: str = ""
    params: Any = None


class Response(Wire, frozen=True, gc=False, omit_defaults=False):
    jsonrpc: str
    id: int | str
    result: Any
