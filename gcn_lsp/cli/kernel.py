"""Opens a file for the commands, where `-` is the standard input, and makes the report of it."""

from collections.abc import Iterator

import msgspec

from gcn_lsp import project
from gcn_lsp.cli import files
from gcn_lsp.findings.model import Severity
from gcn_lsp.project import opened
from gcn_lsp.project import report as reports
from gcn_lsp.project.opened import OpenFile
from gcn_lsp.project.report import Report

STDIN_NAME = "<stdin>"


def open_kernels(
    name: str, settings: project.Settings, *, takes_inline: bool = False, seen: dict[str, bytes] | None = None
) -> Iterator[OpenFile]:
    """The file `name`, then what else it holds; see `opened.open_all`."""
    path, data = _named(name)
    return opened.open_all(path, settings, takes_inline=takes_inline, data=data, seen=seen)


def open_kernel(name: str, settings: project.Settings, *, takes_inline: bool = False) -> OpenFile:
    """The file `name`; see `opened.open_file`."""
    path, data = _named(name)
    return opened.open_file(path, settings, takes_inline=takes_inline, data=data)


def _named(name: str) -> tuple[str, bytes | None]:
    """The path of a file, and its bytes if it is the standard input."""
    return (STDIN_NAME, files.standard_input()) if name == files.STDIN else (name, None)


def report(kernel: OpenFile, least: Severity = Severity.HINT) -> Report:
    """The findings of severity `least` or worse, with their lines."""
    made = reports.of(kernel.path, kernel.findings(least), kernel.source)
    program, read = kernel.program, kernel.files.read()
    if kernel.inline is not None:
        return msgspec.structs.replace(made, target=kernel.target(), read=read)
    if program is None:
        failed = any(finding.severity is Severity.ERROR for finding in made.findings)
        return msgspec.structs.replace(made, lines={}, unreadable=failed, target=kernel.target(), read=read)
    assumed = program.candidates.name if program.candidates is not None else ""
    names = program.build_defined
    is_code = kernel.view is not None
    return msgspec.structs.replace(
        made, target=kernel.target(), assumed=assumed, build_defined=names, read=read, is_code=is_code
    )
