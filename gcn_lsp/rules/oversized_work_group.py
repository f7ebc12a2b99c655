"""oversized-work-group: the metadata of a kernel asks for a larger work-group than the hardware can run.

What it checks

- `.max_flat_workgroup_size` above 1024 work-items.
- `.reqd_workgroup_size` whose product is above `.max_flat_workgroup_size`, or above 1024.

Why it matters

A work-group has at most 1024 work-items on every target. The assembler accepts any number, and the runtime refuses the
launch, or sizes registers and LDS for work-groups that never run.

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
        .sgpr_count: 16
        .vgpr_count: 8
        .max_flat_workgroup_size: 2048
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
        .max_flat_workgroup_size: 1024
    .end_amdgpu_metadata

Targets

All.
"""

import math
from collections.abc import Iterator

from gcn_lsp.findings import descriptor_places
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.isa.operands import limits
from gcn_lsp.program.kernels import metadata
from gcn_lsp.program.kernels.metadata_tree import Node
from gcn_lsp.program.program import Program

_MOST, _REQUIRED = ".max_flat_workgroup_size", ".reqd_workgroup_size"


def check(program: Program) -> Iterator[Finding]:
    """A finding at each size of a work-group in the metadata that is too large."""
    for block, kernel, name in metadata.described(program.metadata):
        for value, message in _oversized(kernel, name):
            where, _ = descriptor_places.in_metadata(program, block, value.line, value.start, value.end)
            yield RULE.at(where, message)


RULE = Rule("oversized-work-group", Severity.WARNING, __doc__, Stage.PROGRAM, check=check)


def _oversized(described: Node, name: str) -> Iterator[tuple[Node, str]]:
    """The sizes that are too large, and why."""
    most, required = described.get(_MOST), described.get(_REQUIRED)
    if most is not None and most.number is not None and most.number > limits.WORK_GROUP:
        yield most, f"`{_MOST}` of kernel `{name}` is {most.number}; a work-group has at most {limits.WORK_GROUP}"
    sizes = [item.number for item in required.items or ()] if required is not None else []
    numbers = [size for size in sizes if size is not None]
    if required is None or not sizes or len(numbers) != len(sizes):
        return
    limit = min(most.number or limits.WORK_GROUP, limits.WORK_GROUP) if most is not None else limits.WORK_GROUP
    if math.prod(numbers) > limit:
        asked = " x ".join(str(number) for number in numbers)
        yield required, f"`{_REQUIRED}` of kernel `{name}` is {asked} = {math.prod(numbers)}; at most {limit} fit"
