"""Findings in compiled assembly at the lines of its source."""

from gcn_lsp.findings.compiled_source import at_source
from gcn_lsp.findings.model import Finding, Related, Severity
from gcn_lsp.text import Location, message
from gcn_lsp.views.view import SourcePlace

LISTING = "out/k.s"


def finding(line: int, cause: int) -> Finding:
    said = message("this reads what {} loads, see line 3", Location(LISTING, cause, 0, 0))
    return Finding("missing-wait", Severity.WARNING, Location(LISTING, line, 0, 4), said)


def moved(*findings: Finding) -> list[Finding]:
    place = SourcePlace("k.hip", 7, 0)
    return list(
        at_source(LISTING, findings, lambda line: place if line else None, lambda _: Location("k.hip", 6, 0, 1))
    )


def test_a_message_names_the_file_of_its_lines() -> None:
    (found,) = moved(finding(5, 1))
    assert found.message == "this reads what line 2 of k.s loads, see line 3"
    assert found.where == Location("k.hip", 6, 0, 1)
    assert found.related == (Related(Location(LISTING, 5, 0, 4), "the instruction"),)


def test_a_finding_without_a_source_stays() -> None:
    (found,) = moved(finding(0, 1))
    assert found.message == "this reads what line 2 loads, see line 3"


def test_equal_findings_of_one_source_line_are_one() -> None:
    assert len(moved(finding(5, 1), finding(6, 1))) == 1
    assert len(moved(finding(5, 1), finding(6, 2))) == 2
