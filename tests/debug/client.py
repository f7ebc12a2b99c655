"""A client of the debug adapter over pipes, as an editor is one."""

import io
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, Any

from gcn_lsp.debug import adapter, messages
from tests.debug import schema

Message = dict[str, Any]


class Client:
    """Speaks to an adapter: one in a thread of its own, or a process `gcn-lsp debug`."""

    def __init__(self, *, is_process: bool = False) -> None:
        self._process = None
        if is_process:
            command = [sys.executable, "-m", "gcn_lsp", "debug"]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._input: IO[bytes] = self._process.stdin
            self._output: IO[bytes] = self._process.stdout
        else:
            (source, to_source), (from_target, target) = os.pipe(), os.pipe()
            self._input, self._output = os.fdopen(to_source, "wb"), os.fdopen(from_target, "rb")
            streams = os.fdopen(source, "rb"), os.fdopen(target, "wb")
            threading.Thread(target=adapter.serve, args=streams, daemon=True).start()
        self._sequence = 0
        self.events: list[Message] = []

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self._input.close()
        if self._process is not None:
            self._process.wait(20)
        self._output.close()

    def send(self, command: str, *, known: bool = True, **arguments: Any) -> int:
        """Send a request. known: it is one of the protocol."""
        self._sequence += 1
        made = {"seq": self._sequence, "type": "request", "command": command, "arguments": arguments}
        if known:
            assert schema.errors(made) == []
        data = io.BytesIO()
        messages.write(data, made)
        self._input.write(data.getvalue())
        self._input.flush()
        return self._sequence

    def request(self, command: str, **arguments: Any) -> Message:
        """Send a request and wait for the answer; events before it are kept."""
        number = self.send(command, **arguments)
        while True:
            found = self._read()
            if found["type"] == "response" and found["request_seq"] == number:
                return found
            self.events.append(found)

    def body(self, command: str, **arguments: Any) -> Message:
        """The body of the answer, which has to be a success."""
        found = self.request(command, **arguments)
        assert found["success"], found
        body: Message = found.get("body", {})
        return body

    def event(self, name: str) -> Message:
        """The next event of a name; earlier ones are dropped."""
        while True:
            found = self.events.pop(0) if self.events else self._read()
            if found["type"] == "event" and found["event"] == name:
                body: Message = found.get("body", {})
                return body

    def _read(self) -> Message:
        found = messages.read(self._output)
        assert found is not None, "the adapter has ended"
        assert schema.errors(found) == []
        return found

    def launch(self, path: Path, lines: "tuple[int, ...]" = (), **arguments: Any) -> Message:
        """Start a session with breakpoints at lines, and return the first stop."""
        self.body("initialize", adapterID="gcn")
        self.body("launch", program=str(path), **arguments)
        self.event("initialized")
        points = [{"line": line} for line in lines]
        self.body("setBreakpoints", source={"path": str(path)}, breakpoints=points)
        self.body("configurationDone")
        return self.event("stopped")

    def place(self, thread: int) -> tuple[str, int]:
        """The function and the line of a wave."""
        frame = self.body("stackTrace", threadId=thread)["stackFrames"][0]
        return frame["name"], frame["line"]

    def value(self, expression: str, thread: int = 0) -> str:
        """The value of an expression in a wave."""
        found: str = self.body("evaluate", expression=expression, frameId=1000 * thread)["result"]
        return found
