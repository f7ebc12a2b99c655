"""branch-out-of-range: a branch target is too far away for the branch's offset field.

What it checks

The distance from the end of the branch to its target. The offset field counts dwords in 16 signed bits: -32768 to
32767.

Why it matters

The offset would be truncated, and the wave would continue at another address. Use `s_setpc_b64` with an address
computed by `s_getpc_b64` and an addition.

Example

    ; gcn-lsp: target=gfx900
    s_branch end
    .fill 40000, 4, 0
    end:
    s_endpgm

Use instead

    ; gcn-lsp: target=gfx900
    s_getpc_b64 s[0:1]
    s_add_u32 s0, s0, 160016
    s_addc_u32 s1, s1, 0
    s_setpc_b64 s[0:1]
    .fill 40000, 4, 0
    end:
    s_endpgm

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("branch-out-of-range", Severity.ERROR, __doc__, found_by=("program.layout",))
