"""register-not-available: a register exists on other targets, but not on the file's.

What it checks

Special registers such as `flat_scratch`, `xnack_mask`, `null` or `src_shared_base`, and AccVGPRs, which only targets
with matrix cores have. The rule register-out-of-range reports SGPRs beyond the last one.

Why it matters

The register's number is unused on this target, or is another register.

Example

    ; gcn-lsp: target=gfx900
    s_mov_b64 s[0:1], null

Use instead

    ; gcn-lsp: target=gfx900
    s_mov_b64 s[0:1], 0

Targets

All. `null` exists from gfx10, the apertures (`src_shared_base` and others) from gfx9.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule(
    "register-not-available", Severity.ERROR, __doc__, found_by=("instruction.constraints", "instruction.registers")
)
