"""The command `gcn-lsp`: the group of commands, each loaded only when it is used."""

import importlib
import io
import sys

import click

# Name of a command -> the module that holds a function of the same name.
# Loading is put off until a command is used, so that `gcn-lsp --version` and the server start quickly.
COMMANDS = {
    "check": "gcn_lsp.cli.check",
    "fix": "gcn_lsp.cli.fix",
    "encode": "gcn_lsp.cli.encode",
    "expand": "gcn_lsp.cli.expand",
    "explain": "gcn_lsp.cli.explain",
    "docs": "gcn_lsp.cli.docs",
    "graph": "gcn_lsp.cli.graph",
    "report": "gcn_lsp.cli.report",
    "serve": "gcn_lsp.cli.serve",
    "targets": "gcn_lsp.cli.targets",
    "completion": "gcn_lsp.cli.completion",
    "manual": "gcn_lsp.cli.manual",
}


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of the table, which is that of their use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, its module imported now."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(importlib.import_module(COMMANDS[cmd_name]), cmd_name)
        return command


def print_version(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    """Print the version and end the program, if it was asked for."""
    if wanted and not ctx.resilient_parsing:
        from gcn_lsp.cli import version  # late: reading package metadata takes its time

        click.echo(f"gcn-lsp {version.current()}")
        ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=print_version, help="Print the version."
)
def main() -> None:
    """Check, fix, encode, expand and explain AMD GPU assembly, or serve it to an editor."""
    # What the output's encoding cannot hold becomes `?`: half a character of a file or its name, or, where the encoding
    # is not UTF-8, a whole one.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
