"""Which repairs are offered for a range."""

from gcn_lsp.findings.model import Finding, Fix, Severity
from gcn_lsp.ide.fixes import fixes
from gcn_lsp.text import Location, TextEdit


def finding(line: int, start: int, end: int, path: str = "kernel.s") -> Finding:
    where = Location(path, line, start, end)
    return Finding("rule", Severity.ERROR, where, "message", (), (Fix("mend", (TextEdit(where, "x"),)),))


def test_findings_that_touch_the_range() -> None:
    found = [finding(1, 4, 8), finding(2, 0, 3), finding(1, 4, 8, "other.inc")]
    assert [offered.finding for offered in fixes(found, "kernel.s", 1, 8, 1, 8)] == [found[0]]
    assert [offered.finding for offered in fixes(found, "kernel.s", 1, 0, 2, 0)] == found[:2]
    assert fixes(found, "kernel.s", 1, 9, 1, 12) == []
    assert [offered.fix.title for offered in fixes(found, "kernel.s", 2, 1, 2, 1)] == ["mend"]
