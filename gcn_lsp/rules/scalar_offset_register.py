"""scalar-offset-register: a scalar store or atomic takes its offset from another register than m0.

What it checks

Stores and atomics through the scalar cache on gfx9 and gfx10 with an SGPR as offset.

Why it matters

The manuals of these processors allow an immediate or m0 only; the assembler takes any SGPR. What the hardware does is
not documented, so m0 is the safe choice. On gfx8, where it is certain, it is `undefined-by-hardware`.

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
