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
    (types.TEXT_DOCUMENT_REFERENCES, "references", None),
    (types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, "document_highlight", None),
    (types.TEXT_DOCUMENT_PREPARE_RENAME, "rename.prepare_rename", None),
    (types.TEXT_DOCUMENT_RENAME, "rename", None),
    (types.TEXT_DOCUMENT_FORMATTING, "formatting", None),
    (types.TEXT_DOCUMENT_RANGE_FORMATTING, "formatting.range_formatting", None),
    (
        types.TEXT_DOCUMENT_ON_TYPE_FORMATTING,
        "formatting.on_type_formatting",
        types.DocumentOnTypeFormattingOptions(first_trigger_character="\n"),
    ),
    (types.TEXT_DOCUMENT_SELECTION_RANGE, "selection_range", None),
    (types.TEXT_DOCUMENT_DOCUMENT_LINK, "document_link", None),
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
            ]
        ),
    ),
    (
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        "diagnostic",
        # A change in an included file or a configuration file changes the findings here.
        types.DiagnosticOptions(identifier="gcn-lsp", inter_file_dependencies=True, workspace_diagnostics=False),
    ),
    (types.TEXT_DOCUMENT_INLAY_HINT, "inlay_hint", types.InlayHintOptions(resolve_provider=False)),
    (types.TEXT_DOCUMENT_CODE_LENS, "code_lens", types.CodeLensOptions(resolve_provider=False)),
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
        for method, name in NOTIFICATIONS:
            self.server.feature(method)(self._notification(name))

        @self.server.feature(types.WORKSPACE_SYMBOL)
        async def workspace_symbol(params: types.WorkspaceSymbolParams) -> Any:
            return await self.session.workspace_symbol(params)

        @self.server.feature(CHECK_PROJECT)
        async def check_project(params: Any) -> Any:
            return await self.session.check_project(params)

        @self.server.feature(OBJECT_TEXT)
        async def object_text(params: Any) -> Any:
            return await self.session.object_text(params)

        @self.server.feature(types.COMPLETION_ITEM_RESOLVE)
        async def resolve(params: types.CompletionItem) -> Any:
            return await self.session.resolve(params)

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

    def _notification(self, name: str) -> Callable[[Any], Awaitable[None]]:
        async def handle(params: Any) -> None:
            await getattr(self.session, name)(params)

        return handle


def create() -> Server:
    """A server that can be started on any transport; it serves one client."""
    return App().server
