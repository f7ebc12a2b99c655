"""Messages taken apart, what a message that is none does, and what a client gets that takes less than others."""

import io
from collections.abc import AsyncIterator

import pytest
import pytest_lsp
from lsprotocol import types

from gcn_lsp.server.protocol import read_message
from tests.server.test_session import CONFIG, KERNEL, Client, diagnostics, open_document


@pytest.mark.parametrize(
    ("data", "bodies"),
    [
        (b"Content-Length: 2\r\n\r\n{}", [b"{}"]),
        (b"content-length: 2\r\nContent-Type: x\r\n\r\n{}Content-Length: 3\r\n\r\n[1]", [b"{}", b"[1]"]),
        (b"junk\r\n\r\nContent-Length: 2\r\n\r\n{}", [b"{}"]),
        (b"Content-Length: 9\r\n\r\n{}", []),
        (b"Content-Length: x\r\n\r\n{}", []),
        (b"", []),
    ],
)
def test_read_message(data: bytes, bodies: list[bytes]) -> None:
    stream = io.BytesIO(data)
    assert list(iter(lambda: read_message(stream), None)) == bodies


@pytest_lsp.fixture(config=CONFIG, scope="module")
async def plain(lsp_client: Client) -> AsyncIterator[None]:
    """A client that shows plain text and inserts text as it is."""
    hover = types.HoverClientCapabilities(content_format=[types.MarkupKind.PlainText])
    item = types.ClientCompletionItemOptions(snippet_support=False)
    completion = types.CompletionClientCapabilities(completion_item=item)
    capabilities = types.ClientCapabilities(
        text_document=types.TextDocumentClientCapabilities(hover=hover, completion=completion)
    )
    await lsp_client.initialize_session(types.InitializeParams(capabilities=capabilities))
    yield
    await lsp_client.shutdown_session()


@pytest.mark.asyncio(loop_scope="module")
async def test_hover_in_plain_text(plain: Client) -> None:
    document = open_document(plain, "untitled:plain", KERNEL)
    await diagnostics(plain, document.uri)  # a hover before the first analysis says less
    hover = await plain.text_document_hover_async(types.HoverParams(document, types.Position(7, 5)))
    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    assert hover.contents.kind == types.MarkupKind.PlainText
    text = hover.contents.value
    assert text.startswith("v_mov_b32 vdst, src0")
    assert "`" not in text
    assert "| ---" not in text
    rows = [line.split() for line in text.split("\n")]
    assert ["src0", "v[vA+3]", "v7"] in rows


@pytest.mark.asyncio(loop_scope="module")
async def test_completion_without_snippets(plain: Client) -> None:
    document = open_document(plain, "untitled:snippets", KERNEL + "  s_mov_b64 s\n")
    params = types.CompletionParams(document, types.Position(9, 13))
    found = await plain.text_document_completion_async(params)
    assert isinstance(found, types.CompletionList)
    (pair,) = (item for item in found.items if item.label == "s[0:1]")
    assert isinstance(pair.text_edit, types.TextEdit)
    assert pair.text_edit.new_text == "s[0:1]"


@pytest.mark.asyncio(loop_scope="module")
async def test_a_list_that_is_cut_says_so(plain: Client) -> None:
    document = open_document(plain, "untitled:cut", KERNEL + "  v_\n")
    found = await plain.text_document_completion_async(types.CompletionParams(document, types.Position(9, 4)))
    assert isinstance(found, types.CompletionList)
    assert found.is_incomplete


@pytest.mark.asyncio(loop_scope="module")
async def test_explain(plain: Client) -> None:
    uri = open_document(plain, "untitled:explain", KERNEL).uri
    ask = plain.protocol.send_request_async
    rule = await ask("gcn-lsp/explain", {"uri": uri, "name": "misaligned-register"})
    assert rule.name == "misaligned-register"
    assert "misaligned-register" in rule.markdown.split("\n")[0]
    mnemonic = await ask("gcn-lsp/explain", {"uri": uri, "name": "v_mov_b32"})
    assert mnemonic.markdown.startswith("# v_mov_b32\n")
    assert await ask("gcn-lsp/explain", {"uri": uri, "name": "no-such-rule"}) is None
    names = {found["name"]: (found["kind"], found["summary"]) for found in await ask("gcn-lsp/names", {"uri": uri})}
    assert names["missing-wait"][0] == "rule"
    assert names["v_fma_f32"] == ("mnemonic", "Multiplies two 32-bit floats and adds a third, rounding once.")
    assert "v_wmma_f32_16x16x16_f16" not in names, "which the target of this file lacks"


@pytest.mark.asyncio(loop_scope="module")
async def test_half_a_character_in_a_message_is_published(plain: Client) -> None:
    """A message names single bytes of what is no word, here the first of four."""
    document = open_document(plain, "untitled:bytes", ".if \U0001d11e\n.endif\n\\\U0001d11e: s_nop 0\n")
    assert await diagnostics(plain, document.uri)
