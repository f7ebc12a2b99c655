"""`gcn-lsp clean`: removes the reports that `check` keeps between calls."""

import click

from gcn_lsp.cli import kept_reports


@click.command()
def clean() -> None:
    """Remove the results that `gcn-lsp check` keeps in the user's cache directory."""
    try:
        count, size = kept_reports.clean()
    except OSError as error:
        raise click.UsageError(f"cannot remove {error.filename}: {error.strerror}") from error
    click.echo(f"{count} results removed, {size:,} bytes")
