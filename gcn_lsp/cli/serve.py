"""`gcn-lsp serve`: the language server, on standard input and output by default."""

import sys

import click


@click.command()
@click.option("--stdio", "transport", flag_value="stdio", default="stdio", help="Standard input and output (default).")
@click.option("--tcp", "transport", flag_value="tcp", help="Listen on a TCP port.")
@click.option("--ws", "transport", flag_value="ws", help="Listen for WebSocket connections.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on, with --tcp or --ws.")
@click.option("--port", default=2087, show_default=True, type=click.IntRange(0, 65535), help="Port to listen on.")
def serve(transport: str, host: str, port: int) -> None:
    """Start the language server."""
    # The only place where the command line imports the server. The import is late, so that no other command depends on
    # pygls or waits for it.
    from gcn_lsp.server import main as server

    if transport == "tcp":
        server.serve_tcp(host, port)
    elif transport == "ws":
        server.serve_ws(host, port)
    elif sys.stdin is None or sys.stdout is None:
        raise click.UsageError("the standard input or output is closed: an editor has to hold both open")
    else:
        server.serve_stdio()
