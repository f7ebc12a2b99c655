"""former-target: the file names a target that LLVM has dropped.

What it checks

Names of early steppings, gfx940 and gfx941, in the directives and comments of the file, the configuration and the
options. The file is checked with the instructions of the part that was sold, gfx942.

Why it matters

Assemblers of today refuse the name, and a code object for it runs on no hardware that one can buy. The instructions
are the same.

Example

    ; gcn-lsp: target=gfx940
    s_nop 0

Use instead

    ; gcn-lsp: target=gfx942
    s_nop 0

Targets

gfx942.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("former-target", Severity.HINT, __doc__, found_by=("project.target_choice",))
