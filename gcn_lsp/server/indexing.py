"""Indexes the workspace's folders while the worker is idle, and reports progress to the client.

The index itself belongs to the worker thread; messages to the client are sent from the event loop.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from lsprotocol import types

from gcn_lsp.project.workspace import Progress, Workspace
from gcn_lsp.server.protocol import Server
from gcn_lsp.server.worker import Urgency, Worker

log = logging.getLogger(__name__)

STEP = 0.001  # seconds of work at a time, the longest delay of a key pressed meanwhile
REPORT = 0.2  # seconds between two reports
TOKEN = "gcn-lsp-index"


class Indexing:
    """Drives the steps of a `Workspace`."""

    def __init__(self, server: Server, worker: Worker, workspace: Workspace, *, shows_progress: bool) -> None:
        self.workspace = workspace
        self._server = server
        self._worker = worker
        self._shows_progress = shows_progress
        self._runs = 0
        self._running: set[asyncio.Future[None]] = set()

    def start(self, folders: Sequence[str]) -> None:
        """Read folders."""
        if folders:
            self._runs += 1
            run = asyncio.ensure_future(self._run(list(folders), f"{TOKEN}-{self._runs}"))
            self._running.add(run)  # the loop holds tasks only weakly
            run.add_done_callback(self._running.discard)

    def update(self, paths: Sequence[str]) -> None:
        """Read files again."""
        for path in paths:
            self._submit(self.workspace.update(path), lambda _: None)

    def remove(self, folders: Sequence[str]) -> None:
        """Forget folders."""
        for folder in folders:
            self._worker.submit(Urgency.BACKGROUND, partial(self.workspace.remove, folder))

    async def _run(self, folders: list[str], token: str) -> None:
        loop = asyncio.get_running_loop()
        shown = self._shows_progress and await self._create(token)
        if shown:
            begin = types.WorkDoneProgressBegin("Indexing assembly", percentage=0)
            self._server.work_done_progress.begin(token, begin)
        finished = asyncio.Event()
        last = [0.0]

        def show(progress: Progress) -> None:
            percentage = 100 * progress.done // progress.total if progress.total else 0
            message = f"{progress.done} of {progress.total} files" if progress.total else "looking for files"
            report = types.WorkDoneProgressReport(message=message, percentage=percentage)
            self._server.work_done_progress.report(token, report)

        def after(progress: Progress | None) -> None:
            """Runs on the worker thread after each step; None after the last."""
            if progress is None:
                loop.call_soon_threadsafe(finished.set)
            elif shown and time.monotonic() - last[0] > REPORT:
                last[0] = time.monotonic()
                loop.call_soon_threadsafe(show, progress)

        def steps() -> Iterator[Progress]:
            for folder in folders:
                yield from self.workspace.steps(folder)

        self._submit(steps(), after)
        await finished.wait()
        if shown:
            self._server.work_done_progress.end(token, types.WorkDoneProgressEnd())

    async def _create(self, token: str) -> bool:
        try:
            await self._server.work_done_progress.create_async(token)
        except Exception:
            log.exception("the client shows no progress")
            return False
        return True

    def _submit(self, steps: "Iterator[Any]", after: Callable[[Any], None]) -> None:
        """Run the steps on the worker thread when it is idle, a few milliseconds at a time."""

        def work() -> None:
            end = time.perf_counter() + STEP
            try:
                for progress in steps:
                    if time.perf_counter() > end:
                        after(progress)
                        self._worker.submit(Urgency.IDLE, work)
                        return
            except Exception:
                log.exception("indexing failed")
            after(None)

        self._worker.submit(Urgency.IDLE, work)
