"""`gcn-lsp targets`: prints the processors that `--target` takes."""

import click

from gcn_lsp import isa
from gcn_lsp.isa.target import generation, other_names


@click.command()
def targets() -> None:
    """List the targets: name, generation, other names."""
    names = isa.target_names()
    width = max(map(len, names))
    lines = (f"{name:<{width}}  {generation(name).upper():<5}  {', '.join(other_names(name))}" for name in names)
    click.echo("\n".join(line.rstrip() for line in lines))
