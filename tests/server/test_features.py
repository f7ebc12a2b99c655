"""One round trip for each further feature, with positions in the three encodings, tabs and CRLF."""

from collections.abc import AsyncIterator

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import client_capabilities

from gcn_lsp.ide import token_types
from tests.server.test_session import CONFIG, Client, edit, open_document

pytestmark = pytest.mark.asyncio(loop_scope="module")

ENCODINGS = ("utf-8", "utf-16", "utf-32")

# In front of the words stand two characters, of two and of four bytes.
NOTE = "/* \u00e9\U0001d11e */"
WIDTHS = {"utf-8": len(NOTE.encode()), "utf-16": len(NOTE) + 1, "utf-32": len(NOTE)}

KERNEL = "\r\n".join(
    (
        "; gcn-lsp: target=gfx90a",
        ".set size, 4",
        ".macro MOVE dst",
        "  v_mov_b32 v[\\dst], v1",
        ".endm",
        "kern:",
        f"\t{NOTE}v_mov_b32 v1, size",
        f"\t{NOTE}MOVE 2",
        "  v_add_f32 v2, v1, v1",
        "  s_branch kern",
        "",
    )
)
INSTRUCTION, CALL = 6, 7


@pytest_lsp.fixture(config=CONFIG, scope="module", params=ENCODINGS)
async def client(request: pytest.FixtureRequest, lsp_client: Client) -> AsyncIterator[None]:
    """A client that knows all features; the position encoding is the only one that it offers."""
    capabilities = client_capabilities("neovim@v0.11.0")
    capabilities.general = types.GeneralClientCapabilities(position_encodings=[request.param])
    assert capabilities.workspace is not None
    capabilities.workspace.configuration = False  # settings come with the notification
    capabilities.workspace.inlay_hint = capabilities.workspace.diagnostics = None  # nothing is asked for again
    result = await lsp_client.initialize_session(types.InitializeParams(capabilities=capabilities))
    assert result.capabilities.position_encoding == request.param
    lsp_client.encoding = request.param
    yield
    await lsp_client.shutdown_session()


def column(client: Client, behind: int) -> int:
    """The client's column of a place `behind` characters behind the tab and the note."""
    return 1 + WIDTHS[client.encoding] + behind


def place(client: Client, line: int, behind: int) -> types.Position:
    return types.Position(line, column(client, behind) if line in (INSTRUCTION, CALL) else behind)


def span(client: Client, line: int, start: int, end: int) -> types.Range:
    return types.Range(place(client, line, start), place(client, line, end))


async def test_document_highlight(client: Client) -> None:
    document = open_document(client, "untitled:highlight", KERNEL)
    params = types.DocumentHighlightParams(document, place(client, INSTRUCTION, 11))
    found = await client.text_document_document_highlight_async(params)
    kind = types.DocumentHighlightKind
    assert list(found or ()) == [
        types.DocumentHighlight(span(client, INSTRUCTION, 10, 12), kind.Write),
        types.DocumentHighlight(span(client, CALL, 0, 4), kind.Read),
        types.DocumentHighlight(span(client, 8, 16, 18), kind.Read),
        types.DocumentHighlight(span(client, 8, 20, 22), kind.Read),
    ]
    nothing = types.DocumentHighlightParams(document, types.Position(0, 3))
    assert await client.text_document_document_highlight_async(nothing) is None


async def test_rename(client: Client) -> None:
    document = open_document(client, "untitled:rename", KERNEL)
    position = place(client, INSTRUCTION, 15)
    prepared = await client.text_document_prepare_rename_async(types.PrepareRenameParams(document, position))
    assert prepared == span(client, INSTRUCTION, 14, 18)
    found = await client.text_document_rename_async(types.RenameParams(document, position, "count"))
    assert found is not None
    assert found.changes is not None
    assert {uri: list(edits) for uri, edits in found.changes.items()} == {
        document.uri: [
            types.TextEdit(span(client, 1, 5, 9), "count"),
            types.TextEdit(span(client, INSTRUCTION, 14, 18), "count"),
        ]
    }
    with pytest.raises(JsonRpcException, match="Cannot rename: `v1` is a register"):
        await client.text_document_rename_async(types.RenameParams(document, position, "v1"))
    mnemonic = types.PrepareRenameParams(document, place(client, INSTRUCTION, 3))
    assert await client.text_document_prepare_rename_async(mnemonic) is None


