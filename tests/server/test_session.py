"""One round trip for each thing that a client does, over a pipe, with a client that is pushed to and one that pulls.

Everything finer is tested without a server.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

from gcn_lsp.ide import token_types


class Client(LanguageClient):
    """The test client with a queue, since it would lose messages that arrive while nothing waits."""

    def __init__(self) -> None:
        super().__init__(converter_factory=default_converter)
        self.encoding = "utf-16"
        self.published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.refreshed: set[str] = set()

    @staticmethod
    def create() -> "Client":
        client = Client()
        refreshes = {method: _refresh(method) for method in REFRESHES}
        published = {types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: _publish}
        register_lsp_features(client, {**DEFAULT_CLIENT_FEATURES, **refreshes, **published})
        return client


def _publish(client: Client, params: types.PublishDiagnosticsParams) -> None:
    client.diagnostics[params.uri] = params.diagnostics
    client.published.put_nowait(params)


def _refresh(method: str) -> Callable[[Client, None], None]:
    def take(client: Client, params: None) -> None:
        client.refreshed.add(method)

    return take


REFRESHES = (
    types.WORKSPACE_SEMANTIC_TOKENS_REFRESH,
    types.WORKSPACE_CODE_LENS_REFRESH,
    types.WORKSPACE_INLAY_HINT_REFRESH,
    types.WORKSPACE_DIAGNOSTIC_REFRESH,
)

CONFIG = ClientServerConfig(server_command=[sys.executable, "-m", "gcn_lsp.server"], client_factory=Client.create)


@asynccontextmanager
async def pushed_to(client: Client, options: "dict[str, str] | None" = None) -> AsyncIterator[None]:
    """The session of a client like Neovim 0.11 with diagnostics pushed; options: its only settings."""
    capabilities = client_capabilities("neovim@v0.11.0")
    assert capabilities.workspace is not None
    assert capabilities.text_document is not None
    capabilities.workspace.configuration = False
    capabilities.text_document.diagnostic = None
    start = types.InitializeParams(capabilities=capabilities, initialization_options=options)
    await client.initialize_session(start)
    yield
    await client.shutdown_session()


PATIENCE = 30  # seconds; only ever waited when something is broken

KERNEL = """\
; gcn-lsp: target=gfx90a
.set vA, 4
.macro MOVE dst
  v_mov_b32 v[\\dst], v[vA+1]
.endm
start:
  MOVE 3
  v_mov_b32 v0, v[vA+3]
  s_cbranch_scc0 start
