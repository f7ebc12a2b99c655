"""register-not-available: a register exists on other targets, but not on the file's.

What it checks

Special registers such as `flat_scratch`, `xnack_mask`, `null` or `src_shared_base` where the target does not have
them. AccVGPRs exist on targets with matrix cores only; SGPRs beyond the last one are the matter of
register-out-of-range.

Why it matters

The number that stands for the register elsewhere is unused on this target, or is another register there.

Example

    ; gcn-lsp: target=gfx900
    s_mov_b64 s[0:1], null

Use instead

    ; gcn-lsp: target=gfx900
    s_mov_b64 s[0:1], 0

Targets

All. `null` exists from gfx10 on, the apertures (`src_shared_base` and others) from gfx9 on.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule(
    "register-not-available", Severity.ERROR, __doc__, found_by=("instruction.constraints", "instruction.registers")
)
