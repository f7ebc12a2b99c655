"""`gcn-lsp fix`: applies the fixes of findings, or shows what they would change."""

from collections import Counter
from collections.abc import Collection, Iterable
from functools import partial

import click
import msgspec

from gcn_lsp import project, rules
from gcn_lsp.cli import check, files, kernel, options, rewriting
from gcn_lsp.findings.model import Finding, Severity
from gcn_lsp.ide import fix_all, fix_inline, suppress
from gcn_lsp.ide import reinsert_waits as rewrite_waits
from gcn_lsp.ide.fix_all import Fixed
from gcn_lsp.program import program as programs
from gcn_lsp.program.program import Program
from gcn_lsp.project import dialects, inline, report
from gcn_lsp.project.inline import Inline
from gcn_lsp.project.opened import OpenFile
from gcn_lsp.project.report import Report
from gcn_lsp.records import NamedTuple
from gcn_lsp.text import SourceText, edited


@click.command()
@options.build_options
@options.rule_options
@options.severity_option
@click.option("--diff/--write", "only_shows", default=True, help="Print a unified diff, or change the files.")
@click.option(
    "--reinsert-waits",
    is_flag=True,
    help="Only replace the waits by the fewest that are correct; waits that order memory stay.",
)
@click.option(
    "--add-suppressions",
    is_flag=True,
    help="Only add comments that switch the findings off, each on its line.",
)
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.pass_context
def fix(
    ctx: click.Context,
    settings: project.Settings,
    severity: str,
    only_shows: bool,
    reinsert_waits: bool,
    add_suppressions: bool,
    paths: tuple[str, ...],
) -> None:
    """Apply the certain fixes of the findings in files; directories are searched for assembly.

    Fixes of what `check` shows at the same severity are applied until none is left. A fix is skipped if it would cause
    an error or change an included file: name that file. Only --write changes files; for -, standard input, it prints
    the whole text.

    Exits as `check` with the same options does on the fixed files.
    """
    if reinsert_waits and add_suppressions:
        raise click.UsageError("--reinsert-waits and --add-suppressions exclude each other")
    takes_inline = not (reinsert_waits or add_suppressions)
    names = tuple(files.expand(paths or files.HERE, takes_inline=takes_inline))
    if not names:
        click.echo("no assembly files found", err=True)
    made = _waits_reinserted if reinsert_waits else _silenced if add_suppressions else _fixed
    apply = partial(made, least=Severity(severity))
    opened = ((name, each) for name in names for each in kernel.open_kernels(name, settings, takes_inline=takes_inline))
    reports = []
    for name, each in opened:
        try:
            reports.append(_fix(name, each, apply, only_shows=only_shows, least=Severity(severity)))
        except click.ClickException as error:  # the file vanished or changed meanwhile, or is no text
            click.echo(f"Error: {error.format_message()}", err=True)
            reports.append(report.not_checked(name, error.format_message()))
    ctx.exit(check.exit_status(reports))


class _Outcome(NamedTuple):
    """The result for a file: its text, the findings in it, and a line that says what was done."""

    source: SourceText
    findings: tuple[Finding, ...]
    summary: str


def _fixed(opened: OpenFile, program: Program, least: Severity) -> _Outcome:
    """The file after all certain fixes of the findings that `check` shows with the same options."""
    fixed = fix_all.fix_all(program, opened.shows(least), opened.setup.findings)
    return _Outcome(fixed.program.source, fixed.findings, _summary(fixed))


def _silenced(opened: OpenFile, program: Program, least: Severity) -> _Outcome:
    """The file with comments that switch off what `check` shows with the same options."""
    shown = [finding for finding in opened.findings(least) if suppress.is_possible(finding.rule)]
    edits = suppress.silenced(program, shown)
    after = programs.build(edited(program.source, edits), program.options, program)
    left = tuple(filter(opened.shows(least), rules.check(after, opened.setup.findings)))
    return _Outcome(after.source, left, f"{len(shown)} findings switched off by {len(edits)} comments")


def _waits_reinserted(opened: OpenFile, program: Program, least: Severity) -> _Outcome:
    """The file with its waits inserted again; unchanged if that would cause an error. `least` decides nothing here."""
    found = rules.check(program, opened.setup.findings)
    source = rewrite_waits.rewritten(program)
    if source.lines == program.source.lines:
        return _Outcome(source, tuple(found), "the waits stay as they are")
    after = programs.build(source, program.options, program)
    findings = rules.check(after, opened.setup.findings)
    if _errors(findings) > _errors(found):
        return _Outcome(
            program.source, tuple(found), "the waits stay as they are: inserting them again would cause errors"
        )
    changed = f"waits inserted again: {rewrite_waits.count(program)} before, {rewrite_waits.count(after)} now"
    left = rewrite_waits.left(findings)
    return _Outcome(source, tuple(findings), f"{changed}; left: {left}" if left else changed)


