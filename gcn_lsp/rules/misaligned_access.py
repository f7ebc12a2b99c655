"""misaligned-access: an access of a run has an address that is not a multiple of what it needs.

What it checks

`gcn-lsp run`, `gcn-lsp test` and `gcn-lsp debug` check the addresses of

- atomics, in memory and in LDS: a multiple of their size, at most 8;
- other accesses to LDS before gfx9: a multiple of their size, at most 8, of `ds_read2_b32` and its kind that of a part.

Why it matters

The hardware does not carry out an atomic across a boundary of its size: it reports a fault or changes other bytes.
Other accesses are carried out at another address, or in parts.

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
