"""`gcn-lsp report`: prints the findings, resources, pressure and waits of a file's kernels, as text or as a page."""

import click

from gcn_lsp import project
from gcn_lsp.cli import graph, kernel, options
from gcn_lsp.ide import report as ide


@click.command()
@options.build_options
@click.option("--html", "as_html", is_flag=True, help="Print a page: gcn-lsp report --html k.s > k.html")
@click.argument("file", metavar="FILE|-", type=click.Path(allow_dash=True))
def report(settings: project.Settings, as_html: bool, file: str) -> None:
    """Print the resources, occupancy, registers and waits of the kernels in FILE; - is standard input.

    The findings; then for each kernel: its resources and what limits its occupancy, the lines where most registers are
    in use, and its waits. The page that --html prints also draws the registers in use and the control flow; it needs no
    other file and no network.

    Exits with 2 on wrong usage or if the file cannot be read, otherwise with 0.
    """
    opened, program = graph.open_program(file, settings)
    made = ide.page if as_html else ide.text
    click.echo(made(program, kernel.report(opened).findings, opened.target()), nl=False)
