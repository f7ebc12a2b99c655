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
from gcn_lsp.server import capabilities, parent
from gcn_lsp.server.protocol import Server

if TYPE_CHECKING:
    from gcn_lsp.server.session import Session

# Requests about a document: the method, its adapter (a module's function of the same name, or `module.function`), and
# its options for the client.
REQUESTS: tuple[tuple[str, str, Any], ...] = (
    (types.TEXT_DOCUMENT_HOVER, "hover", None),
    # The first characters of a directive, a modifier's value, an argument, a register's number or a macro argument.
    (
        types.TEXT_DOCUMENT_COMPLETION,
        "completion",
        types.CompletionOptions(trigger_characters=[".", ":", "(", "[", "\\"], resolve_provider=True),
    ),
    # The characters that separate operands, or end a list of them and begin another.
    (
        types.TEXT_DOCUMENT_SIGNATURE_HELP,
        "signature_help",
        types.SignatureHelpOptions(trigger_characters=[" ", ","], retrigger_characters=["=", ")", "]"]),
    ),
    (types.TEXT_DOCUMENT_DEFINITION, "definition", None),
    (types.TEXT_DOCUMENT_DECLARATION, "declaration", None),
    (types.TEXT_DOCUMENT_IMPLEMENTATION, "implementation", None),
    (types.TEXT_DOCUMENT_REFERENCES, "references", None),
    (types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, "document_highlight", None),
    (types.TEXT_DOCUMENT_PREPARE_RENAME, "rename.prepare_rename", None),
    (types.TEXT_DOCUMENT_RENAME, "rename", None),
    (types.TEXT_DOCUMENT_LINKED_EDITING_RANGE, "linked_editing", None),
    (types.TEXT_DOCUMENT_FORMATTING, "formatting", None),
    (
        types.TEXT_DOCUMENT_RANGE_FORMATTING,
        "formatting.range_formatting",
        types.DocumentRangeFormattingOptions(ranges_support=True),
    ),
    (types.TEXT_DOCUMENT_RANGES_FORMATTING, "formatting.ranges_formatting", None),
    (
        types.TEXT_DOCUMENT_ON_TYPE_FORMATTING,
        "formatting.on_type_formatting",
        types.DocumentOnTypeFormattingOptions(first_trigger_character="\n"),
    ),
    (types.TEXT_DOCUMENT_SELECTION_RANGE, "selection_range", None),
    (types.TEXT_DOCUMENT_DOCUMENT_LINK, "document_link", None),
    (types.DOCUMENT_LINK_RESOLVE, "document_link.resolve", None),
    (types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY, "call_hierarchy.prepare_call_hierarchy", None),
    (types.CALL_HIERARCHY_INCOMING_CALLS, "call_hierarchy.incoming_calls", None),
    (types.CALL_HIERARCHY_OUTGOING_CALLS, "call_hierarchy.outgoing_calls", None),
    (types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, "semantic_tokens", types.SemanticTokensLegend(token_types.LEGEND, ())),
    (types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA, "semantic_tokens.semantic_tokens_delta", None),
    (types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, "semantic_tokens.semantic_tokens_range", None),
    (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, "document_symbol", None),
    (types.TEXT_DOCUMENT_FOLDING_RANGE, "folding_range", None),
    (
        types.TEXT_DOCUMENT_CODE_ACTION,
        "code_action",
        types.CodeActionOptions(
            code_action_kinds=[
                types.CodeActionKind.QuickFix,
                types.CodeActionKind.RefactorExtract,
                types.CodeActionKind.RefactorRewrite,
                types.CodeActionKind.SourceFixAll,
            ],
            resolve_provider=True,
        ),
    ),
    (types.CODE_ACTION_RESOLVE, "code_action.resolve", None),
    (
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        "diagnostic",
        # A change in an included file or a configuration file changes the findings here.
        types.DiagnosticOptions(identifier="gcn-lsp", inter_file_dependencies=True, workspace_diagnostics=True),
    ),
    (types.TEXT_DOCUMENT_INLAY_HINT, "inlay_hint", types.InlayHintOptions(resolve_provider=True)),
    (types.INLAY_HINT_RESOLVE, "inlay_hint.resolve", None),
    (types.TEXT_DOCUMENT_CODE_LENS, "code_lens", types.CodeLensOptions(resolve_provider=True)),
    (types.CODE_LENS_RESOLVE, "code_lens.resolve", None),
    (types.TEXT_DOCUMENT_INLINE_COMPLETION, "inline_completion", types.InlineCompletionOptions()),
    ("gcn-lsp/target", "target", None),
    ("gcn-lsp/targets", "targets", None),
    ("gcn-lsp/writeTarget", "configure.write_target", None),
    ("gcn-lsp/newKernel", "new_kernel", None),
    ("gcn-lsp/controlFlow", "control_flow", None),
    ("gcn-lsp/reinsertWaits", "reinsert_waits", None),
    ("gcn-lsp/explain", "explain", None),
    ("gcn-lsp/names", "names", None),
    ("gcn-lsp/expand", "expand", None),
    ("gcn-lsp/sourceLines", "source_lines", None),
    ("gcn-lsp/encoded", "encoded", None),
    ("gcn-lsp/report", "report", None),
)

CHECK_PROJECT = "gcn-lsp/checkProject"
OBJECT_TEXT = "gcn-lsp/objectText"

# Requests that are about no document, or about one that need not be open: the method, the `Session` method that
# answers, and its options for the client.
SESSION_REQUESTS: tuple[tuple[str, str, Any], ...] = (
    (types.WORKSPACE_SYMBOL, "workspace_symbol", None),
    (types.WORKSPACE_DIAGNOSTIC, "workspace_diagnostic", None),
    (types.WORKSPACE_EXECUTE_COMMAND, "execute_command", None),
    (types.WORKSPACE_TEXT_DOCUMENT_CONTENT, "text_document_content", None),
    (types.WORKSPACE_WILL_RENAME_FILES, "will_rename_files", capabilities.RENAMED),
    (types.COMPLETION_ITEM_RESOLVE, "resolve", None),
    (CHECK_PROJECT, "check_project", None),
    (OBJECT_TEXT, "object_text", None),
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
        for method, name, options in REQUESTS:
            self.server.feature(method, options)(self._request(name))
        for method, name, options in SESSION_REQUESTS:
            self.server.feature(method, options)(self._session_request(name))
        for method, name in NOTIFICATIONS:
            self.server.feature(method)(self._notification(name))

        # pygls sets attributes on handlers, which methods do not allow.
        @self.server.feature(types.INITIALIZE)
        def initialize(params: types.InitializeParams) -> None:
            self._start = params
            loop = asyncio.get_running_loop()
            parent.watch(params.process_id, loop, self.server.stop)
            # After the answer is sent, rather than when the first document is already waiting.
            loop.call_soon(lambda: self.session)

        @self.server.feature(types.SHUTDOWN)
        def shut_down(params: None) -> None:
            self.server.exit_code = 0

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
