"""`gcn-lsp report`: prints a page about a file: resources, pressure, waits, control flow, findings of its kernels."""

import click

from gcn_lsp import project
from gcn_lsp.cli import graph, options
from gcn_lsp.ide import report as ide


@click.command()
@options.build_options
@click.option("--html", "as_html", is_flag=True, hidden=True, help="The form of the page, which has no other.")
@click.argument("file", metavar="FILE|-", type=click.Path(allow_dash=True))
def report(settings: project.Settings, as_html: bool, file: str) -> None:
    """Print an HTML page about the kernels in FILE, - is standard input: gcn-lsp report k.s > k.html

    The findings; then for each kernel: its resources and what limits its occupancy, the registers in use over its
    lines, its waits, and its control flow. The page needs no other file and no network.

    Exits with 2 on wrong usage or if the file cannot be read, otherwise with 0.
    """
    opened, program = graph.open_program(file, settings)
    click.echo(ide.page(program, opened.report().findings, opened.target()), nl=False)
