"""misaligned-register: a register tuple starts at a register number that its field cannot hold.

What it checks

The first register of a tuple of SGPRs: even for two, a multiple of four for more. On targets which want tuples of
VGPRs and AccVGPRs to begin at an even number, those as well.

Why it matters

Operand fields hold the number of the first register, and for aligned tuples the hardware ignores or does not even
store the low bits. It would address other registers than the ones written.

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
