"""`gcn-lsp test`: runs the tests of kernels that `*.kernel.toml` files describe."""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from gcn_lsp.cli import files, progress
from gcn_lsp.cli.output import junit, text
from gcn_lsp.cli.output.junit import TestCase
from gcn_lsp.cli.run import INTERRUPTED, check_numpy

if TYPE_CHECKING:
    from gcn_lsp.running.cases import Case
    from gcn_lsp.running.checking import Verdict


@click.command()
@click.option("--junit", "junit_file", metavar="FILE", type=click.Path(), help="Write the results to FILE.")
@click.option("-k", "pattern", metavar="TEXT", default="", help="Run only tests with TEXT in FILE:NAME.")
@click.option("-j", "--jobs", metavar="N", type=click.IntRange(min=1), help="Processes.  [default: one for each core]")
@click.option("-q", "--quiet", is_flag=True, help="Print failures only.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path())
@click.pass_context
def test(
    ctx: click.Context,
    junit_file: "str | None",
    pattern: str,
    jobs: "int | None",
    quiet: bool,
    paths: tuple[str, ...],
) -> None:
    """Run the tests in *.kernel.toml files: kernels with inputs and expected results; directories are searched.

    Exits with 1 if a test fails, with 2 if one cannot be run or there is none, with 130 if it is interrupted (the tests
    so far are printed and written), otherwise with 0.
    """
    check_numpy()
    from gcn_lsp.machine.arguments import WrongLaunch  # late: they need numpy
    from gcn_lsp.running import cases, checking

    chosen: list[Case] = []
    broken = 0
    for path in cases.files(paths):
        try:
            chosen += [case for case in cases.read(path) if pattern in f"{case.path}:{case.name}"]
        except WrongLaunch as error:
            click.echo(f"{click.style('broken', fg='red')} {error}")
            broken += 1
    verdicts: list[Verdict] = []
    for verdict in progress.over(checking.run_all(chosen, jobs or os.cpu_count() or 1), len(chosen), "Testing", quiet):
        verdicts.append(verdict)
        click.echo(_line(verdict, quiet=quiet), nl=False)
    if junit_file is not None:
        files.write(junit_file, junit.document("gcn-lsp test", _suites(verdicts)).encode())
    failed = sum(1 for each in verdicts if each.result == "failed")
    broken += sum(1 for each in verdicts if each.result == "broken")
    if not verdicts and not broken:
        raise click.UsageError(f"there is no test in {', '.join(paths)}: tests are in files *{cases.ENDING}")
    passed = len(verdicts) - failed - sum(1 for each in verdicts if each.result == "broken")
    click.echo(f"{passed} passed, {failed} failed, {broken} cannot run", err=True)
    if any(each.is_interrupted for each in verdicts):
        ctx.exit(INTERRUPTED)
    ctx.exit(2 if broken else int(bool(failed)))


_COLOURS = {"passed": "green", "failed": "red", "broken": "red"}


def _line(verdict: "Verdict", *, quiet: bool) -> str:
    case = verdict.case
    if verdict.result == "passed":
        told = f"{click.style('passed', fg='green')} {case.path}: {case.name} ({verdict.seconds:.2f} s)\n"
        return "" if quiet else told
    head = f"{click.style(verdict.result, fg=_COLOURS[verdict.result])} {case.path}: {case.name}: {verdict.said}\n"
    return head + _findings(verdict)


def _findings(verdict: "Verdict") -> str:
    return text.findings((verdict.report,)) if verdict.report is not None and verdict.findings else ""


def _suites(verdicts: "Iterable[Verdict]") -> "list[tuple[str, list[TestCase]]]":
    found: dict[str, list[TestCase]] = {}
    for each in verdicts:
        line = each.findings[0].where.line + 1 if each.findings else 0
        case = TestCase(
            each.case.name,
            each.case.source,
            each.result,
            each.said,
            click.unstyle(_findings(each)),
            line,
            each.seconds,
        )
        found.setdefault(each.case.path, []).append(case)
    return list(found.items())
