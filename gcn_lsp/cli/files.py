"""The files of a command line: finds files as named, directories searched for assembly; writes those of `--output`."""

import os
import sys
from collections.abc import Iterable, Iterator

import click

from gcn_lsp.text import replace_file

HERE = (".",)  # the paths of a command that is given none
STDIN = "-"


class FileProblem(click.ClickException):
    """A file or a name that cannot be used. How the command is called is not at fault, so its usage is not shown."""

    exit_code = 2


def expand(paths: Iterable[str], *, takes_inline: bool = False) -> Iterator[str]:
    """The files of `paths`, each once: named ones whatever their ending, those in directories by their ending.

    takes_inline: sources with inline assembly of AMD GPUs are among those in directories.
    """
    seen = set()
    for path in paths:
        for file in walk(path, takes_inline=takes_inline) if path != STDIN and os.path.isdir(path) else (path,):
            key = os.path.abspath(file)
            if key not in seen:
                seen.add(key)
                yield file


def walk(directory: str, *, takes_inline: bool = False) -> Iterator[str]:
    """The assembly files under `directory`, sorted; hidden directories are skipped. takes_inline: as in `expand`."""
    from gcn_lsp.project import inline, kernel_files  # late: not all commands that write files read sources

    for path in kernel_files.walk(directory):
        if kernel_files.is_assembly(path) or (takes_inline and inline.has_assembly(path)):
            yield path


def standard_input() -> bytes:
    """The whole standard input; ends with wrong usage where it is closed."""
    if sys.stdin is None:
        raise click.UsageError("the standard input is closed")
    return sys.stdin.buffer.read()


def check_absent(path: str, *, force: bool) -> None:
    """End with wrong usage if the file exists and may not be overwritten."""
    if os.path.exists(path) and not force:
        raise click.UsageError(f"{path} exists; --force overwrites it")


def write(path: str, data: bytes | memoryview) -> None:
    """Write an output file in one step; ends with wrong usage where that is not possible."""
    try:
        replace_file(path, data)
    except OSError as error:
        raise FileProblem(f"cannot write {path}: {error.strerror}") from error
