"""Starts the server on one of its transports; returns when the client is gone."""

import gc
import logging
import sys

from gcn_lsp.server import app

# While the worker computes, the event loop gets its turn after this many seconds instead of 5 ms.
_SWITCH_INTERVAL = 0.0005

# The garbage collector's thresholds: old objects are left to the worker, which collects them when it is idle.
_COLLECTION = (20_000, 50, 1_000)


def serve_stdio() -> None:
    """Serve one client over standard input and output."""
    _prepare()
    server = app.create()
    server.start_io()
    sys.exit(server.exit_code)


def serve_tcp(host: str, port: int) -> None:
    """Serve one client that connects to a TCP port."""
    _prepare()
    app.create().start_tcp(host, port)


def serve_ws(host: str, port: int) -> None:
    """Serve one client that connects as a WebSocket."""
    _prepare()
    app.create().start_ws(host, port)


def _prepare() -> None:
    # Standard output belongs to the protocol.
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    sys.setswitchinterval(_SWITCH_INTERVAL)
    gc.set_threshold(*_COLLECTION)
