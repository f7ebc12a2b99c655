"""descriptor-field: a field of a kernel descriptor is unknown, repeated, missing or out of range.

What it checks

The `.amdhsa_` directives between `.amdhsa_kernel` and `.end_amdhsa_kernel`:

- The target has the field, and the value is in range.
- No field is repeated, and nothing but fields is in the block.
- The required fields are present: `.amdhsa_next_free_vgpr`, `.amdhsa_next_free_sgpr` and, on gfx90a and later CDNA,
  `.amdhsa_accum_offset`.
- The fields agree where the assembler demands it: the AGPR offset is within the VGPRs, and the user SGPRs are enough
  for the enabled inputs.

In `.amd_kernel_code_t`, the names of the fields and the wave size are checked.

Why it matters

The descriptor tells the hardware how many registers to allocate and which values to preload. The assembler rejects a
descriptor with a wrong field.

Example

    ; gcn-lsp: target=gfx900
    .amdhsa_kernel copy
      .amdhsa_next_free_vgpr 8
      .amdhsa_next_free_sgpr 16
      .amdhsa_ieee_mode 2
    .end_amdhsa_kernel

Use instead

    ; gcn-lsp: target=gfx900
    .amdhsa_kernel copy
      .amdhsa_next_free_vgpr 8
      .amdhsa_next_free_sgpr 16
      .amdhsa_ieee_mode 1
    .end_amdhsa_kernel

Targets

All. Some fields exist on some targets only.
"""

from gcn_lsp.findings.rule import Rule, Severity

RULE = Rule(
    "descriptor-field",
    Severity.ERROR,
    __doc__,
    found_by=(
        "program.directives.descriptor",
        "program.kernels.descriptor",
    ),
)
