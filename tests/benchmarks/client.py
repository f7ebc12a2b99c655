"""A language client that does nothing but measure: each message is stamped when it arrives."""

import json
import os
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any

from gcn_lsp.project import store

TIMEOUT = 120.0
CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-8", "utf-16"]},
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True},
        "hover": {"contentFormat": ["markdown"]},
        "completion": {"completionItem": {"snippetSupport": True}, "completionList": {"itemDefaults": ["editRange"]}},
    },
}


class Client:
    """A server process and the conversation with it. cache: where it keeps results, by default nowhere."""

    def __init__(self, log: "IO[bytes] | None" = None, cache: "Path | None" = None) -> None:
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gcn_lsp", "serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            env={**os.environ, store.VARIABLE: str(cache) if cache is not None else ""},
        )
        self._arrived: queue.Queue[tuple[float, dict[str, Any]]] = queue.Queue()
        self._number = 0
        self._sent = 0.0
        self._is_indexed = False
        threading.Thread(target=self._read, daemon=True).start()

    def initialize(self, root: "Path | None" = None, **more: Any) -> float:
        """Seconds from the start of the process to the answer to `initialize`; `more` are further parameters of it."""
        uri = root.as_uri() if root is not None else None
        folders = [{"uri": uri, "name": "root"}] if root is not None else None
        capabilities = CAPABILITIES if root is None else {**CAPABILITIES, "window": {"workDoneProgress": True}}
        params = {"processId": None, "rootUri": uri, "workspaceFolders": folders, "capabilities": capabilities, **more}
        _, arrived = self._request("initialize", params)
        self.notify("initialized", {})
        return arrived - self.started

    def load(self) -> float:
        """Seconds from the start of the process until the server has loaded all that it needs for a document."""
        _, arrived = self._request("gcn-lsp/target", {"uri": "file:///not/open"})
        return arrived - self.started

    def open(self, uri: str, text: str, language: str = "gcn") -> tuple[float, list[Any]]:
        """Seconds until the document's diagnostics came, and these."""
        document = {"uri": uri, "languageId": language, "version": 1, "text": text}
        return self._published("textDocument/didOpen", {"textDocument": document}, uri, 1)

    def edit(self, uri: str, version: int, start: tuple[int, int], end: tuple[int, int], text: str) -> float:
        """Seconds until the diagnostics of the edited version came."""
        places = {"start": {"line": start[0], "character": start[1]}, "end": {"line": end[0], "character": end[1]}}
        params = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"range": places, "text": text}]}
        return self._published("textDocument/didChange", params, uri, version)[0]

    def told_again(self, uri: str, version: int) -> tuple[float, list[Any]]:
        """Seconds from the last document or edit that was sent until its next diagnostics came, and these."""
        return self._next_published(uri, version)

    def ask(self, method: str, uri: str, line: int, column: int) -> tuple[float, Any]:
        """Seconds that a request about a place took, and its answer."""
        place = {
            "textDocument": {"uri": uri},
            "position": {"line": line, "character": column},
            "context": {"includeDeclaration": True},
        }
        if method != "textDocument/references":
            del place["context"]
        sent = time.perf_counter()
        answer, arrived = self._request(method, place)
        return arrived - sent, answer

    def request(self, method: str, params: Any) -> tuple[float, Any]:
        """Seconds that any request took, and its answer."""
        sent = time.perf_counter()
        answer, arrived = self._request(method, params)
        return arrived - sent, answer

    def wait_for_index(self) -> None:
        """Return once the server has said that the workspace is indexed."""
        while not self._is_indexed:
            self._next()

    def memory(self) -> int | None:
        """The most memory that the server had resident, in bytes; None where the system does not say."""
        status = Path(f"/proc/{self.process.pid}/status")
        if not status.exists():
            return None
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024

    def close(self) -> int:
        """End the server as an editor does; its exit code."""
        self._request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(TIMEOUT)  # a session of many edits on a loaded machine takes its time

    def notify(self, method: str, params: Any) -> float:
        """Send a notification; when it was sent."""
        return self._send({"method": method, "params": params})

    def _request(self, method: str, params: Any) -> tuple[Any, float]:
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        while True:
            arrived, message = self._next()
            if message.get("id") == self._number and "method" not in message:
                if "error" in message:
                    raise RuntimeError(message["error"])
                return message["result"], arrived

    def _published(self, method: str, params: Any, uri: str, version: int) -> tuple[float, list[Any]]:
        self._sent = self.notify(method, params)
        return self._next_published(uri, version)

    def _next_published(self, uri: str, version: int) -> tuple[float, list[Any]]:
        while True:
            arrived, message = self._next()
            found = message.get("params") or {}
            is_ours = found.get("uri") == uri and found.get("version") == version
            if is_ours and message.get("method") == "textDocument/publishDiagnostics":
                return arrived - self._sent, found["diagnostics"]

    def _next(self) -> tuple[float, dict[str, Any]]:
        """The next message; what the server asks is answered with null, and the end of its progress is kept in mind."""
        arrived, message = self._arrived.get(timeout=TIMEOUT)
        if "id" in message and "method" in message:
            self._send({"id": message["id"], "result": None})
        if message.get("method") == "$/progress" and message["params"]["value"]["kind"] == "end":
            self._is_indexed = True
        return arrived, message

    def _send(self, message: dict[str, Any]) -> float:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        sent = time.perf_counter()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self.process.stdin.flush()
        return sent

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while line := stream.readline():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
            elif not line.strip():
                body = stream.read(length)
                arrived = time.perf_counter()
                self._arrived.put((arrived, json.loads(body)))
