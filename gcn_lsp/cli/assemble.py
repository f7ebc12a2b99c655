"""`gcn-lsp assemble`: writes an edited text back into the code object that it was made from."""

import click

from gcn_lsp import project
from gcn_lsp.cli import files, kernel, options
from gcn_lsp.cli.disassemble import read_file
from gcn_lsp.cli.output import text
from gcn_lsp.findings.model import Severity
from gcn_lsp.program import problems
from gcn_lsp.views.objects import disassembly, view, writing
from gcn_lsp.views.objects.elf import NotReadable


@click.command()
@options.build_options
@click.option("--into", metavar="OBJECT", required=True, type=click.Path(), help="The object that the text is from.")
@click.option("-o", "--output", metavar="OUT", required=True, type=click.Path(), help="The object to write.")
@click.option("-f", "--force", is_flag=True, help="Write OUT even if it exists.")
@click.argument("file", metavar="FILE|-", type=click.Path(allow_dash=True))
@click.pass_context
def assemble(ctx: click.Context, settings: project.Settings, into: str, output: str, force: bool, file: str) -> None:
    """Write the code and descriptors of FILE, an edited text from `gcn-lsp disassemble`, into a copy of OBJECT.

    Kernels stay in place where they fit; else what follows the code moves. OBJECT itself is not changed unless OUT
    names it and --force is given.

    Exits with 1 when FILE has errors, with 2 on wrong use or when the text does not fit into OBJECT.
    """
    files.check_absent(output, force=force)
    original = read_file(into)
    try:
        target = disassembly.load(view.objects(original)[0][1])
    except (NotReadable, IndexError) as error:
        raise click.UsageError(f"{into}: {error or 'it holds no code for AMD GPUs'}") from None
    chosen = project.Settings(target=target.name, mattr=target.mattr)
    opened = kernel.open_kernel(file, settings if settings.target else settings.over(chosen))
    if opened.program is None:
        raise files.FileProblem(opened.refusal)
    rules = {problem.problem.rule for problem in problems.of(opened.program)}
    report = kernel.report(opened)
    errors = [each for each in report.findings if each.severity is Severity.ERROR and each.rule in rules]
    if errors:
        click.echo("".join(text.finding_text(report, finding) for finding in errors), nl=False, err=True)
        ctx.exit(1)
    try:
        made = writing.into(original, opened.program)
    except writing.NotWritable as error:
        raise click.UsageError(f"{into}: {error}") from None
    files.write(output, made)
