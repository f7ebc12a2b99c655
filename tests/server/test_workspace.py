"""Sessions with workspace folders: indexing with progress, names of the workspace, settings by folder, cancellation."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, client_capabilities
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

from tests.server.test_session import CONFIG, PATIENCE, Client, _publish, diagnostics, open_document

pytestmark = pytest.mark.asyncio(loop_scope="function")


class WorkspaceClient(Client):
    """A client with settings for each folder that records the progress reports."""

    def __init__(self) -> None:
        super().__init__()
        self.settings: dict[str | None, Any] = {}
        self.reports: list[str] = []
        self.indexed = asyncio.Event()

    @staticmethod
    def create() -> "WorkspaceClient":
        client = WorkspaceClient()
        features = {
            **DEFAULT_CLIENT_FEATURES,
            types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: _publish,
            types.WORKSPACE_CONFIGURATION: _configuration,
            types.WINDOW_WORK_DONE_PROGRESS_CREATE: _create_progress,
            types.PROGRESS: _progress,
        }
        register_lsp_features(client, features)
        return client


def _configuration(client: WorkspaceClient, params: types.ConfigurationParams) -> list[Any]:
    return [client.settings.get(item.scope_uri, client.settings.get(None)) for item in params.items]


def _create_progress(client: WorkspaceClient, params: types.WorkDoneProgressCreateParams) -> None:
    client.reports.append("create")


def _progress(client: WorkspaceClient, params: types.ProgressParams) -> None:
    value = params.value
    assert value is not None
    client.reports.append(value["kind"] if isinstance(value, dict) else value.kind)
    if client.reports[-1] == "end":
        client.indexed.set()


async def in_folder(
    client: WorkspaceClient, folder: Path, files: Mapping[str, str], *, progress: bool = False, **capabilities: Any
) -> types.InitializeResult:
    """Begin a session in a folder with some files. capabilities: of the workspace, besides Neovim's."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    has = client_capabilities("neovim@v0.11.0")
    has.window = types.WindowClientCapabilities(work_done_progress=progress)
    for name, value in capabilities.items():
        setattr(has.workspace, name, value)
    folders = [types.WorkspaceFolder(folder.as_uri(), "all")]
    return await client.initialize_session(types.InitializeParams(capabilities=has, workspace_folders=folders))


WORKSPACE_CONFIG = ClientServerConfig(server_command=CONFIG.server_command, client_factory=WorkspaceClient.create)


@pytest_lsp.fixture(config=WORKSPACE_CONFIG)
async def client(lsp_client: WorkspaceClient, tmp_path: Path) -> AsyncIterator[None]:
    """Two folders, each with a kernel, the first with its own settings."""
    for name in ("one", "two"):
        folder = tmp_path / name
        (folder / "inc").mkdir(parents=True)
        (folder / "inc" / "sizes.inc").write_text(f".set size_of_{name}, 1\n")
        (folder / f"{name}.s").write_text(f'.include "sizes.inc"\nkernel_{name}: s_mov_b32 s0, size_of_{name}\n')
        (folder / "notes.txt").write_text("kernel_notes: s_nop 0")
    capabilities = client_capabilities("neovim@v0.11.0")
    assert capabilities.text_document is not None
    capabilities.text_document.diagnostic = None  # they are pushed, so that a test can wait for them
    capabilities.workspace = types.WorkspaceClientCapabilities(configuration=True, workspace_folders=True)
    capabilities.window = types.WindowClientCapabilities(work_done_progress=True)
    one = (tmp_path / "one").as_uri()
    lsp_client.settings = {
        None: {"includePaths": ["inc"], "target": "gfx900"},
        one: {"includePaths": ["inc"], "target": "gfx90a"},
    }
    folders = [types.WorkspaceFolder((tmp_path / name).as_uri(), name) for name in ("one", "two")]
    await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=capabilities, workspace_folders=folders, initialization_options={"target": "gfx803"}
        )
    )
    await asyncio.wait_for(lsp_client.indexed.wait(), PATIENCE)
    yield
    await lsp_client.shutdown_session()


async def symbols(client: WorkspaceClient, query: str) -> list[tuple[str, str, str]]:
    found = await client.workspace_symbol_async(types.WorkspaceSymbolParams(query))
    return [
        (each.name, each.location.uri.rpartition("/")[2], str(each.location.range))
        for each in found or ()
        if isinstance(each, types.SymbolInformation)
    ]


async def test_indexing_tells_how_far_it_is_and_names_are_found(client: WorkspaceClient) -> None:
    assert (client.reports[0], client.reports[1], client.reports[-1]) == ("create", "begin", "end")
    assert sorted(await symbols(client, "KERNEL_")) == [
        ("kernel_one", "one.s", "1:0-1:10"),
        ("kernel_two", "two.s", "1:0-1:10"),
    ]
    assert await symbols(client, "nothing_like_it") == []


