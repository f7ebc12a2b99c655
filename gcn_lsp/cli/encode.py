"""`gcn-lsp encode`: prints the bytes of every instruction, or writes those of a section."""

import sys
from collections.abc import Iterable, Iterator

import click
import msgspec

from gcn_lsp import project
from gcn_lsp.cli import files, kernel, options
from gcn_lsp.cli.output import text
from gcn_lsp.findings.model import Finding, Severity
from gcn_lsp.findings.rule import Stage
from gcn_lsp.program.program import PlacedItem, Program
from gcn_lsp.project.report import Report
from gcn_lsp.rules import RULES
from gcn_lsp.text import json_bytes


class Encoded(msgspec.Struct, frozen=True):
    """An instruction statement and its bytes in hexadecimal; `offset` counts from the start of its section."""

    file: str
    line: int
    offset: int
    bytes: str
    text: str


class NotEncoded(msgspec.Struct, frozen=True):
    """A statement that cannot be encoded, and why."""

    file: str
    line: int
    column: int
    error: str
    rule: str


# Errors of instructions that still have bytes: a field is left zero for a relocation. The row shows the bytes, so
# the error is printed on standard error.
_LEFT_TO_THE_LINKER = ("undefined-symbol",)

# The stages of the rules whose errors an assembler has too; others find what goes wrong when the kernel runs.
_OF_ASSEMBLERS = (Stage.ASSEMBLED, Stage.PROGRAM)


@click.command()
@options.build_options
@click.option("--format", "form", type=click.Choice(("text", "json")), help="Output format.  [default: text]")
@click.option("--section", default=".text", show_default=True, metavar="NAME", help="The section that --raw writes.")
@click.option(
    "--raw", metavar="OUT", type=click.Path(), help="Write the section's bytes to OUT (- is standard output)."
)
@click.option("-v", "--verbose", is_flag=True, help="Print the target of the file and its source.")
@click.argument("file", metavar="FILE|-", type=click.Path(allow_dash=True))
@click.pass_context
def encode(
    ctx: click.Context,
    settings: project.Settings,
    form: str | None,
    section: str,
    raw: str | None,
    verbose: bool,
    file: str,
) -> None:
    """Print the bytes of each instruction in FILE; - is standard input.

    With --format json: one object a line in program order, {file, line, offset, bytes, text}, or
    {file, line, column, error, rule} where something cannot be encoded. With --raw nothing is printed unless
    --format is given too, and nothing is written when there are errors. Only rejected lines are errors here: a
    missing wait is a note on standard error.

    Exits with 1 on errors, with 2 on wrong usage or if the file cannot be read, otherwise with 0.
    """
    opened = kernel.open_kernel(file, settings)
    if opened.program is None:
        raise files.FileProblem(opened.refusal)
    if opened.program.candidates is not None:
        raise click.UsageError("the file's target is unknown: name it with --target, see `gcn-lsp targets`")
    if verbose:
        click.echo(f"{opened.path}: {opened.target()}", err=True)
    report = kernel.report(opened, Severity.ERROR)
    errors, notes = _errors_and_notes(report.findings)
    report = msgspec.structs.replace(report, findings=tuple(errors))
    made = tuple(rows(opened.program, report))
    shown = errors
    if form == "json":
        click.echo(b"".join(json_bytes(row) + b"\n" for row in made), nl=False)
        shown = [finding for finding in errors if finding.rule in _LEFT_TO_THE_LINKER]
    elif form == "text" or raw is None:
        click.echo("".join(_listing(row) for row in made), nl=False)
    click.echo("".join(text.finding_text(report, finding) for finding in (*shown, *notes)), nl=False, err=True)
    failed = bool(errors) or any(isinstance(row, NotEncoded) for row in made)
    if raw is not None and not failed:
        try:
            _write(raw, opened.program.section_bytes(section))
        except OverflowError as error:
            raise click.UsageError(str(error)) from None
    ctx.exit(int(failed))


def _errors_and_notes(findings: Iterable[Finding]) -> tuple[list[Finding], list[Finding]]:
    """The errors of an assembler, and as information the errors that an assembler takes."""
    every = [finding for finding in findings if finding.severity is Severity.ERROR]
    errors = [finding for finding in every if RULES.kind(finding.rule).stage in _OF_ASSEMBLERS]
    others = (finding for finding in every if finding not in errors)
    return errors, [msgspec.structs.replace(finding, severity=Severity.INFORMATION) for finding in others]


def rows(program: Program, report: Report) -> Iterator[Encoded | NotEncoded]:
    """A row for each instruction in program order, and one for each error elsewhere, in line order."""
    items = [item for item in program.items() if item.item.instruction is not None]
    pending = _errors_by_line(report)
    with_instruction = {(item.where.path, item.where.line) for item in items}
    # Errors in lines of the main file without an instruction, last one first; those in other files come at the end.
    elsewhere = sorted((line for path, line in pending.keys() - with_instruction if path == program.path), reverse=True)
    for item in items:
        top_line = (item.steps[0].where if item.steps else item.where).line
        while elsewhere and elsewhere[-1] < top_line:
            yield from (_error(report, finding) for finding in pending.pop((program.path, elsewhere.pop())))
        yield from _item_rows(item, pending.pop((item.where.path, item.where.line), []), report)
    yield from (_error(report, finding) for findings in pending.values() for finding in findings)


def _errors_by_line(report: Report) -> dict[tuple[str, int], list[Finding]]:
    found: dict[tuple[str, int], list[Finding]] = {}
    for finding in report.findings:
        if finding.severity is Severity.ERROR:
            found.setdefault((finding.where.path, finding.where.line), []).append(finding)
    return found


def _item_rows(item: PlacedItem, errors: list[Finding], report: Report) -> Iterator[Encoded | NotEncoded]:
    """The row of an instruction, after the rows of errors before it on its line, for example at a label."""
    where, instruction = item.where, item.item.instruction
    assert instruction is not None
    own = [finding for finding in errors if finding.where.start >= where.start]
    yield from (_error(report, finding) for finding in errors if finding not in own)
    if instruction.code and all(finding.rule in _LEFT_TO_THE_LINKER for finding in own):
        yield Encoded(where.path, where.line + 1, item.offset, item.code.hex(), item.text)
    elif own:
        yield _error(report, own[0])
    else:  # its finding is suppressed, or was reported for an earlier expansion
        rule, message, start = "build-defined-symbols", "depends on a symbol that only the build defines", where.start
        if instruction.problems:
            problem = instruction.problems[0]
            rule, message = problem.rule, problem.message
            start = where.start if item.steps else problem.start
        yield NotEncoded(where.path, where.line + 1, start + 1, message, rule)


def _error(report: Report, finding: Finding) -> NotEncoded:
    span = report.span(finding.where)
    return NotEncoded(span.file, span.line, span.column, finding.message, finding.rule)


def _listing(row: Encoded | NotEncoded) -> str:
    """A row as text; errors are printed separately, with their lines."""
    return f"{row.offset:08x}  {row.bytes:<24}  {row.text}\n" if isinstance(row, Encoded) else ""


def _write(path: str, data: bytes) -> None:
    if path == "-":
        sys.stdout.buffer.write(data)
        return
    files.write(path, data)
