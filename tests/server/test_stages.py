"""Long files are checked in stages: findings of later stages remain until they are computed again."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest
import pytest_lsp
from lsprotocol import types

from gcn_lsp.findings.rule import Stage
from gcn_lsp.flow.steps import Superseded
from gcn_lsp.server import checks, diagnostics, wire
from gcn_lsp.server.client import Client as Capabilities
from gcn_lsp.server.documents import Documents
from gcn_lsp.server.snapshot import LONG, Snapshot
from gcn_lsp.server.worker import Urgency, Worker
from tests.server.test_session import CONFIG, Client, edit, open_document
from tests.server.test_session import diagnostics as published


def told(line: int, rule: str = "over-wait") -> wire.Diagnostic:
    place = wire.Range(wire.Position(line, 2), wire.Position(line, 9))
    return wire.Diagnostic(place, 4, rule, "gcn-lsp", "too much")


OLD = [b"a", b"b", b"c", b"d", b"e"]


def lines(new: list[bytes]) -> list[int]:
    found = diagnostics.with_carried((), Stage.PATHS, "k.s", tuple(map(told, range(5))), OLD, new)
    return [each.range.start.line for each in found]


def test_an_edit_in_a_line_takes_its_hint_away() -> None:
    assert lines([b"a", b"b", b"x", b"d", b"e"]) == [0, 1, 3, 4]


def test_lines_that_are_put_in_move_what_follows() -> None:
    assert lines([b"a", b"b", b"x", b"y", b"c", b"d", b"e"]) == [0, 1, 4, 5, 6]


def test_lines_that_are_taken_out_move_what_follows() -> None:
    assert lines([b"a", b"d", b"e"]) == [0, 1, 2]


def test_nothing_changed() -> None:
    assert lines(OLD) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("stage", "rules"),
    [(Stage.PROGRAM, ["missing-wait", "over-wait"]), (Stage.PATHS, ["over-wait"]), (Stage.HINTS, [])],
)
def test_only_what_a_stage_leaves_out_is_carried(stage: Stage, rules: list[str]) -> None:
    before = (told(0, "missing-wait"), told(1, "over-wait"), told(2, "unknown-mnemonic"))
    assert [each.code for each in diagnostics.with_carried((), stage, "k.s", before, OLD, OLD)] == rules


def test_what_belongs_to_it_moves_with_its_lines() -> None:
    def related(line: int, uri: str = "k.s") -> wire.Related:
        return wire.Related(wire.Location(uri, told(line).range), "written here")

    before = msgspec.structs.replace(
        told(4), related_information=(related(0), related(2), related(3), related(3, "i.s"))
    )
    new = [b"a", b"b", b"x", b"y", b"d", b"e"]
    (after,) = diagnostics.with_carried((), Stage.PATHS, "k.s", (before,), OLD, new)
    assert after == msgspec.structs.replace(told(5), related_information=(related(0), related(4), related(3, "i.s")))


def test_what_is_found_again_is_told_once() -> None:
    found = (told(0, "undefined-by-hardware"),)
    assert diagnostics.with_carried(found, Stage.PROGRAM, "k.s", found, OLD, OLD) == found


HEAD = '.amdgcn_target "amdgcn-amd-amdhsa--gfx900"\nkernel:\n'
LOAD = "  global_load_dword v1, v0, s[2:3]\n"
USE = "  v_add_f32 v2, v1, v1\n"
WAIT = "  s_waitcnt vmcnt(0)\n"
END = "  s_endpgm\n"


@pytest_lsp.fixture(config=CONFIG, scope="module")
async def client(lsp_client: Client) -> AsyncIterator[None]:
    await lsp_client.initialize_session(types.InitializeParams(capabilities=types.ClientCapabilities()))
    yield
    await lsp_client.shutdown_session()


URI = "untitled:long.s"


async def rules(client: Client, version: int) -> list[str]:
    """The rules that the next diagnostics about a version name."""
    return sorted(str(each.code) for each in await published(client, URI, version))


@pytest.mark.asyncio(loop_scope="module")
async def test_a_long_file_is_told_what_assembles_before_what_is_missing_on_its_paths(client: Client) -> None:
    open_document(client, URI, HEAD + LOAD + USE + "  v_mov_b32 v5, v6\n" * LONG + END)
    assert await rules(client, 1) == []
    assert "missing-wait" in await rules(client, 1)
    edit(client, URI, 2, 100, 0, 0, "  s_mov_b32 s8\n")  # what was missing elsewhere still is
    first = await rules(client, 2)
    assert {"missing-wait", "wrong-operand-count"} <= set(first)
    assert await rules(client, 2) == first
    edit(client, URI, 3, 3, 0, 0, WAIT)  # on the line that has to wait nothing changed
    assert "missing-wait" in await rules(client, 3)
    assert "missing-wait" not in await rules(client, 3)


@pytest.mark.parametrize("stage", [Stage.PATHS, Stage.HINTS])
def test_a_later_stage_that_an_edit_overtakes_is_given_up_and_the_next_one_is_whole(stage: Stage) -> None:
    documents = Documents(Capabilities())
    text = HEAD + LOAD + USE + "  v_mov_b32 v5, v6\n" * 300 + END
    document = documents.open(types.TextDocumentItem(URI, "gcn", 1, text))

    def rules_found(stage: Stage, *, wanted: bool = True) -> list[str]:
        found = diagnostics.diagnose(document.snapshot, stage, lambda: wanted)[URI]
        return [str(each.code) for each in found]

    assert "missing-wait" not in rules_found(Stage.PROGRAM)
    with pytest.raises(Superseded):
        rules_found(stage, wanted=False)
    assert "missing-wait" in rules_found(stage)
    end = types.Position(4, 0)
    documents.edit(URI, 2, [types.TextDocumentContentChangePartial(types.Range(end, end), "  s_mov_b32 s8\n")])
    with pytest.raises(Superseded):
        rules_found(stage, wanted=False)
    edited = rules_found(stage)
    assert {"missing-wait", "wrong-operand-count"} <= set(edited)
    fresh = Documents(Capabilities()).open(
        types.TextDocumentItem(URI, "gcn", 1, "\n".join(line.decode() for line in document.snapshot.source.lines))
    )
    assert [str(each.code) for each in diagnostics.diagnose(fresh.snapshot, stage)[URI]] == edited


@pytest.mark.asyncio(loop_scope="function")
async def test_the_first_stage_is_published_before_the_next_one_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though the loop gets its turn late, as on a machine that does much else."""
    done: list[object] = []

    class Wire:
        def send_wire(self, method: str, params: wire.PublishDiagnostics) -> None:
            done.append("published")

    class Server:
        wire = Wire()

    loop = asyncio.get_running_loop()
    diagnose = diagnostics.diagnose

    def late(snapshot: Snapshot, stage: Stage, *more: Any) -> dict[str, diagnostics.Diagnostics]:
        done.append(stage)
        loop.call_soon_threadsafe(time.sleep, 0.1)
        return diagnose(snapshot, stage, *more)

    monkeypatch.setattr(diagnostics, "diagnose", late)
    monkeypatch.setattr(checks, "_TURN", 10.0)
    documents = Documents(Capabilities())
    worker = Worker()
    checked = checks.Checks(Server(), documents, worker)  # type: ignore[arg-type]
    text = HEAD + "  v_mov_b32 v5, v6\n" * LONG + END
    checked.schedule(documents.open(types.TextDocumentItem(URI, "gcn", 1, text)))
    await asyncio.wrap_future(worker.submit(Urgency.IDLE, lambda: None))
    assert done[:3] == [Stage.PROGRAM, "published", Stage.HINTS]


