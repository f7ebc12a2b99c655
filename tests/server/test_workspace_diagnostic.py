"""`workspace/diagnostic`: files that are not open, what is new in them, and an answer that waits for something new."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types

from gcn_lsp.project import Settings
from gcn_lsp.server import workspace_diagnostic
from gcn_lsp.server.checks import Pulled
from gcn_lsp.server.workspace_diagnostic import WorkspaceDiagnostics
from tests.server.test_project_check import FILES
from tests.server.test_session import PATIENCE, open_document
from tests.server.test_workspace import WORKSPACE_CONFIG, WorkspaceClient, in_folder

pytestmark = pytest.mark.asyncio(loop_scope="function")

WRONG = "; gcn-lsp: target=gfx90a\nv_mov_b33 v0, v1\n"


@pytest_lsp.fixture(config=WORKSPACE_CONFIG)
async def client(lsp_client: WorkspaceClient, tmp_path: Path) -> AsyncIterator[None]:
    pulls = types.DiagnosticWorkspaceClientCapabilities(False)
    result = await in_folder(lsp_client, tmp_path, FILES, configuration=False, diagnostics=pulls)
    assert isinstance(result.capabilities.diagnostic_provider, types.DiagnosticOptions)
    assert result.capabilities.diagnostic_provider.workspace_diagnostics
    yield
    await lsp_client.shutdown_session()


def configure(client: WorkspaceClient, **settings: Any) -> None:
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))


async def pull(client: WorkspaceClient, known: Mapping[str, str] = {}) -> "dict[str, Any]":
    """The reports by URI."""
    previous = [types.PreviousResultId(uri, value) for uri, value in known.items()]
    params = types.WorkspaceDiagnosticParams(previous)
    found = await asyncio.wait_for(client.workspace_diagnostic_async(params), PATIENCE)
    return {each.uri: each for each in found.items}


def codes(report: Any) -> list[Any]:
    return [each.code for each in report.items]


async def test_a_workspace_is_not_checked_unasked(client: WorkspaceClient) -> None:
    assert await pull(client) == {}


async def test_files_that_are_not_open(client: WorkspaceClient, tmp_path: Path) -> None:
    configure(client, workspaceDiagnostics=True)
    opened = open_document(client, (tmp_path / "kernel.hip").as_uri(), FILES["kernel.hip"])
    found = await pull(client)
    wrong, right = (tmp_path / name for name in ("deep/wrong.s", "right.s"))
    assert {uri: codes(report) for uri, report in found.items() if codes(report)} == {
        wrong.as_uri(): ["unknown-mnemonic"]
    }
    assert opened.uri not in found
    assert not any(uri == wrong.as_uri() and given for uri, given in client.diagnostics.items())  # it is not pushed too

    # Nothing is new: the answer waits for a change, in a known file and in a new one.
    known = {uri: report.result_id for uri, report in found.items()}
    waiting = asyncio.ensure_future(pull(client, known))
    done, _ = await asyncio.wait([waiting], timeout=1)
    assert not done
    right.write_text(WRONG)
    changed = types.DidChangeWatchedFilesParams([types.FileEvent(right.as_uri(), types.FileChangeType.Changed)])
    client.workspace_did_change_watched_files(changed)
    again = await waiting
    assert codes(again[right.as_uri()]) == ["unknown-mnemonic"]
    assert again[wrong.as_uri()].kind == "unchanged"
    known[right.as_uri()] = again[right.as_uri()].result_id

    (tmp_path / "new.s").write_text(WRONG)
    made = types.FileEvent((tmp_path / "new.s").as_uri(), types.FileChangeType.Created)
    wrong.unlink()
    gone = types.FileEvent(wrong.as_uri(), types.FileChangeType.Deleted)
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([made, gone]))
    seen: dict[str, list[Any]] = {}
    while len(seen) < 2:
        for uri, report in (await pull(client, known)).items():
            if report.kind == "full":
                seen[uri] = codes(report)
                known[uri] = report.result_id
    assert seen == {(tmp_path / "new.s").as_uri(): ["unknown-mnemonic"], wrong.as_uri(): []}


async def test_a_file_that_is_closed_has_nothing_left(client: WorkspaceClient, tmp_path: Path) -> None:
    """A client shows what it pulled last for a file until an answer has a report on it."""
    assert await pull(client) == {}
    opened = open_document(client, (tmp_path / "right.s").as_uri(), WRONG)
    waiting = asyncio.ensure_future(pull(client))
    done, _ = await asyncio.wait([waiting], timeout=1)
    assert not done
    client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(opened.uri)))
    report = (await waiting)[opened.uri]
    assert (report.kind, codes(report)) == ("full", [])
    again = asyncio.ensure_future(pull(client, {opened.uri: report.result_id}))
    done, _ = await asyncio.wait([again], timeout=1)
    assert not done, "it is told once"


class SlowProject:
    """A check of two files, of which the second takes until it is let go."""

    def __init__(self, checks: Any) -> None:
        self._checks = checks
        self.second = asyncio.Event()
        self.cancelled = 0

    async def check(self, folders: Any, token: Any) -> None:
        try:
            self._checks.pulled.take("file:///one.s", ("one",))
            await self.second.wait()
            self._checks.pulled.take("file:///two.s", ("two",))
        except asyncio.CancelledError:
            self.cancelled += 1
            raise


def pulling() -> "tuple[WorkspaceDiagnostics, SlowProject, list[Any]]":
    sent: list[Any] = []
    wire = SimpleNamespace(send_wire=lambda method, params: sent.append((method, params)))
    checks = SimpleNamespace(pulled=Pulled(), pull=lambda: None)
    documents = SimpleNamespace(settings={"": Settings(workspace_diagnostics=True)}, get=lambda uri: None)
    project = SlowProject(checks)
    made: Any = WorkspaceDiagnostics
    return made(SimpleNamespace(wire=wire), documents, checks, project), project, sent


async def test_parts_are_sent_before_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace_diagnostic, "PART", 0.001)
    pull, project, sent = pulling()
    asked = asyncio.ensure_future(pull.answer(types.WorkspaceDiagnosticParams([], partial_result_token=7), []))
    while not sent:
        await asyncio.sleep(0.001)
    project.second.set()
    report = await asyncio.wait_for(asked, PATIENCE)
    parts = [part for method, part in sent if method == types.PROGRESS and part.token == 7]
    items = [item for part in parts for item in part.value.items] + list(report.items)
    assert [(item.uri, item.kind) for item in items] == [("file:///one.s", "full"), ("file:///two.s", "full")]


async def test_a_check_ends_with_the_last_request_that_needs_it() -> None:
    pull, project, _ = pulling()
    first, second = (asyncio.ensure_future(pull.answer(types.WorkspaceDiagnosticParams([]), [])) for _ in range(2))
    await asyncio.sleep(0.01)
    first.cancel()
    await asyncio.sleep(0.01)
    assert (first.cancelled(), project.cancelled) == (True, 0)
    second.cancel()
    await asyncio.sleep(0.01)
    assert project.cancelled == 1
    project.second.set()
    again = await asyncio.wait_for(pull.answer(types.WorkspaceDiagnosticParams([]), []), PATIENCE)
    assert [item.uri for item in again.items] == ["file:///one.s", "file:///two.s"]
