"""Assembles the server: the requests and notifications that it takes, and their handlers.

`initialize` is answered before anything below the server is imported: pygls and lsprotocol alone take most of the time
that an editor should have to wait for it.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from lsprotocol import types

import gcn_lsp
from gcn_lsp.ide import token_types
from gcn_lsp.server import parent
from gcn_lsp.server.capabilities import Announced
from gcn_lsp.server.protocol import Server

if TYPE_CHECKING:
    from gcn_lsp.server.session import Session

# Requests about a document: the method, its adapter (a module's function of the same name, or `module.function`), and
# what it adds to what is announced to clients, in JSON.
REQUESTS: tuple[tuple[str, str, Announced], ...] = (
    (types.TEXT_DOCUMENT_HOVER, "hover", {"hoverProvider": True}),
    # The first characters of a directive, a modifier's value, an argument, a register's number or a macro argument, and
    # the blank before a value in metadata.
    (
        types.TEXT_DOCUMENT_COMPLETION,
        "completion",
        {"completionProvider": {"triggerCharacters": [".", ":", "(", "[", "\\", " "], "resolveProvider": True}},
    ),
    # The characters that separate operands, or end a list of them and begin another.
    (
        types.TEXT_DOCUMENT_SIGNATURE_HELP,
        "signature_help",
        {"signatureHelpProvider": {"triggerCharacters": [" ", ","], "retriggerCharacters": ["=", ")", "]"]}},
    ),
    (types.TEXT_DOCUMENT_DEFINITION, "definition", {"definitionProvider": True}),
    (types.TEXT_DOCUMENT_DECLARATION, "declaration", {"declarationProvider": True}),
    (types.TEXT_DOCUMENT_IMPLEMENTATION, "implementation", {"implementationProvider": True}),
    (types.TEXT_DOCUMENT_REFERENCES, "references", {"referencesProvider": True}),
    (types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, "document_highlight", {"documentHighlightProvider": True}),
    (types.TEXT_DOCUMENT_PREPARE_RENAME, "rename.prepare_rename", {}),
    (types.TEXT_DOCUMENT_RENAME, "rename", {"renameProvider": {"prepareProvider": True}}),
    (types.TEXT_DOCUMENT_LINKED_EDITING_RANGE, "linked_editing", {"linkedEditingRangeProvider": True}),
    (types.TEXT_DOCUMENT_FORMATTING, "formatting", {"documentFormattingProvider": True}),
    (
        types.TEXT_DOCUMENT_RANGE_FORMATTING,
        "formatting.range_formatting",
        {"documentRangeFormattingProvider": {"rangesSupport": True}},
    ),
    (types.TEXT_DOCUMENT_RANGES_FORMATTING, "formatting.ranges_formatting", {}),
    (
        types.TEXT_DOCUMENT_ON_TYPE_FORMATTING,
        "formatting.on_type_formatting",
        {"documentOnTypeFormattingProvider": {"firstTriggerCharacter": "\n"}},
    ),
    (types.TEXT_DOCUMENT_SELECTION_RANGE, "selection_range", {"selectionRangeProvider": True}),
    (types.TEXT_DOCUMENT_DOCUMENT_LINK, "document_link", {"documentLinkProvider": {"resolveProvider": True}}),
    (types.DOCUMENT_LINK_RESOLVE, "document_link.resolve", {}),
    (
        types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY,
        "call_hierarchy.prepare_call_hierarchy",
        {"callHierarchyProvider": True},
    ),
    (types.CALL_HIERARCHY_INCOMING_CALLS, "call_hierarchy.incoming_calls", {}),
    (types.CALL_HIERARCHY_OUTGOING_CALLS, "call_hierarchy.outgoing_calls", {}),
    (
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        "semantic_tokens",
        {
            "semanticTokensProvider": {
                "legend": {"tokenTypes": token_types.LEGEND, "tokenModifiers": []},
                "full": {"delta": True},
                "range": True,
            }
        },
    ),
    (types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA, "semantic_tokens.semantic_tokens_delta", {}),
    (types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, "semantic_tokens.semantic_tokens_range", {}),
    (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, "document_symbol", {"documentSymbolProvider": True}),
    (types.TEXT_DOCUMENT_FOLDING_RANGE, "folding_range", {"foldingRangeProvider": True}),
    (
        types.TEXT_DOCUMENT_CODE_ACTION,
        "code_action",
        {
            "codeActionProvider": {
                "codeActionKinds": ["quickfix", "refactor.extract", "refactor.rewrite", "source.fixAll"],
                "resolveProvider": True,
            }
        },
    ),
    (types.CODE_ACTION_RESOLVE, "code_action.resolve", {}),
    (
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        "diagnostic",
        # A change in an included file or a configuration file changes the findings here.
        {
            "diagnosticProvider": {
                "identifier": "gcn-lsp",
                "interFileDependencies": True,
                "workspaceDiagnostics": True,
            }
        },
    ),
    (types.TEXT_DOCUMENT_INLAY_HINT, "inlay_hint", {"inlayHintProvider": {"resolveProvider": True}}),
    (types.INLAY_HINT_RESOLVE, "inlay_hint.resolve", {}),
    (types.TEXT_DOCUMENT_CODE_LENS, "code_lens", {"codeLensProvider": {"resolveProvider": True}}),
    (types.CODE_LENS_RESOLVE, "code_lens.resolve", {}),
    (types.TEXT_DOCUMENT_INLINE_COMPLETION, "inline_completion", {"inlineCompletionProvider": {}}),
    ("gcn-lsp/target", "target", {}),
    ("gcn-lsp/targets", "targets", {}),
    ("gcn-lsp/writeTarget", "configure.write_target", {}),
    ("gcn-lsp/newKernel", "new_kernel", {}),
    ("gcn-lsp/controlFlow", "control_flow", {}),
    ("gcn-lsp/reinsertWaits", "reinsert_waits", {}),
    ("gcn-lsp/explain", "explain", {}),
    ("gcn-lsp/names", "names", {}),
    ("gcn-lsp/expand", "expand", {}),
    ("gcn-lsp/sourceLines", "source_lines", {}),
    ("gcn-lsp/encoded", "encoded", {}),
    ("gcn-lsp/report", "report", {}),
)

CHECK_PROJECT = "gcn-lsp/checkProject"
OBJECT_TEXT = "gcn-lsp/objectText"

# Requests that are about no document, or about one that need not be open: the method, the `Session` method that
# answers, and what it adds to what is announced.
SESSION_REQUESTS: tuple[tuple[str, str, Announced], ...] = (
    (types.WORKSPACE_SYMBOL, "workspace_symbol", {"workspaceSymbolProvider": {"resolveProvider": False}}),
    (types.WORKSPACE_DIAGNOSTIC, "workspace_diagnostic", {}),
    (types.WORKSPACE_EXECUTE_COMMAND, "execute_command", {}),
    (types.WORKSPACE_TEXT_DOCUMENT_CONTENT, "text_document_content", {}),
    (types.WORKSPACE_WILL_RENAME_FILES, "will_rename_files", {}),
    (types.COMPLETION_ITEM_RESOLVE, "resolve", {}),
    (CHECK_PROJECT, "check_project", {}),
    (OBJECT_TEXT, "object_text", {}),
)

# Notifications: the method and the `Session` method that handles it.
NOTIFICATIONS = (
    (types.INITIALIZED, "initialized"),
    (types.TEXT_DOCUMENT_DID_OPEN, "did_open"),
    (types.TEXT_DOCUMENT_DID_CHANGE, "did_change"),
    (types.TEXT_DOCUMENT_DID_SAVE, "did_save"),
    (types.TEXT_DOCUMENT_DID_CLOSE, "did_close"),
    (types.WORKSPACE_DID_CHANGE_CONFIGURATION, "did_change_configuration"),
    (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, "did_change_watched_files"),
    (types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, "did_change_workspace_folders"),
)


class App:
    """The server and, from the first message after `initialize`, its session."""

    def __init__(self) -> None:
        self.server = Server("gcn-lsp", gcn_lsp.__version__)
        self._start: types.InitializeParams | None = None
        self._session: Session | None = None
        # Not by `Server.feature`, which looks into the signature of each handler for an argument that ours do not have.
        handlers = self.server.wire.fm.features
        handlers |= {method: self._request(name) for method, name, _ in REQUESTS}
        handlers |= {method: self._session_request(name) for method, name, _ in SESSION_REQUESTS}
        handlers |= {method: self._notification(name) for method, name in NOTIFICATIONS}
        for _, _, announced in (*REQUESTS, *SESSION_REQUESTS):
            self.server.wire.announced |= announced

        def initialize(params: types.InitializeParams) -> None:
            self._start = params
            loop = asyncio.get_running_loop()
            parent.watch(params.process_id, loop, self.server.stop)
            # After the answer is sent, rather than when the first document is already waiting.
            loop.call_soon(lambda: self.session)

        def shut_down(params: None) -> None:
            self.server.exit_code = 0

        handlers |= {types.INITIALIZE: initialize, types.SHUTDOWN: shut_down}

    @property
    def session(self) -> "Session":
        """The session, made on first use."""
        if self._session is None:
            from gcn_lsp.server.session import Session

            assert self._start is not None, "nothing is passed on before initialize"
            self._session = Session(self.server, self._start)
        return self._session

    def _request(self, name: str) -> Callable[[Any], Awaitable[Any]]:
        async def handle(params: Any) -> Any:
            return await self.session.answer(name, params)

        return handle

    def _session_request(self, name: str) -> Callable[[Any], Awaitable[Any]]:
        async def handle(params: Any) -> Any:
            return await getattr(self.session, name)(params)

        return handle

    def _notification(self, name: str) -> Callable[[Any], Awaitable[None]]:
        async def handle(params: Any) -> None:
            await getattr(self.session, name)(params)

        return handle


def create() -> Server:
    """A server that can be started on any transport; it serves one client."""
    return App().server
