"""`gcn-lsp expand`: prints what the assembler sees: macros, repetitions, includes and conditionals carried out."""

import click

from gcn_lsp import project
from gcn_lsp.cli import kernel, options
from gcn_lsp.cli.output import text
from gcn_lsp.findings.model import Severity
from gcn_lsp.ide import expand as ide


def parse_lines(ctx: click.Context, parameter: click.Parameter, value: str | None) -> "tuple[int, int] | None":
    """The lines of `N` or `N-M`, counted from 0, both counted in."""
    if value is None:
        return None
    first, dash, last = value.partition("-")
    if not first.isdecimal() or (dash and not last.isdecimal()):
        raise click.BadParameter(f"{value!r} is neither a line number nor two with a hyphen between them")
    found = int(first) - 1, int(last if dash else first) - 1
    if not 0 <= found[0] <= found[1]:
        raise click.BadParameter("lines count from 1, and the first comes first")
    return found


@click.command()
@options.build_options
@click.option(
    "--line", metavar="N[-M]", callback=parse_lines, help="Print only what these lines expand to.  [default: all]"
)
@click.option("--values/--no-values", default=True, help="Print numbers in place of symbols, or the names.")
@click.option(
    "--origins/--no-origins", default=True, help="Add comments that name the call which each line comes from."
)
@click.option("-v", "--verbose", is_flag=True, help="Print the target of the file, and where it comes from.")
@click.argument("file", metavar="FILE|-", type=click.Path(allow_dash=True))
@click.pass_context
def expand(
    ctx: click.Context,
    settings: project.Settings,
    line: "tuple[int, int] | None",
    values: bool,
    origins: bool,
    verbose: bool,
    file: str,
) -> None:
    """Print FILE, - is standard input, as the assembler sees it: macros, repetitions and includes expanded.

    The output assembles to the same bytes; with --no-values it needs the same --defsym.

    Exits with 0, with 1 on errors, with 2 on wrong use or when the file cannot be read.
    """
    opened = kernel.open_kernel(file, settings)
    program = opened.program
    if program is None:
        raise click.UsageError(opened.setup.findings[-1].message)
    last_line = len(program.source.lines)
    if line is not None and line[0] >= last_line:
        raise click.UsageError(f"{opened.path} has {last_line} lines")
    if verbose:
        click.echo(f"{opened.path}: {opened.target()}", err=True)
    first, last = line if line is not None else (0, last_line - 1)
    found = ide.expand(program, first, last, ide.Style(values, origins))
    if line is not None and not found:
        click.echo(ide.nothing_said(program, first), err=True)
    click.echo(found.encode("utf-8", "surrogateescape"), nl=False)
    report = opened.report()
    errors = [finding for finding in report.findings if finding.severity is Severity.ERROR]
    click.echo("".join(text.finding_text(report, finding) for finding in errors), nl=False, err=True)
    ctx.exit(int(bool(errors)))
