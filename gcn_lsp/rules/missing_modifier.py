"""missing-modifier: an instruction lacks a modifier that it needs.

What it checks

Modifiers without which no form matches, such as `glc` on an atomic that returns the old value.

Why it matters

With a destination the instruction returns a value; without the bit it does not. The text contradicts itself, and the
destination would never be written.

Example

    ; gcn-lsp: target=gfx900
    global_atomic_add v0, v[2:3], v1, off

Use instead

    ; gcn-lsp: target=gfx900
    global_atomic_add v0, v[2:3], v1, off glc

Targets

All. The bit is `sc0` on gfx942 and gfx950, and `th:TH_ATOMIC_RETURN` from gfx12.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule(
    "missing-modifier",
    Severity.ERROR,
    __doc__,
    found_by=("instruction.constraints", "instruction.image_checks", "instruction.rejection"),
)
