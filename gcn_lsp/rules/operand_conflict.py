"""operand-conflict: two operands of an instruction contradict each other.

What it checks

Conditions that span operands: a destination that must not overlap a source, an operand that must equal another,
registers of a dual-issue pair that must come from different banks.

Why it matters

The hardware writes the result in several passes while it still reads the sources, or has one field for both operands.
With the wrong combination the result is undefined.

Example

    ; gcn-lsp: target=gfx908
    v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[1:32]

Use instead

    ; gcn-lsp: target=gfx908
    v_mfma_f32_32x32x1f32 a[0:31], v0, v1, a[0:31]

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule(
    "operand-conflict",
    Severity.ERROR,
    __doc__,
    found_by=(
        "instruction.constraints",
        "instruction.dual_issue",
        "instruction.image_checks",
        "instruction.operands",
        "instruction.rejection",
    ),
)
