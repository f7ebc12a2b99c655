"""The check of all kernels in a workspace: what is published, counted, forgotten, and checked again."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types

from gcn_lsp.server import project_check
from gcn_lsp.server.client import Client
from gcn_lsp.server.project_process import Order
from tests.server.test_session import PATIENCE, open_document
from tests.server.test_workspace import WORKSPACE_CONFIG, WorkspaceClient, in_folder

pytestmark = pytest.mark.asyncio(loop_scope="function")

FILES = {
    "right.s": "; gcn-lsp: target=gfx90a\nv_mov_b32 v0, v1\ns_endpgm\n",
    "deep/wrong.s": "; gcn-lsp: target=gfx90a\nv_mov_b33 v0, v1\n.set unused, 1\n",
    "deep/sizes.inc": "v_mov_b34 v0, v1\n",
    "other_processor.s": "movq %rax, %rbx\nret\n",
    "notes.txt": "v_mov_b33 v0, v1\n",
    ".hidden/kernel.s": "; gcn-lsp: target=gfx90a\nv_mov_b33 v0, v1\n",
    "host.cpp": 'int main() { asm volatile("nop"); }\n',
    "kernel.hip": '__global__ void k() { asm volatile("v_mov_b33 v0, v1"); }\n',
}


@pytest_lsp.fixture(config=WORKSPACE_CONFIG)
async def client(lsp_client: WorkspaceClient, tmp_path: Path) -> AsyncIterator[None]:
    """A folder with kernels and other files."""
    await in_folder(lsp_client, tmp_path, FILES)
    yield
    await lsp_client.shutdown_session()


async def checked(client: WorkspaceClient, **params: Any) -> Any:
    return await asyncio.wait_for(client.protocol.send_request_async("gcn-lsp/checkProject", params), PATIENCE)


def codes(client: WorkspaceClient, path: Path) -> list[Any]:
    return [each.code for each in client.diagnostics.get(path.as_uri(), ())]


async def published(client: WorkspaceClient, path: Path) -> list[Any]:
    """The rules of the next diagnostics published for a file."""
    while True:
        params = await asyncio.wait_for(client.published.get(), PATIENCE)
        if params.uri == path.as_uri():
            return [each.code for each in params.diagnostics]


async def test_all_kernels_are_checked(client: WorkspaceClient, tmp_path: Path) -> None:
    found = await checked(client, workDoneToken="check")
    assert (found.files, found.errors, found.failed, found.leftOut, found.hidden) == (3, 2, 0, 0, 0)
    assert codes(client, tmp_path / "deep" / "wrong.s") == ["unknown-mnemonic"]
    assert codes(client, tmp_path / "kernel.hip") == ["unknown-mnemonic"]
    assert {uri for uri, given in client.diagnostics.items() if given} == {
        (tmp_path / name).as_uri() for name in ("deep/wrong.s", "kernel.hip")
    }
    assert client.reports[-1] == "end"


async def test_a_second_check_forgets_what_is_gone(client: WorkspaceClient, tmp_path: Path) -> None:
    await checked(client)
    (tmp_path / "kernel.hip").unlink()
    (tmp_path / "deep" / "wrong.s").write_text(FILES["right.s"])
    found = await checked(client)
    assert (found.files, found.errors) == (2, 0)
    assert not any(client.diagnostics.values())


async def test_a_closed_file_keeps_its_findings(client: WorkspaceClient, tmp_path: Path) -> None:
    await checked(client)
    path = tmp_path / "deep" / "wrong.s"
    while not client.published.empty():
        client.published.get_nowait()
    document = open_document(client, path.as_uri(), FILES["right.s"])
    assert await published(client, path) == []
    client.text_document_did_close(types.DidCloseTextDocumentParams(document))
    while await published(client, path) != ["unknown-mnemonic"]:
        pass


async def test_a_changed_configuration_checks_all_again(client: WorkspaceClient, tmp_path: Path) -> None:
    await checked(client)
    settings = tmp_path / "gcn-lsp.toml"
    settings.write_text('ignore = ["unknown-mnemonic"]\n')
    change = types.FileEvent(settings.as_uri(), types.FileChangeType.Created)
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([change]))
    while any(client.diagnostics.values()):
        await asyncio.wait_for(client.published.get(), PATIENCE)


async def test_a_cancelled_check_ends_its_processes(client: WorkspaceClient, tmp_path: Path) -> None:
    for number in range(400):
        (tmp_path / f"many{number}.s").write_text("; gcn-lsp: target=gfx90a\n" + "v_mov_b32 v0, v1\n" * 500)
    request = client.protocol.send_request_async("gcn-lsp/checkProject", {"workDoneToken": "check"}, "the-check")
    waiting = asyncio.ensure_future(request)
    while "report" not in client.reports:
        await asyncio.sleep(0.05)
    client.protocol.notify("$/cancelRequest", types.CancelParams("the-check"))
    with pytest.raises(Exception, match=r"[Cc]ancel"):
        await asyncio.wait_for(waiting, PATIENCE)
    while client.reports[-1] != "end":  # the answer to a cancelled request does not wait for it
        await asyncio.sleep(0.05)
    assert client._server is not None
    children = Path(f"/proc/{client._server.pid}/task/{client._server.pid}/children")
    while children.exists() and children.read_text():
        await asyncio.sleep(0.05)


@pytest.mark.parametrize("module", ["this", "no.such.module"])
async def test_a_file_on_which_the_process_fails_has_no_result(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project_check, "MODULE", module)
    process = project_check._Process(Order(Client(), {}))
    assert await process.check("kernel.s") is None
    assert process._process is None
