"""undefined-by-hardware: the assembler accepts what the hardware's documentation forbids or leaves undefined.

What it checks

- Lengths of `s_clause` that do not exist.
- Bit fields of `s_getreg_b32` and `s_setreg_b32` that end beyond the register.
- Writes of hardware registers that can only be read, and on gfx9 uses of reserved ones.
- Offset registers of scalar stores on gfx8 other than M0, and negative offsets of scalar memory to which no register is
  added.
- Formats of typed buffer instructions that are reserved or that no hardware converts.
- `cbsz` of an MFMA that has fewer matrices, and `abid` that names none of those that `cbsz` shares.
- A result of `v_cvt_scale` on gfx1250 that overlaps a source.
- Instructions that some processors are known to execute incorrectly, such as flat accesses with an offset on gfx10.1, a
  64-bit shift by the last VGPR of gfx90a, or a write of MODE on gfx1250 that changes which of the 1024 VGPRs operands
  mean.

Why it matters

The bytes are as written, but no manual says what they do, and it may differ from chip to chip.

Example

    ; gcn-lsp: target=gfx900
    s_getreg_b32 s0, hwreg(HW_REG_MODE, 28, 8)

Use instead

    ; gcn-lsp: target=gfx900
    s_getreg_b32 s0, hwreg(HW_REG_MODE, 24, 8)

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.hazards import hazards
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each instruction that the target is known to execute incorrectly."""
    known = hazards.of(program)
    if known is not None:
        for site, restriction in known.restricted:
            place = sites.place(program, known.graph, site)
            message = f"{restriction.reason} ({restriction.id})"
            yield RULE.at(place.where, message, place.related)


RULE = Rule(
    "undefined-by-hardware", Severity.WARNING, __doc__, Stage.PATHS, check=check, found_by=("instruction.cautions",)
)
