"""too-many-literals: an instruction needs two different literals.

What it checks

At most one 32-bit literal follows an instruction. Two operands may share it if their values are equal.

Why it matters

An instruction has room for one literal, and both operands would read that one.

Example

    ; gcn-lsp: target=gfx900
    s_add_u32 s0, 0x12345678, 0x11223344

Use instead

    ; gcn-lsp: target=gfx900
    s_mov_b32 s0, 0x12345678
    s_add_u32 s0, s0, 0x11223344

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("too-many-literals", Severity.ERROR, __doc__, found_by=("instruction.constraints",))
