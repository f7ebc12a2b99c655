"""stopped-run: a run stops before its end: an instruction cannot be carried out, or control leaves the code.

What it checks

`gcn-lsp run`, `gcn-lsp test` and `gcn-lsp debug` stop where control goes on in data, in padding or after the code, at
an instruction that is not carried out on this machine (image sampling, exports, messages to a host), where waves wait
at barriers that no other wave reaches, and at the limit of instructions (`--limit`).

Why it matters

The rest of the run is not known. An endless loop or a jump into data hangs a GPU.

Example

    ; gcn-lsp: target=gfx900
    kernel:
      s_setpc_b64 s[0:1]

Use instead

    ; gcn-lsp: target=gfx900
    kernel:
      s_endpgm

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("stopped-run", Severity.ERROR, __doc__, found_by=("machine.observations",))
