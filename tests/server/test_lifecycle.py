"""The life of a server by the protocol: what it answers before `initialize` and after `shutdown`, and how it ends."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, BinaryIO, cast

import pytest

from gcn_lsp.server import app, lifecycle
from gcn_lsp.server.lifecycle import Phase
from gcn_lsp.server.protocol import read_message

INITIALIZE: dict[str, Any] = {"id": 1, "method": "initialize", "params": {"processId": None, "capabilities": {}}}
INITIALIZED: dict[str, Any] = {"method": "initialized", "params": {}}
SHUTDOWN: dict[str, Any] = {"id": 9, "method": "shutdown"}
EXIT: dict[str, Any] = {"method": "exit"}
TARGETS: dict[str, Any] = {"id": 2, "method": "gcn-lsp/targets", "params": {"uri": "file:///k.s"}}
HOVER: dict[str, Any] = {
    "id": 3,
    "method": "textDocument/hover",
    "params": {"textDocument": {"uri": "file:///k.s"}, "position": {"line": 0, "character": 0}},
}
OPEN: dict[str, Any] = {
    "method": "textDocument/didOpen",
    "params": {"textDocument": {"uri": "file:///k.s", "languageId": "gcn", "version": 1, "text": "s_endpgm"}},
}
PATIENCE = 60.0  # seconds; only ever waited when something is broken


def framed(message: dict[str, Any] | bytes) -> bytes:
    body = message if isinstance(message, bytes) else json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def talk(*messages: dict[str, Any] | bytes) -> tuple[int, dict[Any, int]]:
    """The code with which a server ends that gets these messages, and its answers by id: codes of errors, or 0."""
    done = subprocess.run(
        [sys.executable, "-m", "gcn_lsp", "serve"],
        input=b"".join(map(framed, messages)),
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    bodies = [part.partition(b"\r\n\r\n")[2] for part in done.stdout.split(b"Content-Length:")[1:]]
    answers = [found for found in map(json.loads, bodies) if "method" not in found]
    return done.returncode, {found.get("id"): found.get("error", {}).get("code", 0) for found in answers}


def test_before_initialize_requests_are_refused_and_notifications_dropped() -> None:
    wrong = {"id": 5, "method": "initialize", "params": {"capabilities": 5}}
    found = talk(
        HOVER, OPEN, INITIALIZED, wrong, {**HOVER, "id": 4}, INITIALIZE, {**INITIALIZE, "id": 6}, SHUTDOWN, EXIT
    )
    assert found == (0, {3: -32002, 5: -32602, 4: -32002, 1: 0, 6: -32600, 9: 0})


def test_shutdown_before_initialize_is_refused_too() -> None:
    assert talk(SHUTDOWN, EXIT) == (1, {9: -32002})


@pytest.mark.parametrize("params", [{"params": {}}, {"params": {"capabilities": None}}, {"params": None}, {}])
def test_initialize_without_capabilities(params: dict[str, Any]) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", **params}
    assert lifecycle.admitted(message, Phase.NEW)["params"]["capabilities"] == {}


def test_a_session_without_capabilities() -> None:
    server = Running(None, params={})
    server.send(OPEN)
    server.send(TARGETS)
    server.send({**HOVER, "id": 4})
    answers: list[Any] = []
    while not {2, 4} <= {answer.get("id") for answer in answers}:
        answers.append(server.receive())
    assert not any("error" in answer for answer in answers)
    server.send(SHUTDOWN)
    server.send(EXIT)
    assert server.process.wait(PATIENCE) == 0


def test_after_shutdown_requests_are_refused_and_notifications_dropped() -> None:
    assert talk(INITIALIZE, SHUTDOWN, HOVER, OPEN, EXIT) == (0, {1: 0, 9: 0, 3: -32600})


@pytest.mark.parametrize("messages", [(INITIALIZE, EXIT), (INITIALIZE,)])
def test_an_end_without_shutdown_is_abnormal(messages: tuple[dict[str, Any], ...]) -> None:
    assert talk(*messages)[0] == 1


def test_a_wrong_request_is_answered() -> None:
    wrong: list[tuple[dict[str, Any] | bytes, Any, int]] = [
        ({"id": 20, "method": "no/such"}, 20, -32601),
        ({"id": "text", "method": "$/no/such"}, "text", -32601),
        ({"id": 21, "method": "textDocument/hover"}, 21, -32602),
        ({"id": 22, "method": "textDocument/hover", "params": {"textDocument": 5}}, 22, -32602),
        ({"id": 23, "method": 5}, 23, -32600),
        (b'{"id": 24, "method": "shutdown"}', 24, -32600),
    ]
    answers = {request: code for _, request, code in wrong}
    assert talk(INITIALIZE, *(each for each, _, _ in wrong), SHUTDOWN, EXIT) == (0, {1: 0, **answers, 9: 0})


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"id": 2.5, "method": "textDocument/hover"}, -32600),
        (b"[]", -32600),
        (b"{", -32700),
        (b"[" * 100_000, -32700),
        (b'"\xff"', -32700),
    ],
)
def test_what_is_no_message_is_answered_without_an_id(message: dict[str, Any] | bytes, code: int) -> None:
    body = message if isinstance(message, bytes) else json.dumps({"jsonrpc": "2.0", **message}).encode()
    written = Written()
    protocol = app.create().wire
    protocol.set_writer(written)
    protocol.receive(body)
    (answer,) = written.answers()
    assert (answer["id"], answer["error"]["code"]) == (None, code)


def test_other_messages_are_no_matter() -> None:
    others: list[dict[str, Any]] = [
        {"method": "no/such", "params": {}},
        {"method": "$/no/such"},
        {"method": "textDocument/didOpen", "params": 5},
        {"method": "$/cancelRequest", "params": {"id": 77}},
        {"id": 77, "result": 5},
        {"id": 78, "error": {"code": 1, "message": "no"}},
    ]
    assert talk(INITIALIZE, *others, SHUTDOWN, EXIT) == (0, {1: 0, 9: 0})


class Written:
    """A writer that keeps what is written."""

    def __init__(self) -> None:
        self.data = b""

    def write(self, data: bytes) -> None:
        self.data += data

    def close(self) -> None:
        pass

    def answers(self) -> list[dict[str, Any]]:
        return [json.loads(part.partition(b"\r\n\r\n")[2]) for part in self.data.split(b"Content-Length:")[1:]]


class Running:
    """A server with its pipes, which stay open."""

    def __init__(
        self, process_id: int | None, *, root: Path | None = None, params: dict[str, Any] | None = None
    ) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gcn_lsp", "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        folders = [{"uri": root.as_uri(), "name": "root"}] if root is not None else None
        start: dict[str, Any] = {"processId": process_id, "capabilities": {}, "workspaceFolders": folders}
        self.send({**INITIALIZE, "params": start if params is None else params})
        self.send(INITIALIZED)
        assert self.receive()["id"] == 1

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(framed(message))
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        body = read_message(cast("BinaryIO", self.process.stdout))
        assert body is not None
        found: dict[str, Any] = json.loads(body)
        return found


def test_the_server_ends_with_the_process_that_started_it() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as editor:
        server = Running(editor.pid)
        time.sleep(1)
        assert server.process.poll() is None
        editor.kill()
    assert server.process.wait(PATIENCE) == 1


def test_a_process_of_another_system_ends_no_server() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as editor:
        pass
    server = Running(editor.pid)
    server.send(SHUTDOWN)
    server.send(EXIT)
    assert server.process.wait(PATIENCE) == 0


def children(process: int) -> list[int]:
    found = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for path in found for child in path.read_text().split()]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("way", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_the_server(way: signal.Signals, tmp_path: Path) -> None:
    """In the middle of a file that takes them half a minute."""
    lines = "".join(f"v_add_f32 v{n % 250}, v{n % 241}, v{n % 239}\n" for n in range(150_000))
    (tmp_path / "k.s").write_text(f'.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"\n{lines}s_endpgm\n')
    server = Running(None, root=tmp_path)
    server.send({"id": 4, "method": "gcn-lsp/checkProject", "params": {}})
    deadline = time.monotonic() + PATIENCE
    while not (workers := children(server.process.pid)):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    time.sleep(2)
    server.process.send_signal(way)
    server.process.wait(PATIENCE)
    ended = time.monotonic()
    while any(is_running(worker) for worker in workers):
        assert time.monotonic() < ended + 10, "workers outlive the server"
        time.sleep(0.05)


def is_running(process: int) -> bool:
    """Whether a process runs; one that has ended and waits to be looked at does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
