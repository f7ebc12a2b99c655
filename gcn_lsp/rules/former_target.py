"""former-target: the file names a target that LLVM has dropped.

What it checks

The names of early steppings, gfx940 and gfx941, in directives, comments, configuration files and options. The file is
checked with the instructions of the part that was released, gfx942.

Why it matters

Current assemblers reject the name, and a code object for it runs on no hardware that was sold. The instructions are the
same.

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
