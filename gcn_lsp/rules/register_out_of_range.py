"""register-out-of-range: a register number is beyond the end of its register file.

What it checks

The number, or the last number of a tuple, against the size of the file: 256 VGPRs, 256 AccVGPRs, and as many SGPRs and
trap temporaries as the target has. The number may be the value of an expression.

Why it matters

The field has no bits for it. If the number was computed from symbols, one of them is usually wrong.

Example

    ; gcn-lsp: target=gfx900
    .set v_acc, 250
    v_mov_b32 v[v_acc+6], 0

Use instead

    ; gcn-lsp: target=gfx900
    .set v_acc, 249
    v_mov_b32 v[v_acc+6], 0

Targets

All. gfx6 and gfx7 have 104 SGPRs, gfx8 and gfx9 have 102, gfx10 and later have 106.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule(
    "register-out-of-range",
    Severity.ERROR,
    __doc__,
    found_by=("instruction.operands", "instruction.registers", "instruction.rejection"),
)
