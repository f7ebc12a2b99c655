"""Everything between `initialized` and `exit`: documents open and change, settings arrive, files change.

Importing this module imports all that is below the server. `app` does so after answering `initialize`.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from gcn_lsp.flow.steps import Steps
from gcn_lsp.ide import preload
from gcn_lsp.project import Settings
from gcn_lsp.server import commands, resolving, settings, watching, wire
from gcn_lsp.server.adapters import adapter
from gcn_lsp.server.checks import Checks
from gcn_lsp.server.client import Client
from gcn_lsp.server.document import Document
from gcn_lsp.server.documents import Documents
from gcn_lsp.server.indexing import Indexing
from gcn_lsp.server.paths import path_of
from gcn_lsp.server.project_check import Checked, ProjectCheck
from gcn_lsp.server.protocol import Server
from gcn_lsp.server.snapshot import Snapshot
from gcn_lsp.server.worker import Urgency, Worker

if TYPE_CHECKING:
    from gcn_lsp.server.contents import Contents
    from gcn_lsp.server.workspace_diagnostic import WorkspaceDiagnostics

log = logging.getLogger(__name__)

_QUIET = 0.5
"""Seconds after the start, by which the first file has been opened, if one is."""

# Requests that are answered in the middle of a document's first analysis, without what that will know.
_BEFORE_ANALYSIS = ("hover", "completion")
_SHORT = 300
"""Lines of a document whose analysis is done before a pointer has rested: a hover waits for it, and says everything."""


class Session:
    """One client's session. All methods run on the event loop and return at once."""

    def __init__(self, server: Server, start: types.InitializeParams) -> None:
        self._server = server
        self._documents = Documents(Client.of(start.capabilities))
        self._worker = Worker()
        self._checks = Checks(server, self._documents, self._worker)
        self._project = ProjectCheck(server, self._documents, self._checks)
        self._pull: WorkspaceDiagnostics | None = None  # with the first request for it, as the next one
        self._contents: Contents | None = None
        self._completed: Snapshot | None = None
        shows_progress = self._documents.client.shows_progress
        self._indexing = Indexing(server, self._worker, self._documents.workspace, shows_progress=shows_progress)
        self._initial_settings = start.initialization_options
        self._sent_settings: Any = None
        self._take_settings(self._initial_settings)
        preload.preload_tables()

    async def answer(self, name: str, params: Any) -> Any:
        """Answer a request about a document by `module.function` in this package, or by the function of that name.

        The snapshot is the newest when the request arrives. The answer is null for a document that is not open.
        """
        uri = _uri(params)
        if uri is None:
            return wire.Failure(types.ErrorCodes.InvalidParams.value, "The parameters name no document.")
        document = self._documents.get(uri)
        if document is None:
            return params if name.endswith(".resolve") else None
        snapshot = document.snapshot
        if name == "completion":
            if not adapter("completion.is_asked")(snapshot, params):
                return None
            self._completed = snapshot
        if _cursor_line(name, params) not in (None, snapshot.typed_line):
            self._checks.leave_line(document)
        is_soon = name == "hover" and len(snapshot.source.lines) <= _SHORT
        if name in _BEFORE_ANALYSIS and snapshot.is_plain and not document.is_analysed and not is_soon:
            early = self._worker.submit_at_once(lambda: adapter(f"{name}.before_analysis")(snapshot, params))
            found = await self._result(early)
            if found is not None:
                return found
        return await self._work(lambda: document.answer(snapshot, name, params))

    async def resolve(self, params: types.CompletionItem) -> Any:
        """More about an entry of the last completion list, which is the only one that a client can be showing."""
        snapshot = self._completed
        if snapshot is None:
            return params
        return await self._work(lambda: adapter("completion.resolve")(snapshot, params))

    async def initialized(self, params: types.InitializedParams) -> None:
        """Ask the client for what it offers to send."""
        if self._documents.client.watches_files:
            self._server.client_register_capability(types.RegistrationParams([watching.REGISTRATION]))
        if self._documents.client.has_configuration:
            await self._ask_for_settings()
        self._indexing.start(self._folders())
        asyncio.get_running_loop().call_later(_QUIET, self._preload_objects)

    def _preload_objects(self) -> None:
        self._worker.submit_steps(Urgency.BACKGROUND, preload.preload_objects())

    async def workspace_symbol(self, params: types.WorkspaceSymbolParams) -> Any:
        """Names in the whole workspace."""
        find = adapter("workspace_symbol")
        return await self._work(lambda: find(self._documents, self._documents.workspace, params.query))

    async def check_project(self, params: Any) -> Checked:
        """Check every kernel in the workspace's folders."""
        return await self._project.check(self._folders(), getattr(params, "workDoneToken", None))

    async def workspace_diagnostic(self, params: types.WorkspaceDiagnosticParams) -> Any:
        """The findings in files that are not open."""
        if self._pull is None:
            made = adapter("workspace_diagnostic.WorkspaceDiagnostics")
            self._pull = made(self._server, self._documents, self._checks, self._project)
        pull: WorkspaceDiagnostics = self._pull
        return await pull.answer(params, self._folders())

    async def will_rename_files(self, params: types.RenameFilesParams) -> Any:
        """The edits with which files go on to name those that are renamed."""
        paths = {path_of(each.old_uri): path_of(each.new_uri) for each in params.files}
        return await self._work(lambda: adapter("renamed_files")(self._documents, paths))

    async def text_document_content(self, params: types.TextDocumentContentParams) -> Any:
        """A text that is derived from a document."""
        if self._contents is None:
            self._contents = adapter("contents.Contents")(self._server, self._documents)
        contents: Contents = self._contents
        return await self._work(lambda: contents.text(params.uri))

    async def execute_command(self, params: types.ExecuteCommandParams) -> Any:
        """Do what a command says: one of our own requests by its name, or one of `commands`."""
        arguments = list(params.arguments or ())
        known = self._server.wire.fm.features.get(params.command)
        if known is not None and params.command.startswith(commands.OWN):
            return await known(commands.parameters(arguments[0] if arguments else {}))
        if params.command not in commands.announced(self._documents.client):
            return wire.Failure(types.ErrorCodes.InvalidParams.value, "There is no such command.")
        if not arguments or not isinstance(arguments[0], str):
            return wire.Failure(types.ErrorCodes.InvalidParams.value, "The first argument is the URI of a document.")
        if params.command == commands.APPLY_WAITS:
            return await self._apply_waits(arguments[0])
        return await self._show(commands.shown(params.command, arguments))

    async def _apply_waits(self, uri: str) -> Any:
        found = await self.answer("reinsert_waits", commands.parameters({"uri": uri}))
        edits = [commands.edit(each) for each in getattr(found, "edits", ())]
        if not edits:
            return False
        params = types.ApplyWorkspaceEditParams(types.WorkspaceEdit({uri: edits}), "Rewrite the waits")
        return (await self._server.workspace_apply_edit_async(params)).applied

    async def _show(self, params: types.ShowDocumentParams) -> Any:
        return (await self._server.window_show_document_async(params)).success

    async def object_text(self, params: Any) -> Any:
        """The assembly of a code object on disk."""
        find = adapter("object_text")
        return await self._work(lambda: find(self._documents.files, path_of(str(params.uri))))

    async def did_change_workspace_folders(self, params: types.DidChangeWorkspaceFoldersParams) -> None:
        """Add folders and remove others; pygls has already updated its own list of them."""
        self._indexing.remove([path_of(folder.uri) for folder in params.event.removed])
        self._indexing.start([path_of(folder.uri) for folder in params.event.added])
        if self._documents.client.has_configuration:
            await self._ask_for_settings()
        else:
            self._take_settings(self._sent_settings)

    async def did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """Check a document, and those that include it: they now read its buffer."""
        document = self._documents.open(params.text_document)
        self._checks.schedule(document)
        self._worker.submit_steps(Urgency.BACKGROUND, warm_up(document))
        self._checks.schedule_includers(document.path)

    async def did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Apply the edit and check the new version."""
        document = self._documents.edit(params.text_document.uri, params.text_document.version, params.content_changes)
        if document is not None:
            self._checks.schedule(document)
            self._checks.schedule_includers(document.path)
            if self._contents is not None:
                self._contents.edited(document.uri)

    async def did_save(self, params: types.DidSaveTextDocumentParams) -> None:
        """Check after a save as after a change on disk; if files are not watched, check those around it too."""
        document = self._documents.get(params.text_document.uri)
        if document is not None and not self._documents.client.watches_files:
            self._checks.check_again([document])
        if document is not None:
            self._checks.keep(document)
        self._files_changed([params.text_document.uri])

    async def did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """Remove the document and its diagnostics."""
        document = self._documents.close(params.text_document.uri)
        if document is not None:
            self._checks.close(document)
            self._checks.schedule_includers(document.path)
            self._project.again([document.path])
            if self._pull is not None:
                self._pull.closed(document.uri)

    async def did_change_watched_files(self, params: types.DidChangeWatchedFilesParams) -> None:
        """Check the documents that depend on the files."""
        uris = [change.uri for change in params.changes]
        self._files_changed(uris)
        self._indexing.update([path_of(uri) for uri in uris])

    async def did_change_configuration(self, params: types.DidChangeConfigurationParams) -> None:
        """Use the new settings; many clients do not send them but expect to be asked."""
        if self._documents.client.has_configuration:
            await self._ask_for_settings()
        else:
            self._take_settings(params.settings)

    async def _work(self, task: Callable[[], Any]) -> Any:
        """The result of `task`, whose turn comes before those of checks."""
        return await self._result(self._worker.submit(Urgency.REQUEST, task))

    async def _result(self, work: "Future[Any]") -> Any:
        """The result of a task; null if it fails: the log has the reason, and the user is not interrupted."""
        try:
            return await asyncio.wrap_future(work)
        except Exception:
            log.exception("a request could not be answered")
            return None

    def _files_changed(self, uris: list[str]) -> None:
        paths = [path_of(uri) for uri in uris]
        self._checks.check_again(watching.concerned(self._documents, paths))
        self._project.changed(paths, self._worker)

    async def _ask_for_settings(self) -> None:
        folders = self._server.workspace.folders.values()
        items = [types.ConfigurationItem(section=settings.SECTION)]
        items += [types.ConfigurationItem(folder.uri, settings.SECTION) for folder in folders]
        try:
            values = list(await self._server.workspace_configuration_async(types.ConfigurationParams(items)))
        except JsonRpcException:
            log.exception("the client does not answer for its settings")
            values = []
        # A client that knows no folders answers for all of them at once. One that answers nothing, though all are
        # asked, knows no more than it sent at the start.
        by_folder = {path_of(folder.uri): value for folder, value in zip(folders, values[1:], strict=False) if value}
        self._take_settings((values[0] if values else None) or self._initial_settings, by_folder)

    def _take_settings(self, value: Any, by_folder: "dict[str, Any] | None" = None) -> None:
        """Use settings as sent: `value` for a folder that has none. Relative paths count from each folder."""
        self._sent_settings = value
        folders = self._folders()
        found: dict[str, Settings] = {}
        messages: dict[str, None] = {}
        for folder in ("", *folders):
            sent = (by_folder or {}).get(folder, value)
            found[folder], said = settings.read(sent, [folder] if folder else folders)
            messages.update(dict.fromkeys(said))
        for message in messages:
            self._server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message))
        if found != self._documents.settings:
            self._documents.settings = found
            if self._pull is not None:
                self._pull.changed()
            self._checks.check_again(self._documents.all())

    def _folders(self) -> list[str]:
        workspace = self._server.workspace
        folders = [path_of(folder.uri) for folder in workspace.folders.values()]
        return folders or ([workspace.root_path] if workspace.root_path else [])


def _cursor_line(name: str, params: Any) -> int | None:
    """The line that the cursor is on; None if a request does not say it: an editor hovers with the pointer."""
    if name == "document_highlight":
        return int(params.position.line)
    if name == "code_action" and params.context.trigger_kind == types.CodeActionTriggerKind.Automatic:
        return int(params.range.end.line)
    return None


def _uri(params: Any) -> str | None:
    """The URI of a request's document, None if it names none; the parameters of our own requests have JSON's names."""
    if hasattr(params, "uri"):
        return str(params.uri)
    item: Any = getattr(params, "item", None)
    if hasattr(item, "data") and hasattr(item, "uri"):  # of a call hierarchy: the document in which it began
        return str(item.data or item.uri)
    if hasattr(params, "data"):  # a part of an answer
        return resolving.document_of(params.data)
    identifier: Any = getattr(params, "text_document", None) or getattr(params, "textDocument", None)
    return str(identifier.uri) if hasattr(identifier, "uri") else None


def warm_up(document: Document) -> Steps[None]:
    """Load what the first hover and completion for the document's target need, ahead of time and in steps."""
    if document.snapshot.has_assembly:
        adapter("hover")
        yield
        adapter("completion")
        yield
        yield from preload.preload(document.snapshot.program.target)
