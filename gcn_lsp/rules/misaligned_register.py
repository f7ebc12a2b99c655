"""misaligned-register: a register tuple starts at a register number that its field cannot hold.

What it checks

The first register of an SGPR tuple: even for two registers, a multiple of four for more. On targets that need aligned
tuples of VGPRs and AccVGPRs, the first register of those must be even.

Why it matters

Operand fields hold the number of the first register. For aligned tuples the hardware ignores the low bits or does not
store them, so it would use other registers than the ones written.

Example

    ; gcn-lsp: target=gfx900
    s_load_dwordx2 s[1:2], s[4:5], 0x0

Use instead

    ; gcn-lsp: target=gfx900
    s_load_dwordx2 s[2:3], s[4:5], 0x0

Targets

SGPRs: all. VGPRs and AccVGPRs: gfx90a, gfx942, gfx950 and gfx1250.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule(
    "misaligned-register",
    Severity.ERROR,
    __doc__,
    found_by=("instruction.constraints", "instruction.registers", "instruction.rejection"),
)
