"""A C++ source with inline assembly in a session: answers in the templates, and none outside of them."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types

from tests.server.test_session import CONFIG, Client, edit, pushed_to

pytestmark = pytest.mark.asyncio(loop_scope="module")

SOURCE = """\
// gcn-lsp: target=gfx90a
#include <hip/hip_runtime.h>
__device__ int f(int a, int b) {
  int x;
  asm volatile("v_lshlrev_b32 %0, 4, %[a]\\n\\t"
               "v_add_u32 %0, %0, %[b]"
               : "=v"(x) : [a] "v"(a), [b] "v"(b));
  asm volatile("ds_read_b32 %0, %1" : "=v"(x) : "v"(a) : "memory");
  return x;  // v_add_u32
}
"""


@pytest_lsp.fixture(config=CONFIG, scope="module")
async def client(lsp_client: Client) -> AsyncIterator[None]:
    async with pushed_to(lsp_client):
        yield


def open_source(client: Client, folder: Path, text: str, language: str = "cpp") -> types.TextDocumentIdentifier:
    uri = (folder / "kernel.cpp").as_uri()
    item = types.TextDocumentItem(uri, language, 0, text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    return types.TextDocumentIdentifier(uri)


@pytest.fixture
def source(client: Client, tmp_path: Path) -> types.TextDocumentIdentifier:
    return open_source(client, tmp_path, SOURCE)


def at(line: int, column: int) -> types.Position:
    return types.Position(line, column)


async def published(client: Client, uri: str, version: int) -> list[tuple[object, int, int]]:
    while (found := await client.published.get()).uri != uri or found.version != version:
        pass
    return [(each.code, each.range.start.line, each.range.start.character) for each in found.diagnostics]


async def test_findings_follow_edits(client: Client, source: types.TextDocumentIdentifier) -> None:
    first = await published(client, source.uri, 0)
    assert first == [("missing-early-clobber", 6, 17), ("outstanding-output", 7, 28)]
    edit(client, source.uri, 1, 6, 18, 20, "=&v")
    assert await published(client, source.uri, 1) == first[1:]
    edit(client, source.uri, 2, 0, 0, 0, "\n")
    assert await published(client, source.uri, 2) == [("outstanding-output", 8, 28)]


async def test_a_source_of_another_processor(client: Client, tmp_path: Path) -> None:
    source = open_source(client, tmp_path, 'int main() { asm volatile("pause"); v_mov_b33; }\n')
    assert await published(client, source.uri, 0) == []
    assert await client.text_document_hover_async(types.HoverParams(source, at(0, 28))) is None


async def test_hover(client: Client, source: types.TextDocumentIdentifier) -> None:
    async def hover(line: int, column: int) -> str:
        found = await client.text_document_hover_async(types.HoverParams(source, at(line, column)))
        if found is None:
            return ""
        assert isinstance(found.contents, types.MarkupContent)
        return found.contents.value

    assert "v_add_u32" in await hover(5, 18)
    assert "%0 = x" in await hover(5, 27)
    assert "%[b] = b" in await hover(5, 35)
    assert await hover(6, 19) == ""
    assert await hover(8, 16) == ""
    assert await hover(3, 4) == ""


async def test_names_of_operands(client: Client, source: types.TextDocumentIdentifier) -> None:
    position = types.TextDocumentPositionParams(source, at(5, 35))
    found = await client.text_document_definition_async(types.DefinitionParams(source, position.position))
    assert isinstance(found, list)
    assert [each.range.start for each in found] == [at(6, 40)]
    renamed = await client.text_document_rename_async(types.RenameParams(source, at(5, 35), "second"))
    assert renamed is not None
    assert renamed.changes is not None
    edits = renamed.changes[source.uri]
    assert sorted((each.range.start.line, each.range.start.character) for each in edits) == [(5, 36), (6, 40)]
    prepared = await client.text_document_prepare_rename_async(types.PrepareRenameParams(source, at(5, 34)))
    assert isinstance(prepared, types.Range)
    assert prepared.start == at(5, 36)  # editors want the line of the cursor
    marks = await client.text_document_document_highlight_async(types.DocumentHighlightParams(source, at(4, 30)))
    assert marks is not None
    assert len(marks) == 4


async def test_completion(client: Client, source: types.TextDocumentIdentifier) -> None:
    async def labels(line: int, column: int) -> list[str]:
        found = await client.text_document_completion_async(types.CompletionParams(source, at(line, column)))
        if found is None:
            return []
        return [each.label for each in (found.items if isinstance(found, types.CompletionList) else found)]

    assert "v_add_u32" in await labels(5, 21)
    edit(client, source.uri, 1, 5, 32, 37, "%")
    assert await labels(5, 33) == ["%0", "%[a]", "%[b]"]
    assert await labels(3, 4) == []


async def test_other_requests(client: Client, source: types.TextDocumentIdentifier) -> None:
    help_ = await client.text_document_signature_help_async(types.SignatureHelpParams(source, at(5, 29)))
    assert help_ is not None
    assert "v_add_u32" in help_.signatures[0].label
    tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(source))
    assert tokens is not None
    assert list(tokens.data[:3]) == [4, 16, 13]
    document = types.DocumentFormattingParams(source, types.FormattingOptions(2, True))
    assert await client.text_document_formatting_async(document) is None
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(source))
    assert not symbols


async def test_fixes(client: Client, source: types.TextDocumentIdentifier) -> None:
    where = types.Range(at(6, 18), at(6, 18))
    params = types.CodeActionParams(source, where, types.CodeActionContext([]))
    found = await client.text_document_code_action_async(params)
    assert found is not None
    assert [each.title for each in found] == ['Change to `"=&v"`', "Apply all certain fixes"]


async def test_formatting_of_a_template(client: Client, source: types.TextDocumentIdentifier) -> None:
    async def titles(line: int, column: int) -> list[str]:
        where = types.Range(at(line, column), at(line, column))
        found = await client.text_document_code_action_async(
            types.CodeActionParams(source, where, types.CodeActionContext([], only=["refactor"]))
        )
        return [each.title for each in found or ()]

    assert await titles(5, 20) == []
    edit(client, source.uri, 1, 5, 28, 29, ",  ")
    assert await titles(5, 20) == ["Format the assembly of this statement"]
    assert await titles(3, 4) == []


async def test_builtins(client: Client, tmp_path: Path) -> None:
    text = "// gcn-lsp: target=gfx90a\nfloat f(float a) {\n  return __builtin_amdgcn_rcpf(a) + __builtin_amdgcn_rs\n}\n"
    source = open_source(client, tmp_path, text)
    shown = await client.text_document_hover_async(types.HoverParams(source, at(2, 20)))
    assert shown is not None
    assert isinstance(shown.contents, types.MarkupContent)
    assert "float __builtin_amdgcn_rcpf(float)" in shown.contents.value
    assert "On gfx90a it becomes `v_rcp_f32`." in shown.contents.value
    found = await client.text_document_completion_async(types.CompletionParams(source, at(2, 56)))
    assert isinstance(found, types.CompletionList)
    details = {item.label: item.detail for item in found.items}
    assert details["__builtin_amdgcn_rsqf"] == "v_rsq_f32"
    resolved = await client.completion_item_resolve_async(found.items[0])
    assert isinstance(resolved.documentation, types.MarkupContent)
    assert "becomes" in resolved.documentation.value or "v_rsq" in resolved.documentation.value
    assert await client.text_document_hover_async(types.HoverParams(source, at(1, 2))) is None
