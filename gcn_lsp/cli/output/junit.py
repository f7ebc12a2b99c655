"""The format `junit`: a test suite for each file, in XML that CI servers show as tests.

A file without findings is one test that passes. An error or a warning is a test that fails; other findings pass and
have their message as output, as no result of JUnit is milder than a failure.
"""

import re
from collections.abc import Iterable
from typing import Literal
from xml.etree import ElementTree

import msgspec

from gcn_lsp.cli.output import text
from gcn_lsp.findings.model import Finding, Severity
from gcn_lsp.project.report import Report

_FAILING = (Severity.ERROR, Severity.WARNING)
# What XML 1.0 has no way to write, not even as a reference.
_UNWRITABLE = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class TestCase(msgspec.Struct, frozen=True):
    """One test of a suite: its name, the file that it is about, and its result.

    message: one line about a failure or an error. details: more lines, shown with it; of a test that passed, its
    output. line: from 1, 0 for none. seconds: how long it took, None if that is not measured.
    """

    name: str
    file: str
    result: Literal["passed", "failed", "broken"] = "passed"
    message: str = ""
    details: str = ""
    line: int = 0
    seconds: float | None = None


def render(reports: Iterable[Report]) -> str:
    """A suite for each of `reports`."""
    return document("gcn-lsp", [(report.path, _cases(report)) for report in reports])


def document(name: str, suites: Iterable[tuple[str, Iterable[TestCase]]]) -> str:
    """The XML of suites, each a name and its tests; `name` is that of all together."""
    root = ElementTree.Element("testsuites", name=_plain(name))
    for title, each in suites:
        cases = tuple(each)
        suite = ElementTree.SubElement(root, "testsuite", attrib={"name": _plain(title), **_counts(cases)})
        for case in cases:
            _add(suite, title, case)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, "unicode") + "\n"


def _cases(report: Report) -> list[TestCase]:
    return [_case(report, finding) for finding in report.findings] or [TestCase("no findings", report.path)]


def _case(report: Report, finding: Finding) -> TestCase:
    span = report.span(finding.where)
    fails = finding.severity in _FAILING
    return TestCase(
        name=f"{finding.rule} at {span.line}:{span.column}",
        file=span.file,
        result="broken" if report.unreadable else "failed" if fails else "passed",
        message=f"{finding.severity.value}: {finding.message}",
        details=text.plain(report, finding),
        line=span.line,
    )


def _counts(cases: tuple[TestCase, ...]) -> dict[str, str]:
    results = [case.result for case in cases]
    counts: dict[str, str] = {
        "tests": str(len(cases)),
        "failures": str(results.count("failed")),
        "errors": str(results.count("broken")),
        "skipped": "0",
    }
    measured = [case.seconds for case in cases if case.seconds is not None]
    return counts | ({"time": f"{sum(measured):.3f}"} if measured else {})


def _add(suite: ElementTree.Element, suite_name: str, case: TestCase) -> None:
    attributes = {"name": _plain(case.name), "classname": _plain(suite_name), "file": _plain(case.file)}
    if case.line:
        attributes["line"] = str(case.line)
    if case.seconds is not None:
        attributes["time"] = f"{case.seconds:.3f}"
    test = ElementTree.SubElement(suite, "testcase", attributes)
    if case.result == "passed":
        if case.details:
            ElementTree.SubElement(test, "system-out").text = _plain(case.details)
        return
    kind = "failure" if case.result == "failed" else "error"
    result = ElementTree.SubElement(test, kind, message=_plain(case.message), type=kind)
    result.text = _plain(case.details)


def _plain(value: str) -> str:
    """The text with a question mark for each character that XML cannot hold."""
    return _UNWRITABLE.sub("?", value)
