"""unknown-target: nothing names the file's target.

What it checks

No option, directive, comment, configuration file or name says for which processor the file is. It is then checked for
the most likely target that takes all of its instructions, and a finding is reported only if every other target that
takes them has it too.

Why it matters

Most mistakes are mistakes on one target and right on another: with the target named, more of them are found. The
encoding, the documentation and the occupancy shown are those of the assumed target.

Example

    s_nop 0

Use instead

    ; gcn-lsp: target=gfx900
    s_nop 0

Targets

None. The finding goes away when there is a target.
"""

from collections.abc import Iterator

from gcn_lsp.findings import assumed_target
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """One finding for the file, at its first statement; a file without one is for any target."""
    where = assumed_target.place(program)
    if program.candidates is not None and where.start < where.end:
        yield RULE.at(where, assumed_target.said(program.candidates.name))


RULE = Rule("unknown-target", Severity.INFORMATION, __doc__, Stage.PROGRAM, check=check, any_target=True)