@pytest.mark.asyncio(loop_scope="function")
async def test_a_failure_is_logged_and_shown_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A check that fails, then findings that cannot be sent: the user hears of it, and only once."""
    shown: list[str] = []
    sent: list[str] = []

    class Wire:
        def send_wire(self, method: str, params: wire.PublishDiagnostics) -> None:
            if params.version == 2:
                raise ValueError("cannot be sent")
            sent.append(params.uri)

    class Server:
        wire = Wire()

        def window_show_message(self, params: types.ShowMessageParams) -> None:
            shown.append(params.message)

    documents = Documents(Capabilities())
    worker = Worker()
    checked = checks.Checks(Server(), documents, worker)  # type: ignore[arg-type]
    uri = "file:///folder/k.s"
    document = documents.open(types.TextDocumentItem(uri, "gcn", 1, "s_nop 0"))

    async def check() -> None:
        checked.schedule(document)
        await asyncio.wrap_future(worker.submit(Urgency.IDLE, lambda: None))
        await asyncio.sleep(0)

    def fail(*_: object) -> None:
        raise LookupError("a bug")

    with monkeypatch.context() as patched:
        patched.setattr(diagnostics, "diagnose", fail)
        await check()
    documents.edit(uri, 2, [types.TextDocumentContentChangeWholeDocument("s_nop 1")])
    await check()
    assert shown == [
        "gcn-lsp cannot check k.s, which is a bug in gcn-lsp: its findings are out of date. The log says more."
    ]
    assert [record.message for record in caplog.records] == [
        f"checking {uri} version 1 failed",
        f"publishing {uri} version 2 failed",
    ]
    documents.edit(uri, 3, [types.TextDocumentContentChangeWholeDocument("s_nop 2")])
    await check()
    assert sent == [uri]


@pytest.mark.asyncio(loop_scope="module")
async def test_a_line_that_grows_is_told_in_a_pause(client: Client) -> None:
    uri = "untitled:begun.s"
    open_document(client, uri, HEAD + END)

    async def told_of(version: int) -> list[str]:
        return [str(each.code) for each in await published(client, uri, version)]

    assert await told_of(1) == []
    edit(client, uri, 2, HEAD.count("\n"), 0, 0, "  s_nop 0\n  v_mvo\n")
    edit(client, uri, 3, HEAD.count("\n") + 1, 7, 7, "_b32 v0, 0")
    assert await told_of(3) == []
    assert await told_of(3) == ["unknown-mnemonic"]
    edit(client, uri, 4, HEAD.count("\n") + 1, 4, 7, "mov")
    assert await told_of(4) == []
    edit(client, uri, 5, HEAD.count("\n"), 2, 7, "s_no")
    edit(client, uri, 6, HEAD.count("\n") + 1, 2, 2, "")
    assert "unknown-mnemonic" in await told_of(6)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_line_that_may_go_on_is_told_when_it_is_left(client: Client) -> None:
    uri = "untitled:left.s"
    line = HEAD.count("\n")
    open_document(client, uri, HEAD + END)

    async def told_of(version: int) -> list[str]:
        return [str(each.code) for each in await published(client, uri, version)]

    async def is_on(number: int) -> None:
        document, place = types.TextDocumentIdentifier(uri), types.Position(number, 0)
        await client.text_document_document_highlight_async(types.DocumentHighlightParams(document, place))

    assert await told_of(1) == []
    edit(client, uri, 2, line, 0, 0, "  v_m\n")
    edit(client, uri, 3, line, 5, 5, "ov_b")
    assert await told_of(3) == []
    assert await told_of(3) == []  # after a moment
    await is_on(line)
    await is_on(line - 1)
    assert await told_of(3) == ["unknown-mnemonic"]
    edit(client, uri, 4, line, 9, 9, "32 v0, ")
    assert await told_of(4) == []
    await is_on(0)
    assert await told_of(4) == ["wrong-operand-count"]
