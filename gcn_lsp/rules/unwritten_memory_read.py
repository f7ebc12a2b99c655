"""unwritten-memory-read: a run reads bytes of a buffer that nothing has written.

What it checks

`gcn-lsp run`, `gcn-lsp test` and `gcn-lsp debug` remember which bytes of a buffer given as `empty:...` a kernel has
written, and report the first lane that reads another one. Every other buffer has a value from the start. `run` and
`test` report a read only if the result depends on what is there, so not where the value is masked away.

Why it matters

A buffer that a program has just allocated holds what was there before. A result that depends on it is right on one
machine and wrong on the next.

Example

    ; gcn-lsp: target=gfx900
    kernel:
      global_load_dword v1, v0, s[0:1]
      s_waitcnt vmcnt(0)

Use instead

    ; gcn-lsp: target=gfx900
    kernel:
      global_store_dword v0, v2, s[0:1]
      s_waitcnt vmcnt(0)
      global_load_dword v1, v0, s[0:1]
      s_waitcnt vmcnt(0)

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("unwritten-memory-read", Severity.WARNING, __doc__, found_by=("machine.observations",))
