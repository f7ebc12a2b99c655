"""Checks documents after edits and sends the results: newest versions only, and one check at a time for each.

A check runs on the worker thread; everything else here runs on the event loop.
"""

import asyncio
import logging
import posixpath
import threading
import time
from collections.abc import Callable

from lsprotocol import types

from gcn_lsp.findings.rule import Stage
from gcn_lsp.flow.steps import Steps, Superseded
from gcn_lsp.server import diagnostics, kept_diagnostics, wire
from gcn_lsp.server.diagnostics import AT_EACH_KEY, FIRST, Diagnostics
from gcn_lsp.server.document import Document
from gcn_lsp.server.documents import Documents
from gcn_lsp.server.history import History
from gcn_lsp.server.protocol import Server
from gcn_lsp.server.snapshot import Snapshot
from gcn_lsp.server.worker import Urgency, Worker

log = logging.getLogger(__name__)

SLOW = 0.1  # seconds; a longer check is noticeable while typing, and logged
_TURN = 0.01  # seconds that the loop has to publish before the worker goes on
PAUSE = 0.3  # seconds without an edit before hints are computed and includers checked again
THOUGHT = 1.0  # seconds without an edit before the line that is being typed is reported not to assemble
LONG_THOUGHT = 10.0  # the same where more at its end may change that, and nobody says that the line is left


class Pulled:
    """What a client pulls for its workspace: the findings of each file that is not open, with a number for each change.

    `changed` is set by whatever makes the answer another one.
    """

    def __init__(self) -> None:
        self.files: dict[str, tuple[int, Diagnostics]] = {}
        self.changed = asyncio.Event()

    def take(self, uri: str, found: Diagnostics) -> None:
        """The findings of a file, where there were others before."""
        number, before = self.files.get(uri, (0, ()))
        if found != before:
            self.files[uri] = (number + 1, found)
            self.changed.set()


