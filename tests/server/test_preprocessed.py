"""A file behind the C preprocessor in a session: findings and features at the places that people wrote."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types

from tests.server.test_session import CONFIG, Client, edit, open_document, pushed_to

pytestmark = pytest.mark.asyncio(loop_scope="module")

KERNEL = """\
// gcn-lsp: target=gfx90a
#include "regs.h"
#define COUNT 4
kern:
  MOVE(v0, COUNT)
  s_nop COUNT, 1
#if COUNT > 4
  junk
#endif
  v_mov_b32 ACC, v1
  s_endpgm
"""
HEADER = "#define ACC v3\n#define MOVE(to, from) v_mov_b32 to, from\n"


@pytest_lsp.fixture(config=CONFIG, scope="module")
async def client(lsp_client: Client) -> AsyncIterator[None]:
    async with pushed_to(lsp_client):
        yield


@pytest.fixture
def kernel(client: Client, tmp_path: Path) -> types.TextDocumentIdentifier:
    (tmp_path / "regs.h").write_text(HEADER)
    return open_document(client, (tmp_path / "kernel.S").as_uri(), KERNEL)


def at(line: int, column: int) -> types.Position:
    return types.Position(line, column)


async def test_findings_and_inactive_lines(client: Client, kernel: types.TextDocumentIdentifier) -> None:
    while (published := await client.published.get()).uri != kernel.uri:
        pass
    found = {(each.code, each.range.start.line, each.range.start.character) for each in published.diagnostics}
    assert ("wrong-operand-count", 5, 15) in found
    faded = next(each for each in published.diagnostics if each.code == "inactive-code")
    assert faded.range == types.Range(at(7, 0), at(7, 6))
    assert list(faded.tags or ()) == [types.DiagnosticTag.Unnecessary]
    assert faded.message == "not assembled, because of `#if COUNT > 4`"
    assert not any(code in ("unknown-mnemonic", "undefined-symbol") for code, *_ in found)


async def test_hover(client: Client, kernel: types.TextDocumentIdentifier) -> None:
    async def hover(line: int, column: int) -> tuple[str, types.Range | None]:
        found = await client.text_document_hover_async(types.HoverParams(kernel, at(line, column)))
        assert found is not None
        assert isinstance(found.contents, types.MarkupContent)
        return found.contents.value, found.range

    text, where = await hover(9, 13)
    assert text == "```c\n#define ACC v3\n```\nDefined on line 1 of `regs.h`. Here it expands to `v3`."
    assert where == types.Range(at(9, 12), at(9, 15))
    text, _ = await hover(4, 12)
    assert text.endswith("Here it expands to `4`.")
    text, _ = await hover(4, 4)
    assert text.endswith("Here it expands to `v_mov_b32 v0, 4`.")
    text, where = await hover(9, 4)
    assert "v_mov_b32" in text
    assert where == types.Range(at(9, 2), at(9, 11))
    text, _ = await hover(2, 9)
    assert text == "```c\n#define COUNT 4\n```\nDefined on line 3."


async def test_definition_and_references(client: Client, kernel: types.TextDocumentIdentifier) -> None:
    async def definition(line: int, column: int) -> list[tuple[str, int, int]]:
        found = await client.text_document_definition_async(types.DefinitionParams(kernel, at(line, column)))
        assert isinstance(found, list)
        return [
            (each.uri.rpartition("/")[2], each.range.start.line, each.range.start.character)
            for each in found
            if isinstance(each, types.Location)
        ]

    assert await definition(4, 13) == [("kernel.S", 2, 8)]
    assert await definition(9, 13) == [("regs.h", 0, 8)]
    assert await definition(1, 12) == [("regs.h", 0, 0)]
    params = types.ReferenceParams(types.ReferenceContext(True), kernel, at(2, 9))
    found = await client.text_document_references_async(params)
    assert [each.range.start.line for each in found or ()] == [2, 4, 5, 6]


async def test_completion(client: Client, kernel: types.TextDocumentIdentifier) -> None:
    edit(client, kernel.uri, 2, 9, 12, 15, "AC")
    params = types.CompletionParams(kernel, at(9, 14))
    found = await client.text_document_completion_async(params)
    items = found.items if isinstance(found, types.CompletionList) else found or ()
    item = next(each for each in items if each.label == "ACC")
    assert item.detail == "#define ACC v3"
    edit(client, kernel.uri, 3, 2, 0, 15, "#de")
    found = await client.text_document_completion_async(types.CompletionParams(kernel, at(2, 3)))
    items = found.items if isinstance(found, types.CompletionList) else found or ()
    assert "define" in [each.label for each in items]


async def test_tokens_symbols_and_folding(client: Client, kernel: types.TextDocumentIdentifier) -> None:
    tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(kernel))
    assert tokens is not None
    lines, line = set(), 0
    for index in range(0, len(tokens.data), 5):
        line += tokens.data[index]
        lines.add(line)
    assert {4, 5, 9, 10} <= lines
    assert not lines & {1, 2, 6, 7, 8}
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(kernel))
    assert [each.name for each in symbols or ()] == ["kern"]
    assert await client.text_document_folding_range_async(types.FoldingRangeParams(kernel)) is not None


async def test_rename_of_a_label_and_an_edit(client: Client, kernel: types.TextDocumentIdentifier) -> None:
    edit(client, kernel.uri, 2, 10, 0, 0, "  s_branch kern\n")
    found = await client.text_document_rename_async(types.RenameParams(kernel, at(3, 1), "start"))
    assert found is not None
    assert found.changes is not None
    assert [each.range.start.line for each in found.changes[kernel.uri]] == [3, 10]


async def test_a_formatted_file_keeps_its_directives(client: Client, kernel: types.TextDocumentIdentifier) -> None:
    options = types.FormattingOptions(2, True)
    found = await client.text_document_formatting_async(types.DocumentFormattingParams(kernel, options))
    assert all(each.range.start.line not in (1, 2, 6, 8) for each in found or ())
