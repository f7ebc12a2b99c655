"""`gcn-lsp format`: formats assembly, or shows what that would change."""

import click

from gcn_lsp import project
from gcn_lsp.cli import files, kernel, options, rewriting
from gcn_lsp.ide import formatting
from gcn_lsp.text import edited

_USUAL = 4  # columns of a level


@click.command("format")
@options.build_options
@click.option("--diff/--write", "only_shows", default=True, help="Print a unified diff, or change the files.")
@click.option("--check", "only_shows", flag_value=True, type=bool, help="The same as --diff, which is the default.")
@click.option(
    "--indent",
    type=click.IntRange(1, 16),
    metavar="COLUMNS",
    help="Width of a level.  [default: of the setting, or of most lines, or 4]",
)
@click.option("--tabs", is_flag=True, help="Indent by tabs.")
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.pass_context
def format(
    ctx: click.Context,
    settings: project.Settings,
    only_shows: bool,
    indent: int | None,
    tabs: bool,
    paths: tuple[str, ...],
) -> None:
    """Format files as an editor does; directories are searched for assembly.

    Without a path it formats the current folder.
    Labels, instructions, operands and comments are put in columns; only blanks change. Only --write changes files; for
    -, standard input, it prints the whole text.

    Exits with 1 if --diff shows a difference, with 2 if a file cannot be read, otherwise with 0.
    """
    status = 0
    for name in files.expand(paths or files.HERE):
        opened = kernel.open_kernel(name, settings)
        if opened.program is None:
            click.echo(opened.refusal, err=True)
            status = 2
            continue
        layout = opened.setup.settings.format
        written = opened.as_written()
        width, by_tabs = layout.indent or _USUAL, layout.tabs
        if indent is not None or tabs:
            width, by_tabs = indent or width, tabs
        elif not layout.indent and not layout.tabs:
            width, by_tabs = formatting.detected(written) or (_USUAL, False)
        style = formatting.Style(width, by_tabs, layout.operands, layout.comments)
        source = edited(written.source, formatting.format_document(written, style))
        try:
            rewriting.refuse_objects(name, opened)
            old, new = rewriting.texts(name, opened, source)
        except click.ClickException as error:  # it vanished or changed meanwhile, or is an object
            click.echo(f"Error: {error.format_message()}", err=True)
            status = 2
            continue
        if only_shows:
            rewriting.show(opened.path, old, new)
            status = max(status, int(new != old))
        else:
            rewriting.write(name, old, new)
    ctx.exit(status)