async def test_names_of_open_files_are_those_of_their_buffers(client: WorkspaceClient, tmp_path: Path) -> None:
    uri = (tmp_path / "one" / "one.s").as_uri()
    open_document(client, uri, "kernel_buffer: s_nop 0")
    assert sorted(name for name, _, _ in await symbols(client, "kernel_")) == ["kernel_buffer", "kernel_two"]


async def test_folders_come_and_go(client: WorkspaceClient, tmp_path: Path) -> None:
    (tmp_path / "three").mkdir()
    (tmp_path / "three" / "k.s").write_text("kernel_three: s_nop 0")
    client.indexed.clear()
    event = types.WorkspaceFoldersChangeEvent(
        added=[types.WorkspaceFolder((tmp_path / "three").as_uri(), "three")],
        removed=[types.WorkspaceFolder((tmp_path / "one").as_uri(), "one")],
    )
    client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
    await asyncio.wait_for(client.indexed.wait(), PATIENCE)
    assert sorted(name for name, _, _ in await symbols(client, "kernel_")) == ["kernel_three", "kernel_two"]


async def test_files_that_change_on_disk(client: WorkspaceClient, tmp_path: Path) -> None:
    path = tmp_path / "two" / "two.s"
    path.write_text("kernel_new: s_nop 0")
    event = types.FileEvent(path.as_uri(), types.FileChangeType.Changed)
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    for _ in range(100):
        if [name for name, _, _ in await symbols(client, "kernel_new")]:
            break
        await asyncio.sleep(0.05)
    assert sorted(name for name, _, _ in await symbols(client, "kernel_")) == ["kernel_new", "kernel_one"]


async def test_each_folder_has_its_own_settings(client: WorkspaceClient, tmp_path: Path) -> None:
    for name, target in (("one", "gfx90a"), ("two", "gfx900")):
        path = tmp_path / name / f"{name}.s"
        open_document(client, path.as_uri(), path.read_text())
        assert await diagnostics(client, path.as_uri()) == []
        answer = await client.protocol.send_request_async("gcn-lsp/target", {"uri": path.as_uri()})
        assert answer.target == target
    outside = (tmp_path / "outside.s").as_uri()
    open_document(client, outside, "s_nop 0")
    answer = await client.protocol.send_request_async("gcn-lsp/target", {"uri": outside})
    assert answer.target == "gfx900"


async def test_a_change_of_settings_concerns_its_folder(client: WorkspaceClient, tmp_path: Path) -> None:
    path = tmp_path / "one" / "one.s"
    open_document(client, path.as_uri(), path.read_text())
    await diagnostics(client, path.as_uri())
    client.settings[(tmp_path / "one").as_uri()] = {"includePaths": ["elsewhere"], "target": "gfx90a"}
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
    found = await diagnostics(client, path.as_uri())
    assert "include-not-found" in {each.code for each in found}


async def test_a_client_without_an_answer_keeps_the_settings_that_it_started_with(
    client: WorkspaceClient, tmp_path: Path
) -> None:
    uri = (tmp_path / "outside.s").as_uri()
    open_document(client, uri, "s_nop 0")
    for settings, expected in (({"target": "gfx908"}, "gfx908"), ({}, "gfx803"), (None, "gfx803")):
        client.settings = {None: settings}
        client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
        for _ in range(100):  # the settings arrive when the client has answered
            answer = await client.protocol.send_request_async("gcn-lsp/target", {"uri": uri})
            if answer.target == expected:
                break
            await asyncio.sleep(0.05)
        assert answer.target == expected


async def test_renaming_reaches_files_that_are_not_open(client: WorkspaceClient, tmp_path: Path) -> None:
    path = tmp_path / "one" / "inc" / "sizes.inc"
    document = open_document(client, path.as_uri(), path.read_text())
    params = types.RenameParams(document, types.Position(0, 8), "count")
    found = await client.text_document_rename_async(params)
    assert found is not None
    assert found.changes is not None
    assert {uri.rpartition("/")[2]: len(edits) for uri, edits in found.changes.items()} == {"sizes.inc": 1, "one.s": 1}


async def test_a_request_that_is_cancelled_is_not_answered_by_work(client: WorkspaceClient, tmp_path: Path) -> None:
    path = tmp_path / "one" / "one.s"
    lines = "".join(f"v_add_f32 v{number % 200}, v1, v2\n" for number in range(3000))
    document = open_document(client, path.as_uri(), lines)
    waiting = client.protocol.send_request(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, types.SemanticTokensParams(document), msg_id="to-cancel"
    )
    client.protocol.notify(types.CANCEL_REQUEST, types.CancelParams("to-cancel"))
    with pytest.raises(JsonRpcException) as failure:
        await asyncio.wait_for(asyncio.wrap_future(waiting), PATIENCE)
    assert failure.value.code == types.LSPErrorCodes.RequestCancelled.value
    # The server goes on as if nothing had been asked.
    hover = types.HoverParams(document, types.Position(0, 3))
    assert await client.text_document_hover_async(hover) is not None
