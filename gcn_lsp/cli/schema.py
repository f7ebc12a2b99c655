"""`gcn-lsp schema`: prints the JSON schema of `gcn-lsp.toml`."""

import json

import click

from gcn_lsp.project import schema as schemas


@click.command()
def schema() -> None:
    """Print the JSON schema of gcn-lsp.toml, for editors that complete and check TOML by one.

    With Taplo, in .taplo.toml: [[rule]] include = ["gcn-lsp.toml"] and schema.path = "gcn-lsp.schema.json".
    """
    click.echo(json.dumps(schemas.schema(), indent=2))
