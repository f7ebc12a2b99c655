"""A file without a target: what is in doubt comes later, after a comparison of the targets that it may be for."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_lsp
from lsprotocol import types

from gcn_lsp.flow.steps import finish
from gcn_lsp.ide.completion_list import LIMIT
from gcn_lsp.server import checks, diagnostics
from gcn_lsp.server.client import Client as Capabilities
from gcn_lsp.server.completion import completion
from gcn_lsp.server.diagnostic import diagnostic
from gcn_lsp.server.document import Document
from gcn_lsp.server.documents import Documents
from gcn_lsp.server.snapshot import Snapshot
from gcn_lsp.server.target import target
from gcn_lsp.server.worker import Urgency, Worker
from tests.server.test_session import CONFIG, Client, edit, open_document
from tests.server.test_session import diagnostics as published

URI = "file:///folder/k.s"
TEXT = """\
kernel:
  global_load_dword v1, v0, s[2:3]
  v_add_f32 v2, v1, v1
  v_accvgpr_read_b32 v3, a0
  v_nonsense v0
  s_endpgm
"""
FIRST = ["unknown-mnemonic", "unknown-target"]
ALL = ["missing-wait", *FIRST]


def opened(text: str, client: Capabilities | None = None) -> tuple[Documents, Document]:
    documents = Documents(client or Capabilities())
    return documents, documents.open(types.TextDocumentItem(URI, "gcn", 1, text))


def rules(snapshot: Snapshot) -> list[str]:
    return sorted({found.rule for found in snapshot.findings})


def typed(documents: Documents, version: int, line: int, text: str) -> Snapshot:
    place = types.Position(line, 0)
    documents.edit(URI, version, [types.TextDocumentContentChangePartial(types.Range(place, place), text)])
    document = documents.get(URI)
    assert document is not None
    return document.snapshot


def test_what_no_candidate_takes_is_reported_at_once_and_the_rest_once_they_agree() -> None:
    _, document = opened(TEXT)
    assert rules(document.snapshot) == FIRST
    finish(document.snapshot.settle())
    assert rules(document.snapshot) == ALL


def test_what_was_agreed_on_stays_while_other_lines_change() -> None:
    documents, document = opened(TEXT)
    finish(document.snapshot.settle())
    after = typed(documents, 2, 0, "; above\n")
    assert rules(after) == ALL
    assert next(found for found in after.findings if found.rule == "missing-wait").where.line == 3
    assert not after.is_settled
    assert rules(typed(documents, 3, 3, "  s_waitcnt vmcnt(0)\n")) == FIRST


def test_what_is_new_waits() -> None:
    documents, document = opened(TEXT.replace("  v_add", "  s_waitcnt vmcnt(0)\n  v_add"))
    finish(document.snapshot.settle())
    place = types.Range(types.Position(2, 0), types.Position(3, 0))
    documents.edit(URI, 2, [types.TextDocumentContentChangePartial(place, "")])
    assert rules(document.snapshot) == FIRST
    finish(document.snapshot.settle())
    assert rules(document.snapshot) == ALL


def test_no_other_target_is_assembled_at_a_key() -> None:
    documents, document = opened(TEXT)
    finish(document.snapshot.settle())
    snapshot = typed(documents, 2, 0, "; above\n")
    assert rules(snapshot) == ALL
    candidates = snapshot.program.candidates
    assert candidates is not None
    assert list(candidates._programs) == [("gfx942", "-xnack")]


def test_a_target_that_takes_more_replaces_the_first() -> None:
    _, document = opened("ds_read_b64 v[1:2], v0\ns_endpgm\n")
    snapshot = document.snapshot
    assert snapshot.program.candidates is not None
    assert snapshot.program.candidates.name == "gfx942"
    assert rules(snapshot) == ["unknown-target"]  # another takes what this one rejects
    finish(snapshot.settle())
    assert snapshot.program.candidates.name == "gfx908"
    assert snapshot.has_changed_target
    assert rules(snapshot) == ["unknown-target"]


def test_a_client_that_cannot_be_asked_to_pull_again_gets_all() -> None:
    asked = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(URI))
    for client, expected in (
        (Capabilities(pulls_diagnostics=True), ALL),
        (Capabilities(pulls_diagnostics=True, refreshes_diagnostics=True), FIRST),
    ):
        found = diagnostic(opened(TEXT, client)[1].snapshot, asked)
        assert sorted(each.code for each in found.items) == expected  # type: ignore[union-attr]


def test_the_diagnostics_are_those_of_a_file_that_was_just_opened() -> None:
    documents, document = opened(TEXT)
    finish(document.snapshot.settle())
    for version, (line, text) in enumerate(((1, "  s_nop 0\n"), (3, "  v_mov_b32 v1, 0\n"), (0, "\n")), 2):
        snapshot = typed(documents, version, line, text)
        diagnostics.diagnose(snapshot)
    finish(snapshot.settle())
    _, fresh = opened("\n".join(line.decode() for line in snapshot.source.lines))
    finish(fresh.snapshot.settle())
    assert diagnostics.diagnose(snapshot) == diagnostics.diagnose(fresh.snapshot)


@pytest_lsp.fixture(config=CONFIG, scope="module")
async def client(lsp_client: Client) -> AsyncIterator[None]:
    capabilities = types.ClientCapabilities(
        text_document=types.TextDocumentClientCapabilities(diagnostic=types.DiagnosticClientCapabilities()),
        workspace=types.WorkspaceClientCapabilities(
            diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=True),
            code_lens=types.CodeLensWorkspaceClientCapabilities(refresh_support=True),
        ),
    )
    await lsp_client.initialize_session(types.InitializeParams(capabilities=capabilities))
    yield
    await lsp_client.shutdown_session()


@pytest_lsp.fixture(config=CONFIG, scope="module")
async def pushed(lsp_client: Client) -> AsyncIterator[None]:
    await lsp_client.initialize_session(types.InitializeParams(capabilities=types.ClientCapabilities()))
    yield
    await lsp_client.shutdown_session()


@pytest.mark.asyncio(loop_scope="module")
async def test_they_are_published_twice(pushed: Client) -> None:
    open_document(pushed, URI, TEXT)
    assert sorted(str(each.code) for each in await published(pushed, URI, 1)) == FIRST
    assert sorted(str(each.code) for each in await published(pushed, URI, 1)) == ALL
    edit(pushed, URI, 2, 1, 0, 0, "  s_nop 0\n")
    assert sorted(str(each.code) for each in await published(pushed, URI, 2)) == ALL


@pytest.mark.asyncio(loop_scope="module")
async def test_a_client_is_asked_to_pull_again(client: Client) -> None:
    document = open_document(client, URI, TEXT)
    while "workspace/diagnostic/refresh" not in client.refreshed:
        await asyncio.sleep(0.01)
    found = await client.text_document_diagnostic_async(types.DocumentDiagnosticParams(document))
    assert isinstance(found, types.RelatedFullDocumentDiagnosticReport)
    assert sorted(str(each.code) for each in found.items) == ALL


@pytest.mark.asyncio(loop_scope="function")
async def test_a_client_is_asked_to_pull_again_if_a_request_has_settled_the_document() -> None:
    """The editor pulls, asks for the target, which compares them all, and only then is the check's turn."""
    asked: list[None] = []

    class Server:
        workspace_diagnostic_refresh = asked.append

    documents, document = opened(TEXT, Capabilities(pulls_diagnostics=True, refreshes_diagnostics=True))
    worker = Worker()
    checked = checks.Checks(Server(), documents, worker)  # type: ignore[arg-type]

    async def check() -> None:
        checked.schedule(document)
        while not worker.submit(Urgency.IDLE, lambda: not worker._tasks).result():
            await asyncio.sleep(0)
        await asyncio.sleep(0)

    pull = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(URI))
    assert sorted(each.code for each in diagnostic(document.snapshot, pull).items) == FIRST  # type: ignore[union-attr]
    target(document.snapshot, None)
    await check()
    assert len(asked) == 1
    assert sorted(each.code for each in diagnostic(document.snapshot, pull).items) == ALL  # type: ignore[union-attr]
    typed(documents, 2, 0, "; above\n")
    diagnostic(document.snapshot, pull)
    await check()
    assert len(asked) == 1  # nothing is new


