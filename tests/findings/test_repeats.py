"""Findings that repeat each other."""

import pytest

from gcn_lsp.findings import repeats
from gcn_lsp.findings.model import Finding, Severity
from gcn_lsp.text import Location


def many(count: int, severity: Severity = Severity.WARNING) -> list[Finding]:
    return [
        Finding("rule", severity, Location("k.s", line, 0, 1), f"`v{line}` is lost on line {line + 2}")
        for line in range(count)
    ]


def test_a_few_stay_as_they_are() -> None:
    found = many(4)
    assert repeats.faded(found) is found


def test_of_many_the_first_stand_for_all() -> None:
    found = repeats.faded(many(5))
    assert [finding.severity for finding in found] == [Severity.WARNING] * 3 + [Severity.HINT] * 2
    assert found[2].message == "`v2` is lost on line 4; 2 more of this kind in the file are hints"
    assert [finding.where for finding in found] == [finding.where for finding in many(5)]


@pytest.mark.parametrize("severity", [Severity.ERROR, Severity.HINT])
def test_errors_and_hints_stay(severity: Severity) -> None:
    found = many(25, severity)
    assert list(repeats.faded(found)) == found


def test_another_message_is_of_another_kind() -> None:
    other = Finding("rule", Severity.WARNING, Location("k.s", 99, 0, 1), "`v_add_f32` is late")
    found = repeats.faded([*many(25), other])
    assert found[-1] is other
