"""missing-modifier: an instruction needs a modifier that is not there.

What it checks

Modifiers without which no form matches: `glc` on an atomic that returns the old value, and others of the kind.

Why it matters

With a destination the instruction returns a value, without the bit it does not: the text contradicts itself, and
the destination would never be written.

Example

    ; gcn-lsp: target=gfx900
    global_atomic_add v0, v[2:3], v1, off

Use instead

    ; gcn-lsp: target=gfx900
    global_atomic_add v0, v[2:3], v1, off glc

Targets

All; from gfx940 on the bit is `sc0`, from gfx12 on `th:TH_ATOMIC_RETURN`.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule(
    "missing-modifier",
    Severity.ERROR,
    __doc__,
    found_by=("instruction.constraints", "instruction.image_checks", "instruction.rejection"),
)
