"""`gcn-lsp clean`: removes what `check` and the server keep between calls."""

import click

from gcn_lsp.project import store


@click.command()
def clean() -> None:
    """Remove the results that gcn-lsp keeps in the user's cache directory."""
    try:
        count, size = store.clean()
    except OSError as error:
        raise click.UsageError(f"cannot remove {error.filename}: {error.strerror}") from error
    click.echo(f"{count} results removed, {size:,} bytes")
