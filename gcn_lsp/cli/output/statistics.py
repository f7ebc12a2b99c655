"""How often each rule has found something, the most frequent first."""

from collections import Counter
from collections.abc import Iterable

from gcn_lsp.project.report import Report
from gcn_lsp.rules import RULES


def render(reports: Iterable[Report]) -> str:
    """A line for each rule: the number of findings, how many of them `fix` fixes, the rule and what it finds."""
    reports = tuple(reports)
    findings = [finding for report in reports for finding in report.findings]
    counts = Counter(finding.rule for finding in findings)
    fixed = Counter(finding.rule for finding in findings if finding.certain_fix is not None)
    width = len(str(max(counts.values(), default=0)))
    longest = max(map(len, counts), default=0)
    return "".join(
        f"{count:>{width}}  {f'{fixed[rule]} fixable' if fixed[rule] else '':<{width + 8}}  {rule:<{longest}}  "
        f"{RULES[rule].summary}\n"
        for rule, count in counts.most_common()
    )
