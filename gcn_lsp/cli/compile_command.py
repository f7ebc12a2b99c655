"""`gcn-lsp compile-command`: prints the command that makes assembly of a source, for an editor to run."""

import shutil

import click
import msgspec

from gcn_lsp import project
from gcn_lsp.cli import options
from gcn_lsp.isa.versions import VERSIONS
from gcn_lsp.project import assembly_command


@click.command()
@options.build_options
@click.argument("file", metavar="FILE", type=click.Path(exists=True, dir_okay=False))
@click.argument("compiler", metavar="[-- COMPILER...]", nargs=-1)
def compile_command(settings: project.Settings, file: str, compiler: tuple[str, ...]) -> None:
    """Print the command that compiles FILE to the assembly of its device code, as JSON; nothing is run.

    It is the build's own in compile_commands.json with `-S -g`; else COMPILER with its options, the setting
    compile-command, or clang for --target.

    Exits with 2 if nothing says how FILE is compiled.
    """
    names = ("clang", *(f"clang-{version}" for version in VERSIONS))
    settings = msgspec.structs.replace(settings, compile_command=compiler)
    found = assembly_command.of(file, settings, project.Files(), filter(shutil.which, names))
    if found is None:
        raise click.UsageError(
            f"nothing says how {file} is compiled: compile_commands.json does not name it; "
            "set compile-command, or give --target for HIP and OpenCL"
        )
    click.echo(msgspec.json.encode(found), nl=True)
