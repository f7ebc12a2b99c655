"""Changed texts of files: shown as a unified diff, or written in one step."""

import difflib
import os
import re

import click

from gcn_lsp.cli import files
from gcn_lsp.project.opened import OpenFile
from gcn_lsp.text import LineEnds, SourceText


def refuse_objects(name: str, opened: OpenFile) -> None:
    """End with wrong usage for a file that is not text."""
    if opened.view is not None:
        raise click.UsageError(f"{name} is no text: `gcn-lsp disassemble {name}` makes one that can be changed")


def texts(name: str, opened: OpenFile, after: SourceText) -> tuple[bytes, bytes]:
    """The bytes of a file and what they become, with its own line ends."""
    before = opened.setup.source
    if before is None:
        assert opened.program is not None
        before = opened.program.source
    is_text = name != files.STDIN and opened.view is None
    old = _read(name, before) if is_text else before.to_bytes()
    return old, LineEnds.of(old).fitted(before.lines, after.lines).join(after.lines)


def show(path: str, before: bytes, after: bytes) -> None:
    """Print a unified diff."""
    click.echo(_difference(path, before, after), nl=False)


def write(name: str, before: bytes, after: bytes) -> None:
    """Write the new text to the file; for standard input, print it."""
    if name == files.STDIN:
        click.echo(after, nl=False)
    elif after != before:
        files.write(name, after)


def _difference(path: str, before: bytes, after: bytes) -> bytes:
    """A unified diff, as `patch` reads it."""
    name = os.fsencode(path)
    lines = difflib.diff_bytes(difflib.unified_diff, _lines(before), _lines(after), name, name)
    return b"".join(line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n" for line in lines)


def _lines(data: bytes) -> list[bytes]:
    return re.findall(rb"[^\n]*\n|[^\n]+", data)


def _read(path: str, source: SourceText) -> bytes:
    """The bytes of the file, if they are still those that were checked."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise files.FileProblem(f"cannot read {path}: {error.strerror}") from error
    if SourceText.from_bytes(path, data).lines != source.lines:
        raise files.FileProblem(f"{path} has changed since it was checked")
    return data
