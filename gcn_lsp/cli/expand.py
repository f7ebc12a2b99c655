"""`gcn-lsp expand`: prints a file as the assembler sees it: macros, repetitions, includes, conditionals expanded."""

import click

from gcn_lsp import project
from gcn_lsp.cli import files, kernel, options
from gcn_lsp.cli.output import text
from gcn_lsp.findings.model import Severity
from gcn_lsp.ide import expand as ide


def parse_lines(ctx: click.Context, parameter: click.Parameter, value: str | None) -> "tuple[int, int] | None":
    """The lines of `N` or `N-M`, counted from 0, both included."""
    if value is None:
        return None
    first, dash, last = value.partition("-")
    if not first.isdecimal() or (dash and not last.isdecimal()):
        raise click.BadParameter(f"{value!r} is neither a line number nor a range such as 10-20")
    found = int(first) - 1, int(last if dash else first) - 1
    if not 0 <= found[0] <= found[1]:
        raise click.BadParameter("lines count from 1, and a range starts with the lower one")
    return found


@click.command()
@options.build_options
@click.option(
    "--line", metavar="N[-M]", callback=parse_lines, help="Print only the expansion of these lines.  [default: all]"
)
@click.option("--values/--no-values", default=True, help="Print the values of symbols, or their names.")
@click.option("--origins/--no-origins", default=True, help="Add a comment with the call that each line comes from.")
@click.option("-v", "--verbose", is_flag=True, help="Print the target of the file and its source.")
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
    """Print FILE as the assembler sees it, without macros, repetitions and includes; - is standard input.

    The output assembles to the same bytes; with --no-values it needs the same --defsym.

    Exits with 1 on errors, with 2 on wrong usage or if the file cannot be read, otherwise with 0.
    """
    opened = kernel.open_kernel(file, settings)
    program = opened.program
    if program is None:
        raise files.FileProblem(opened.refusal)
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
    report = kernel.report(opened)
    errors = [finding for finding in report.findings if finding.severity is Severity.ERROR]
    click.echo("".join(text.finding_text(report, finding) for finding in errors), nl=False, err=True)
    ctx.exit(int(bool(errors)))