"""

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_lsp.fixture(config=CONFIG, scope="module")
async def client(lsp_client: Client) -> AsyncIterator[None]:
    """A client as Neovim 0.7 is one: diagnostics are pushed, positions are UTF-16."""
    await lsp_client.initialize_session(
        types.InitializeParams(capabilities=client_capabilities("neovim@v0.7.0"), initialization_options={"mattr": ""})
    )
    yield
    await lsp_client.shutdown_session()


@pytest_lsp.fixture(config=CONFIG, scope="module")
async def pulling(lsp_client: Client) -> AsyncIterator[None]:
    """A client that pulls diagnostics and offers UTF-8."""
    capabilities = client_capabilities("neovim@v0.11.0")
    assert capabilities.text_document is not None
    capabilities.text_document.diagnostic = types.DiagnosticClientCapabilities()
    assert capabilities.workspace is not None
    capabilities.workspace.diagnostics = types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
    capabilities.workspace.semantic_tokens = types.SemanticTokensWorkspaceClientCapabilities(refresh_support=True)
    capabilities.experimental = {"commands": {"commands": ["gcn-lsp.goToLine", "gcn-lsp.showWitness"]}}
    capabilities.workspace.code_lens = types.CodeLensWorkspaceClientCapabilities(refresh_support=True)
    capabilities.workspace.inlay_hint = types.InlayHintWorkspaceClientCapabilities(refresh_support=True)
    capabilities.general = types.GeneralClientCapabilities(
        position_encodings=[types.PositionEncodingKind.Utf16, types.PositionEncodingKind.Utf8]
    )
    result = await lsp_client.initialize_session(types.InitializeParams(capabilities=capabilities))
    assert result.capabilities.position_encoding == types.PositionEncodingKind.Utf8
    yield
    await lsp_client.shutdown_session()


def open_document(client: Client, uri: str, text: str) -> types.TextDocumentIdentifier:
    item = types.TextDocumentItem(uri, "gcn", 1, text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    return types.TextDocumentIdentifier(uri)


async def diagnostics(client: Client, uri: str, version: int | None = None) -> list[types.Diagnostic]:
    """The next diagnostics pushed for the document, of that version if one is given."""
    while True:
        params = await asyncio.wait_for(client.published.get(), PATIENCE)
        if params.uri == uri and version in (None, params.version):
            return list(params.diagnostics)


def edit(client: Client, uri: str, version: int, line: int, start: int, end: int, text: str) -> None:
    change = types.TextDocumentContentChangePartial(
        range=types.Range(types.Position(line, start), types.Position(line, end)), text=text
    )
    document = types.VersionedTextDocumentIdentifier(version, uri)
    client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))


async def test_diagnostics_follow_edits(client: Client) -> None:
    uri = "untitled:diagnostics"
    open_document(client, uri, KERNEL)
    assert await diagnostics(client, uri, 1) == []
    edit(client, uri, 2, 7, 2, 11, "v_mov_b33")
    (found,) = await diagnostics(client, uri, 2)
    assert (found.code, found.source, found.severity) == ("unknown-mnemonic", "gcn-lsp", types.DiagnosticSeverity.Error)
    assert found.range == types.Range(types.Position(7, 2), types.Position(7, 11))
    edit(client, uri, 3, 7, 2, 11, "v_mov_b32")
    assert await diagnostics(client, uri, 3) == []


async def test_positions_are_utf_16(client: Client) -> None:
    uri = "untitled:utf-16"
    open_document(client, uri, "; gcn-lsp: target=gfx90a\n/* 𝄞é */ v_mov_b33 v0, v1")
    (found,) = await diagnostics(client, uri, 1)
    assert found.range == types.Range(types.Position(1, 10), types.Position(1, 19))


async def test_a_finding_in_an_expansion_names_the_call(client: Client) -> None:
    uri = "untitled:expansion"
    open_document(client, uri, KERNEL.replace("MOVE 3", "MOVE 300"))
    (found,) = await diagnostics(client, uri, 1)
    assert found.related_information
    assert {related.location.uri for related in found.related_information} == {uri}
    lines = {found.range.start.line, *(related.location.range.start.line for related in found.related_information)}
    assert {3, 6} <= lines


async def test_code_action(client: Client) -> None:
    uri = "untitled:action"
    document = open_document(client, uri, KERNEL.replace("v_mov_b32 v0", "v_mov_b33 v0"))
    (found,) = await diagnostics(client, uri, 1)
    context = types.CodeActionContext(diagnostics=[found])
    actions = await client.text_document_code_action_async(types.CodeActionParams(document, found.range, context))
    assert actions
    for offered in actions:
        assert isinstance(offered, types.CodeAction)
        assert offered.edit is None  # this client asks for the one that is chosen
        action = await client.code_action_resolve_async(offered)
        assert action.title == offered.title
        assert action.edit is not None
        assert action.edit.changes
        assert set(action.edit.changes) == {uri}


async def test_requests(client: Client) -> None:
    uri = "untitled:requests"
    document = open_document(client, uri, KERNEL)
    hover = await client.text_document_hover_async(types.HoverParams(document, types.Position(7, 5)))
    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    assert "v_mov_b32" in hover.contents.value
    operand = await client.text_document_hover_async(types.HoverParams(document, types.Position(7, 18)))
    assert operand is not None
    assert isinstance(operand.contents, types.MarkupContent)
    assert "v7" in operand.contents.value
    definition = await client.text_document_definition_async(types.DefinitionParams(document, types.Position(6, 3)))
    assert isinstance(definition, list)
    assert definition[0].range.start == types.Position(2, 7)
    references = await client.text_document_references_async(
        types.ReferenceParams(types.ReferenceContext(True), document, types.Position(1, 6))
    )
    assert references is not None
    assert [location.range.start.line for location in references] == [1, 3, 7]
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    assert symbols
    assert "MOVE" in {symbol.name for symbol in symbols}
    folds = await client.text_document_folding_range_async(types.FoldingRangeParams(document))
    assert folds
    assert (folds[0].start_line, folds[0].end_line) == (2, 4)


async def test_completion_and_resolve(client: Client) -> None:
    uri = "untitled:completion"
    document = open_document(client, uri, KERNEL + "  v_mov\n")
    found = await client.text_document_completion_async(types.CompletionParams(document, types.Position(9, 7)))
    assert isinstance(found, types.CompletionList)
    item = next(item for item in found.items if item.label == "v_mov_b32")
    assert item.text_edit is not None
    assert isinstance(item.text_edit, types.TextEdit)
    assert item.text_edit.range == types.Range(types.Position(9, 2), types.Position(9, 7))
    resolved = await client.completion_item_resolve_async(item)
    assert isinstance(resolved.documentation, types.MarkupContent)
    assert resolved.text_edit == item.text_edit


async def test_target(client: Client) -> None:
    uri = "untitled:target"
    open_document(client, uri, KERNEL)
    listed = await client.protocol.send_request_async("gcn-lsp/targets", {"uri": uri})
    (found,) = (item for item in listed if item["name"] == "gfx1030")
    assert (found["heading"], found["otherNames"]) == ("Supported by ROCm", ["RDNA2", "navi21"])
    assert listed[0]["name"] == "gfx942"
    assert "Radeon RX 6900 XT" in found["products"]
    answer = await client.protocol.send_request_async("gcn-lsp/target", {"uri": uri})
    assert (answer.target, answer.reason) == ("gfx90a", "a comment 'gcn-lsp: target=' names it (line 1)")
    assert (answer.assumed, answer.candidates) == (False, [])


async def test_an_assumed_target(client: Client) -> None:
    uri = "untitled:assumed"
    open_document(client, uri, "v_mfma_f32_4x4x1f32 a[0:3], v0, v5, a[0:3]\n")
    answer = await client.protocol.send_request_async("gcn-lsp/target", {"uri": uri})
    assert (answer.target, answer.assumed, answer.label) == ("gfx942", True, "gfx942?")
    assert answer.candidates == ["gfx90a", "gfx950", "gfx908"]


async def test_one_finding_says_that_the_target_is_assumed(client: Client) -> None:
    uri = "untitled:assumed-findings"
    open_document(client, uri, "k:\n v_mfma_f32_4x4x1f33 a[0:3], v0, v5, a[0:3]\n v_nothing v0\n v_none v1\n")
    found = [item for item in await diagnostics(client, uri, 1) if item.code == "unknown-mnemonic"]
    assert len(found) == 3
    said = [[each.message for each in item.related_information or () if "is assumed" in each.message] for item in found]
    assert [len(each) for each in sorted(said, reverse=True)] == [1, 0, 0]
    assert said[min(range(3), key=lambda number: found[number].range.start.line)]


async def test_of_a_file_that_is_not_checked_no_target_is_asked(client: Client) -> None:
    uri = "untitled:clrx"
    open_document(client, uri, ".amdcl2\n.gpu Iceland\n    s_nop 0\n")
    answer = await client.protocol.send_request_async("gcn-lsp/target", {"uri": uri})
    assert (answer.target, answer.assumed) == ("gfx942", False)


async def test_reinsert_waits(client: Client) -> None:
    uri = "untitled:waits"
    load, use = " s_load_dword s0, s[4:5], 0x0", " s_mov_b32 s1, s0"
    text = f"; gcn-lsp: target=gfx900\nk:\n{load}\n s_waitcnt vmcnt(0)\n s_nop 0\n{use}\n s_endpgm\n.amdhsa_kernel k\n"
    text += " .amdhsa_next_free_vgpr 1\n .amdhsa_next_free_sgpr 8\n.end_amdhsa_kernel\n"
    open_document(client, uri, text)
    answer = await client.protocol.send_request_async("gcn-lsp/reinsertWaits", {"uri": uri})
    assert answer.waits == 1
    lines = text.split("\n")
    for edit in reversed(answer.edits):
        assert edit.range.start.character == edit.range.end.character == 0
        lines[edit.range.start.line : edit.range.end.line] = edit.newText.split("\n")[:-1]
    assert lines[3:6] == [" s_nop 0", " s_waitcnt lgkmcnt(0)", use]
    changed = "untitled:rewritten"
    open_document(client, changed, "\n".join(lines))
    asked = types.SemanticTokensParams(types.TextDocumentIdentifier(changed))
    coloured = await client.text_document_semantic_tokens_full_async(asked)
    assert coloured is not None
    assert answer.tokens == list(coloured.data)


async def test_reinserting_waits_says_what_is_left(client: Client) -> None:
    uri = "untitled:waits-left"
    text = "k:\n ds_write_b32 v2, v1\n s_barrier\n ds_read_b32 v3, v2\n v_mov_b32 v4, v3\n s_endpgm\n"
    open_document(client, uri, f"; gcn-lsp: target=gfx90a\n{text}")
    answer = await client.protocol.send_request_async("gcn-lsp/reinsertWaits", {"uri": uri})
    assert (answer.removed, answer.added, answer.left) == (0, 1, "1 unpublished-lds-write")


async def test_control_flow(client: Client) -> None:
    uri = "untitled:control-flow"
    open_document(client, uri, "; gcn-lsp: target=gfx900\nk:\n s_nop 0\n s_branch k\n")
    for asked in ({"line": 2}, {"kernel": "k"}):
        flow = await client.protocol.send_request_async("gcn-lsp/controlFlow", {"uri": uri, **asked})
        assert (flow.kernel, flow.kernels) == ("k", ["k"])
        assert [(block.labels, len(block.instructions), block.isExit) for block in flow.blocks] == [(["k"], 2, False)]
        assert [(edge.source, edge.target, edge.kind) for edge in flow.edges] == [(0, 0, "back")]
        assert (flow.svg, flow.legend) == ("", "")
    opened = {"uri": uri, "kernel": "k", "opened": []}
    drawn = await client.protocol.send_request_async("gcn-lsp/controlFlow", opened)
    assert drawn.svg.startswith("<svg ")
    assert ">s_branch k</text>" in drawn.svg
    assert "loop back" in drawn.legend
    unknown = await client.protocol.send_request_async("gcn-lsp/controlFlow", {"uri": uri, "kernel": "no"})
    assert unknown is None


async def test_expansion_of_lines_and_of_all(client: Client) -> None:
    uri = "untitled:expansion-command"
    open_document(client, uri, KERNEL)
    request = {"textDocument": {"uri": uri}}
    whole = await client.protocol.send_request_async("gcn-lsp/expand", request)
    assert whole.text.splitlines()[1:] == [
        "start:",
        "  v_mov_b32 v3, v5   // from line 7, macro MOVE",
        "  v_mov_b32 v0, v7",
        "  s_cbranch_scc0 start",
    ]
    for line, expected in ((7, "  v_mov_b32 v0, v7\n"), (3, "// line 4 is in macro `MOVE`")):
        lines = {"start": {"line": line, "character": 0}, "end": {"line": line + 1, "character": 0}}
        answer = await client.protocol.send_request_async("gcn-lsp/expand", {**request, "range": lines})
        assert answer.text.startswith(expected)
    assert whole.lines == [1, 5, 6, 7, 8]
    assert whole.tokens[:5] == [0, 0, 4, token_types.LEGEND.index("keyword"), 0]


async def test_encoding_and_report(client: Client) -> None:
    uri = "untitled:bytes"
    open_document(client, uri, KERNEL)
    answer = await client.protocol.send_request_async("gcn-lsp/encoded", {"uri": uri})
    assert answer.text.splitlines()[2] == "/* 000000  7e060305          */  v_mov_b32 v[3], v[vA+1]"
    assert answer.lines == [5, 5, 6, 7, 8]
    report = await client.protocol.send_request_async("gcn-lsp/report", {"uri": uri})
    assert ">untitled:bytes</h1>" in report.html
    assert "gfx90a" in report.html


async def test_new_kernel(client: Client) -> None:
    uri = "untitled:new"
    open_document(client, uri, "")
    params = {"uri": uri, "target": "gfx1100"}
    answer = await client.protocol.send_request_async("gcn-lsp/newKernel", params)
    assert ".amdhsa_kernel ${1}" in answer.snippet
    assert await client.protocol.send_request_async("gcn-lsp/newKernel", {"uri": uri, "target": "none"}) is None


async def test_inlay_hints_are_those_of_the_setting(client: Client) -> None:
    uri = "untitled:inlay"
    params = types.InlayHintParams(
        open_document(client, uri, KERNEL.replace("v_mov_b32 v0", "/* \u00e9 */ v_mov_b32 v0")),
        types.Range(types.Position(0, 0), types.Position(99, 0)),
    )
    asked = await client.text_document_inlay_hint_async(params)
    assert [(hint.label, hint.position) for hint in asked or ()] == [("v7", types.Position(7, 31))]  # without a setting
    off = {"registers": False, "inputs": False, "data": False}
    settings = {"gcn-lsp": {"inlayHints": {**off, "offset": True, "encoding": True}}}
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))
    assert [hint.label for hint in await client.text_document_inlay_hint_async(params) or ()] == [
        *("+0x0", "+0x4", "7E000307", "+0x8", "BF84FFFD"),
    ]
    settings = {"gcn-lsp": {"inlayHints": off}}
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))
    assert not await client.text_document_inlay_hint_async(params)
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams({}))


async def test_code_lenses_at_kernels(client: Client) -> None:
    uri = "untitled:lens"
    descriptor = ".rodata\n.amdhsa_kernel start\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 16\n"
    descriptor += ".amdhsa_accum_offset 8\n.end_amdhsa_kernel\n"
    params = types.CodeLensParams(open_document(client, uri, KERNEL + descriptor))
    lenses = await client.text_document_code_lens_async(params) or ()
    line = KERNEL.split("\n").index("start:")
    assert [lens.range.start for lens in lenses] == [types.Position(line, 0)] * 2
    assert lenses[0].command
    assert lenses[0].command.title == "8 VGPRs, 8 waves/SIMD"
    assert not lenses[0].command.command  # this client names no command of its own


async def test_code_lenses_with_a_command_of_the_client(pulling: Client) -> None:
    uri = "untitled:clicked"
    text = KERNEL + ".rodata\n.amdhsa_kernel start\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 16\n"
    params = types.CodeLensParams(open_document(pulling, uri, text + ".amdhsa_accum_offset 8\n.end_amdhsa_kernel\n"))
    offered = await pulling.text_document_code_lens_async(params) or ()
    assert [lens.command for lens in offered] == [None, None]  # this client asks for those that it shows
    lenses = [await pulling.code_lens_resolve_async(lens) for lens in offered]
    peak = next(lens.command for lens in lenses if lens.command and lens.command.title.startswith("peak"))
    assert (peak.command, peak.arguments) == ("gcn-lsp.goToLine", (uri, KERNEL.split("\n").index("  MOVE 3"), "start"))


async def test_a_finding_that_a_run_can_show(pulling: Client) -> None:
    uri = "untitled:shown"
    text = "; gcn-lsp: target=gfx900\nk:\n  global_load_dword v1, v0, s[2:3]\n  v_add_f32 v1, v1, v1\n  s_endpgm\n"
    document, place = open_document(pulling, uri, text), types.Range(types.Position(3, 13), types.Position(3, 13))
    context = types.CodeActionContext([])
    offered = await pulling.text_document_code_action_async(types.CodeActionParams(document, place, context)) or ()
    kinds = [each.kind for each in offered if isinstance(each, types.CodeAction)]
    titles = [each.title for each in offered]
    shown = next(each for each in offered if each.title == "Show it happen")
    assert titles[0] == "Wait for vmcnt(0)"
    assert titles.index("Show it happen") == kinds.count(
        types.CodeActionKind.QuickFix
    )  # after all that change something
    # Which lsprotocol reads as a command, since it has a title and a command.
    assert f"'gcn-lsp.showWitness', 'arguments': ['{uri}', 3, 'missing-wait']" in str(shown.command)


async def test_the_rewriting_of_a_header_is_the_fix_of_former_directives(pulling: Client) -> None:
    uri = "untitled:former"
    header = ".amd_kernel_code_t\n  workitem_vgpr_count = 4\n  wavefront_sgpr_count = 8\n.end_amd_kernel_code_t\n"
    text = f"; gcn-lsp: target=gfx900\n.hsa_code_object_version 2, 1\nk:\n{header}  s_endpgm\n"
    document = open_document(pulling, uri, text)
    context = types.CodeActionContext([], [types.CodeActionKind.QuickFix])
    for line, has_fix in ((1, True), (2, False)):
        place = types.Range(types.Position(line, 1), types.Position(line, 1))
        offered = await pulling.text_document_code_action_async(types.CodeActionParams(document, place, context)) or ()
        titles = [each.title for each in offered]
        assert ("Write `.amdhsa_kernel` in place of the header" in titles) == has_fix


async def test_what_could_go_is_tagged(client: Client) -> None:
    uri = "untitled:unnecessary"
    open_document(client, uri, KERNEL + ".if 0\n  s_nop 0\n  s_nop 1\n.endif\n")
    (found,) = await diagnostics(client, uri, 1)
    assert (found.code, found.severity) == ("unreachable-branch", types.DiagnosticSeverity.Hint)
    assert found.range == types.Range(types.Position(10, 2), types.Position(11, 9))
    assert list(found.tags or ()) == [types.DiagnosticTag.Unnecessary]


async def test_a_document_that_is_not_open_has_no_answer(client: Client) -> None:
    document = types.TextDocumentIdentifier("untitled:never-opened")
    assert await client.text_document_hover_async(types.HoverParams(document, types.Position(0, 0))) is None


async def test_settings_of_the_editor(client: Client) -> None:
    uri = "untitled:settings"
    open_document(client, uri, "s_nop 0\nv_mov_b33 v0, v1")
    assert {found.code for found in await diagnostics(client, uri, 1)} == {"unknown-target", "unknown-mnemonic"}
    client.workspace_did_change_configuration(
        types.DidChangeConfigurationParams({"gcn-lsp": {"target": "gfx900", "ignore": ["unknown-mnemonic"]}})
    )
    assert await diagnostics(client, uri) == []
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams({}))
    assert len(await diagnostics(client, uri)) == 2


async def test_a_wait_that_one_call_lacks_is_an_error_there_and_a_hint_in_the_macro(client: Client) -> None:
    uri = "untitled:calls.s"
    body = ".macro use\n  v_add_f32 v1, v1, v1\n.endm\n"
    code = "k:\n  global_load_dword v1, v0, s[2:3]\n  use\n  use\n  s_endpgm\n"
    open_document(client, uri, f'.amdgcn_target "amdgcn-amd-amdhsa--gfx900"\n{body}{code}')
    found = [each for each in await diagnostics(client, uri, 1) if each.code == "missing-wait"]
    assert {(each.range.start.line, each.severity) for each in found} == {
        (6, types.DiagnosticSeverity.Error),
        (2, types.DiagnosticSeverity.Hint),
    }


async def test_findings_of_an_included_file_are_shown_at_the_call(client: Client, tmp_path: Path) -> None:
    """It is checked as a part of what includes it, again whenever it changes; when it is open they are in it too."""
    folder = tmp_path / "parts"
    folder.mkdir()
    (folder / "outer.inc").write_text('.include "inner.inc"\n.set unroll, 4\n')
    (folder / "inner.inc").write_text("s_nop 0\nv_mov_b33 v0, v1\n")
    kernel, inner = (tmp_path / "k.s").as_uri(), (folder / "inner.inc").as_uri()
    open_document(client, kernel, '; gcn-lsp: target=gfx90a\n.include "parts/outer.inc"\ns_nop unroll\n')
    (shown,) = await diagnostics(client, kernel)
    assert (shown.code, shown.range.start) == ("unknown-mnemonic", types.Position(1, 0))
    assert shown.message.endswith(" (inner.inc, line 2)")
    places = [(item.location.uri, item.location.range.start.line) for item in shown.related_information or ()]
    assert places == [(inner, 1), ((folder / "outer.inc").as_uri(), 0)]
    assert inner not in client.diagnostics

    open_document(client, inner, "; gcn-lsp: target=gfx90a\ns_nop 0\nv_mov_b33 v0, v1\n")
    while len(client.diagnostics.get(inner, ())) < 2:  # its own, and as a part of the kernel
        await asyncio.wait_for(client.published.get(), PATIENCE)
    _, mistake = client.diagnostics[inner]
    assert (mistake.code, mistake.range.start) == ("unknown-mnemonic", types.Position(2, 0))
    places = [(item.location.uri, item.location.range.start.line) for item in mistake.related_information or ()]
    assert places == [((folder / "outer.inc").as_uri(), 0), (kernel, 1)]
    client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(inner)))
    while client.diagnostics[inner]:
        await asyncio.wait_for(client.published.get(), PATIENCE)

    (folder / "inner.inc").write_text("s_nop 0\nv_mov_b32 v0, v1\n")
    change(client, inner)
    while client.diagnostics[kernel]:
        await asyncio.wait_for(client.published.get(), PATIENCE)
    (folder / "outer.inc").write_text('.include "inner.inc"\n')
    change(client, (folder / "outer.inc").as_uri())
    while not client.diagnostics[kernel]:
        await diagnostics(client, kernel)
    assert [found.code for found in client.diagnostics[kernel]] == ["build-defined-symbols"]
    client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(kernel)))


def change(client: Client, uri: str) -> None:
    """Tell the server that a file was written."""
    changed = types.FileEvent(uri, types.FileChangeType.Changed)
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([changed]))


async def test_included_buffers_and_closing(client: Client, tmp_path: Path) -> None:
    kernel, included = (tmp_path / "k.s").as_uri(), (tmp_path / "x.inc").as_uri()
    (tmp_path / "x.inc").write_text("v_mov_b32 v0, v1")
    open_document(client, kernel, '; gcn-lsp: target=gfx90a\n.include "x.inc"')
    assert await diagnostics(client, kernel, 1) == []
    open_document(client, included, "; gcn-lsp: target=gfx90a\nv_mov_b33 v0, v1")
    await diagnostics(client, kernel)  # the included file is checked by itself, then what includes it
    (tmp_path / "gcn-lsp.toml").write_text("traget = 'x'")
    changed = types.FileEvent((tmp_path / "gcn-lsp.toml").as_uri(), types.FileChangeType.Created)
    client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([changed]))
    (found,) = await diagnostics(client, changed.uri)
    assert found.code == "configuration-error"
    for uri in (included, kernel):
        client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
    assert await diagnostics(client, changed.uri) == []


async def test_junk_does_not_end_the_server(client: Client) -> None:
    uri = "untitled:junk"
    open_document(client, uri, "\0\x01.macro\n.rept 1000000000\n\ud83d.include\n" + "x" * 100_000)
    await diagnostics(client, uri, 1)
    edit(client, uri, 2, 99, 99, 0, "x")
    await diagnostics(client, uri, 2)


async def test_pulled_diagnostics(pulling: Client) -> None:
    uri = "untitled:pull"
    document = open_document(pulling, uri, KERNEL.replace("v_mov_b32 v0", "/* é */ v_mov_b33 v0"))
    report = await pulling.text_document_diagnostic_async(types.DocumentDiagnosticParams(document))
    assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
    (found,) = report.items
    assert found.range == types.Range(types.Position(7, 11), types.Position(7, 20))
    edit(pulling, uri, 2, 0, 0, 0, ";")
    again = await pulling.text_document_diagnostic_async(
        types.DocumentDiagnosticParams(document, previous_result_id=report.result_id)
    )
    assert isinstance(again, types.RelatedUnchangedDocumentDiagnosticReport)
    assert uri not in pulling.diagnostics


async def test_settings_that_are_asked_for(pulling: Client) -> None:
    uri = "untitled:asked"
    document = open_document(pulling, uri, "s_nop 0")
    pulling.set_configuration({"gcn-lsp": {"target": "gfx908"}})
    pulling.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
    for _ in range(100):  # the settings arrive when the client has answered
        answer = await pulling.protocol.send_request_async("gcn-lsp/target", {"uri": document.uri})
        if not answer.assumed:
            break
        await asyncio.sleep(0.05)
    assert answer.target == "gfx908"
    assert pulling.refreshed == set(REFRESHES)


async def test_what_is_not_known_can_be_written_down(client: Client, tmp_path: Path) -> None:
    (tmp_path / "gcn-lsp.toml").write_text("ignore = []\n")
    uri = (tmp_path / "k.s").as_uri()
    document = open_document(client, uri, "  v_mfma_f32_4x4x1f32 a[0:3], v0, v5, a[0:3]\n.if N\n.endif\n")
    found = await diagnostics(client, uri)
    assert {each.code for each in found} == {"unknown-target", "build-defined-symbols"}

    async def actions(line: int) -> "dict[str, types.CodeAction]":
        place = types.Range(types.Position(line, 4), types.Position(line, 4))
        params = types.CodeActionParams(document, place, types.CodeActionContext([]))
        given = await client.text_document_code_action_async(params)
        return {each.title: each for each in given or () if isinstance(each, types.CodeAction)}

    offered = await actions(0)
    toml = "Set the target of the files of gcn-lsp.toml to gfx942"
    assert {"Set the target of this file to gfx942", toml, "Set the target of this file to gfx90a"} <= set(offered)
    assert next(iter(offered)).startswith("Set the target of this file")  # before what disables the finding
    edit = (await client.code_action_resolve_async(offered[toml])).edit
    assert edit is not None
    assert edit.changes is not None
    ((where, (change_,)),) = edit.changes.items()
    assert (where, change_.new_text) == ((tmp_path / "gcn-lsp.toml").as_uri(), 'target = "gfx942"\n')
    assert "Disable unknown-target in the project (gcn-lsp.toml)" in offered
    assert "Write `N` into gcn-lsp.toml" in await actions(1)
    answer = await client.protocol.send_request_async("gcn-lsp/writeTarget", {"uri": uri, "target": "gfx900"})
    assert [(each["title"], bool(each["file"])) for each in answer] == [
        ("this file", False),
        ("the files of gcn-lsp.toml", True),
    ]
    client.text_document_did_close(types.DidCloseTextDocumentParams(document))
