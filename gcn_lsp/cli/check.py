"""`gcn-lsp check`: prints the findings in files and directories."""

import importlib
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from types import ModuleType
from typing import Literal

import click
import msgspec

from gcn_lsp import garbage_collection, project
from gcn_lsp.cli import baseline as known
from gcn_lsp.cli import files, kept_reports, options, progress, watching
from gcn_lsp.cli.kept_reports import KeptReports
from gcn_lsp.cli.output import text
from gcn_lsp.findings.model import Severity
from gcn_lsp.project import report
from gcn_lsp.project.report import Report

FORMATS = ("text", "json", "sarif", "github", "gitlab", "junit")
_OF_PROGRAMS = ("json", "sarif", "gitlab", "junit")

_FAILING = (Severity.ERROR, Severity.WARNING)


@click.command()
@options.build_options
@options.rule_options
@options.severity_option
@click.option("--at", type=click.Choice(("assembly", "source")), help="Report at instructions or source lines.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="Output format.")
@click.option("-o", "--output", metavar="FILE", type=click.Path(), help="Write the findings to FILE.")
@click.option("--statistics", is_flag=True, help="Print how often each rule found something.")
@click.option("--baseline", metavar="FILE", type=click.Path(), help="Show only findings that are not in FILE.")
@click.option("--write-baseline", metavar="FILE", type=click.Path(), help="Write all findings to FILE, show none.")
@click.option("--diff", "commit", metavar="COMMIT", help="Show only findings on lines changed since COMMIT, by git.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 though errors or warnings are shown.")
@click.option("--witness", is_flag=True, help="Run the kernels, and say which findings about waits and barriers show.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes.")
@click.option("-j", "--jobs", metavar="N", type=click.IntRange(min=1), help="Processes.  [default: one for each core]")
@click.option("--no-cache", is_flag=True, help="Check each file again, and keep no results.")
@click.option("--all", "shows_all", is_flag=True, help="Show every finding, not three of each kind in a file.")
@click.option("-q", "--quiet", is_flag=True, help="Print findings only, not how many there are.")
@click.option("-v", "--verbose", is_flag=True, help="Print the target of each file and its source.")
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(allow_dash=True))
@click.pass_context
def check(
    ctx: click.Context,
    settings: project.Settings,
    severity: str,
    at: Literal["assembly", "source"] | None,
    form: str,
    output: str | None,
    statistics: bool,
    baseline: str | None,
    write_baseline: str | None,
    commit: str | None,
    exit_zero: bool,
    witness: bool,
    watch: bool,
    jobs: int | None,
    no_cache: bool,
    shows_all: bool,
    quiet: bool,
    verbose: bool,
    paths: tuple[str, ...],
) -> None:
    """Print the findings in files; directories are searched for assembly, - is standard input.

    Without a path it checks the current folder.
    In C, C++, HIP, OpenCL and Python sources it checks the inline assembly for AMD GPUs. In a file with several code
    objects it checks each, or with --target those for that processor; the further ones are called FILE(OBJECT).

    Of findings that repeat each other in a file the text shows three and how many more there are. The other formats
    have all; `gcn-lsp schema check` prints the JSON schema of --format json.

    With --witness each file with a finding about waits, barriers or values that nothing wrote is run as the
    *.kernel.toml beside it says, or else on made-up inputs, in every order of completion. Notes say which findings
    show, with values; the others are not thereby safe. It needs numpy.

    Results are kept in the user's cache directory, or in the one that GCN_LSP_CACHE_DIR names, and a file is checked
    again when it or anything that its result depends on changes. An empty GCN_LSP_CACHE_DIR keeps none.

    Exits with 1 if an error or a warning is shown, with 2 on wrong usage or if there is no file or one cannot be read,
    otherwise with 0.
    """
    settings, paths = msgspec.structs.replace(settings, report_at=at), paths or files.HERE
    if watch and files.STDIN in paths:
        raise click.UsageError("--watch needs files: standard input does not change")

    def run() -> tuple[Report, ...]:
        """Check everything once and print the result."""
        names = tuple(files.expand(paths, takes_inline=True))
        if not names and not quiet:
            click.echo("no assembly files found", err=True)
        least = Severity(severity)
        kept = None if no_cache else kept_reports.of(settings, severity)
        reports = tuple(_distinct(_check_all(names, settings, least, jobs, kept, shows_progress=not quiet)))
        if write_baseline is not None:
            files.write(write_baseline, known.text(write_baseline, reports))
            return ()
        if baseline is not None:
            reports = tuple(known.new(baseline, reports))
        if commit is not None:
            from gcn_lsp.cli import changed_lines  # late: most calls run no git

            folders = {os.path.dirname(name) for name in names if name != files.STDIN}
            reports = tuple(changed_lines.since(commit, folders).only(reports))
        if witness:
            reports = tuple(_with_witnesses(reports, settings))
        if verbose:
            told = "".join(f"{item.path}: {said}\n" for item in reports for said in item.about)
            click.echo(told, nl=False, err=True)
        rendered = _rendered(reports, form, statistics=statistics, shows_all=shows_all, quiet=quiet)
        _put_out(rendered, form, output)
        return reports

    reports = watching.run_again(run, lambda: files.expand(paths, takes_inline=True)) if watch else run()
    status = exit_status(reports)
    if not reports and write_baseline is None:
        status = 2
    ctx.exit(0 if exit_zero and status == 1 else status)


