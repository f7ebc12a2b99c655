"""`gcn-lsp targets`: prints the processors that `--target` takes, or those that a product's name finds."""

import click

from gcn_lsp import isa
from gcn_lsp.isa import products
from gcn_lsp.isa.target import generation, other_names


@click.command()
@click.argument("words", nargs=-1)
def targets(words: tuple[str, ...]) -> None:
    """List the targets: name, generation, architecture, other names, products. WORDS: only those with all of them."""
    names = isa.target_names()
    width = max(map(len, names))
    lines = [f"{name:<{width}}  {generation(name).upper():<5}  {', '.join(_further(name))}".rstrip() for name in names]
    wanted = [word.lower() for word in words]
    found = [line for line in lines if all(word in line.lower() for word in wanted)]
    if not found:
        raise click.ClickException(f"no target is called {' '.join(words)}")
    click.echo("\n".join(found))


def _further(name: str) -> tuple[str, ...]:
    return tuple(filter(None, (products.architecture(name), *other_names(name), *products.products(name))))
