"""`gcn-lsp/checkProject`: checks every kernel in the workspace's folders and publishes the findings file by file.

Parameters: a `workDoneToken`, if the client shows progress; it cancels the request to end the check. Files are checked
in processes of their own, so that the editor's requests do not wait.
"""

import asyncio
import logging
import os
import sys
from collections import deque
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from lsprotocol import types

import gcn_lsp
from gcn_lsp.project import kernel_files
from gcn_lsp.server import watching, wire
from gcn_lsp.server.checks import Checks
from gcn_lsp.server.documents import Documents
from gcn_lsp.server.protocol import Server
from gcn_lsp.server.worker import Urgency, Worker
from gcn_lsp.text import json_bytes
from gcn_lsp.views.inline.languages import is_source

if TYPE_CHECKING:
    from gcn_lsp.server.project_process import CheckedFile, Order

log = logging.getLogger(__name__)

MODULE = "gcn_lsp.server.project_worker"
MOST_FILES = 20_000  # that may have something to check, by their names
MOST_SHOWN = 10_000  # findings; an editor's list of more is of no use, and slow
MOST_PROCESSES = 4
PATIENCE = 120.0  # seconds for one file, after which it counts as not checked
_LINE = 1 << 28  # bytes; a `Result` is one line
_ERROR, _WARNING = types.DiagnosticSeverity.Error.value, types.DiagnosticSeverity.Warning.value


class Checked(wire.Wire, frozen=True, gc=False, omit_defaults=False):
    """The answer: how many files with AMD GPU assembly were checked, and what was found in them.

    failed: files that could not be checked, for which the log has the reason. left_out: files beyond the limit, which
    were not looked at. hidden: findings beyond the limit, which are counted but not published.
    """

    files: int
    errors: int
    warnings: int
    others: int
    failed: int
    left_out: int
    hidden: int


