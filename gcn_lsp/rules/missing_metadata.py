"""missing-metadata: a kernel descriptor has no metadata, so HIP does not find the kernel.

What it checks

Descriptors of kernels that `.globl` or another directive makes known to other files, in a file without any metadata.

- The build may add metadata from elsewhere, so the finding is information.
- A file that describes some of its kernels is not checked, nor one whose `.amdgpu_metadata` has no end yet.

Why it matters

The descriptor is all that the hardware needs. But the runtime looks kernels up in the metadata of the code object, and
takes from there the size and the kinds of the arguments. Without them `hipModuleGetFunction` says that there is no such
kernel.

Example

    ; gcn-lsp: target=gfx900
    .globl copy
    copy:
      s_endpgm
    .rodata
    .amdhsa_kernel copy
      .amdhsa_next_free_vgpr 8
      .amdhsa_next_free_sgpr 16
    .end_amdhsa_kernel

Use instead

    ; gcn-lsp: target=gfx900
    .globl copy
    copy:
      s_endpgm
    .rodata
    .amdhsa_kernel copy
      .amdhsa_next_free_vgpr 8
      .amdhsa_next_free_sgpr 16
    .end_amdhsa_kernel
    .amdgpu_metadata
    amdhsa.version: [1, 2]
    amdhsa.kernels:
      - .name: copy
        .symbol: copy.kd
        .kernarg_segment_size: 0
        .kernarg_segment_align: 8
        .group_segment_fixed_size: 0
        .private_segment_fixed_size: 0
        .wavefront_size: 64
        .sgpr_count: 16
        .vgpr_count: 8
        .max_flat_workgroup_size: 256
    .end_amdgpu_metadata

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.findings import descriptor_places, written_metadata
from gcn_lsp.findings.rule import Finding, Fix, Rule, Severity, Stage
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at the descriptor of each global kernel, if no metadata are in the file."""
    if program.metadata_so_far:
        return
    for block in program.closed_blocks:
        if program.is_declared(block.name) and block.name in program.layout.labels:
            where, _ = descriptor_places.of_field(program, block, "")
            edit = written_metadata.edit(program, block)
            fixes = (Fix(written_metadata.TITLE, (edit,), is_certain=False),) if edit is not None else ()
            message = f"kernel `{block.name}` has no `.amdgpu_metadata`: HIP does not find it in the code object"
            yield RULE.at(where, message, (), fixes)


RULE = Rule("missing-metadata", Severity.INFORMATION, __doc__, Stage.PROGRAM, check=check)
