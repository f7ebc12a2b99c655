"""misplaced-argument: an argument in the metadata overlaps another one, or ends beyond the kernarg segment.

What it checks

`.offset` and `.size` of the arguments in `.amdgpu_metadata`, against each other and `.kernarg_segment_size`.

Why it matters

The runtime copies each argument of a launch to its offset. Where two overlap, the later one overwrites a part of the
other, most often the upper half of a pointer. What is beyond the segment belongs to another launch.

Example

    ; gcn-lsp: target=gfx900
    copy:
      s_load_dwordx4 s[4:7], s[0:1], 0x0
      s_endpgm
    .rodata
    .amdhsa_kernel copy
      .amdhsa_user_sgpr_kernarg_segment_ptr 1
      .amdhsa_kernarg_size 16
      .amdhsa_next_free_vgpr 8
      .amdhsa_next_free_sgpr 16
    .end_amdhsa_kernel
    .amdgpu_metadata
    amdhsa.version: [1, 2]
    amdhsa.kernels:
      - .name: copy
        .symbol: copy.kd
        .kernarg_segment_size: 16
        .kernarg_segment_align: 8
        .group_segment_fixed_size: 0
        .private_segment_fixed_size: 0
        .wavefront_size: 64
        .sgpr_count: 22
        .vgpr_count: 8
        .max_flat_workgroup_size: 256
        .args:
          - {.offset: 0, .size: 8, .value_kind: global_buffer}
          - {.offset: 4, .size: 8, .value_kind: global_buffer}
    .end_amdgpu_metadata

Use instead

    ; gcn-lsp: target=gfx900
    copy:
      s_load_dwordx4 s[4:7], s[0:1], 0x0
      s_endpgm
    .rodata
    .amdhsa_kernel copy
      .amdhsa_user_sgpr_kernarg_segment_ptr 1
      .amdhsa_kernarg_size 16
      .amdhsa_next_free_vgpr 8
      .amdhsa_next_free_sgpr 16
    .end_amdhsa_kernel
    .amdgpu_metadata
    amdhsa.version: [1, 2]
    amdhsa.kernels:
      - .name: copy
        .symbol: copy.kd
        .kernarg_segment_size: 16
        .kernarg_segment_align: 8
        .group_segment_fixed_size: 0
        .private_segment_fixed_size: 0
        .wavefront_size: 64
        .sgpr_count: 22
        .vgpr_count: 8
        .max_flat_workgroup_size: 256
        .args:
          - {.offset: 0, .size: 8, .value_kind: global_buffer}
          - {.offset: 8, .size: 8, .value_kind: global_buffer}
    .end_amdgpu_metadata

Targets

All.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from gcn_lsp.findings import descriptor_places
from gcn_lsp.findings.rule import Finding, Fix, Related, Rule, Severity, Stage
from gcn_lsp.program.kernels import metadata
from gcn_lsp.program.kernels.metadata import MetadataArgument, MetadataBlock
from gcn_lsp.program.kernels.metadata_tree import Node
from gcn_lsp.program.program import Program
from gcn_lsp.text import Location, TextEdit

_MOST_ALIGNED = 8  # bytes, of arguments whose types the metadata do not say
_SIZE = ".kernarg_segment_size"


def check(program: Program) -> Iterator[Finding]:
    """A finding at the offset of each argument that overlaps one before it, or ends beyond the segment."""
    for block, kernel, _ in metadata.described(program.metadata):
        found = [each for each in metadata.arguments_of(kernel) if each.size > 0]
        ordered = sorted(found, key=lambda each: each.offset)
        size = kernel.get(_SIZE)
        fixes = _fixes(program, block, found, size.number if size is not None else None)
        for before, after in pairwise(ordered):
            end = before.offset + before.size
            if end > after.offset:
                related = (Related(_place(program, block, before)[0], f"this argument has the bytes up to {end}"),)
                message = (
                    f"the argument at byte {after.offset} overlaps the one of {before.size} bytes at {before.offset}"
                )
                yield RULE.at(_place(program, block, after)[0], message, related, fixes)
                fixes = ()  # one is for all
        last = ordered[-1] if ordered else None
        if last is not None and size is not None and size.number and last.offset + last.size > size.number:
            where, _ = descriptor_places.in_metadata(program, block, size.line, size.start, size.end)
            message = f"the last argument ends at byte {last.offset + last.size}, but `{_SIZE}` is {size.number}"
            yield RULE.at(_place(program, block, last)[0], message, (Related(where, "the size is given here"),))


RULE = Rule("misplaced-argument", Severity.WARNING, __doc__, Stage.PROGRAM, check=check)


def _offset(argument: MetadataArgument) -> Node:
    found = argument.node.get(".offset")
    assert found is not None
    return found


def _place(program: Program, block: MetadataBlock, argument: MetadataArgument) -> tuple[Location, bool]:
    node = _offset(argument)
    return descriptor_places.in_metadata(program, block, node.line, node.start, node.end)


def _fixes(
    program: Program, block: MetadataBlock, found: Sequence[MetadataArgument], size: "int | None"
) -> tuple[Fix, ...]:
    """The fix that moves each argument that overlaps the one before it to the next place, if the segment has room."""
    edits = []
    end = 0
    for each in found:
        start = each.offset
        if start < end:
            unit = min(each.size & -each.size, _MOST_ALIGNED)
            start = -(-end // unit) * unit
            where, is_own = _place(program, block, each)
            if not is_own:
                return ()
            edits.append(TextEdit(where, str(start)))
        end = start + each.size
    if not edits or (size is not None and end > size):
        return ()
    return (Fix("Correct the offsets", tuple(edits), is_certain=False),)
