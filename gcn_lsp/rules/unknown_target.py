"""unknown-target: the target of the file is unknown.

What it checks

No option, directive, comment, configuration file, file name or mnemonic says which processor the file is for.

Why it matters

Most mistakes are mistakes on one target and right on another. Without a target, only lines that every supported target
rejects are reported, and no bytes are computed.

Example

    s_nop 0

Use instead

    ; gcn-lsp: target=gfx900
    s_nop 0

Targets

None. The finding goes away when there is a target.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("unknown-target", Severity.INFORMATION, __doc__, found_by=("project.target_choice",))