class Checks:
    """The documents that wait for a check, and what was last published for each file."""

    def __init__(self, server: Server, documents: Documents, worker: Worker) -> None:
        self._server = server
        self._documents = documents
        self._worker = worker
        self._waiting: set[Document] = set()
        self._pauses: dict[str, asyncio.TimerHandle] = {}
        self._hints: dict[str, asyncio.TimerHandle] = {}
        self._thoughts: dict[str, asyncio.TimerHandle] = {}
        # The contribution of each document to a file: its own diagnostics to itself, others to the files it includes.
        self._contributions: dict[str, dict[str, Diagnostics]] = {}
        self._sent: dict[str, Diagnostics] = {}  # of files that are not open and so have no versions
        self._has_shown_failure = False
        self.pulled = Pulled()
        self.is_pulled = False

    def pull(self) -> None:
        """From now on keep what concerns files that are not open for the client to pull; take back what was sent."""
        if self.is_pulled:
            return
        self.is_pulled = True
        for uri in list(self._sent):
            if self._documents.get(uri) is None:
                self._send(uri)

    def schedule(self, document: Document, urgency: Urgency = Urgency.CHECK) -> None:
        """Check the newest version of a document; an edit while a check waits needs no second one."""
        if document in self._waiting:
            return
        self._waiting.add(document)
        loop = asyncio.get_running_loop()
        # A client that pulls asks for the document's own diagnostics; this check is for other files.
        urgency = Urgency.BACKGROUND if self._documents.client.pulls_diagnostics else urgency
        self._worker.submit(urgency, lambda: self._check(document, loop))

    def schedule_includers(self, path: str) -> None:
        """After a pause, check again the documents that include the file `path`, which is being edited."""
        if not self._documents.including(path):
            return
        loop = asyncio.get_running_loop()
        _later(loop, self._pauses, path, PAUSE, lambda: self.check_again(self._documents.including(path)))

    def check_again(self, documents: list[Document]) -> None:
        """Read settings or files that have changed again for these documents, and check them."""
        if not documents:
            return
        self._documents.surround(documents)
        for document in documents:
            self.schedule(document)
        self._ask_for_requests()

    def _ask_for_diagnostics(self) -> None:
        """Make the client pull diagnostics again, if it pulls them."""
        client = self._documents.client
        if client.refreshes_diagnostics and client.pulls_diagnostics:
            self._server.workspace_diagnostic_refresh(None)

    def _ask_for_requests(self) -> None:
        """Make the client ask again for what it shows: without an edit it would keep what it has."""
        self._ask_for_diagnostics()
        client = self._documents.client
        if client.refreshes_tokens:
            self._server.workspace_semantic_tokens_refresh(None)
        if client.refreshes_lenses:
            self._server.workspace_code_lens_refresh(None)
        if client.refreshes_inlay_hints:
            self._server.workspace_inlay_hint_refresh(None)

    def close(self, document: Document) -> None:
        """Remove what the document contributed."""
        self._sent[document.uri] = self._contributions.get(document.uri, {}).get(document.uri, ())
        for uri in [uri for uri, parts in self._contributions.items() if document.uri in parts]:
            del self._contributions[uri][document.uri]
            self._send(uri)

    def contribute(self, by: str, found: dict[str, Diagnostics]) -> None:
        """Publish what the check of a project found by way of the file `by`, in place of what it found before.

        An open document contributes by itself.
        """
        if self._documents.get(by) is None:
            self._replace(by, found)

    def _check(
        self,
        document: Document,
        loop: asyncio.AbstractEventLoop,
        stage: Stage | None = None,
        only: Snapshot | None = None,
    ) -> None:
        """Runs on the worker thread. stage: the last one due, if not the first. only: the version it is due for."""
        snapshot = document.snapshot
        if only is not None and snapshot is not only:
            return  # a newer edit has scheduled all of its stages
        self._waiting.discard(document)
        started = time.perf_counter()
        try:
            if stage is None and not (document.has_been_checked or self._documents.client.pulls_diagnostics):
                self._tell_kept(document, snapshot, loop)
            _ = snapshot.program
            if document.snapshot is not snapshot:
                return  # a newer edit has scheduled its own check
            found = self._diagnosed(document, snapshot, loop, stage)
        except Superseded:
            return
        except Exception:
            document.is_analysed = True  # as far as it can be
            log.exception("checking %s version %s failed", document.uri, snapshot.version)
            loop.call_soon_threadsafe(self._show_failure, document)
            return
        took = time.perf_counter() - started
        if took > SLOW:
            log.info("checking %s version %s took %.0f ms", document.uri, snapshot.version, took * 1000)
        self._tell(snapshot, found, loop, waits=stage is None)

    def _tell(
        self, snapshot: Snapshot, found: dict[str, Diagnostics], loop: asyncio.AbstractEventLoop, *, waits: bool
    ) -> None:
        """Let the loop publish; waits: more work follows on this thread, which would keep the loop from its turn."""
        told = threading.Event()

        def publish() -> None:
            self._publish(snapshot, found)
            told.set()

        loop.call_soon_threadsafe(publish)
        if waits:
            told.wait(_TURN)

    def _tell_kept(self, document: Document, snapshot: Snapshot, loop: asyncio.AbstractEventLoop) -> None:
        """Publish what an earlier session found in the same text, if it kept that."""
        kept = kept_diagnostics.find(snapshot)
        if kept is not None:
            document.published = snapshot.source.lines, kept[document.uri]
            self._tell(snapshot, kept, loop, waits=True)

    def keep(self, document: Document) -> None:
        """Keep the diagnostics of a document that is saved, for a later session."""
        document.is_to_keep = True
        self._worker.submit(Urgency.IDLE, lambda: self._keep(document))

    def _keep(self, document: Document) -> None:
        snapshot = document.snapshot
        if document.is_to_keep and snapshot.has_all_findings:
            document.is_to_keep = False
            kept_diagnostics.keep(snapshot)

    def _show_failure(self, document: History) -> None:
        """Say that the findings of a document are out of date: once, since the next version probably fails too."""
        if self._has_shown_failure:
            return
        self._has_shown_failure = True
        name = posixpath.basename(document.uri)
        message = (
            f"gcn-lsp cannot check {name}, which is a bug in gcn-lsp: its findings are out of date. The log says more."
        )
        self._server.window_show_message(types.ShowMessageParams(types.MessageType.Error, message))

    def _diagnosed(
        self, document: Document, snapshot: Snapshot, loop: asyncio.AbstractEventLoop, stage: Stage | None
    ) -> dict[str, Diagnostics]:
        """The diagnostics to publish now. The rest of a long file follows when the worker is idle, or in a pause."""
        uri, lines = document.uri, snapshot.source.lines
        is_pause = stage is Stage.HINTS or not document.has_been_checked
        if not snapshot.has_stages:
            stage = Stage.HINTS
        elif stage is None:
            stage = FIRST
        found = diagnostics.diagnose(snapshot, stage, lambda: document.snapshot is snapshot)
        published_lines, published = document.published
        found[uri] = diagnostics.with_carried(found[uri], stage, uri, published, published_lines, lines)
        document.published = lines, found[uri]
        if stage is FIRST:
            rest = AT_EACH_KEY if document.has_been_checked else Stage.HINTS
            self._worker.submit(Urgency.CHECK, lambda: self._check(document, loop, rest, snapshot))
        elif stage is AT_EACH_KEY or not (is_pause or snapshot.is_settled):
            loop.call_soon_threadsafe(self._schedule_hints, document, loop)
        elif not snapshot.is_settled or snapshot.has_changed_target or _is_out_of_date(snapshot, found):
            self._worker.submit_steps(Urgency.IDLE, self._settle(document, snapshot, loop, found))
        if stage is Stage.HINTS and document.is_to_keep and snapshot.has_stages:
            self._worker.submit(Urgency.IDLE, lambda: self._keep(document))
        document.has_been_checked = True
        document.is_analysed |= stage >= AT_EACH_KEY
        if snapshot.unsaid:
            loop.call_soon_threadsafe(self._wait_for_thought, document, snapshot, loop)
        return found

    def _wait_for_thought(self, document: Document, snapshot: Snapshot, loop: asyncio.AbstractEventLoop) -> None:
        """Report what is wrong with the line that is being typed if no key follows."""

        next_step = snapshot.pause if snapshot.hesitates else snapshot.hesitate

        def say() -> None:
            self._worker.submit(Urgency.BACKGROUND, lambda: self._tell_rest(document, snapshot, loop, next_step))

        _later(loop, self._thoughts, document.uri, LONG_THOUGHT if snapshot.hesitates else THOUGHT, say)

    def leave_line(self, document: Document) -> None:
        """Report what is wrong with the line being typed: the cursor has left it.

        A save says nothing of it: editors save by themselves while somebody thinks.
        """
        snapshot, loop = document.snapshot, asyncio.get_running_loop()
        if snapshot.typed_line >= 0:
            self._worker.submit(Urgency.BACKGROUND, lambda: self._tell_rest(document, snapshot, loop, snapshot.pause))

    def _tell_rest(
        self, document: Document, snapshot: Snapshot, loop: asyncio.AbstractEventLoop, step: Callable[[], None]
    ) -> None:
        if document.snapshot is not snapshot:
            return
        is_held = bool(snapshot.unsaid)
        step()
        if is_held:
            self._check(document, loop, Stage.HINTS, snapshot)
            loop.call_soon_threadsafe(self._ask_for_diagnostics)

    def _settle(
        self, document: Document, snapshot: Snapshot, loop: asyncio.AbstractEventLoop, shown: dict[str, Diagnostics]
    ) -> Steps[None]:
        """Compare the targets that a file may be for, unless an edit comes; then publish what they agree on."""
        work = snapshot.settle()
        while not snapshot.is_settled:
            if document.snapshot is not snapshot:
                return
            next(work, None)
            yield
        found = diagnostics.diagnose(snapshot)
        if found != shown:
            document.published = snapshot.source.lines, found[document.uri]
            loop.call_soon_threadsafe(self._publish, snapshot, found)
        if snapshot.has_changed_target:
            snapshot.has_changed_target = False
            loop.call_soon_threadsafe(self._ask_for_requests)
        elif found != shown or _is_out_of_date(snapshot, found):
            loop.call_soon_threadsafe(self._ask_for_diagnostics)

    def _schedule_hints(self, document: Document, loop: asyncio.AbstractEventLoop) -> None:
        """Compute the hints after a pause."""

        def find() -> None:
            self._worker.submit(Urgency.BACKGROUND, lambda: self._check(document, loop, Stage.HINTS))

        _later(loop, self._hints, document.uri, PAUSE, find)

    def _publish(self, snapshot: Snapshot, found: dict[str, Diagnostics]) -> None:
        try:
            self._send_changed(snapshot, found)
        except Exception:
            log.exception("publishing %s version %s failed", snapshot.document.uri, snapshot.version)
            self._show_failure(snapshot.document)

    def _send_changed(self, snapshot: Snapshot, found: dict[str, Diagnostics]) -> None:
        document = self._documents.get(snapshot.document.uri)
        if document is None or document.snapshot is not snapshot:
            return
        self._replace(document.uri, found)

    def _replace(self, by: str, found: dict[str, Diagnostics]) -> None:
        gone = {uri for uri, parts in self._contributions.items() if by in parts} - found.keys()
        for uri, part in (*found.items(), *((uri, ()) for uri in gone)):
            parts = self._contributions.setdefault(uri, {})
            changed = parts.get(by) != part
            parts[by] = part
            # Its own diagnostics are published for every version, changed or not: a client may hold back what it has
            # until it hears of the version it shows.
            if changed or uri == by:
                self._send(uri)

    def _send(self, uri: str) -> None:
        document = self._documents.get(uri)
        is_pulled = document is not None and self._documents.client.pulls_diagnostics
        parts = self._contributions.get(uri, {})
        own = parts.get(uri, ()) if not is_pulled else ()
        # Several files that include it may have the same finding.
        others = (diagnostic for by, part in parts.items() if by != uri for diagnostic in part)
        every = own if len(parts) == (uri in parts) else tuple(dict.fromkeys((*own, *others)))
        if document is None and self.is_pulled:
            if self._sent.pop(uri, ()):
                self._publish_all(uri, (), None)
            self.pulled.take(uri, every)
            return
        if document is None or is_pulled:  # a client keeps what it pulls apart from what it is sent
            if self._sent.get(uri, ()) == every:
                return
            self._sent[uri] = every
        self._publish_all(uri, every, None if document is None else document.snapshot.version)

    def _publish_all(self, uri: str, found: Diagnostics, version: int | None) -> None:
        self._server.wire.send_wire(
            types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, wire.PublishDiagnostics(uri, found, version)
        )


def _later(
    loop: asyncio.AbstractEventLoop,
    waiting: dict[str, asyncio.TimerHandle],
    key: str,
    seconds: float,
    do: Callable[[], None],
) -> None:
    """Do something when so much time has passed, in place of what waits for the key already."""
    if key in waiting:
        waiting[key].cancel()

    def due() -> None:
        del waiting[key]
        do()

    waiting[key] = loop.call_later(seconds, due)


def _is_out_of_date(snapshot: Snapshot, found: dict[str, Diagnostics]) -> bool:
    """Whether the client pulled other diagnostics of the document, before a request settled it."""
    return snapshot.pulled_early not in (None, found[snapshot.document.uri])
