"""`gcn-lsp check`: prints the findings in files and directories."""

import importlib
import os
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from types import ModuleType

import click
import msgspec

from gcn_lsp import project
from gcn_lsp.cli import files, kernel, options
from gcn_lsp.cli.output import report
from gcn_lsp.cli.output.report import Report
from gcn_lsp.findings.model import Severity

FORMATS = ("text", "json", "sarif", "github")

_FAILING = (Severity.ERROR, Severity.WARNING)


@click.command()
@options.build_options
@options.rule_options
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="Output format.")
@options.severity_option
@click.option("-v", "--verbose", is_flag=True, help="Print the target of each file and its source.")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.pass_context
def check(
    ctx: click.Context, settings: project.Settings, form: str, severity: str, verbose: bool, paths: tuple[str, ...]
) -> None:
    """Print the findings in files; directories are searched for assembly, - is standard input.

    Exits with 1 if an error or a warning is shown, with 2 on wrong usage or if a file cannot be read, otherwise with 0.
    """
    names = tuple(files.expand(paths))
    if not names:
        click.echo("no assembly files found", err=True)
    reports = tuple(_distinct(_check_all(names, settings, Severity(severity))))
    if verbose:
        click.echo("".join(f"{item.path}: {said}\n" for item in reports for said in item.about), nl=False, err=True)
    # click colours only output to a terminal; NO_COLOR switches that off too.
    click.echo(_format(form).render(reports), nl=False, color=False if os.environ.get("NO_COLOR") else None)
    ctx.exit(exit_status(reports))


def check_file(name: str, settings: project.Settings, least: Severity = Severity.HINT) -> Report:
    """The report of one file: its findings of severity `least` or worse."""
    try:
        return kernel.open_kernel(name, settings).report(least)
    except Exception as error:  # our bug in one file must not hide the findings in the others
        traceback.print_exc()
        return report.not_checked(name, f"gcn-lsp failed on this file; this is a bug in gcn-lsp: {error!r}")


def exit_status(reports: Iterable[Report]) -> int:
    """The exit status of the process."""
    reports = tuple(reports)
    if any(item.unreadable for item in reports):
        return 2
    return int(any(finding.severity in _FAILING for item in reports for finding in item.findings))


def _distinct(reports: Iterable[Report]) -> Iterator[Report]:
    """`reports` without repeated findings: those in a file that several files include or are configured by."""
    seen = set()
    for item in reports:
        findings = []
        for finding in item.findings:
            key = (finding.where, finding.rule, finding.message)
            if key not in seen:
                seen.add(key)
                findings.append(finding)
        yield msgspec.structs.replace(item, findings=tuple(findings))


def _check_all(names: Sequence[str], settings: project.Settings, least: Severity) -> Iterator[Report]:
    """The reports in the order of `names`, made on all cores if there are several."""
    workers = min(os.cpu_count() or 1, len(names))
    if workers < 2 or files.STDIN in names:  # only this process has the standard input
        yield from _with_progress((check_file(name, settings, least) for name in names), len(names))
        return
    from concurrent.futures import ProcessPoolExecutor  # late: most calls check one file

    with ProcessPoolExecutor(workers) as pool:
        results = pool.map(check_file, names, [settings] * len(names), [least] * len(names))
        yield from _with_progress(results, len(names))


def _with_progress(reports: Iterator[Report], total: int) -> Iterator[Report]:
    """`reports` with a progress bar, if there are several and a terminal."""
    if total < 2 or not sys.stderr.isatty():
        return reports
    from rich.console import Console  # late: needed only on a terminal
    from rich.progress import track

    return iter(track(reports, "Checking", total, console=Console(stderr=True), transient=True))


def _format(name: str) -> ModuleType:
    return importlib.import_module(f"gcn_lsp.cli.output.{name}")
