"""unused-suppression: a suppression comment switches nothing off.

What it checks

Comments with `gcn-lsp: disable=` on a line without a finding of that rule, and `gcn-lsp: disable-file=` in a file
without one. Lines that are not assembled, in branches not taken or macros never called, are not checked.

Why it matters

It would hide a mistake that someone makes there later.

Example

    ; gcn-lsp: target=gfx900
    s_load_dwordx2 s[2:3], s[4:5], 0x0  ; gcn-lsp: disable=misaligned-register

Use instead

    ; gcn-lsp: target=gfx900
    s_load_dwordx2 s[2:3], s[4:5], 0x0

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.findings.rule import Finding, Rule, RuleReport, Severity, Stage
from gcn_lsp.program.program import Program


def check(program: Program, report: RuleReport) -> Iterator[Finding]:
    """A finding for each comment in the main file that names a known rule and switches nothing off."""
    if program.candidates is not None or report.used is None:
        return  # the comment may be about another target than the one assumed, or some rules have not run yet
    for comment in report.comments.own:
        if comment in report.used or comment.rule not in report.rules:
            continue
        if comment.whole_file or program.items_on(comment.where.line):
            place = "in this file" if comment.whole_file else "on this line"
            message = f"`{comment.rule}` finds nothing {place}: the comment can be removed"
            yield RULE.at(comment.where, message)


RULE = Rule("unused-suppression", Severity.HINT, __doc__, Stage.COMMENTS, check_report=check)
