"""`gcn-lsp targets`: the processors that `--target` takes."""

import click

from gcn_lsp import isa
from gcn_lsp.isa import tables
from gcn_lsp.isa.target import NICKNAMES, generation


@click.command()
def targets() -> None:
    """List the targets: name, generation, other names."""
    names = isa.target_names()
    width = max(map(len, names))
    lines = (f"{name:<{width}}  {generation(name).upper():<5}  {', '.join(_other_names(name))}" for name in names)
    click.echo("\n".join(line.rstrip() for line in lines))


def _other_names(name: str) -> tuple[str, ...]:
    nicknames = (nickname for nickname, meant in NICKNAMES.items() if meant == name)
    return (*tables.processors()[name].aliases, *nicknames)
