"""The command `gcn-lsp`: the group of commands, each loaded on use."""

import atexit
import contextlib
import errno
import gc
import importlib
import io
import os
import sys
import threading
from typing import NoReturn

import click

from gcn_lsp.cli.start import COMMANDS as COMMANDS
from gcn_lsp.cli.start import OPTIONS, SENTENCE, WIDEST

_MODULES = {"eval": "evaluate"}
"""The modules, and functions in them, of commands whose name Python has for itself."""


class _NotWritten(click.ClickException):
    """Output that cannot be written: the caller knows neither the findings nor their absence."""

    exit_code = 2


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name; imports its module."""
        if cmd_name not in COMMANDS:
            return None
        name = _MODULES.get(cmd_name, cmd_name.replace("-", "_"))
        command: click.Command = getattr(importlib.import_module(f"gcn_lsp.cli.{name}"), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands, each with all of its first sentence, which click would cut off at the end of the line."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; output that cannot be written (a full disk) is one sentence and wrong use."""
        try:
            result = super().invoke(ctx)
            if sys.stdout is not None:
                sys.stdout.flush()
        except OSError as error:
            # An error about a file has its name, and is the command's; click itself ends quietly on a closed pipe.
            if error.filename is not None or error.errno == errno.EPIPE:
                raise
            _drop_output()
            raise _NotWritten(f"cannot write the output: {error.strerror}") from error
        return result

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


def _drop_output() -> None:
    """Send what is still to be written nowhere: the interpreter would try again at its end, and fail again."""
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def run() -> NoReturn:
    """Run the command of the process's arguments, and end the process."""
    try:
        main()
    except SystemExit as ended:
        _end(ended.code)
    raise AssertionError("a command ends the process")


def _end(code: "str | int | None") -> NoReturn:
    """End the process without taking apart what is in memory, if nothing else is left to be done."""
    if not isinstance(code, str) and threading.active_count() == 1 and "multiprocessing" not in sys.modules:
        with contextlib.suppress(OSError, ValueError):  # closed, or full: the interpreter says so
            for stream in (sys.stdout, sys.stderr):
                if stream is not None:
                    stream.flush()
            os._exit(code or 0)
    sys.exit(code)


def print_version(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    """Print the version and exit, if `--version` is given."""
    if wanted and not ctx.resilient_parsing:
        from gcn_lsp.cli import version  # late: reading package metadata is slow

        click.echo(f"gcn-lsp {version.current()}")
        ctx.exit()


@click.group(
    cls=LazyGroup,
    help=SENTENCE,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDEST},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=print_version,
    help=OPTIONS["--version"],
)
def main() -> None:
    """The command of the process's arguments."""
    # Without this, the interpreter collects all objects before it ends: a quarter of the time of a disassembly.
    atexit.register(gc.freeze)
    # A character that the output's encoding cannot hold becomes `?`.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
