"""Code objects in a session: what else their file holds is reached by links."""

from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import quote, unquote

import pytest
import pytest_lsp
from lsprotocol import types

from tests.server.test_session import CONFIG, Client, diagnostics, open_document, pushed_to
from tests.support.elf import bundle, code_object

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_lsp.fixture(config=CONFIG, scope="module")
async def client(lsp_client: Client) -> AsyncIterator[None]:
    async with pushed_to(lsp_client):
        yield


@pytest.mark.parametrize("scheme", ["file", "gcn-lsp-object"])
async def test_links_lead_to_what_else_a_file_holds(client: Client, tmp_path: Path, scheme: str) -> None:
    path = tmp_path / "k.hipfb"
    code = bytes.fromhex("020002c0000000000002007e000081bf")  # s_load_dword s0; v_mov_b32 v0, s0; s_endpgm
    name = "hip-amdgcn-amd-amdhsa--gfx90a:xnack+"
    one, other = (code_object(code, [("k", 0, 16, 1)], flags=flags) for flags in (0x4C, 0x3F))
    path.write_bytes(bundle(("gfx942", one), (name, other)))
    uri = path.as_uri() if scheme == "file" else f"{scheme}:{path}"
    asked = await client.protocol.send_request_async("gcn-lsp/objectText", {"uri": path.as_uri()})
    document = open_document(client, uri, asked.text)
    (link,) = await client.text_document_document_link_async(types.DocumentLinkParams(document)) or ()
    assert asked.text.split("\n")[link.range.start.line] == f"// {name}"
    assert link.target is not None
    assert unquote(link.target) == f"{uri}({name})"
    asked = await client.protocol.send_request_async("gcn-lsp/objectText", {"uri": f"{path.as_uri()}({quote(name)})"})
    assert "--gfx90a" in asked.text
    further = open_document(client, link.target, asked.text)
    found = await diagnostics(client, further.uri)
    assert "missing-wait" in {each.code for each in found}
