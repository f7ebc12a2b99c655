"""unsupported-on-target: an instruction exists, but not on the file's target.

What it checks

The mnemonic, or the encoding that its suffix or its operands need (SDWA, DPP, 64-bit), exists only on other targets, or
needs a feature that is off. The finding names targets that have it, its name here if it was renamed (with a fix, if the
operands are right under that name), or what replaces it. A mnemonic that exists here is reported in the same way if its
operands are those of another generation's instruction: on gfx9 `v_add_u32 v0, vcc, v1, v2` is `v_add_co_u32`.

Why it matters

On a processor without the instruction, the same opcode means another instruction, or none. Generations renamed and
dropped many instructions, so each of them needs a look when code moves between generations.

Example

    ; gcn-lsp: target=gfx900
    v_mfma_f32_4x4x1f32 v[0:3], v4, v5, v[0:3]

Use instead

    ; gcn-lsp: target=gfx90a
    v_mfma_f32_4x4x1f32 v[0:3], v4, v5, v[0:3]

Targets

All. Features are those of the target and of the setting `mattr`.
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
        "instruction.rejection",
        "instruction.special",
    ),
)
