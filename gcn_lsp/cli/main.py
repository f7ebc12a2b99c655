"""The command `gcn-lsp`: the group of commands, each loaded on use."""

import atexit
import gc
import importlib
import io
import sys

import click

# Name of a command -> the module that holds a function of the same name, with `_` for `-`.
# A command is loaded on use, so that `gcn-lsp --version` and the server start quickly.
COMMANDS = {
    "check": "gcn_lsp.cli.check",
    "fix": "gcn_lsp.cli.fix",
    "format": "gcn_lsp.cli.format",
    "encode": "gcn_lsp.cli.encode",
    "disassemble": "gcn_lsp.cli.disassemble",
    "assemble": "gcn_lsp.cli.assemble",
    "expand": "gcn_lsp.cli.expand",
    "explain": "gcn_lsp.cli.explain",
    "docs": "gcn_lsp.cli.docs",
    "graph": "gcn_lsp.cli.graph",
    "report": "gcn_lsp.cli.report",
    "compile-command": "gcn_lsp.cli.compile_command",
    "serve": "gcn_lsp.cli.serve",
    "targets": "gcn_lsp.cli.targets",
    "schema": "gcn_lsp.cli.schema",
    "completion": "gcn_lsp.cli.completion",
    "manual": "gcn_lsp.cli.manual",
}

_WHOLE = 1000  # characters, more than any sentence has


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name; imports its module."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(importlib.import_module(COMMANDS[cmd_name]), cmd_name.replace("-", "_"))
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, each with all of its first sentence, which click would cut off at the end of the line."""
        commands = ((name, self.get_command(ctx, name)) for name in COMMANDS)
        with formatter.section("Commands"):
            formatter.write_dl([(name, each.get_short_help_str(_WHOLE)) for name, each in commands if each is not None])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the arguments name; for an unknown name the most similar one is in the message."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            import difflib  # late: needed only here

            near = difflib.get_close_matches(args[0], COMMANDS, 1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise click.UsageError(f"{error.message}{hint}", ctx) from error


def print_version(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    """Print the version and exit, if `--version` is given."""
    if wanted and not ctx.resilient_parsing:
        from gcn_lsp.cli import version  # late: reading package metadata is slow

        click.echo(f"gcn-lsp {version.current()}")
        ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=print_version, help="Print the version."
)
def main() -> None:
    """Check, fix, encode, expand and explain AMD GPU assembly, or serve it to an editor."""
    # Without this, the interpreter collects all objects before it ends: a quarter of the time of a disassembly.
    atexit.register(gc.freeze)
    # A character that the output's encoding cannot hold becomes `?`.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
