"""`gcn-lsp schema`: prints the JSON schema of `gcn-lsp.toml`, or of what a command prints as JSON."""

import json

import click

from gcn_lsp.api import reports
from gcn_lsp.project import schema as schemas

_SETTINGS = "settings"
_OUTPUTS = ("check", "report", "docs")


@click.command()
@click.argument(
    "of", metavar="[settings|check|report|docs]", type=click.Choice((_SETTINGS, *_OUTPUTS)), default=_SETTINGS
)
def schema(of: str) -> None:
    """Print the JSON schema of gcn-lsp.toml, for editors that complete and check TOML by one.

    `gcn-lsp schema check`, `schema report` and `schema docs` print that of the output of these commands with
    --format json.

    With Taplo, in .taplo.toml: [[rule]] include = ["gcn-lsp.toml"] and schema.path = "gcn-lsp.schema.json".
    """
    if of == "docs":
        from gcn_lsp.site import data  # late: it loads all that describes instructions

        click.echo(json.dumps(data.schema(), indent=2))
        return
    made = schemas.schema if of == _SETTINGS else reports.SCHEMAS[of]
    click.echo(json.dumps(made(), indent=2))
