"""`workspace/diagnostic`: the findings in files that are not open, for a client that pulls them.

The setting `workspace-diagnostics` lets a client have them without a command. Then the first request checks every
kernel in the workspace's folders, see `project_check`, and findings there are no longer pushed. A request that
would have nothing new to say is answered when there is something: clients ask again and again.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

from lsprotocol import types

from gcn_lsp.server import wire
from gcn_lsp.server.checks import Checks
from gcn_lsp.server.diagnostics import Diagnostics
from gcn_lsp.server.documents import Documents
from gcn_lsp.server.project_check import ProjectCheck
from gcn_lsp.server.protocol import Server


class FileReport(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """All findings in a file that is not open."""

    uri: str
    version: None
    kind: str
    result_id: str
    items: Diagnostics


class UnchangedFile(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """That a file has the findings that the client knows."""

    uri: str
    version: None
    kind: str
    result_id: str


class WorkspaceReport(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """The answer, or a part of it."""

    items: tuple[FileReport | UnchangedFile, ...]


class PartialReport(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """A part that is sent before the answer."""

    token: int | str
    value: WorkspaceReport


class WorkspaceDiagnostics:
    """What a client has pulled for its workspace, and what it has not."""

    def __init__(self, server: Server, documents: Documents, checks: Checks, project: ProjectCheck) -> None:
        self._server = server
        self._documents = documents
        self._checks = checks
        self._project = project
        self._checking: asyncio.Future[Any] | None = None
        self._waiting = 0  # requests that need the check
        self._has_answered = False
        self._closed: set[str] = set()  # documents that were closed since the last answer

    def closed(self, uri: str) -> None:
        """A document was closed, whose findings the client shows until an answer says which the file has now."""
        asyncio.get_running_loop().call_later(LAST_PULL, self._tell_closed, uri)

    def _tell_closed(self, uri: str) -> None:
        self._closed.add(uri)
        self._checks.pulled.changed.set()

    def changed(self) -> None:
        """Settings have changed, which may make the answer another one."""
        self._has_answered = False
        self._checks.pulled.changed.set()

    async def answer(self, params: types.WorkspaceDiagnosticParams, folders: Sequence[str]) -> WorkspaceReport:
        """The reports on all files that are not open, once there is a new one."""
        given = {each.uri: each.value for each in params.previous_result_ids}
        known = dict(given)
        token = params.partial_result_token
        while True:
            pulled = self._checks.pulled
            pulled.changed.clear()
            if any(settings.workspace_diagnostics for settings in self._documents.settings.values()):
                self._checks.pull()
                await self._check(folders, params.work_done_token, known, token)
            found = self._new(known)
            if found or known != given or not self._has_answered:
                self._has_answered = True
                told = {each.uri for each in found}
                unchanged = [
                    UnchangedFile(uri, None, "unchanged", value)
                    for uri, value in given.items()
                    if uri not in told and known[uri] == value and self._is_known(uri)
                ]
                return WorkspaceReport((*found, *unchanged))
            await pulled.changed.wait()

    async def _check(self, folders: Sequence[str], progress: Any, known: dict[str, str], token: Any) -> None:
        """Check the workspace unless that was done; send what is found meanwhile to a client that takes parts."""
        if self._checking is None or self._checking.cancelled():
            self._checking = asyncio.ensure_future(self._project.check(folders, progress))
        self._waiting += 1
        try:
            while not self._checking.done():
                await asyncio.wait([self._checking], timeout=PART)
                parts = self._new(known) if token is not None else []
                if parts:
                    known.update((each.uri, each.result_id) for each in parts)
                    report = PartialReport(token, WorkspaceReport(tuple(parts)))
                    self._server.wire.send_wire(types.PROGRESS, report)
        except asyncio.CancelledError:
            if self._waiting == 1 and self._checking is not None:
                self._checking.cancel()
            raise
        finally:
            self._waiting -= 1

    def _new(self, known: dict[str, str]) -> list[FileReport]:
        """The reports that differ from what the client knows; an empty one for each file that has none any more."""
        files = self._checks.pulled.files
        closed, self._closed = self._closed, set()
        found = [
            FileReport(uri, None, "full", str(number), items)
            for uri, (number, items) in files.items()
            if self._documents.get(uri) is None
            and (uri in closed or known.get(uri, "" if items else str(number)) != str(number))
        ]
        gone = {uri for uri, value in known.items() if value != "0"} | closed
        without = [uri for uri in sorted(gone) if uri not in files and self._documents.get(uri) is None]
        return [*found, *(FileReport(uri, None, "full", "0", ()) for uri in without)]

    def _is_known(self, uri: str) -> bool:
        return uri in self._checks.pulled.files and self._documents.get(uri) is None


PART = 0.5  # seconds between two parts of an answer
LAST_PULL = 0.5  # seconds in which a client has pulled a last time what it closes; until then it ignores an answer
