"""constant-bus-limit: a vector instruction reads more scalar values than the constant bus carries.

What it checks

The scalar values that the sources of a VALU instruction read, against the limit of the target: distinct SGPRs (a tuple
counts once), the literal, and implicit reads of VCC or M0. Inline constants are free.

Why it matters

All sources share one bus for scalar values. Copy one of the values to a VGPR first.

Example

    ; gcn-lsp: target=gfx900
    v_add3_u32 v0, s0, s1, v1

Use instead

    ; gcn-lsp: target=gfx900
    v_mov_b32 v2, s1
    v_add3_u32 v0, s0, v2, v1

Targets

All. The limit is one up to gfx9 and two from gfx10, except for 64-bit shifts.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("constant-bus-limit", Severity.ERROR, __doc__, found_by=("instruction.constraints",))
