"""conflicting-targets: two places in the project name different targets for the file.

What it checks

The sources of a file's target, in this order: command line or editor setting, directives and comments in the file,
configuration files, compile commands, names, mnemonics. If two of them disagree, the first is used, and the finding
names the target of the other. XNACK and SRAMECC are those of `.amdgcn_target`, as in LLVM 23.

Why it matters

One of them is out of date, and findings for the wrong target are wrong.

Example

    ; gcn-lsp: target=gfx906
    .amdgcn_target "amdgcn-amd-amdhsa--gfx900"
    s_nop 0

Use instead

    ; gcn-lsp: target=gfx900
    .amdgcn_target "amdgcn-amd-amdhsa--gfx900"
    s_nop 0

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("conflicting-targets", Severity.WARNING, __doc__, found_by=("project.target_choice",))