async def test_rename_is_refused_before_a_name_is_asked_for(client: Client) -> None:
    document = open_document(
        client, "untitled:entry", "; gcn-lsp: target=gfx900\nk:\n v_add_f32 v7, v7, v8\n s_endpgm\n"
    )
    with pytest.raises(JsonRpcException, match=r"`v7` may come from the caller: no `\.amdhsa_kernel` says"):
        await client.text_document_prepare_rename_async(types.PrepareRenameParams(document, types.Position(2, 16)))


async def test_rename_tells_what_moves_along(client: Client) -> None:
    text = (
        "; gcn-lsp: target=gfx900\nk:\n global_load_dwordx3 v[2:4], v[0:1], off\n s_waitcnt vmcnt(0)\n"
        " v_add_f32 v9, v2, v3\n global_store_dword v[0:1], v9, off\n s_endpgm\n"
    )
    document = open_document(client, "untitled:along", text)
    before = len(client.messages)
    found = await client.text_document_rename_async(types.RenameParams(document, types.Position(4, 16), "v10"))
    assert found is not None
    assert found.changes is not None
    assert [each.new_text for each in found.changes[document.uri]] == ["v[10:12]", "v10", "v11"]
    await client.text_document_rename_async(types.RenameParams(document, types.Position(4, 12), "v20"))  # alone
    said = "`v[3:4]` moved along to `v[11:12]`, because `global_load_dwordx3 v[2:4]` on line 3 needs them together."
    assert client.messages[before:] == [types.ShowMessageParams(types.MessageType.Info, said)]


async def test_selection_range(client: Client) -> None:
    document = open_document(client, "untitled:selection", KERNEL)
    params = types.SelectionRangeParams(document, [place(client, INSTRUCTION, 15), types.Position(1, 6)])
    found = await client.text_document_selection_range_async(params)
    assert found is not None
    first, second = found
    assert first.range == span(client, INSTRUCTION, 14, 18)
    assert first.parent is not None
    assert first.parent.range == span(client, INSTRUCTION, 10, 18)
    assert second.range == span(client, 1, 5, 9)


async def test_document_link(client: Client) -> None:
    document = open_document(client, "untitled:link", KERNEL)
    assert not await client.text_document_document_link_async(types.DocumentLinkParams(document))


async def test_signature_help(client: Client) -> None:
    document = open_document(client, "untitled:signature", KERNEL)
    params = types.SignatureHelpParams(document, place(client, INSTRUCTION, 14))
    found = await client.text_document_signature_help_async(params)
    assert found is not None
    assert found.active_parameter == found.signatures[0].active_parameter == 1
    label = found.signatures[0].label
    assert label == "v_mov_b32 vdst, src0"
    assert found.signatures[0].parameters is not None
    places = found.signatures[0].parameters[1].label
    assert not isinstance(places, str)
    start, end = places
    assert label[int(start) : int(end)] == "src0"
    elsewhere = types.SignatureHelpParams(document, types.Position(0, 3))
    assert await client.text_document_signature_help_async(elsewhere) is None


async def test_semantic_tokens(client: Client) -> None:
    document = open_document(client, "untitled:tokens", KERNEL)
    full = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
    assert full is not None
    lines = types.Range(types.Position(INSTRUCTION, 0), types.Position(INSTRUCTION, 40))
    part = await client.text_document_semantic_tokens_range_async(types.SemanticTokensRangeParams(document, lines))
    assert part is not None
    start = column(client, 0)
    numbers = {name: number for number, name in enumerate(token_types.LEGEND)}
    assert list(part.data) == [
        *(INSTRUCTION, start, 9, numbers["vectorInstruction"], 0),
        *(0, 10, 2, numbers["vectorRegister"], 0),
        *(0, 4, 4, numbers["variable"], 0),
    ]
    edit(client, document.uri, 2, 9, 0, 2, "s_nop 0\n")
    assert full.result_id is not None
    params = types.SemanticTokensDeltaParams(document, full.result_id)
    delta = await client.text_document_semantic_tokens_full_delta_async(params)
    assert isinstance(delta, types.SemanticTokensDelta)
    data = list(full.data)
    for change in delta.edits:
        data[change.start : change.start + change.delete_count] = change.data or ()
    again = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
    assert again is not None
    assert list(again.data) == data
    # A number that is not the last one's is answered in full.
    old = await client.text_document_semantic_tokens_full_delta_async(params)
    assert isinstance(old, types.SemanticTokens)


