"""malformed-metadata: the metadata of the code object is not valid YAML, or lacks what it must have.

What it checks

The lines between `.amdgpu_metadata` and `.end_amdgpu_metadata`: their YAML, the required keys, and the values that each
key allows.

Why it matters

The runtime reads from the metadata which kernels there are and how to launch them. The assembler rejects incomplete
metadata without saying where or why.

Example

    ; gcn-lsp: target=gfx900
    .amdgpu_metadata
    amdhsa.version: [1, 2]
    amdhsa.kernels:
      - .name: copy
        .symbol: copy.kd
        .kernarg_segment_size: 8
        .kernarg_segment_align: 8
        .group_segment_fixed_size: 0
        .private_segment_fixed_size: 0
        .wavefront_size: 64
        .sgpr_count: sixteen
        .vgpr_count: 8
        .max_flat_workgroup_size: 256
    .end_amdgpu_metadata

Use instead

    ; gcn-lsp: target=gfx900
    .amdgpu_metadata
    amdhsa.version: [1, 2]
    amdhsa.kernels:
      - .name: copy
        .symbol: copy.kd
        .kernarg_segment_size: 8
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

from gcn_lsp.findings import descriptor_places
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.program.kernels import metadata
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each place in the metadata that the assembler does not accept."""
    for block in program.metadata:
        if block.word != metadata.WORD:
            continue
        for mistake in metadata.read(block.lines).mistakes:
            where, _ = descriptor_places.in_metadata(program, block, mistake.line, mistake.start, mistake.end)
            yield RULE.at(where, mistake.message)


RULE = Rule("malformed-metadata", Severity.ERROR, __doc__, Stage.PROGRAM, check=check)
