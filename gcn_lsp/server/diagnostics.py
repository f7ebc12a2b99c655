"""Converts findings to diagnostics, for `checks`, which pushes them, and `diagnostic`, which a client pulls."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

import msgspec
from lsprotocol import types

from gcn_lsp import rules
from gcn_lsp.findings import assumed_target, at_call, repeats
from gcn_lsp.findings.model import Finding, Severity
from gcn_lsp.findings.rule import Stage
from gcn_lsp.flow.steps import always
from gcn_lsp.rules import too_many_findings
from gcn_lsp.server import convert, wire
from gcn_lsp.server.snapshot import Snapshot
from gcn_lsp.text import UnchangedLines, safe

SOURCE = "gcn-lsp"
_PAGES = "https://github.com/OWNER/gcn-lsp/blob/main/gcn_lsp/rules/README.md"

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error.value,
    Severity.WARNING: types.DiagnosticSeverity.Warning.value,
    Severity.INFORMATION: types.DiagnosticSeverity.Information.value,
    Severity.HINT: types.DiagnosticSeverity.Hint.value,
}

_INACTIVE, _HINT = "inactive-code", types.DiagnosticSeverity.Hint.value
_UNNECESSARY = (types.DiagnosticTag.Unnecessary.value,)

Diagnostics = tuple[wire.Diagnostic, ...]

# The stages that a long file gets at once, and at each key; the rest follows when the worker is idle, or in a pause.
FIRST, AT_EACH_KEY = Stage.PROGRAM, Stage.PATHS


def diagnose(
    snapshot: Snapshot, stage: Stage = Stage.HINTS, is_wanted: Callable[[], bool] = always
) -> dict[str, Diagnostics]:
    """The diagnostics of a snapshot by file; its own file is always included.

    stage: the last one whose findings are included. is_wanted: as in `Snapshot.findings_until`.
    """
    by_uri: dict[str, list[wire.Diagnostic]] = {snapshot.document.uri: []}
    findings = repeats.faded(too_many_findings.capped(snapshot.findings_until(stage, is_wanted)))
    first = _first_of_target(snapshot, findings)
    for finding in findings:
        for number, shown in enumerate(_at_its_places(snapshot, finding)):
            diagnostic = finding_to_diagnostic(snapshot, shown)
            if finding is first and not number:
                related = (*diagnostic.related_information, *_of_assumed_target(snapshot))
                diagnostic = msgspec.structs.replace(diagnostic, related_information=related)
            by_uri.setdefault(snapshot.uri_of(shown.where.path), []).append(diagnostic)
    if snapshot.client.diagnostic_tags:
        by_uri[snapshot.document.uri] += _inactive(snapshot)
    return {uri: tuple(diagnostics) for uri, diagnostics in by_uri.items()}


def _at_its_places(snapshot: Snapshot, finding: Finding) -> Iterator[Finding]:
    """A finding as it is shown at each of its places.

    One in an included file is in the main file, at the call, and in the included one if that is open. One in a macro of
    the main file that a fix at the call resolves is there, and a hint in the macro, which may be right for other calls.
    """
    beside = at_call.beside(snapshot.program, finding)
    if beside is not None:
        yield beside
        yield msgspec.structs.replace(finding, severity=Severity.HINT)
        return
    shown = at_call.at_call(snapshot.program, finding)
    yield shown
    if shown is not finding and snapshot.document.files.is_open(finding.where.path):
        yield finding


def _inactive(snapshot: Snapshot) -> Iterator[wire.Diagnostic]:
    """The lines that a condition leaves out, for an editor to fade."""
    for lines in snapshot.words.inactive():
        where = convert.whole_lines(snapshot, lines.first, lines.last)
        message = f"not assembled, because of `{lines.condition}`" if lines.condition else "not assembled"
        yield wire.Diagnostic(where, _HINT, _INACTIVE, SOURCE, safe.one_line(message), tags=_UNNECESSARY)


def _later(diagnostics: Diagnostics, stage: Stage) -> Diagnostics:
    """Those of later stages."""
    rules_left = rules.later(stage)
    return tuple(diagnostic for diagnostic in diagnostics if diagnostic.code in rules_left)


def with_carried(
    found: Diagnostics, stage: Stage, uri: str, published: Diagnostics, old: Sequence[bytes], new: Sequence[bytes]
) -> Diagnostics:
    """`found`, with the diagnostics of later stages that were `published` for the lines `old` and still fit `new`.

    Diagnostics on changed lines are left out. Without the rest, squiggles would blink at each key. uri: of the file
    with these lines.
    """
    left = _later(published, stage)
    if not left:
        return found
    known = set(_later(found, stage))  # the problems that a lower layer finds of these rules
    return (*found, *(diagnostic for diagnostic in _carried(left, uri, old, new) if diagnostic not in known))


def _carried(published: Diagnostics, uri: str, old: Sequence[bytes], new: Sequence[bytes]) -> Iterator[wire.Diagnostic]:
    unchanged = UnchangedLines.of(old, new)

    def now(place: wire.Range) -> wire.Range | None:
        if place.end.line < unchanged.front:
            return place
        return _shifted(place, unchanged.shift) if place.start.line >= unchanged.back else None

    for diagnostic in published:
        place = now(diagnostic.range)
        if place is not None:
            related = tuple(_moved(diagnostic.related_information, uri, now))
            yield msgspec.structs.replace(diagnostic, range=place, related_information=related)


def _moved(
    related: Iterable[wire.Related], uri: str, now: Callable[[wire.Range], wire.Range | None]
) -> Iterator[wire.Related]:
    """Related places, of which those in this file move with its lines, and those in other files remain."""
    for each in related:
        if each.location.uri != uri:
            yield each
        elif (place := now(each.location.range)) is not None:
            yield wire.Related(wire.Location(uri, place), each.message)


def _shifted(place: wire.Range, lines: int) -> wire.Range:
    start, end = place.start, place.end
    return wire.Range(
        wire.Position(start.line + lines, start.character), wire.Position(end.line + lines, end.character)
    )


def finding_to_diagnostic(snapshot: Snapshot, finding: Finding) -> wire.Diagnostic:
    """A finding in the client's form."""
    return wire.Diagnostic(
        range=_range(snapshot, finding),
        severity=_SEVERITIES[finding.severity],
        code=finding.rule,
        source=SOURCE,
        message=safe.one_line(finding.message),
        code_description=_page(finding.rule) if snapshot.client.code_descriptions else None,
        related_information=tuple(_related(snapshot, finding)),
        tags=_UNNECESSARY if finding.unnecessary and snapshot.client.diagnostic_tags else (),
    )