class ProjectCheck:
    """The check of the workspace's folders, and the files whose findings are published because of it."""

    def __init__(self, server: Server, documents: Documents, checks: Checks) -> None:
        self._server = server
        self._documents = documents
        self._checks = checks
        self._published: dict[str, int] = {}  # the number of findings by file
        self._running: set[asyncio.Future[Any]] = set()

    async def check(self, folders: Sequence[str], token: "int | str | None") -> Checked:
        """Check every file, and forget what an earlier check found in files that are gone."""
        paths = await asyncio.to_thread(_candidates, folders)
        run = _ProjectRun(paths[:MOST_FILES])
        self._forget(self._published.keys() - set(run.waiting))
        progress = _Progress(self._server, token, len(run.waiting))
        try:
            await self._work(run, progress)
        finally:
            progress.end()
        return msgspec.structs.replace(run.checked(), left_out=max(0, len(paths) - MOST_FILES))

    def again(self, paths: Iterable[str]) -> None:
        """Check files again whose findings are published: they were closed, or have changed on disk."""
        self._again(path for path in paths if path in self._published)

    def _again(self, paths: Iterable[str]) -> None:
        known = list(paths)
        if known:
            task = asyncio.ensure_future(self._work(_ProjectRun(known), _Progress(self._server, None, len(known))))
            self._running.add(task)  # the loop holds tasks only weakly
            task.add_done_callback(self._running.discard)

    def changed(self, paths: Sequence[str], worker: Worker) -> None:
        """Check again what changed files concern: a configuration file all, an included file those that include it.

        A client that pulls for its workspace hears of new files too.
        """
        if not self._published and not self._checks.is_pulled:
            return
        if watching.has_configuration(paths):
            self.again(tuple(self._published))
            return
        loop = asyncio.get_running_loop()

        def concerned() -> None:
            found = {*paths, *self._documents.workspace.including(paths)}
            loop.call_soon_threadsafe(self.again, sorted(found))
            if self._checks.is_pulled:
                new = [path for path in paths if self._may_be_new(path)]
                loop.call_soon_threadsafe(self._again, new)

        worker.submit(Urgency.BACKGROUND, concerned)

    def _may_be_new(self, path: str) -> bool:
        """Whether a file that is not known may have something to check. For the worker thread."""
        is_kernel = is_source(path) or kernel_files.is_assembly(os.path.basename(path))
        return path not in self._published and is_kernel and not self._documents.workspace.including([path])

    def _forget(self, paths: Collection[str]) -> None:
        for path in paths:
            del self._published[path]
            self._checks.contribute(self._documents.uri_of(path), {})

    async def _work(self, run: "_ProjectRun", progress: "_Progress") -> None:
        """Check the files of a run in as many processes as the machine has to spare."""
        count = min(len(run.waiting), MOST_PROCESSES, max(1, (os.cpu_count() or 1) // 2))
        from gcn_lsp.server.project_process import Order  # late: a session seldom checks its project

        order = Order(self._documents.client, self._documents.settings)
        work = [asyncio.ensure_future(self._check_files(run, order, progress)) for _ in range(count)]
        try:
            await asyncio.gather(*work)
        finally:
            for task in work:
                task.cancel()

    async def _check_files(self, run: "_ProjectRun", order: "Order", progress: "_Progress") -> None:
        process = _Process(order)
        try:
            while run.waiting:
                path = run.waiting.popleft()
                result = await process.check(path)
                self._take(run, path, result)
                progress.report(run.done)
        finally:
            await process.end()

    def _take(self, run: "_ProjectRun", path: str, result: "CheckedFile | None") -> None:
        run.done += 1
        if result is None or not result.is_ours:
            run.failed += result is None
            self._forget(self._published.keys() & {path})
            return
        run.files += 1
        run.severities += [each.severity for part in result.found.values() for each in part]
        found, count = result.found, sum(map(len, result.found.values()))
        if count + sum(self._published.values()) - self._published.get(path, 0) > MOST_SHOWN:
            run.hidden += count
            found, count = {}, 0
        self._published[path] = count
        self._checks.contribute(self._documents.uri_of(path), found)


class _ProjectRun:
    """One check of some files: those that wait, and what was counted in the others."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.waiting = deque(paths)
        self.done = self.files = self.failed = self.hidden = 0
        self.severities: list[int] = []

    def checked(self) -> Checked:
        """What was found so far."""
        errors, warnings = self.severities.count(_ERROR), self.severities.count(_WARNING)
        others = len(self.severities) - errors - warnings
        return Checked(self.files, errors, warnings, others, self.failed, 0, self.hidden)


class _Process:
    """A process that checks files; another takes its place after one on which it fails or hangs."""

    def __init__(self, order: "Order") -> None:
        self._order = order
        self._process: asyncio.subprocess.Process | None = None

    async def check(self, path: str) -> "CheckedFile | None":
        """The result for a file; None if there is none, which is logged."""
        try:
            return await asyncio.wait_for(self._result(path), PATIENCE)
        except (OSError, ValueError, asyncio.TimeoutError, msgspec.MsgspecError) as error:
            log.warning("checking %r failed: %r", path, error)
            await self.end()
            return None

    async def _result(self, path: str) -> "CheckedFile":
        process = self._process
        if process is None:
            process = self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", MODULE),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                # Where this package is found, and no file of the workspace's in its place.
                cwd=Path(gcn_lsp.__file__).parents[1],
                limit=_LINE,
            )
            assert process.stdin is not None
            process.stdin.write(json_bytes(self._order) + b"\n")
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json_bytes(path) + b"\n")
        await process.stdin.drain()
        from gcn_lsp.server.project_process import CheckedFile  # late, as above

        return msgspec.json.decode(await process.stdout.readline(), type=CheckedFile)

    async def end(self) -> None:
        """End the process at once."""
        process, self._process = self._process, None
        if process is not None:
            if process.returncode is None:
                process.kill()
            await process.wait()


class _Progress:
    """Reports to the client how many files are done, if it gave a token for that."""

    def __init__(self, server: Server, token: "int | str | None", total: int) -> None:
        self._server = server
        self._token = token
        self._total = total
        self._percentage = 0
        if token is not None:
            begin = types.WorkDoneProgressBegin("Checking kernels", cancellable=True, percentage=0)
            server.work_done_progress.begin(token, begin)

    def report(self, done: int) -> None:
        """Say how many files are done, at each percent."""
        percentage = 100 * done // self._total
        if self._token is not None and percentage != self._percentage:
            self._percentage = percentage
            report = types.WorkDoneProgressReport(message=f"{done} of {self._total} files", percentage=percentage)
            self._server.work_done_progress.report(self._token, report)

    def end(self) -> None:
        """Close the progress."""
        if self._token is not None:
            self._server.work_done_progress.end(self._token, types.WorkDoneProgressEnd())


def _candidates(folders: Sequence[str]) -> list[str]:
    """The files that may have something to check, each once. A name that is no text cannot be a URI."""
    found = dict.fromkeys(path for folder in folders for path in kernel_files.walk(folder))
    return [path for path in found if path.isprintable()]
