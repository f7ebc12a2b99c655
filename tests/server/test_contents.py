"""Derived texts over the protocol, by their addresses and by commands, and commands that answer or change."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, client_capabilities
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

from tests.server.test_session import CONFIG, PATIENCE, Client, _publish, diagnostics, edit, open_document
from tests.support.elf import code_object

pytestmark = pytest.mark.asyncio(loop_scope="module")

KERNEL = """\
; gcn-lsp: target=gfx90a
.macro CLEAR dst
  v_mov_b32 \\dst, 0
.endm
start:
  CLEAR v3
  global_load_dword v1, v[2:3], off
  s_waitcnt vmcnt(0)
  s_waitcnt vmcnt(0)
  v_add_f32 v1, v1, v1
  s_endpgm
"""


class ContentClient(Client):
    """A client that shows documents, applies edits, and reads derived texts again."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[types.ShowDocumentParams] = []
        self.applied: list[types.ApplyWorkspaceEditParams] = []
        self.read_again: asyncio.Queue[str] = asyncio.Queue()

    @staticmethod
    def create() -> "ContentClient":
        client = ContentClient()
        features = {
            **DEFAULT_CLIENT_FEATURES,
            types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: _publish,
            types.WINDOW_SHOW_DOCUMENT: _show,
            types.WORKSPACE_APPLY_EDIT: _apply,
            types.WORKSPACE_TEXT_DOCUMENT_CONTENT_REFRESH: _read_again,
        }
        register_lsp_features(client, features)
        return client


def _show(client: ContentClient, params: types.ShowDocumentParams) -> types.ShowDocumentResult:
    client.shown.append(params)
    return types.ShowDocumentResult(True)


def _apply(client: ContentClient, params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
    client.applied.append(params)
    return types.ApplyWorkspaceEditResult(True)


def _read_again(client: ContentClient, params: types.TextDocumentContentRefreshParams) -> None:
    client.read_again.put_nowait(params.uri)


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=CONFIG.server_command, client_factory=ContentClient.create), scope="module"
)
async def client(lsp_client: ContentClient) -> AsyncIterator[None]:
    capabilities = client_capabilities("neovim@v0.11.0")
    assert capabilities.workspace is not None
    assert capabilities.text_document is not None
    capabilities.workspace.configuration = False
    capabilities.text_document.diagnostic = None
    capabilities.workspace.text_document_content = types.TextDocumentContentClientCapabilities()
    capabilities.workspace.execute_command = types.ExecuteCommandClientCapabilities()
    capabilities.workspace.apply_edit = True
    capabilities.window = types.WindowClientCapabilities(show_document=types.ShowDocumentClientCapabilities(True))
    await lsp_client.initialize_session(types.InitializeParams(capabilities=capabilities))
    yield
    await lsp_client.shutdown_session()


async def content(client: Client, uri: str) -> str:
    params = types.TextDocumentContentParams(uri)
    return (await client.workspace_text_document_content_async(params)).text


async def run(client: Client, command: str, *arguments: Any) -> Any:
    return await client.workspace_execute_command_async(types.ExecuteCommandParams(command, arguments))


async def test_a_file_on_disk_is_expanded(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "k.s"
    path.write_text(KERNEL)
    whole = await content(client, f"gcn-lsp-expansion:{path}")
    assert "v_mov_b32 v3, 0" in whole
    assert "s_endpgm" in whole
    part = await content(client, f"gcn-lsp-expansion:{path}?lines=6")
    assert "v_mov_b32 v3, 0" in part
    assert "s_endpgm" not in part
    assert "7e060280" in (await content(client, f"gcn-lsp-encoded:{path}")).lower().replace(" ", "")


async def test_what_the_preprocessor_makes_of_a_file(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "k.S"
    path.write_text("// gcn-lsp: target=gfx90a\n#define FIRST v1\nv_mov_b32 FIRST, 0\n")
    assert "v_mov_b32 v1, 0" in await content(client, f"gcn-lsp-assembly:{path}")
    source = tmp_path / "k.hip"
    source.write_text('__global__ void k() {\n  asm volatile("v_mov_b32 v1, 0\\n\\ts_nop 1");\n}\n')
    assert [line.strip() for line in (await content(client, f"gcn-lsp-assembly:{source}")).split("\n")] == [
        "// line 2",
        "v_mov_b32 v1, 0",
        "s_nop 1",
        "",
    ]


async def test_the_assembly_of_an_object(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "k.hsaco"
    path.write_bytes(code_object(bytes.fromhex("0002007e000081bf"), [("k", 0, 8, 1)]))
    assert "s_endpgm" in await content(client, f"gcn-lsp-object:{path}")


@pytest.mark.parametrize("scheme", ["expansion", "encoded", "assembly", "object", "other"])
async def test_a_file_that_is_gone_has_no_text(client: Client, tmp_path: Path, scheme: str) -> None:
    with pytest.raises(JsonRpcException, match="There is no such text"):
        await content(client, f"gcn-lsp-{scheme}:{tmp_path}/nothing.s")


async def test_a_text_is_read_again_after_an_edit(client: ContentClient) -> None:
    document = open_document(client, "untitled:shown", KERNEL)
    assert await run(client, "gcn-lsp/showExpansion", document.uri) is True
    uri = client.shown.pop().uri
    assert "v_mov_b32 v3, 0" in await content(client, uri)
    edit(client, document.uri, 2, 5, 8, 10, "v4")
    assert await asyncio.wait_for(client.read_again.get(), PATIENCE) == uri
    assert "v_mov_b32 v4, 0" in await content(client, uri)


async def test_our_requests_are_commands(client: Client) -> None:
    document = open_document(client, "untitled:commands", KERNEL)
    target = await run(client, "gcn-lsp/target", {"uri": document.uri})
    assert target["target"] == "gfx90a"
    first = {"start": {"line": 5, "character": 0}, "end": {"line": 5, "character": 9}}
    shown = await run(client, "gcn-lsp/expand", {"textDocument": {"uri": document.uri}, "range": first})
    assert "v_mov_b32 v3, 0" in shown["text"]


async def test_a_command_shows_a_line(client: ContentClient) -> None:
    assert await run(client, "gcn-lsp/showLine", "untitled:shown", 4) is True
    place = types.Position(4, 0)
    assert client.shown.pop().selection == types.Range(place, place)


async def test_a_command_rewrites_the_waits(client: ContentClient) -> None:
    document = open_document(client, "untitled:waits", KERNEL)
    assert await run(client, "gcn-lsp/applyWaits", document.uri) is True
    changes = client.applied.pop().edit.changes
    assert changes is not None
    assert [each.range.start.line for each in changes[document.uri]] == [8]
    assert await run(client, "gcn-lsp/applyWaits", "untitled:never-opened") is False


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("gcn-lsp/nothing", ()),
        ("gcn-lsp.rename", ("untitled:shown",)),
        ("textDocument/hover", ({},)),
        ("gcn-lsp/showLine", ()),
        ("gcn-lsp/showLine", (3,)),
        ("gcn-lsp/target", ()),
        ("gcn-lsp/target", ([1],)),
        ("gcn-lsp/expand", ({"textDocument": 5},)),
    ],
)
async def test_a_command_that_names_nothing_is_refused(client: Client, command: str, arguments: Any) -> None:
    with pytest.raises(JsonRpcException, match=r"no such command|URI of a document|name no document"):
        await run(client, command, *arguments)
    assert await diagnostics(client, open_document(client, "untitled:after", "s_endpgm\n").uri) is not None
    client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier("untitled:after")))
