"""descriptor-field: a field of a kernel descriptor is unknown, repeated, missing or out of range.

What it checks

The `.amdhsa_` directives between `.amdhsa_kernel` and `.end_amdhsa_kernel`: their names, whether this target has
them, their values, that none stands there twice and nothing else stands between them, that the required ones are there
(`.amdhsa_next_free_vgpr`, `.amdhsa_next_free_sgpr`, on gfx90a and later `.amdhsa_accum_offset`), and what the assembler
demands of them together: an AGPR offset within the VGPRs, user SGPRs enough for the enabled inputs. Also the names of
the fields of `.amd_kernel_code_t`, and that they say the wave size of the code.

Why it matters

The descriptor tells the hardware how many registers to allocate and which values to preload. The assembler refuses
one with a wrong field.

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

All; some fields exist on some targets only.
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
