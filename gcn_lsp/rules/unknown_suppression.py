"""unknown-suppression: a suppression comment names a rule that does not exist.

What it checks

The names after `gcn-lsp: disable=` and `gcn-lsp: disable-file=` in comments.

Why it matters

The comment switches nothing off, but whoever reads it believes that it does.

Example

    ; gcn-lsp: target=gfx900
    s_nop 0  ; gcn-lsp: disable=mis-aligned-register

Use instead

    ; gcn-lsp: target=gfx900
    s_load_dwordx2 s[1:2], s[4:5], 0x0  ; gcn-lsp: disable=misaligned-register

Targets

All.
"""

import difflib
from collections.abc import Iterator

from gcn_lsp.findings.rule import Finding, Fix, Rule, RuleReport, Severity, Stage
from gcn_lsp.program.program import Program
from gcn_lsp.text import TextEdit


def check(program: Program, report: RuleReport) -> Iterator[Finding]:
    """A finding for each name in the main file's comments that is not a rule."""
    for comment in report.comments.own:
        if comment.rule not in report.rules:
            near = difflib.get_close_matches(comment.rule, report.rules, 1)
            fixes = tuple(Fix(f"Change to `{name}`", (TextEdit(comment.where, name),)) for name in near)
            hint = f"; did you mean `{near[0]}`?" if near else ""
            message = f"`{comment.rule}` is not a rule{hint}"
            yield RULE.at(comment.where, message, fixes=fixes)


RULE = Rule("unknown-suppression", Severity.WARNING, __doc__, Stage.COMMENTS, check_report=check)
