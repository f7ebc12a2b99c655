"""`gcn-lsp docs`: the documentation of all instructions as a static site."""

from pathlib import Path

import click

from gcn_lsp import isa, site
from gcn_lsp.cli import completion, options
from gcn_lsp.site import data as isa_data
from gcn_lsp.text import json_bytes, replace_file


@click.command()
@click.option(
    "-o",
    "--output",
    "--html",  # as it was called
    "directory",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write the pages into this folder and create it if needed.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("json",)),
    help="Print the instructions as data instead; `gcn-lsp schema docs` describes it.",
)
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="CPU",
    callback=lambda ctx, parameter, names: tuple(options.parse_target(ctx, parameter, name) for name in names),
    shell_complete=completion.complete_target,
    help="Document only this target. May be repeated.  [default: all]",
)
def docs(directory: Path | None, form: str | None, targets: tuple[str, ...]) -> None:
    """Write a site that documents every mnemonic, modifier, register and message.

    The site needs no server: open DIR/index.html, or publish the folder as it is. With --format json, one object on
    standard output has the instructions: operands, operation, counters, hazards, encodings, lanes of matrices and
    builtins of clang, each with the targets that have it.
    """
    if (directory is None) == (form is None):
        raise click.UsageError("give either --html DIR or --format json")
    if directory is None:
        click.echo(json_bytes(isa_data.build(targets or isa.target_names())))
        return
    count = 0
    try:
        for name, data in site.build(targets or isa.target_names()):
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(str(path), data, follows=False)
            count += path.suffix == ".html"
    except OSError as error:
        raise click.UsageError(f"cannot write {error.filename or directory}: {error.strerror}") from error
    click.echo(f"{count} pages in {directory}")
