"""While a document is analysed for the first time, hovers and completions are answered from what is there."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Coroutine
from typing import Any, cast

import pytest
from lsprotocol import types

from gcn_lsp.flow.steps import give_way
from gcn_lsp.server import diagnostic, wire
from gcn_lsp.server.protocol import Server
from gcn_lsp.server.session import Session
from gcn_lsp.server.snapshot import FileSnapshot
from gcn_lsp.server.worker import Urgency

URI = "file:///folder/k.s"
TEXT = """\
; gcn-lsp: target=gfx90a
.set vA, 4
kernel:
  s_mov_b32 s0, 1
  v_mov_b32 v[vA], s0
  s_endpgm
"""
LONG = TEXT + "\n" * 300

pytestmark = pytest.mark.asyncio(loop_scope="function")


class Held:
    """A session whose worker does nothing until `release` but give way."""

    def __init__(self) -> None:
        self.session = Session(cast("Server", _Client()), types.InitializeParams(types.ClientCapabilities()))
        self._gate = threading.Event()
        self.session._worker.submit(Urgency.REQUEST, self._work)

    def _work(self) -> None:
        while not self._gate.wait(0.001):
            give_way()

    async def hover(self, line: int, column: int) -> Any:
        place = types.HoverParams(types.TextDocumentIdentifier(URI), types.Position(line, column))
        return await asyncio.wait_for(self.session.answer("hover", place), 30)

    async def complete(self, line: int, column: int) -> Any:
        place = types.CompletionParams(types.TextDocumentIdentifier(URI), types.Position(line, column))
        return await asyncio.wait_for(self.session.answer("completion", place), 30)

    async def is_answered(self, request: Coroutine[Any, Any, Any]) -> bool:
        """Whether there is an answer before `release`."""
        answer = asyncio.ensure_future(request)
        await asyncio.wait([answer], timeout=0.3)
        done = answer.done()
        answer.cancel()
        return done

    def release(self) -> None:
        self._gate.set()


class _Wire:
    def send_wire(self, method: str, params: Any) -> None:
        pass


class _Workspace:
    folders: dict[str, Any] = {}
    root_path = None


class _Client:
    wire = _Wire()
    workspace = _Workspace()


@contextlib.asynccontextmanager
async def opened(text: str = LONG) -> AsyncIterator[Held]:
    """A session in which a document waits for its analysis."""
    held = Held()
    try:
        await held.session.did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(URI, "gcn", 1, text)))
        yield held
    finally:
        held.release()


async def test_a_mnemonic_a_register_and_a_directive_need_no_analysis() -> None:
    async with opened() as held:
        assert "v_mov_b32" in (await held.hover(4, 4)).contents.value
        assert (await held.hover(4, 4)).range.start.line == 4
        assert "SGPR 0" in (await held.hover(3, 13)).contents.value
        assert ".set" in (await held.hover(1, 1)).contents.value
        document = held.session._documents.get(URI)
        assert document is not None
        assert isinstance(document.snapshot, FileSnapshot)
        assert document.snapshot.built_so_far is None


async def test_nothing_is_said_that_the_line_does_not_show() -> None:
    async with opened() as held:
        assert "Last written" not in (await held.hover(4, 19)).contents.value
        assert not await held.is_answered(held.hover(4, 15))  # what `vA` is
        assert not await held.is_answered(held.hover(2, 1))  # where `kernel` is, and whether it is a kernel
        assert not await held.is_answered(held.hover(1, 6))


async def test_a_program_that_is_built_says_more() -> None:
    async with opened() as held:
        document = held.session._documents.get(URI)
        assert document is not None
        _ = document.snapshot.program
        assert "4" in (await held.hover(4, 15)).contents.value
        assert "Last written" not in (await held.hover(4, 19)).contents.value


async def test_the_line_alone_completes_mnemonics_and_registers() -> None:
    async with opened() as held:
        found = await held.complete(4, 6)
        names = [item.label for item in found.items]
        assert "v_mov_b32" in names
        assert all(name.startswith("v_mo") for name in names)
        assert found.is_incomplete  # the macros and symbols of the file are not there yet
        assert found.items[0].text_edit.range == wire.Range(wire.Position(4, 2), wire.Position(4, 11))
        found = await held.complete(3, 13)
        assert "s1" in [item.label for item in found.items]
        assert all(item.detail != "free here" for item in found.items)  # `s0` is read two lines below
        assert found.is_incomplete
        assert not await held.is_answered(held.complete(1, 2))  # a directive, which may be in other places
        assert not await held.is_answered(held.complete(1, 7))


async def test_completion_of_symbols_needs_the_program_and_no_more() -> None:
    async with opened() as held:
        assert not await held.is_answered(held.complete(4, 14))
        document = held.session._documents.get(URI)
        assert document is not None
        _ = document.snapshot.program
        assert "vA" in [item.label for item in (await held.complete(4, 15)).items]
        assert "v_mov_b32" in [item.label for item in (await held.complete(4, 4)).items]


async def test_a_hover_waits_for_the_analysis_of_a_short_document() -> None:
    async with opened(TEXT) as held:
        assert not await held.is_answered(held.hover(4, 19))
        assert "v_mov_b32" in [item.label for item in (await held.complete(4, 6)).items]
        held.release()
        assert "line 4" in (await held.hover(4, 19)).contents.value


async def test_after_the_analysis_all_is_said() -> None:
    async with opened() as held:
        held.release()
        document = held.session._documents.get(URI)
        assert document is not None
        while not document.is_analysed:
            await asyncio.sleep(0.01)
        assert "line 4" in (await held.hover(4, 19)).contents.value


async def test_after_the_findings_were_pulled_all_is_said() -> None:
    async with opened() as held:
        document = held.session._documents.get(URI)
        assert document is not None
        pull = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(URI))
        diagnostic.diagnostic(document.snapshot, pull)  # before the check that publishes what is in other files
        assert not await held.is_answered(held.hover(4, 19))
        held.release()
        assert "line 4" in (await held.hover(4, 19)).contents.value
