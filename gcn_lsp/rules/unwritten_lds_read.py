"""unwritten-lds-read: a run reads bytes of LDS that nothing has written.

What it checks

`gcn-lsp run`, `gcn-lsp test` and `gcn-lsp debug` remember which bytes of LDS a work-group has written, and report the
first lane that reads another one.

Why it matters

LDS is not cleared: it holds what an earlier work-group left there. A result that depends on it is right on one machine
and wrong on the next. Often a loop fills fewer elements than another one reads.

Example

    ; gcn-lsp: target=gfx900
    kernel:
      v_lshlrev_b32 v1, 2, v0
      ds_read_b32 v2, v1

Use instead

    ; gcn-lsp: target=gfx900
    kernel:
      v_lshlrev_b32 v1, 2, v0
      ds_write_b32 v1, v0
      ds_read_b32 v2, v1

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("unwritten-lds-read", Severity.WARNING, __doc__, found_by=("machine.observations",))
