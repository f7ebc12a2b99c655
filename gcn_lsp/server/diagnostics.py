"""Findings as the client is told of them, for `checks`, which pushes them, and `diagnostic`, which is asked."""

from collections.abc import Iterable

from lsprotocol import types

from gcn_lsp.rules.model import Finding, Severity
from gcn_lsp.server import convert, wire
from gcn_lsp.server.documents import Snapshot

SOURCE = "gcn-lsp"

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error.value,
    Severity.WARNING: types.DiagnosticSeverity.Warning.value,
    Severity.INFORMATION: types.DiagnosticSeverity.Information.value,
    Severity.HINT: types.DiagnosticSeverity.Hint.value,
}

_UNNECESSARY = (types.DiagnosticTag.Unnecessary.value,)

Diagnostics = tuple[wire.Diagnostic, ...]


def diagnose(snapshot: Snapshot, *, at_first: bool = False) -> dict[str, Diagnostics]:
    """The diagnostics of a snapshot by the file that they stand in; its own file is always among them.

    at_first: only those that are quick to find.
    """
    by_uri: dict[str, list[wire.Diagnostic]] = {snapshot.document.uri: []}
    for finding in snapshot.first_findings if at_first else snapshot.findings:
        by_uri.setdefault(snapshot.uri_of(finding.where.path), []).append(finding_to_diagnostic(snapshot, finding))
    return {uri: tuple(diagnostics) for uri, diagnostics in by_uri.items()}


def finding_to_diagnostic(snapshot: Snapshot, finding: Finding) -> wire.Diagnostic:
    """A finding as the client is told of it."""
    return wire.Diagnostic(
        range=_range(snapshot, finding),
        severity=_SEVERITIES[finding.severity],
        code=finding.rule,
        source=SOURCE,
        message=finding.message,
        related_information=tuple(_related(snapshot, finding)) if finding.related else (),
        tags=_UNNECESSARY if finding.unnecessary and snapshot.client.diagnostic_tags else (),
    )


def _range(snapshot: Snapshot, finding: Finding) -> wire.Range:
    found = convert.location_to_range(snapshot, finding.where)
    if finding.last is None:
        return found
    return wire.Range(found.start, convert.location_to_range(snapshot, finding.last).end)


def _related(snapshot: Snapshot, finding: Finding) -> Iterable[wire.Related]:
    if snapshot.client.related_information:
        for related in finding.related:
            yield wire.Related(convert.location_to_location(snapshot, related.where), related.message)
