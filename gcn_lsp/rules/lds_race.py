"""lds-race: two waves of a run access a place in LDS in no order, and one of them writes.

What it checks

`gcn-lsp run`, `gcn-lsp test` and `gcn-lsp debug` remember who accessed each byte of LDS last. Barriers and atomics
order the accesses of waves; two accesses that neither orders are reported, with the other instruction.

- Waves that order their accesses by polling memory without atomics are reported too.
- Races in global memory are found by `memory-race`.

Why it matters

The result depends on which wave is faster. Usually a barrier is missing between a write and the reads of other waves,
or between these and the next write.

Example

    ; gcn-lsp: target=gfx900
    kernel:
      ds_write_b32 v0, v1
      s_waitcnt lgkmcnt(0)
      ds_read_b32 v2, v3

Use instead

    ; gcn-lsp: target=gfx900
    kernel:
      ds_write_b32 v0, v1
      s_waitcnt lgkmcnt(0)
      s_barrier
      ds_read_b32 v2, v3

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("lds-race", Severity.WARNING, __doc__, found_by=("machine.observations",))
