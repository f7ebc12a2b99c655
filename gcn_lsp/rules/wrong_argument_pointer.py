"""wrong-argument-pointer: a kernel loads its arguments from an input that is not the kernarg segment pointer.

What it checks

Kernels whose descriptor requests the kernarg segment pointer and whose metadata describe arguments. If nothing reads
both registers of that pointer, each scalar load that would load a whole pointer (`global_buffer`) of the arguments is
reported if its base is another pointer that the descriptor requests, such as that of the dispatch packet.

Kernels that call functions are not checked.

Why it matters

The inputs in SGPRs come one after another, so a field that requests one more moves all that follow. The kernel then
takes words of the dispatch packet for the addresses of its buffers.

Example

    ; gcn-lsp: target=gfx900
    copy:
      s_load_dwordx2 s[6:7], s[0:1], 0x8
      s_waitcnt lgkmcnt(0)
      global_store_dword v0, v0, s[6:7]
      s_endpgm
    .rodata
    .amdhsa_kernel copy
      .amdhsa_user_sgpr_dispatch_ptr 1
      .amdhsa_user_sgpr_kernarg_segment_ptr 1
      .amdhsa_next_free_vgpr 1
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
        .vgpr_count: 1
        .max_flat_workgroup_size: 256
        .args:
          - {.name: x, .offset: 0, .size: 8, .value_kind: global_buffer}
          - {.name: y, .offset: 8, .size: 8, .value_kind: global_buffer}
    .end_amdgpu_metadata

Use instead

    ; gcn-lsp: target=gfx900
    copy:
      s_load_dwordx2 s[6:7], s[2:3], 0x8
      s_waitcnt lgkmcnt(0)
      global_store_dword v0, v0, s[6:7]
      s_endpgm
    .rodata
    .amdhsa_kernel copy
      .amdhsa_user_sgpr_dispatch_ptr 1
      .amdhsa_user_sgpr_kernarg_segment_ptr 1
      .amdhsa_next_free_vgpr 1
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
        .vgpr_count: 1
        .max_flat_workgroup_size: 256
        .args:
          - {.name: x, .offset: 0, .size: 8, .value_kind: global_buffer}
          - {.name: y, .offset: 8, .size: 8, .value_kind: global_buffer}
    .end_amdgpu_metadata

Targets

All.
"""

from collections.abc import Iterator, Sequence

from gcn_lsp.analysis.control import graphs, kernels
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.values import kernel_inputs, symbolic
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Fix, Related, Rule, Severity, Stage
from gcn_lsp.isa.kernels import descriptor
from gcn_lsp.program.kernels import inputs, kernel_usage, metadata
from gcn_lsp.program.kernels.descriptor_blocks import KernelDescriptor
from gcn_lsp.program.kernels.inputs import Input
from gcn_lsp.program.program import Program
from gcn_lsp.text import TextEdit


def check(program: Program) -> Iterator[Finding]:
    """A finding at each load of arguments from another pointer, where nothing uses theirs."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    entries = kernels.entries(program, graph)
    for kernel in program.kernels:
        pointer, others = _pointers(kernel)
        pointers = [each for each in metadata.arguments(program.metadata, kernel.name) if each.is_pointer]
        if pointer is None or not others or not pointers or kernel.name not in entries:
            continue
        reached = [graph.nodes[node] for node in sorted(graph.reached((entries[kernel.name],)))]
        found = [site for segment in reached for site in segment.sites]
        if any(segment.flow == "call" for segment in reached) or _is_read(program, graph, found, pointer):
            continue
        for site in found:
            load = kernel_usage.load_of(site.item)
            if load is None or not any(kernel_usage.covers(load, each.offset, each.size) for each in pointers):
                continue
            other = _base(program, graph, site, others)
            if other is not None:
                yield _finding(program, graph, site, kernel, pointer, other)


RULE = Rule("wrong-argument-pointer", Severity.WARNING, __doc__, Stage.HINTS, check=check)


def _pointers(kernel: KernelDescriptor) -> tuple[Input | None, tuple[Input, ...]]:
    """The pointer to the arguments, and the other pointers that a kernel gets."""
    given = kernel.resources.inputs if kernel.resources is not None else ()
    found = [each for each in given if each.file == "s" and each.count == _PAIR]
    pointer = next((each for each in found if each.title == inputs.KERNARG_POINTER), None)
    return pointer, tuple(each for each in found if each.title in inputs.OTHER_POINTERS)


def _is_read(program: Program, graph: graphs.Graph, found: Sequence[Site], pointer: Input) -> bool:
    """Whether some instructions read both registers of a pointer, whatever for; or may, for all we know.

    That one of them is read says nothing: there was another input before a field moved them.
    """
    read = set()
    for site in found:
        if not site.effects.known:
            return True
        for number in range(pointer.first, pointer.first + pointer.count):
            if number not in read and site.effects.reads & registers.of_tuple("s", number, 1):
                value = symbolic.at(program, graph, site, "s", number, 1)
                if value is None or value.base == symbolic.EntryRegisters(number):
                    read.add(number)
    return len(read) == pointer.count


def _base(program: Program, graph: graphs.Graph, site: Site, others: tuple[Input, ...]) -> Input | None:
    """The other pointer that the base of a load is."""
    held = kernel_inputs.held_by_base(program, graph, site)
    found = {each.input for each in held if not each.added and each.first == each.input.first}
    return next((each for each in others if found == {each}), None)


def _finding(
    program: Program, graph: graphs.Graph, site: Site, kernel: KernelDescriptor, pointer: Input, other: Input
) -> Finding:
    place = sites.place(program, graph, site)
    operand = next(each for each in site.operands if each.slot == "sbase")
    where = sites.operand_place(program, graph, site, operand)
    name = registers.describe(registers.of_tuple("s", pointer.first, pointer.count))
    field = f"{descriptor.PREFIX}{inputs.field_of(other)}"
    message = (
        f"this loads arguments from the {other.title}, which `{field}` requests; the {pointer.title} is `{name}`, "
        f"and kernel `{kernel.name}` never uses it"
    )
    fixes = (Fix(f"Change to `{name}`", (TextEdit(where, name),), is_certain=False),) if place.own else ()
    return RULE.at(where, message, (*place.related, Related(kernel.where, "the descriptor is here")), fixes)


_PAIR = 2  # SGPRs
