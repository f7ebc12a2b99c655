"""`gcn-lsp disassemble`: prints a code object as assembly."""

import sys

import click

from gcn_lsp.cli import completion, files, options
from gcn_lsp.views.objects import containers, view
from gcn_lsp.views.objects.elf import NotReadable

_SIZE_LIMIT = 1 << 31


@click.command()
@click.option("--kernel", metavar="NAME", default="", help="Write this kernel only.")
@click.option(
    "--target",
    metavar="CPU",
    callback=options.parse_target,
    shell_complete=completion.complete_target,
    help="Of several objects in FILE the one for this processor; of raw words their processor.",
)
@click.option("-o", "--output", metavar="OUT", type=click.Path(), help="Write to OUT, which must not exist.")
@click.option("-f", "--force", is_flag=True, help="Write OUT even if it exists.")
@click.argument("file", metavar="FILE|-", type=click.Path(allow_dash=True))
def disassemble(kernel: str, target: str | None, output: str | None, force: bool, file: str) -> None:
    """Print the code object in FILE as assembly; - is standard input.

    FILE is a code object (.co, .hsaco, .o), a bundle, an archive, a program or library with code for GPUs, or, with
    --target, raw machine code as bytes or as hexadecimal text. What LLVM's assembler and linker make of the output has
    the same code, descriptors and metadata.
    """
    try:
        text = _text(read_file(file), kernel, target or "")
    except NotReadable as error:
        raise click.UsageError(f"{file}: {error}") from None
    if output is None:
        sys.stdout.buffer.write(text)
        return
    files.check_absent(output, force=force)
    files.write(output, text)


def _text(data: bytes, kernel: str, target: str) -> bytes:
    if target and not containers.is_container(data):
        return view.raw(data, target).text
    found = view.of(data, kernel, target)
    if kernel and not found.runs:
        names = ", ".join(view.kernels(data, target)) or "none"
        raise NotReadable(f"it has no kernel {kernel}; its kernels: {names}")
    return found.text


def read_file(name: str) -> bytes:
    """The bytes of a file or, for `-`, of the standard input."""
    if name == "-":
        return sys.stdin.buffer.read(_SIZE_LIMIT)
    try:
        with open(name, "rb") as file:
            return file.read(_SIZE_LIMIT)
    except OSError as error:
        raise click.UsageError(f"{name}: cannot be read: {error.strerror}") from error
