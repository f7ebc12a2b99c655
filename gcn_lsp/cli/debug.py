"""`gcn-lsp debug`: serves the Debug Adapter Protocol over standard input and output."""

import json
import sys

import click

from gcn_lsp.cli.run import check_numpy


@click.command()
@click.option(
    "--launches", metavar="FILE", type=click.Path(), help="Print a launch of each kernel in FILE, made up, as JSON."
)
def debug(launches: "str | None") -> None:
    """Debug kernels on this machine: serve the Debug Adapter Protocol over standard input and output.

    Editors start this; the launch has `program`, `grid`, `block`, `args` and more: see the page on running kernels.
    """
    check_numpy()
    from gcn_lsp.debug import adapter, launching  # late: they need numpy

    if launches is not None:
        from gcn_lsp.machine.arguments import WrongLaunch

        try:
            click.echo(json.dumps(list(launching.configurations(launches)), indent=2))
        except WrongLaunch as error:
            raise click.UsageError(str(error)) from error
        return
    if sys.stdin is None or sys.stdout is None:
        raise click.UsageError("the standard input or output is closed")
    adapter.serve(sys.stdin.buffer, sys.stdout.buffer)
