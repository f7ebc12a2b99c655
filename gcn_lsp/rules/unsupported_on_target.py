"""unsupported-on-target: an instruction exists, but not on the file's target.

What it checks

The mnemonic, or the encoding that its suffix or its operands ask for (SDWA, DPP, 64-bit), belongs to other targets
only, or needs a feature that is switched off. The finding names targets which have it, what the instruction is called
here when it was renamed (with a fix, where the operands are right under that name), or what takes its place. A mnemonic
that is here, but with these operands is that of another generation's instruction, is told in the same way: on gfx9
`v_add_u32 v0, vcc, v1, v2` is `v_add_co_u32`.

Why it matters

The same number in the opcode field means a different instruction, or none, on a processor without it. Generations
renamed and dropped many instructions, so code moved from one to another needs each of them looked at.

Example

    ; gcn-lsp: target=gfx900
    v_mfma_f32_4x4x1f32 v[0:3], v4, v5, v[0:3]

Use instead

    ; gcn-lsp: target=gfx90a
    v_mfma_f32_4x4x1f32 v[0:3], v4, v5, v[0:3]

Targets

All. Features are those of the target and of the `mattr` setting.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule(
    "unsupported-on-target",
    Severity.ERROR,
    __doc__,
    found_by=(
        "instruction.bind",
        "instruction.constraints",
        "instruction.image_checks",
        "instruction.memo",
        "instruction.rejection",
        "instruction.special",
    ),
)
