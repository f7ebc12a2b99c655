"""The server over TCP and WebSocket: a start, a file with a mistake, its diagnostic."""

import asyncio
import json
import socket
import sys
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import pytest
from websockets.asyncio.client import connect

START: list[dict[str, Any]] = [
    {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
    {"method": "initialized", "params": {}},
    {
        "method": "textDocument/didOpen",
        "params": {
            "textDocument": {
                "uri": "file:///nowhere/gfx90a.s",
                "languageId": "gcn",
                "version": 1,
                "text": "v_mov_b23 v0, v1",
            }
        },
    },
]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


Connection = TypeVar("Connection")


async def once_it_listens(connect_: Callable[[], Awaitable[Connection]]) -> Connection:
    """Connect as soon as the server is there; it serves one client, so nothing else may try."""
    for _ in range(200):
        try:
            return await connect_()
        except OSError:
            await asyncio.sleep(0.1)
    raise TimeoutError


async def first_diagnostic(receive: Callable[[], Awaitable[dict[str, Any]]]) -> str:
    while True:
        message = await asyncio.wait_for(receive(), 20)
        if message.get("method") == "textDocument/publishDiagnostics":
            code: str = message["params"]["diagnostics"][0]["code"]
            return code


async def over_websocket(port: int) -> str:
    async with await once_it_listens(lambda: connect(f"ws://127.0.0.1:{port}")) as channel:
        for message in START:
            await channel.send(json.dumps({"jsonrpc": "2.0", **message}))

        async def receive() -> dict[str, Any]:
            found: dict[str, Any] = json.loads(await channel.recv())
            return found

        return await first_diagnostic(receive)


async def over_tcp(port: int) -> str:
    reader, writer = await once_it_listens(lambda: asyncio.open_connection("127.0.0.1", port))
    for message in START:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        writer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    async def receive() -> dict[str, Any]:
        length = 0
        while line := (await reader.readline()).strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        found: dict[str, Any] = json.loads(await reader.readexactly(length))
        return found

    try:
        return await first_diagnostic(receive)
    finally:
        writer.close()


@pytest.mark.parametrize(("transport", "talk"), [("ws", over_websocket), ("tcp", over_tcp)])
def test_a_round_trip(transport: str, talk: Callable[[int], Awaitable[str]]) -> None:
    async def session() -> str:
        port = free_port()
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "gcn_lsp", "serve", f"--{transport}", "--port", str(port)
        )
        try:
            return await talk(port)
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()

    assert asyncio.run(session()) == "unknown-mnemonic"
