"""overwritten-address: a scalar load overwrites the registers of its own address.

What it checks

Scalar loads of two or more dwords whose result overlaps the address or the buffer resource, on processors that can
replay accesses (XNACK), unless the target says `xnack-`. With `+xnack` it is a warning, `unreplayable-clause`.

A load of 8 or 16 bytes at an offset that is a multiple of its size lies within one page and is not reported.

Why it matters

After a page fault in its second part the load is executed again, and by then it has overwritten its own address. With
XNACK off nothing happens, and most programs are compiled that way where there is a choice.

Example

    ; gcn-lsp: target=gfx90a
    s_load_dwordx2 s[4:5], s[4:5], 0x4

Use instead

    ; gcn-lsp: target=gfx90a
    s_load_dwordx2 s[6:7], s[4:5], 0x4

Targets

Targets with XNACK: gfx801, gfx810, gfx9, gfx1010 to gfx1013, gfx1250.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("overwritten-address", Severity.HINT, __doc__, found_by=("instruction.cautions",))
