"""implicit-format: a typed buffer instruction names no format and gets the default.

What it checks

`tbuffer_` instructions without `format:`, `dfmt:` and `nfmt:`.

Why it matters

The assembler silently uses its default: one component of 8 bits, unsigned and normalised. Buffers hardly ever hold
that.

Example

    ; gcn-lsp: target=gfx900
    tbuffer_load_format_x v1, off, s[4:7], s1

Use instead

    ; gcn-lsp: target=gfx900
    tbuffer_load_format_x v1, off, s[4:7], s1 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]

Targets

All.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule("implicit-format", Severity.INFORMATION, __doc__, found_by=("instruction.cautions",))
