"""wrong-register-width: a register operand has more or fewer registers than the instruction reads or writes.

What it checks

The number of 32-bit registers in an operand, against what its field takes with this mnemonic and these modifiers
(`dmask`, `a16`, `tfe`).

Why it matters

The instruction implies the width; no field stores it. A tuple of another length is a misunderstanding: the instruction
uses registers that the text does not name, or not all that it names.

Example

    ; gcn-lsp: target=gfx900
    s_mov_b64 s[0:1], s4

Use instead

    ; gcn-lsp: target=gfx900
    s_mov_b64 s[0:1], s[4:5]

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule(
    "wrong-register-width",
    Severity.ERROR,
    __doc__,
    found_by=(
        "instruction.constraints",
        "instruction.image_checks",
        "instruction.operands",
        "instruction.registers",
        "instruction.rejection",
    ),
)