def _errors(findings: Iterable[Finding]) -> int:
    return sum(finding.severity is Severity.ERROR for finding in findings)


def _fix(name: str, opened: OpenFile, apply: "partial[_Outcome]", *, only_shows: bool, least: Severity) -> Report:
    """Show or write the changes of a file; the report of the file after that."""
    before = kernel.report(opened)
    if opened.inline is not None:
        return _written(name, opened, _inline_mended(opened, opened.inline, least), before, only_shows=only_shows)
    if opened.program is None:
        click.echo("".join(f"{finding.message}\n" for finding in before.findings), nl=False, err=True)
        return before
    if not opened.derived.is_written:
        if apply.func is not _fixed:
            dialect = opened.setup.dialect
            raise click.UsageError(f"{name} is not what the assembler reads ({dialect}): it stays as it is")
        return _written(name, opened, _derived_mended(opened, least), before, only_shows=only_shows)
    if not only_shows:
        rewriting.refuse_objects(name, opened)
    return _written(name, opened, apply(opened, opened.program), before, only_shows=only_shows)


def _inline_mended(opened: OpenFile, found: Inline, least: Severity) -> _Outcome:
    """The source after all certain fixes of the findings in its inline assembly."""

    def find(source: SourceText) -> list[Finding]:
        return rules.check_inline(source, inline.statements(source), found.targets, opened.setup.findings)

    fixed = fix_inline.fix_all(found.source, find, opened.shows(least))
    return _Outcome(fixed.source, fixed.findings, _said(fixed.rules, fixed.refused))


def _derived_mended(opened: OpenFile, least: Severity) -> _Outcome:
    """The file after all certain fixes that edit what is written in it: not a macro's text, nor another file."""
    assert opened.setup.source is not None
    is_shown = opened.shows(least)

    def find(source: SourceText) -> list[Finding]:
        return [_with_own_fixes(finding) for finding in _with_text(opened, source).findings()]

    fixed = fix_inline.fix_all(opened.setup.source, find, is_shown)
    after = _with_text(opened, fixed.source)
    assert after.program is not None
    inside = 0
    for finding in rules.check(after.program, after.setup.findings):
        if is_shown(finding) and finding.certain_fix is not None:
            (placed,) = dialects.in_original(after.derived, [finding])
            inside += _with_own_fixes(placed).certain_fix is None
    said = _said(fixed.rules, fixed.refused)
    more = f"; {inside} skipped in the text of macros or included files" if inside else ""
    return _Outcome(fixed.source, fixed.findings, said + more)


def _with_text(opened: OpenFile, source: SourceText) -> OpenFile:
    """The same file with another text."""
    setup = msgspec.structs.replace(opened.setup, source=source)
    derived = setup.derived(source, opened.derived)
    built = programs.build(derived.source, setup.options)
    return msgspec.structs.replace(opened, setup=setup, derived=derived, program=built)


def _with_own_fixes(finding: Finding) -> Finding:
    """A finding with those of its fixes that edit the file in which it is."""
    path = finding.where.path
    own = tuple(fix for fix in finding.fixes if all(edit.where.path == path for edit in fix.edits))
    return finding if own == finding.fixes else msgspec.structs.replace(finding, fixes=own)


def _written(name: str, opened: OpenFile, outcome: _Outcome, before: Report, *, only_shows: bool) -> Report:
    """Show or write the outcome; the report of the file after that."""
    old, new = rewriting.texts(name, opened, outcome.source)
    unwritten = "; nothing was written, use --write to change the file" if only_shows and new != old else ""
    click.echo(f"{opened.path}: {outcome.summary}{unwritten}", err=True)
    if only_shows:
        rewriting.show(opened.path, old, new)
        return before
    rewriting.write(name, old, new)
    shown = opened.setup.settings.shows
    return Report(opened.path, tuple(finding for finding in outcome.findings if shown(finding.rule)))


def _summary(fixed: Fixed) -> str:
    """The line that says what was fixed and what was not."""
    said = _said(fixed.rules, fixed.refused)
    return f"{said}; {fixed.elsewhere} skipped that would change included files" if fixed.elsewhere else said


def _said(fixed: Collection[str], refused: int) -> str:
    listed = ", ".join(f"{count} {rule}" for rule, count in Counter(fixed).most_common())
    said = f"{len(fixed)} fixed ({listed})" if listed else "nothing to fix"
    return f"{said}; {refused} skipped that would cause an error" if refused else said