async def test_hover_definition_references_and_completion(client: Client) -> None:
    document = open_document(client, "untitled:elder", KERNEL)
    hover = await client.text_document_hover_async(types.HoverParams(document, place(client, INSTRUCTION, 3)))
    assert hover is not None
    assert hover.range == span(client, INSTRUCTION, 0, 9)
    definition = types.DefinitionParams(document, place(client, INSTRUCTION, 15))
    found = await client.text_document_definition_async(definition)
    assert isinstance(found, (list, tuple))
    assert [each.range for each in found if isinstance(each, types.Location)] == [span(client, 1, 5, 9)]
    context = types.ReferenceContext(include_declaration=False)
    asked = types.ReferenceParams(context, document, place(client, 1, 6))
    references = await client.text_document_references_async(asked)
    assert [each.range for each in references or ()] == [span(client, INSTRUCTION, 14, 18)]
    completion = types.CompletionParams(document, place(client, INSTRUCTION, 16))
    items = await client.text_document_completion_async(completion)
    assert isinstance(items, types.CompletionList)
    size = next(item for item in items.items if item.label == "size")
    where = items.item_defaults.edit_range if items.item_defaults is not None else None
    assert (size.text_edit.range if isinstance(size.text_edit, types.TextEdit) else where) == span(
        client, INSTRUCTION, 14, 18
    )


async def test_outline_folds_and_hints(client: Client) -> None:
    document = open_document(client, "untitled:outline", KERNEL)
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    assert symbols
    by_name = {symbol.name: symbol for symbol in symbols if isinstance(symbol, types.DocumentSymbol)}
    assert by_name["MOVE"].selection_range == span(client, 2, 7, 11)
    folds = await client.text_document_folding_range_async(types.FoldingRangeParams(document))
    assert [(fold.start_line, fold.end_line) for fold in folds or ()] == [(2, 4)]
    settings = {"gcn-lsp": {"inlayHints": {"encoding": True}}}
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))
    lines = types.Range(types.Position(INSTRUCTION, 0), types.Position(INSTRUCTION, 99))
    hints = await client.text_document_inlay_hint_async(types.InlayHintParams(document, lines))
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams({}))
    assert [hint.position for hint in hints or ()] == [place(client, INSTRUCTION, 18)]


OPTIONS = types.FormattingOptions(tab_size=2, insert_spaces=True)


async def test_formatting(client: Client) -> None:
    text = KERNEL.replace("v1, size", "v1,size  ; \u00e9").replace("v1, v1", "v1,v1")
    document = open_document(client, "untitled:formatting", text)
    whole = await client.text_document_formatting_async(types.DocumentFormattingParams(document, OPTIONS))
    # Text behind a comment is left as it is.
    assert whole is not None
    assert {change.range.start.line for change in whole} == {8}
    edit(client, document.uri, 2, INSTRUCTION, 0, column(client, 99), "v_mov_b32  v0,v1 // \U0001d11e")
    lines = types.Range(types.Position(INSTRUCTION, 0), types.Position(INSTRUCTION + 1, 0))
    params = types.DocumentRangeFormattingParams(document, lines, OPTIONS)
    found = await client.text_document_range_formatting_async(params)
    assert found
    assert {change.range.start.line for change in found} == {INSTRUCTION}
    typed = types.DocumentOnTypeFormattingParams(document, types.Position(INSTRUCTION + 1, 0), "\n", OPTIONS)
    again = await client.text_document_on_type_formatting_async(typed)
    assert again is not None
    assert {change.range.start.line for change in again} <= {INSTRUCTION, INSTRUCTION + 1}


