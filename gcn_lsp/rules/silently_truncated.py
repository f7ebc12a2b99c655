"""silently-truncated: a value has more bits than the instruction reads, and the rest is silently dropped.

What it checks

Values that the assembler accepts although the encoding or the hardware has fewer bits for them: a buffer `offset:`
above 4095, the repeats of `s_nop`, byte offsets of scalar loads that are not a multiple of four, float literals of
scalar 16-bit instructions that LLVM makes 32-bit floats, lanes of `v_readlane_b32` that a wave of 32 does not have, and
similar.

Why it matters

The instruction assembles and does something else: the buffer access below goes to offset 0. Put the value into a
register.

Example

    ; gcn-lsp: target=gfx900
    buffer_load_dword v1, off, s[4:7], 0 offset:4096

Use instead

    ; gcn-lsp: target=gfx900
    s_movk_i32 s8, 0x1000
    buffer_load_dword v1, off, s[4:7], s8

Targets

All. The number of bits depends on the target.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule(
    "silently-truncated",
    Severity.WARNING,
    __doc__,
    found_by=(
        "instruction.cautions",
        "program.directives.descriptor",
    ),
)
