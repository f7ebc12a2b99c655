"""unknown-target: no target is known for the file.

What it checks

Nothing says for which processor the file is: no option, directive, comment, configuration file, name or mnemonic.

Why it matters

Most mistakes are mistakes on one target and right on another. Without a target only what no supported target
accepts is reported, and no bytes are computed.

Example

    s_nop 0

Use instead

    ; gcn-lsp: target=gfx900
    s_nop 0

Targets

None: it goes away when there is one.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("unknown-target", Severity.INFORMATION, __doc__, found_by=("project.target_choice",))
