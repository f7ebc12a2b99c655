"""pygls's protocol and server with three replacements, each for speed.

- Documents: pygls keeps every open document as a string and a list of its lines, which it rebuilds on each change: 2 to
  4 ms for a kernel of 650 KB. `documents` has its own store, so pygls's handlers are removed.
- Serialisation: replies made of `wire` structs bypass lsprotocol's converter.
- Reading: one thread reads whole messages. pygls passes every header line from a thread to the loop and back, and each
  time waits for the interpreter's lock while the worker computes.
"""

import asyncio
import contextlib
import json
import logging
import sys
import threading
from collections.abc import Generator
from typing import Any, BinaryIO

import msgspec
from lsprotocol import types
from pygls import uris
from pygls.exceptions import JsonRpcException
from pygls.io_ import StdoutWriter
from pygls.lsp.server import LanguageServer
from pygls.protocol import JsonRPCResponseMessage, LanguageServerProtocol, default_converter, lsp_method
from pygls.workspace import Workspace

from gcn_lsp.server import capabilities, client, first_message, lifecycle, parent, wire
from gcn_lsp.server.lifecycle import Ignored, Phase, Refused
from gcn_lsp.text import json_bytes

log = logging.getLogger(__name__)

_DOCUMENT_METHODS = (
    types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE,
    types.TEXT_DOCUMENT_DID_CLOSE,
)


class Protocol(LanguageServerProtocol):
    """pygls's protocol without its document store, and fast for long replies.

    announced: what the requests add to what is announced to a client.
    """

    _has_answered = False  # `initialize`

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._sending: set[asyncio.Future[None]] = set()
        self.announced: capabilities.Announced = {}
        for method in (*_DOCUMENT_METHODS, types.WORKSPACE_EXECUTE_COMMAND):
            del self.fm.builtin_features[method]

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, Any]:
        """As in pygls, which takes the client's first encoding, and announces all that there is.

        We choose among all that the client offers, and announce what it takes.
        """
        self._server.process_id = params.process_id
        self.client_capabilities = params.capabilities
        root = params.root_uri
        if root is None and params.root_path is not None:
            root = uris.from_fs_path(params.root_path)
        encoding = client.choose_encoding(params.capabilities)
        self._workspace = Workspace(
            root, types.TextDocumentSyncKind.Incremental, params.workspace_folders or [], encoding
        )
        handler = self.fm.features.get(types.INITIALIZE)
        if handler is not None:
            yield handler, (params,), None
        self._has_answered = True
        found = capabilities.fitted(self.announced, params.capabilities, self.fm.features)
        return wire.InitializeResult(found, {"name": self._server.name, "version": self._server.version})

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_: Any) -> Generator[Any, Any, None]:
        """End the server by returning from its loop; pygls raises SystemExit wherever it happens to be."""
        assert isinstance(self._server, Server)
        self._server.stop()
        yield from ()  # a generator, like the method that it replaces

    @property
    def phase(self) -> Phase:
        """How far the life of the session has come."""
        if self._shutdown:
            return Phase.ENDING
        return Phase.RUNNING if self._has_answered else Phase.NEW

    def receive(self, body: bytes) -> None:
        """Handle one message; logs any error. A request always gets an answer."""
        request = None
        try:
            message = _decode(body)
            request = lifecycle.request_of(message)
            self.handle_message(self._judged(message))
        except Refused as refused:
            self.handle_message(refused)
        except Exception:
            log.exception("cannot handle a message of %d bytes", len(body))
            if request is not None:
                self.handle_message(Refused(request, types.ErrorCodes.InternalError, "The message cannot be handled."))

    def structure_message(self, data: Any) -> Any:
        """As `_judged`; on sockets pygls calls this for every object within a message too, which stays as it is."""
        return self._judged(data) if "jsonrpc" in data else data

    def _judged(self, data: Any) -> Any:
        """A message of the protocol, or what is to be done in its place."""
        try:
            message = lifecycle.admitted(data, self.phase)
            try:
                if self.get_message_type(message.get("method", "")) is None:
                    message = {"params": None, **message}  # which a method may do without
                return first_message.read(message) or super().structure_message(message)
            except JsonRpcException as error:
                request = lifecycle.request_of(message)
                if request is None or "method" not in message:
                    raise
                text = f"The parameters of {message['method']} are not those of the protocol."
                raise Refused(request, types.ErrorCodes.InvalidParams, text) from error
        except (Ignored, Refused) as other:
            return other

    def handle_message(self, message: Any) -> None:
        """Give a message to its handler, unless it was judged before."""
        if isinstance(message, Refused):
            log.info("a message is refused: %s", message)
            self._write(json_bytes(message.answer))
        elif not isinstance(message, Ignored):
            super().handle_message(message)

    def send_wire(self, method: str, params: wire.Wire) -> None:
        """Send a notification made of wire structs."""
        self._write(json_bytes(wire.WireMessage("2.0", method, params)))

    def _send_data(self, data: Any) -> None:
        if isinstance(data, JsonRPCResponseMessage) and isinstance(data.result, wire.Told):
            self._write(json_bytes(wire.Response("2.0", data.id, data.result.result)))
            said = types.ShowMessageParams(types.MessageType.Info, data.result.message)
            self.notify(types.WINDOW_SHOW_MESSAGE, said)
        elif isinstance(data, JsonRPCResponseMessage) and isinstance(data.result, wire.Failure):
            self._write(json_bytes(wire.ErrorResponse("2.0", data.id, data.result)))
        elif isinstance(data, JsonRPCResponseMessage) and _is_wire(data.result):
            self._write(json_bytes(wire.Response("2.0", data.id, data.result)))
        elif data:
            self._write(json_bytes(self._converter.unstructure(data)))

    def _write(self, body: bytes) -> None:
        if self.writer is None:
            return
        if self._include_headers:
            body = b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
        try:
            sent = self.writer.write(body)
        except (OSError, ValueError):  # the client is gone, or the stream closed
            log.info("cannot write: the client is gone")
            return
        if sent is not None:  # the WebSocket writer's; the loop holds tasks only weakly
            task = asyncio.ensure_future(sent)
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)


