"""relative-constant: a symbol that is set after its use as a literal becomes a distance.

What it checks

A 32-bit literal with one symbol to which only a later line gives a value, where that is a number: also the difference
of two labels. With a constant subtracted, or with two such symbols, the assembler computes the value itself.

Why it matters

The assembler takes a name without a value for a label and leaves a relocation for its distance from the instruction.
Nothing reports it: the linker subtracts the address of the code from the number, and the kernel computes with that.

Example

    ; gcn-lsp: target=gfx900
    s_mov_b32 s2, tile
    .set tile, 0x1000

Use instead

    ; gcn-lsp: target=gfx900
    .set tile, 0x1000
    s_mov_b32 s2, tile

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("relative-constant", Severity.WARNING, __doc__, found_by=("program.layout",))
