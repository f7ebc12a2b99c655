"""unknown-suppression: a suppression comment names a rule that does not exist.

What it checks

The names behind `gcn-lsp: disable=` and `gcn-lsp: disable-file=` in comments.

Why it matters

The comment switches nothing off, and whoever reads it believes that it does.

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
from collections.abc import Collection, Iterator

from gcn_lsp.rules.model import Finding, Fix, Rule, Severity
from gcn_lsp.rules.suppression import Suppressions
from gcn_lsp.text import TextEdit

RULE = Rule("unknown-suppression", Severity.WARNING, page=__doc__)


def check(comments: Suppressions, known: Collection[str]) -> Iterator[Finding]:
    """A finding for each name in the main file's comments that is none of the rules `known`."""
    for comment in comments.own:
        if comment.rule not in known:
            near = difflib.get_close_matches(comment.rule, known, 1)
            fixes = tuple(Fix(f"Change to `{name}`", (TextEdit(comment.where, name),)) for name in near)
            hint = f"; did you mean `{near[0]}`?" if near else ""
            message = f"there is no rule `{comment.rule}`{hint}"
            yield Finding(RULE.name, RULE.severity, comment.where, message, fixes=fixes)