def test_placeholders_on_the_line_that_is_typed_are_no_findings() -> None:
    documents, document = opened('.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"\nk:\n\n  s_endpgm\n')
    assert rules(document.snapshot) == []
    assert rules(typed(documents, 2, 2, "s_load_b128 sdst, sbase, soffset")) == []
    assert rules(typed(documents, 3, 3, " ")) == ["undefined-symbol"]


@pytest.mark.parametrize("keeps", [False, True])
def test_a_list_is_asked_for_again_unless_enter_keeps_what_is_typed(keeps: bool) -> None:
    _, document = opened("k:\n  v_add_f32 v0, v1, v\n", Capabilities(enter_keeps_text=keeps))
    params = types.CompletionParams(types.TextDocumentIdentifier(URI), types.Position(1, 21))
    found = completion(document.snapshot, params)
    assert found is not None
    assert found.is_incomplete is not keeps


@pytest.mark.parametrize("keeps", [False, True])
def test_an_editor_that_filters_by_itself_gets_the_whole_list_at_the_first_letter(keeps: bool) -> None:
    # Enter behind `s_endpgm` would take an entry for `s`, as long as the list for the rest of the word is on its way.
    text = '.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"\nk:\n  s\n'
    _, document = opened(text, Capabilities(enter_keeps_text=keeps))
    params = types.CompletionParams(types.TextDocumentIdentifier(URI), types.Position(2, 3))
    found = completion(document.snapshot, params)
    assert found is not None
    assert found.is_incomplete is not keeps
    labels = {item.label for item in found.items}
    assert (len(labels) > LIMIT) is keeps
    assert not keeps or {"s_endpgm", "s_cbranch_scc1", "v_add_f32", "global_load_b32"} <= labels