def _put_out(rendered: str, form: str, output: str | None) -> None:
    """Write the result to the file that is asked for, or else print it."""
    if output is not None:
        files.write(output, click.unstyle(rendered).encode("utf-8", "replace"))
    elif form in _OF_PROGRAMS:  # which expect UTF-8, whatever the terminal's encoding is
        click.echo(rendered.encode(), nl=False)
    else:
        # click colours only output to a terminal; NO_COLOR switches that off too.
        click.echo(rendered, nl=False, color=False if os.environ.get("NO_COLOR") else None)


def _with_witnesses(reports: Iterable[Report], settings: project.Settings) -> Iterator[Report]:
    """The reports with notes about what runs show of them."""
    from gcn_lsp.cli.run import check_numpy  # late: most calls run nothing

    check_numpy()
    from gcn_lsp.running import witness

    for each in reports:
        yield msgspec.structs.replace(each, findings=witness.with_witnesses(each.path, settings, each.findings))


def _rendered(reports: tuple[Report, ...], form: str, *, statistics: bool, shows_all: bool, quiet: bool) -> str:
    if statistics:
        if form != "text":
            raise click.UsageError("--statistics has the format text only")
        return _format("statistics").render(reports)  # type: ignore[no-any-return]
    if quiet and form == "text":
        return text.findings(report.without_target(reports)[0], shows_all=shows_all)
    if form == "text":
        return text.render(reports, shows_all=shows_all)
    return _format(form).render(reports)  # type: ignore[no-any-return]


_KNOWN = 10_000
"""Results about lines and instructions that a process keeps for further files, some 7 kB each."""


def check_file(
    name: str, settings: project.Settings, least: Severity = Severity.HINT, kept: KeptReports | None = None
) -> Report:
    """The report of one file: its findings of severity `least` or worse. kept: gets it for later calls."""
    if "gcn_lsp.cli.kernel" in sys.modules:
        garbage_collection.free_kernel(_KNOWN)
    from gcn_lsp.cli import kernel  # late: it loads the whole assembler, and no report may have to be made

    seen: dict[str, bytes] = {}
    try:
        opened = kernel.open_kernels(name, settings, takes_inline=True, seen=None if kept is None else seen)
        made = report.joined(kernel.report(each, least) for each in opened)
    except click.ClickException:  # wrong use, not a bug
        raise
    except Exception as error:  # our bug in one file must not hide the findings in the others
        import traceback  # late: needed only here

        traceback.print_exc()
        return report.not_checked(name, f"gcn-lsp failed on this file; this is a bug in gcn-lsp: {error!r}")
    if kept is not None:
        kept.keep(name, made, seen)
    return made


def exit_status(reports: Iterable[Report]) -> int:
    """The exit status of the process."""
    reports = tuple(reports)
    if any(item.unreadable for item in reports):
        return 2
    return int(any(finding.severity in _FAILING for item in reports for finding in item.findings))


def _distinct(reports: Iterable[Report]) -> Iterator[Report]:
    """`reports` without repeated findings: those in files shared by several inputs or configurations."""
    seen = set()
    for item in reports:
        findings = []
        for finding in item.findings:
            key = (finding.where, finding.rule, finding.message)
            if key not in seen:
                seen.add(key)
                findings.append(finding)
        yield msgspec.structs.replace(item, findings=tuple(findings))


def _check_all(
    names: Sequence[str],
    settings: project.Settings,
    least: Severity,
    jobs: int | None,
    kept: KeptReports | None,
    *,
    shows_progress: bool,
) -> Iterator[Report]:
    """The reports in the order of `names`: those that are kept, the others made on all cores if there are several."""
    if files.STDIN in names:  # only this process has it, and nothing tells whether it is the same
        kept = None
    found = {name: each for name in names if kept is not None and (each := kept.find(name)) is not None}
    missing = [name for name in names if name not in found]
    workers = min(jobs or os.cpu_count() or 1, len(missing))
    if files.STDIN in names or workers < 2:
        made: Iterator[Report] = (check_file(name, settings, least, kept) for name in missing)
    else:
        made = _by_processes(missing, settings, least, workers, kept)
    made = progress.over(made, len(missing), "Checking", not shows_progress)
    for name in names:
        yield found[name] if name in found else next(made)


def _by_processes(
    names: Sequence[str], settings: project.Settings, least: Severity, workers: int, kept: KeptReports | None
) -> Iterator[Report]:
    from concurrent.futures import ProcessPoolExecutor  # late: most calls check one file

    count = len(names)
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(check_file, names, [settings] * count, [least] * count, [kept] * count)


def _format(name: str) -> ModuleType:
    return importlib.import_module(f"gcn_lsp.cli.output.{name}")
