"""`gcn-lsp completion`: prints the script with which a shell completes commands, options, targets and mnemonics."""

import click
from click.shell_completion import get_completion_class

PROGRAM = "gcn-lsp"

# The variable in which the script calls the program; click derives the same name from the program's.
_VARIABLE = "_GCN_LSP_COMPLETE"

_HOW = """\
Bash, in ~/.bashrc:          eval "$(gcn-lsp completion bash)"
Zsh, in ~/.zshrc:            eval "$(gcn-lsp completion zsh)"
Fish:                        gcn-lsp completion fish > ~/.config/fish/completions/gcn-lsp.fish
"""


@click.command(epilog="\b\n" + _HOW)
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script with which SHELL completes this program's arguments."""
    kind = get_completion_class(shell)
    assert kind is not None, "click knows each of the choices"
    click.echo(kind(ctx.find_root().command, {}, PROGRAM, _VARIABLE).source())


def complete_target(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """The targets that begin with `incomplete`."""
    from gcn_lsp import isa  # late: `--help` needs no tables

    return [name for name in isa.target_names() if name.startswith(incomplete)]


def complete_targets(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Lists of targets that begin with `incomplete`: the text before the last comma is kept."""
    before, comma, begun = incomplete.rpartition(",")
    return [before + comma + name for name in complete_target(ctx, parameter, begun)]


def complete_rules(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Lists of rules that begin with `incomplete`: the text before the last comma is kept."""
    from gcn_lsp.rules import RULES  # late: `--help` needs no rules

    before, comma, begun = incomplete.rpartition(",")
    return [before + comma + name for name in RULES if name.startswith(begun)]


def complete_topic(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """The rules, ideas and, after two characters, mnemonics that begin with `incomplete`."""
    from gcn_lsp.isa import documentation  # late: `--help` needs no tables

    rules = complete_rules(ctx, parameter, incomplete)
    mnemonics = documentation.mnemonics() if len(incomplete) > 1 else ()
    concepts = (name for name in documentation.names(documentation.CONCEPTS) if name.startswith(incomplete))
    return [*rules, *concepts, *sorted(name for name in mnemonics if name.startswith(incomplete))]
