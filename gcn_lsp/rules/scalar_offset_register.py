"""scalar-offset-register: a scalar store or atomic takes its offset from a register other than m0.

What it checks

Stores and atomics through the scalar cache on gfx9 and gfx10 whose offset is an SGPR.

Why it matters

The manuals of these processors allow only an immediate or m0; the assembler accepts any SGPR. The behaviour of the
hardware is not documented, so m0 is the safe choice. On gfx8, where the manual is clear, the rule
`undefined-by-hardware` reports it.

Example

    ; gcn-lsp: target=gfx900
    s_store_dword s0, s[4:5], s3

Use instead

    ; gcn-lsp: target=gfx900
    s_store_dword s0, s[4:5], m0

Targets

gfx9 and gfx1010 to gfx1013.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("scalar-offset-register", Severity.HINT, __doc__, found_by=("instruction.cautions",))
