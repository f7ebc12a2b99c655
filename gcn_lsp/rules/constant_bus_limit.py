"""constant-bus-limit: a vector instruction reads more scalar values than the constant bus carries.

What it checks

The distinct SGPRs (a tuple counts once), the literal and the implicit reads of VCC or M0 among the sources of a
VALU instruction are counted against the limit of the target. Inline constants are free.

Why it matters

Scalar values reach the lanes over one bus that is shared by all sources. Copy one of the values to a VGPR first.

Example

    ; gcn-lsp: target=gfx900
    v_add3_u32 v0, s0, s1, v1

Use instead

    ; gcn-lsp: target=gfx900
    v_mov_b32 v2, s1
    v_add3_u32 v0, s0, v2, v1

Targets

All; the limit is one up to gfx9 and two from gfx10 on, except for 64-bit shifts.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("constant-bus-limit", Severity.ERROR, __doc__, found_by=("instruction.constraints",))
