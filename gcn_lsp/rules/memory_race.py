"""memory-race: two waves of a run access a place in memory in no order, and one of them writes.

What it checks

`gcn-lsp run`, `gcn-lsp test` and `gcn-lsp debug` remember which wave wrote each byte of a buffer last, and which one
read it last. Barriers order the waves of a work-group; atomics, and loads and stores of a scope beyond the work-group,
order waves anywhere. Two accesses that nothing orders are reported, with the other instruction.

- Two writes of the same value are not a race.
- Of several reads of a place only the last one counts.
- Grids of more than 2048 waves are not checked.

Why it matters

The result depends on which wave is faster. Between work-groups there is no barrier: data that one
writes for another needs an atomic, or a kernel of its own.

Example

    ; gcn-lsp: target=gfx900
    kernel:
      global_store_dword v0, v1, s[0:1]
      s_waitcnt vmcnt(0)
      global_load_dword v2, v3, s[0:1]

Use instead

    ; gcn-lsp: target=gfx900
    kernel:
      global_store_dword v0, v1, s[0:1]
      s_waitcnt vmcnt(0)
      s_barrier
      global_load_dword v2, v3, s[0:1]

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("memory-race", Severity.WARNING, __doc__, found_by=("machine.observations",))