class _Converter:
    """pygls's converter, which is made when it is first used: not for `initialize`."""

    def __getattr__(self, name: str) -> Any:
        made = default_converter()  # type: ignore[no-untyped-call]
        self.structure, self.unstructure = made.structure, made.unstructure
        return getattr(made, name)


class Server(LanguageServer):
    """pygls's server on our protocol. Errors in handlers are logged, not shown to the user as pop-ups."""

    def __init__(self, name: str, version: str) -> None:
        super().__init__(name, version, protocol_cls=Protocol, converter_factory=_Converter)
        self._closed: asyncio.Event | None = None
        self.exit_code = 1  # unless the client has requested a shutdown, the end is abnormal

    @property
    def wire(self) -> Protocol:
        """The protocol, with its type here."""
        assert isinstance(self.protocol, Protocol)
        return self.protocol

    def report_server_error(self, error: Exception, source: object) -> None:
        """Called by pygls, in an exception handler or with the exception of a finished handler."""
        log.error("error in a handler: %s", error, exc_info=error)

    def stop(self) -> None:
        """Make `start_io` or `start_tcp` return."""
        if self._closed is not None:
            self._closed.set()
        else:
            self.shutdown()  # type: ignore[no-untyped-call]

    def start_io(self, stdin: BinaryIO | None = None, stdout: BinaryIO | None = None) -> None:
        """Serve over standard input and output until the client sends exit or closes the input."""
        self.wire.set_writer(StdoutWriter(stdout or sys.stdout.buffer))
        if stdin is None:
            # Not `sys.stdin`, which the interpreter closes at its end: the reading thread may still be waiting in it.
            stdin = open(sys.stdin.fileno(), "rb", closefd=False)  # noqa: SIM115
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(self._serve(stdin))

    async def _serve(self, stdin: BinaryIO) -> None:
        loop = asyncio.get_running_loop()
        closed = self._closed = asyncio.Event()

        def read() -> None:
            try:
                while (body := read_message(stdin)) is not None:
                    loop.call_soon_threadsafe(self.wire.receive, body)
                parent.end(loop, closed.set)
            except RuntimeError:  # the loop is closed: the program ends
                pass

        threading.Thread(target=read, name="reader", daemon=True).start()
        await closed.wait()


def read_message(stream: BinaryIO) -> bytes | None:
    """The body of the next message, None at the end of the stream. Lines that are not headers are ignored."""
    length = 0
    while line := stream.readline():
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            length = int(value)
        elif length and not line.strip():
            body = stream.read(length)
            return body if len(body) == length else None
    return None


def _decode(body: bytes) -> Any:
    """The JSON of a message. Raises `Refused`."""
    try:
        try:
            return msgspec.json.decode(body)
        except msgspec.DecodeError:  # half of a surrogate pair, say, which the standard library accepts
            return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Refused(None, types.ErrorCodes.ParseError, "A message is not JSON, or nested too deeply.") from error


def _is_wire(result: object) -> bool:
    if isinstance(result, (list, tuple)) and result:
        result = result[0]
    return isinstance(result, wire.Wire)
