"""`gcn-lsp report`: prints the findings, resources, pressure and waits of a file's kernels, as text or as a page."""

import click

from gcn_lsp import project
from gcn_lsp.api import reports
from gcn_lsp.cli import graph, kernel, options
from gcn_lsp.ide import report as ide

FORMATS = ("text", "html", "json")


@click.command()
@options.build_options
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="Output format.")
@click.option("--html", "as_html", is_flag=True, hidden=True, help="The same as --format html.")
@click.argument("file", metavar="FILE|-", type=click.Path(allow_dash=True))
def report(settings: project.Settings, form: str, as_html: bool, file: str) -> None:
    """Print the resources, occupancy, registers and waits of the kernels in FILE; - is standard input.

    The findings; then for each kernel: its resources and what limits its occupancy, the lines where most registers are
    in use, and its waits. The page of --format html also draws the registers in use and the control flow; it needs no
    other file and no network.

    The shape of --format json is what `gcn-lsp schema report` prints: all registers, LDS bytes and waves, for limits in
    CI, such as `jq -e 'all(.kernels[]; .waves >= 4)'`.

    Exits with 2 on wrong usage or if the file cannot be read, otherwise with 0.
    """
    opened, program = graph.open_program(file, settings)
    if form == "json":
        click.echo(reports.json(opened), nl=False)
        return
    made = ide.page if as_html or form == "html" else ide.text
    click.echo(made(program, kernel.report(opened).findings, opened.target()), nl=False)
