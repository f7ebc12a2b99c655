"""misaligned-access: an atomic of a run has an address that is not a multiple of its size.

What it checks

`gcn-lsp run`, `gcn-lsp test` and `gcn-lsp debug` check the addresses of atomics in global memory.

Why it matters

The hardware does not carry out an atomic across a boundary of its size: it reports a fault or changes other bytes.

Example

    ; gcn-lsp: target=gfx900
    kernel:
      v_add_u32 v0, 2, v0
      global_atomic_add v0, v1, s[0:1]

Use instead

    ; gcn-lsp: target=gfx900
    kernel:
      v_add_u32 v0, 4, v0
      global_atomic_add v0, v1, s[0:1]

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("misaligned-access", Severity.WARNING, __doc__, found_by=("machine.observations",))
