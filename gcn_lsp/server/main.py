"""Starts the server on one of its transports; returns when the client has disconnected."""

import gc
import logging
import sys
from typing import TYPE_CHECKING

from gcn_lsp import patterns

if TYPE_CHECKING:
    from gcn_lsp.server.protocol import Server

# While the worker computes, the event loop gets its turn after this many seconds instead of 5 ms.
_SWITCH_INTERVAL = 0.0005


def serve_stdio() -> None:
    """Serve one client over standard input and output."""
    server = _create()
    server.start_io()
    sys.exit(server.exit_code)


def serve_tcp(host: str, port: int) -> None:
    """Serve one client that connects to a TCP port."""
    _create().start_tcp(host, port)


def serve_ws(host: str, port: int) -> None:
    """Serve one client that connects as a WebSocket."""
    _create().start_ws(host, port)


def _load_asyncio() -> None:
    """Load asyncio without `ssl`, which it can do without, as the server can, and which takes a fifth of its time."""
    if "ssl" in sys.modules or "asyncio" in sys.modules:
        return
    sys.modules["ssl"] = None  # type: ignore[assignment] # as the import system says that there is none
    try:
        patterns.load("asyncio")
    finally:
        del sys.modules["ssl"]


def _create() -> "Server":
    # Standard output belongs to the protocol.
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    sys.setswitchinterval(_SWITCH_INTERVAL)
    # lsprotocol makes a class for everything in the protocol, which takes most of the start and leaves no garbage.
    gc.disable()
    _load_asyncio()
    patterns.load("gcn_lsp.server.protocol_types")
    from gcn_lsp.server import protocol_types

    protocol_types.load()
    patterns.load("gcn_lsp.server.app")
    from gcn_lsp.server import app

    server = app.create()
    gc.enable()
    return server
