"""misaligned-offset: the offset of an atomic is not a multiple of what the atomic accesses.

What it checks

- Atomics of vector memory and LDS whose immediate offset is not a multiple of their 4 or 8 bytes.
- Before gfx9, reads and writes of LDS of 4 bytes and more whose offset is not a multiple of 4.

Offsets of other accesses are not checked: they may have any address. Nor are the registers of the address: if they
make up for the offset, the access is right.

Why it matters

An atomic is done on an address that is a multiple of its size, whatever the alignment mode: another one is a memory
violation, or the lowest bits are ignored. An odd offset is mostly a number of elements where bytes are meant.

Example

    ; gcn-lsp: target=gfx900
    global_atomic_add v[0:1], v2, off offset:2

Use instead

    ; gcn-lsp: target=gfx900
    global_atomic_add v[0:1], v2, off offset:8

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("misaligned-offset", Severity.INFORMATION, __doc__, found_by=("instruction.cautions",))
