"""pointer-in-resource: the size and the flags of a buffer descriptor are a pointer among the kernel's arguments.

What it checks

Buffer and scalar buffer instructions in the straight code at a kernel's start, whose descriptor (V#) has an argument in
its last two words that is a pointer (`global_buffer`) by the metadata.

Kernels without `.args` are not checked. A descriptor that is itself an argument is one of 16 bytes, passed by value.

Why it matters

The low half of the address becomes `num_records`, and the high half the type, the format and the swizzling: accesses go
wrong, or read zeros and write nothing. A pointer makes the first two words alone; the others are constants.

Example

    ; gcn-lsp: target=gfx900
    copy:
      s_load_dwordx4 s[4:7], s[0:1], 0x0
      s_waitcnt lgkmcnt(0)
      buffer_store_dword v0, off, s[4:7], 0
      s_endpgm
    .rodata
    .amdhsa_kernel copy
      .amdhsa_user_sgpr_kernarg_segment_ptr 1
      .amdhsa_next_free_vgpr 2
      .amdhsa_next_free_sgpr 8
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
        .sgpr_count: 14
        .vgpr_count: 2
        .max_flat_workgroup_size: 256
        .args:
          - .name: x
            .offset: 0
            .size: 8
            .value_kind: global_buffer
          - .name: y
            .offset: 8
            .size: 8
            .value_kind: global_buffer
    .end_amdgpu_metadata

Use instead

    ; gcn-lsp: target=gfx900
    copy:
      s_load_dwordx2 s[4:5], s[0:1], 0x0
      s_mov_b32 s6, 0x1000
      s_mov_b32 s7, 0x27000
      s_waitcnt lgkmcnt(0)
      buffer_store_dword v0, off, s[4:7], 0
      s_endpgm
    .rodata
    .amdhsa_kernel copy
      .amdhsa_user_sgpr_kernarg_segment_ptr 1
      .amdhsa_next_free_vgpr 2
      .amdhsa_next_free_sgpr 8
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
        .sgpr_count: 14
        .vgpr_count: 2
        .max_flat_workgroup_size: 256
        .args:
          - .name: x
            .offset: 0
            .size: 8
            .value_kind: global_buffer
          - .name: y
            .offset: 8
            .size: 8
            .value_kind: global_buffer
    .end_amdgpu_metadata

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.values import argument_words
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at the first use of each descriptor that ends with a pointer."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    for known in argument_words.of(program):
        told = set()
        for each in sites.first_at_each(graph, known.resources, lambda each: each.reader):
            if (each.operand.first, each.argument.number) in told:
                continue
            told.add((each.operand.first, each.argument.number))
            first = each.operand.first + 2
            message = (
                f"`num_records` and the flags of the buffer descriptor `{each.operand.text}` are a pointer: "
                f"`s[{first}:{first + 1}]` is argument {each.argument.title} of kernel `{known.kernel}`"
            )
            related = sites.place(program, graph, each.reader).related
            yield RULE.at(sites.operand_place(program, graph, each.reader, each.operand), message, related)


RULE = Rule("pointer-in-resource", Severity.WARNING, __doc__, Stage.HINTS, check=check)
