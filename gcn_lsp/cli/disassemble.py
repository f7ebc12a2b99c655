"""`gcn-lsp disassemble`: prints a code object as assembly."""

import sys
from collections.abc import Callable, Sequence
from io import BytesIO

import click

from gcn_lsp.cli import completion, files, options
from gcn_lsp.views.objects import containers, parts, view
from gcn_lsp.views.objects.elf import NotReadable
from gcn_lsp.views.view import View

_SIZE_LIMIT = 1 << 31


@click.command()
@click.option("--kernel", metavar="NAME", default="", help="Write this kernel only.")
@click.option(
    "--target",
    metavar="CPU",
    callback=options.parse_target,
    shell_complete=completion.complete_target,
    help="The processor of raw words, or of the wanted one of several objects in FILE.",
)
@click.option(
    "--view", "as_view", is_flag=True, help="Print the editor view: the first megabyte of code, then only names."
)
@click.option("-o", "--output", metavar="OUT", type=click.Path(), help="Write to OUT, which must not exist.")
@click.option("-f", "--force", is_flag=True, help="Write OUT even if it exists.")
@click.argument("file", metavar="FILE|-", type=click.Path(allow_dash=True))
def disassemble(kernel: str, target: str | None, as_view: bool, output: str | None, force: bool, file: str) -> None:
    """Print the code object in FILE as assembly; - is standard input.

    FILE is a code object (.co, .hsaco, .o), a bundle, an archive, a program or library with code for GPUs, or, with
    --target, raw machine code as bytes or as hexadecimal text. FILE(NAME) is one of several objects in FILE, or a
    function. LLVM's assembler and linker turn the output into the same code, descriptors and metadata.
    """
    holder, names = parts.file_of(file)
    if kernel and (as_view or names):
        raise click.UsageError(f"--kernel is for a whole file, without {'FILE(NAME)' if names else '--view'}")
    data = read_file(holder)

    def write(out: Callable[[bytes], object]) -> None:
        if as_view or names:
            out(_view(data, names, target or "", is_whole=not as_view))
        else:
            _write(data, out, kernel, target or "")

    try:
        if output is None:
            write(sys.stdout.buffer.write)
            return
        files.check_absent(output, force=force)
        text = BytesIO()
        write(text.write)
        files.write(output, text.getbuffer())
    except NotReadable as error:
        raise click.UsageError(f"{file}: {error}") from None


def _view(data: bytes, names: Sequence[str], target: str, *, is_whole: bool) -> bytes:
    """The text that editors show of a file, or of what is named in it. Raises NotReadable.

    is_whole: nothing may be missing in it.
    """
    shown: View | None = view.of(data, target=target)
    for name in names:
        shown = None if shown is None else shown.named(name)
        if shown is None:
            raise NotReadable(f"it has no {name}")
    assert shown is not None
    if is_whole and shown.left_out:
        raise NotReadable(f"{names[-1]} is too long: use --kernel")
    return shown.text


def _write(data: bytes, out: Callable[[bytes], object], kernel: str, target: str) -> None:
    if target and not containers.is_container(data):
        view.write_raw(data, out, target)
    else:
        view.write(data, out, kernel, target)


def read_file(name: str) -> bytes:
    """The bytes of a file or, for `-`, of the standard input."""
    if name == "-":
        return sys.stdin.buffer.read(_SIZE_LIMIT)
    try:
        with open(name, "rb") as file:
            return file.read(_SIZE_LIMIT)
    except OSError as error:
        raise files.FileProblem(f"{name}: cannot be read: {error.strerror}") from error
