"""order-dependent-result: a kernel's result differs between orders of completion that the hardware may choose.

What it checks

`gcn-lsp run --orders`, and tests with `orders = true`, repeat a run: with every access completing as early as possible,
as late as the waits allow, late for one counter alone, and with waves taking turns in other orders. A buffer that
differs afterwards is reported, with the first element and both values.

- What no order shows may still happen: the orders are a choice.

Why it matters

A kernel that is correct gives one result whatever memory does. A result that differs is the proof of a missing wait, a
missing barrier or a race; other findings of the same run say where.

Example

    ; gcn-lsp: target=gfx900
    kernel:
      global_load_dword v2, v1, s[0:1]
      v_add_f32 v2, v2, v2
      global_store_dword v1, v2, s[2:3]

Use instead

    ; gcn-lsp: target=gfx900
    kernel:
      global_load_dword v2, v1, s[0:1]
      s_waitcnt vmcnt(0)
      v_add_f32 v2, v2, v2
      global_store_dword v1, v2, s[2:3]

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("order-dependent-result", Severity.ERROR, __doc__, found_by=("machine.observations",))
