"""While a document is analysed for the first time, a hover is answered from its line and the tables."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator
from typing import Any, cast

import pytest
from lsprotocol import types

from gcn_lsp.server import diagnostic
from gcn_lsp.server.protocol import Server
from gcn_lsp.server.session import Session
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

pytestmark = pytest.mark.asyncio(loop_scope="function")


class Held:
    """A session whose worker waits until `release`."""

    def __init__(self) -> None:
        self.session = Session(cast("Server", _Client()), types.InitializeParams(types.ClientCapabilities()))
        self._gate = threading.Event()
        self.session._worker.submit(Urgency.REQUEST, self._gate.wait)

    async def hover(self, line: int, column: int) -> Any:
        place = types.HoverParams(types.TextDocumentIdentifier(URI), types.Position(line, column))
        return await asyncio.wait_for(self.session.answer("hover", place), 30)

    async def is_answered(self, line: int, column: int) -> bool:
        """Whether there is an answer while the worker waits."""
        place = types.HoverParams(types.TextDocumentIdentifier(URI), types.Position(line, column))
        answer = asyncio.ensure_future(self.session.answer("hover", place))
        await asyncio.sleep(0)
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
async def opened() -> AsyncIterator[Held]:
    """A session in which a document waits for its analysis."""
    held = Held()
    try:
        await held.session.did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(URI, "gcn", 1, TEXT)))
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
        assert document.snapshot.built_so_far is None


async def test_nothing_is_said_that_the_line_does_not_show() -> None:
    async with opened() as held:
        assert "Last written" not in (await held.hover(4, 19)).contents.value
        assert not await held.is_answered(4, 15)  # what `vA` is


async def test_a_program_that_is_built_says_more() -> None:
    async with opened() as held:
        document = held.session._documents.get(URI)
        assert document is not None
        _ = document.snapshot.program
        assert "4" in (await held.hover(4, 15)).contents.value
        assert "Last written" not in (await held.hover(4, 19)).contents.value


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
        assert not await held.is_answered(4, 19)
        held.release()
        assert "line 4" in (await held.hover(4, 19)).contents.value
