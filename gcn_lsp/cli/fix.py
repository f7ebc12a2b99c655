"""`gcn-lsp fix`: carries out the fixes of findings, or shows what they would change."""

import difflib
import os
import re
import shutil
import tempfile
from collections import Counter

import click

from gcn_lsp import project
from gcn_lsp.cli import check, files, kernel, options
from gcn_lsp.cli.kernel import Kernel
from gcn_lsp.cli.output.report import Report
from gcn_lsp.ide import fix_all
from gcn_lsp.ide.fix_all import Mended
from gcn_lsp.text import LineEnds, SourceText


@click.command()
@options.build_options
@options.rule_options
@click.option("--diff/--write", "only_shows", default=True, help="Print a unified diff, or change the files.")
@click.argument("paths", metavar="FILE...", nargs=-1, required=True)
@click.pass_context
def fix(ctx: click.Context, settings: project.Settings, only_shows: bool, paths: tuple[str, ...]) -> None:
    """Carry out the certain fixes of the findings in files; directories are searched for assembly files.

    Fixes are carried out again until none is left. One that would bring an error is left out, and so is one that would
    change an included file: name that file. Nothing is written without --write; for -, standard input, --write prints
    the whole text.

    Exits as `check` does with the same options on the files as they are afterwards.
    """
    names = tuple(files.expand(paths))
    if not names:
        click.echo("no assembly files found", err=True)
    reports = [_fix(name, kernel.open_kernel(name, settings), only_shows=only_shows) for name in names]
    ctx.exit(check.exit_status(reports))


def _fix(name: str, opened: Kernel, *, only_shows: bool) -> Report:
    """Show or write what the fixes make of a file; the report of the file as it is then."""
    before = opened.report()
    if opened.program is None:
        click.echo("".join(f"{finding.message}\n" for finding in before.findings), nl=False, err=True)
        return before
    shown = opened.setup.settings.shows
    mended = fix_all.fix_all(opened.program, lambda finding: shown(finding.rule), opened.setup.findings)
    click.echo(_summary(opened.path, mended), nl=False, err=True)
    old = opened.program.source.to_bytes() if name == files.STDIN else _read(name, opened.program.source)
    ends = LineEnds.of(old)
    for edits in mended.edits:
        ends = ends.edited(edits)
    new = ends.join(mended.program.source.lines)
    if only_shows:
        _print(_difference(opened.path, old, new))
        return before
    if name == files.STDIN:
        _print(new)
    elif new != old:
        _write(name, new)
    return Report(opened.path, tuple(finding for finding in mended.findings if shown(finding.rule)))


def _summary(path: str, mended: Mended) -> str:
    """What was done and what was not, as lines."""
    rules = ", ".join(f"{count} {rule}" for rule, count in Counter(mended.mended).most_common())
    told = [f"{path}: {f'{len(mended.mended)} fixed ({rules})' if rules else 'nothing to fix'}"]
    if mended.refused:
        told.append(f"{mended.refused} left out that would bring an error")
    if mended.elsewhere:
        told.append(f"{mended.elsewhere} left out that would change included files")
    return "; ".join(told) + "\n"


def _difference(path: str, before: bytes, after: bytes) -> bytes:
    """A unified diff, as `patch` reads it."""
    name = os.fsencode(path)
    lines = difflib.diff_bytes(difflib.unified_diff, _lines(before), _lines(after), name, name)
    return b"".join(line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n" for line in lines)


def _lines(data: bytes) -> list[bytes]:
    return re.findall(rb"[^\n]*\n|[^\n]+", data)


def _print(data: bytes) -> None:
    click.echo(data, nl=False)


def _read(path: str, source: SourceText) -> bytes:
    """The bytes of the file, which still have to be those that were checked."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise click.UsageError(f"cannot read {path}: {error.strerror}") from error
    if SourceText.from_bytes(path, data).lines != source.lines:
        raise click.UsageError(f"{path} has changed meanwhile")
    return data


def _write(path: str, data: bytes) -> None:
    """Put `data` in the place of the file in one step: whoever reads it sees the old text or the new one."""
    path = os.path.realpath(path)
    try:
        made, scratch = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".gcn-lsp-")
        try:
            with os.fdopen(made, "wb") as out:
                out.write(data)
            shutil.copymode(path, scratch)
            os.replace(scratch, path)
        except BaseException:
            os.unlink(scratch)
            raise
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {error.strerror}") from error
