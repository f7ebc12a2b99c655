"""Findings in compiled assembly at the lines of the source that it was compiled from."""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from gcn_lsp.findings.model import Finding, Related
from gcn_lsp.text import Location, Text
from gcn_lsp.views.view import SourcePlace

Find = Callable[[int], SourcePlace | None]
Locate = Callable[[SourcePlace], Location]


def at_source(path: str, findings: Iterable[Finding], find: Find, locate: Locate) -> Iterator[Finding]:
    """The findings in the file `path` whose line has a source, there; the others as they are.

    The instruction becomes a related place, and so do the calls through which it was inlined. Fixes would change what
    the compiler writes again, so they are left out. find: the source of a line. locate: makes a location of it.
    """
    seen: set[tuple[Location, str, Text]] = set()
    for finding in findings:
        place = find(finding.where.line) if finding.where.path == path else None
        if place is None:
            yield finding
            continue
        where = locate(place)
        key = (where, finding.rule, finding.said)
        if key in seen:
            continue
        seen.add(key)
        calls = (Related(locate(call), "inlined here") for call in place.inlined_at)
        related = (Related(finding.where, "the instruction"), *calls, *finding.related)
        yield msgspec.structs.replace(finding, where=where, related=related, fixes=(), last=None)
