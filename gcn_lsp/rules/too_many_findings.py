"""too-many-findings: a file has more findings than are shown.

What it checks

The number of findings in a file. An editor, and `gcn-lsp check` in its format for people, show the worst 1,000; the
finding is at the first one that is not shown. The formats for programs have all of them.

Why it matters

So many findings have one cause as a rule: the target is a different one, or the file is not assembly.

Example

    ; gcn-lsp: target=gfx900
    #include <iostream>
    int main() { std::cout << "Hello"; } // and a thousand lines like it

Use instead

    ; gcn-lsp: target=gfx900
    v_mov_b32 v0, v1

Targets

All.
"""

from collections.abc import Sequence

from gcn_lsp.findings.rule import Finding, Rule, Severity

RULE = Rule("too-many-findings", Severity.INFORMATION, __doc__, found_by=("server.diagnostics", "cli.output.text"))

MOST = 1000  # a kernel for production has some ten


def capped(findings: Sequence[Finding], most: int = MOST) -> Sequence[Finding]:
    """`findings` in their order; of more than `most` the worst, and one that says how many are left out."""
    if len(findings) <= most:
        return findings
    by_rank = sorted(range(len(findings)), key=lambda index: findings[index].severity.rank)
    left_out = [findings[index] for index in sorted(by_rank[most:])]
    errors = sum(finding.severity is Severity.ERROR for finding in left_out)
    message = f"{len(left_out):,} more findings are not shown, {errors:,} of them errors"
    return (*(findings[index] for index in sorted(by_rank[:most])), RULE.at(left_out[0].where, message))