@lru_cache(maxsize=256)
def _page(rule: str) -> wire.CodeDescription:
    """The page of a rule. VS Code's client shows the server's own page instead."""
    return wire.CodeDescription(f"{_PAGES}#{rule}")


def _range(snapshot: Snapshot, finding: Finding) -> wire.Range:
    found = convert.location_to_range(snapshot, finding.where)
    if finding.last is None:
        return found
    return wire.Range(found.start, convert.location_to_range(snapshot, finding.last).end)


def _related(snapshot: Snapshot, finding: Finding) -> Iterable[wire.Related]:
    if snapshot.client.related_information:
        for related in finding.related:
            yield wire.Related(convert.location_to_location(snapshot, related.where), safe.one_line(related.message))


def _first_of_target(snapshot: Snapshot, findings: Iterable[Finding]) -> Finding | None:
    """The first finding of the file that may be none on another target, if nothing names the target.

    One says so: repeated at each, it would make the list of problems half as long again.
    """
    if snapshot.program.candidates is None or not snapshot.client.related_information:
        return None
    of_target = (each for each in findings if not rules.RULES[each.rule].any_target)
    return min(of_target, key=lambda each: (each.where.line, each.where.start), default=None)


def _of_assumed_target(snapshot: Snapshot) -> Iterator[wire.Related]:
    candidates = snapshot.program.candidates
    if candidates is not None:
        where = convert.location_to_location(snapshot, assumed_target.place(snapshot.program))
        yield wire.Related(where, assumed_target.said(candidates.name))