async def test_code_actions_by_kind(client: Client) -> None:
    text = KERNEL.replace("v_add_f32", "v_add_f33")
    document = open_document(client, "untitled:actions", text)

    async def titles(line: int, *only: str) -> list[str]:
        where = span(client, line, 0, 0)
        context = types.CodeActionContext([], only or None)
        found = await client.text_document_code_action_async(types.CodeActionParams(document, where, context))
        return [f"{action.kind} {action.title}" for action in found or () if isinstance(action, types.CodeAction)]

    at_instruction = await titles(INSTRUCTION)
    assert "refactor.rewrite Encode in 64 bits (_e64)" in at_instruction
    assert await titles(INSTRUCTION, "refactor.rewrite") == ["refactor.rewrite Encode in 64 bits (_e64)"]
    assert await titles(INSTRUCTION, "refactor") == ["refactor.rewrite Encode in 64 bits (_e64)"]
    assert await titles(INSTRUCTION, "quickfix") == []


async def test_declaration_and_implementation(client: Client) -> None:
    document = open_document(client, "untitled:declared", KERNEL + ".globl kern\r\n")
    label, directive = span(client, 5, 0, 4), span(client, 10, 7, 11)
    declared = await client.text_document_declaration_async(types.DeclarationParams(document, label.start))
    assert isinstance(declared, list)
    assert [each.range for each in declared if isinstance(each, types.Location)] == [directive]
    found = await client.text_document_implementation_async(types.ImplementationParams(document, directive.start))
    assert isinstance(found, list)
    assert [each.range for each in found if isinstance(each, types.Location)] == [label]


async def test_linked_editing(client: Client) -> None:
    text = KERNEL.replace("  s_branch", f"\t{NOTE}s_branch")
    document = open_document(client, "untitled:linked", text)
    params = types.LinkedEditingRangeParams(document, types.Position(5, 2))
    found = await client.text_document_linked_editing_range_async(params)
    assert found is not None
    branch = types.Range(types.Position(9, column(client, 9)), types.Position(9, column(client, 13)))
    assert list(found.ranges) == [span(client, 5, 0, 4), branch]
    nothing = types.LinkedEditingRangeParams(document, place(client, INSTRUCTION, 1))
    assert await client.text_document_linked_editing_range_async(nothing) is None


async def test_formatting_of_several_ranges(client: Client) -> None:
    text = "s_nop   0\r\ns_nop   1\r\ns_nop   2\r\ns_nop   3\r\n"
    document = open_document(client, "untitled:ranges", text)
    ranges = [
        types.Range(types.Position(first, 0), types.Position(last, 1)) for first, last in ((0, 0), (2, 2), (2, 3))
    ]
    params = types.DocumentRangesFormattingParams(document, ranges, types.FormattingOptions(4, True))
    edits = await client.text_document_ranges_formatting_async(params)
    assert [edit.range.start.line for edit in edits or ()] == [0, 2, 3]  # no line twice


async def test_inline_completion_is_a_setting(client: Client) -> None:
    text = "; gcn-lsp: target=gfx90a\r\n" + "".join(f"\tv_mov_b32 v{n}, {n}\r\n" for n in range(3)) + "\t\r\n"
    document = open_document(client, "untitled:suggested", text)
    context = types.InlineCompletionContext(types.InlineCompletionTriggerKind.Automatic)
    params = types.InlineCompletionParams(context, document, types.Position(4, 1))
    assert await client.text_document_inline_completion_async(params) is None
    change = types.DidChangeConfigurationParams({"inlineCompletion": True})
    client.workspace_did_change_configuration(change)
    found = await client.text_document_inline_completion_async(params)
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams({}))
    assert isinstance(found, types.InlineCompletionList)
    (item,) = found.items
    assert item.insert_text == "\tv_mov_b32 v3, 3"
    assert item.range == types.Range(types.Position(4, 0), types.Position(4, 1))


async def test_call_hierarchy(client: Client) -> None:
    document = open_document(client, "untitled:calls", KERNEL)
    items = await client.text_document_prepare_call_hierarchy_async(
        types.CallHierarchyPrepareParams(document, place(client, CALL, 2))
    )
    assert items
    (item,) = items
    assert (item.name, item.uri, item.selection_range) == ("MOVE", document.uri, span(client, 2, 7, 11))
    incoming = await client.call_hierarchy_incoming_calls_async(types.CallHierarchyIncomingCallsParams(item))
    assert incoming
    assert [(call.from_.kind, list(call.from_ranges)) for call in incoming] == [
        (types.SymbolKind.File, [span(client, CALL, 0, 4)])
    ]
    assert not await client.call_hierarchy_outgoing_calls_async(types.CallHierarchyOutgoingCallsParams(item))
