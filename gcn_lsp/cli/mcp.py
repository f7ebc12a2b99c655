"""`gcn-lsp mcp`: serves the tools for coding agents."""

import sys

import click


@click.command()
def mcp() -> None:
    """Serve tools for coding agents (Model Context Protocol) over standard input and output.

    The tools check, explain, encode and compare; they write no file and run no program. An agent's
    configuration names this command.
    """
    try:
        from gcn_lsp.mcp import server  # late: no other command needs the SDK
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith(("mcp", "anyio")):
            raise
        raise click.UsageError("this needs the package mcp: pip install 'gcn-lsp[mcp]'") from error
    if sys.stdin is None or sys.stdout is None:
        raise click.UsageError("the standard input or output is closed: an agent's client has to hold both open")
    server.serve()
