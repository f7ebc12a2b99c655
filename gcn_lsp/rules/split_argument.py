"""split-argument: a load of a kernel's arguments cuts a pointer into halves.

What it checks

Scalar loads of a kernel's arguments, against the pointers (`global_buffer`) that the metadata describe:

- a load of two or more dwords that begins in the middle of a pointer, or that ends there and begins at no multiple of
  8, if something reads that half
- a load of one dword of a pointer in the straight code at the kernel's start, if no load has the other dword without
  this one: information

Compilers load three arguments as four dwords, and nothing reads the last: that is right. So is the low half of a
pointer where it is an address of LDS or of scratch.

Kernels without `.args` are not checked, and no loads whose offset is in a register.

Why it matters

The pair of registers that should be an address has the high half of one argument and the low half of the next, or the
number of elements is the low half of an address. The first access with it faults, or the loop does not end. Mostly the
offset is wrong: pointers are aligned to 8 bytes, so an argument of 4 bytes before one leaves a gap.

Example

    ; gcn-lsp: target=gfx900
    copy:
      s_load_dwordx2 s[2:3], s[0:1], 0x4
      s_waitcnt lgkmcnt(0)
      global_store_dword v0, v0, s[2:3]
      s_endpgm
    .rodata
    .amdhsa_kernel copy
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
          - .name: count
            .offset: 0
            .size: 4
            .value_kind: by_value
          - .name: y
            .offset: 8
            .size: 8
            .value_kind: global_buffer
    .end_amdgpu_metadata

Use instead

    ; gcn-lsp: target=gfx900
    copy:
      s_load_dwordx2 s[2:3], s[0:1], 0x8
      s_waitcnt lgkmcnt(0)
      global_store_dword v0, v0, s[2:3]
      s_endpgm
    .rodata
    .amdhsa_kernel copy
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
          - .name: count
            .offset: 0
            .size: 4
            .value_kind: by_value
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
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.values import argument_words, readers
from gcn_lsp.analysis.values.argument_words import ArgumentLoad, OfKernel
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.isa.machine import roles
from gcn_lsp.program.kernels.metadata import MetadataArgument
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple


def check(program: Program) -> Iterator[Finding]:
    """A finding at each load that cuts a pointer."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    for known in argument_words.of(program):
        loads = [*known.loads, *argument_words.cut_behind_labels(program, known)]
        cuts = [cut for load in loads if (cut := _cut(load, known)) is not None]
        cuts = [cut for cut in cuts if _is_used(program, graph, cut)]
        for cut in sites.first_at_each(graph, cuts, lambda cut: cut.load.site):
            yield _finding(program, graph, cut, known.kernel)


RULE = Rule("split-argument", Severity.WARNING, __doc__, Stage.HINTS, check=check)


class _SplitLoad(NamedTuple):
    """A load that cuts a pointer. is_half: it is of one half of it alone."""

    load: ArgumentLoad
    argument: MetadataArgument
    is_half: bool


def _cut(load: ArgumentLoad, known: OfKernel) -> "_SplitLoad | None":
    cut, halved = argument_words.pointer_cut(load, known), argument_words.pointer_halved(load, known)
    argument = cut or halved
    return _SplitLoad(load, argument, cut is None) if argument is not None else None


def _is_used(program: Program, graph: graphs.Graph, cut: _SplitLoad) -> bool:
    """Whether something reads the half of the pointer that is loaded, and not as an address of LDS or of scratch."""
    (site, offset, size), argument = cut.load, cut.argument
    node = graph.node_of(site.segment)
    if node is None:
        return False
    first = next(each.first for each in site.operands if each.slot == "sdst")
    begin, end = max(offset, argument.offset), min(offset + size, argument.offset + argument.size)
    half = registers.of_tuple("s", first + (begin - offset) // _DWORD, (end - begin) // _DWORD)
    found = readers.after(program, graph, node, site.index, half)
    read = [each for each in found.sites if not readers.only_masked(each, half)]
    if not cut.is_half:
        return bool(read) or found.by_unknown
    return not any(_is_narrow(program, graph, each, half) for each in read)


def _is_narrow(program: Program, graph: graphs.Graph, site: Site, half: int) -> bool:
    """Whether a register is an address of 32 bits at an instruction, or where the copy is read that it makes."""
    form = site.item.instruction.form if site.item.instruction is not None else None
    if form is None:
        return False
    if form.mnemonic in _COPIES:
        node = graph.node_of(site.segment)
        copy = site.effects.writes & ~registers.EXEC
        found = readers.after(program, graph, node, site.index, copy).sites if node is not None else ()
        return any(_is_address(each, copy) for each in found)
    return _is_address(site, half)


def _is_address(site: Site, register: int) -> bool:
    form = site.item.instruction.form if site.item.instruction is not None else None
    slots = _NARROW.get(form.family, ()) if form is not None else ()
    return any(site.effects.slot(slot) & register for slot in slots)


# The slots with addresses in LDS, in scratch, or of what a descriptor is for.
_NARROW = {"DS": ("addr",), "SCRATCH": ("vaddr", "saddr"), "MUBUF": ("vaddr", "soffset")}
_COPIES = roles.mnemonics("move", file="v", bits=32) | roles.mnemonics("move", file="s", bits=32)
_DWORD = 4  # bytes


def _finding(program: Program, graph: graphs.Graph, cut: _SplitLoad, kernel: str) -> Finding:
    (site, offset, size), argument = cut.load, cut.argument
    begins = argument.offset < offset
    how = "half of one" if cut.is_half else f"and {'begins' if begins else 'ends'} in the middle of one"
    message = (
        f"this loads bytes {offset} to {offset + size - 1} of the arguments of kernel `{kernel}`, {how}: argument "
        f"{argument.title} is a pointer in bytes {argument.offset} to {argument.offset + argument.size - 1}"
    )
    place = sites.place(program, graph, site)
    operand = next((each for each in site.operands if each.slot == "offset"), None)
    where = sites.operand_place(program, graph, site, operand) if operand is not None else place.where
    severity = Severity.INFORMATION if cut.is_half else RULE.severity
    return RULE.at(where, message, place.related, severity=severity)
