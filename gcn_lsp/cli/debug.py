"""`gcn-lsp debug`: serves the Debug Adapter Protocol over standard input and output."""

import sys

import click

from gcn_lsp.cli.run import check_numpy


@click.command()
def debug() -> None:
    """Debug kernels on this machine: serve the Debug Adapter Protocol over standard input and output.

    Editors start this; the launch has `program`, `grid`, `block`, `args` and more: see the page on running kernels.
    """
    check_numpy()
    from gcn_lsp.debug import adapter  # late: it needs numpy

    if sys.stdin is None or sys.stdout is None:
        raise click.UsageError("the standard input or output is closed")
    adapter.serve(sys.stdin.buffer, sys.stdout.buffer)
