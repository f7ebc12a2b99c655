"""kernarg-beyond-segment: a kernel argument is loaded from beyond the end of the kernarg segment.

What it checks

Scalar loads at a constant offset from the kernarg segment pointer, between the kernel's label and the next label, until
something writes the pointer. The size of the segment is in the metadata or in `.amdhsa_kernarg_size`. A load of two
dwords is reported if half of it is beyond the end: it is a pointer, or a size is wrong. A wider load that begins inside
the segment is reported only if something reads one of the SGPRs from beyond the end, other than to take the lanes of
EXEC out of it: one load often fetches all arguments with what follows them. Moves by a compiler are no such reads.

If the metadata list the arguments, the finding names the nearest one that such a load would fit and that nothing else
loads.

Why it matters

The kernel reads memory that the runtime never wrote: an argument that the host does not pass, or one whose offset is
wrong.

Example

    ; gcn-lsp: target=gfx900
    copy:
      s_load_dwordx2 s[2:3], s[0:1], 0x10
      s_endpgm
    .rodata
    .amdhsa_kernel copy
      .amdhsa_user_sgpr_kernarg_segment_ptr 1
      .amdhsa_kernarg_size 16
      .amdhsa_next_free_vgpr 8
      .amdhsa_next_free_sgpr 16
    .end_amdhsa_kernel

Use instead

    ; gcn-lsp: target=gfx900
    copy:
      s_load_dwordx2 s[2:3], s[0:1], 0x10
      s_endpgm
    .rodata
    .amdhsa_kernel copy
      .amdhsa_user_sgpr_kernarg_segment_ptr 1
      .amdhsa_kernarg_size 24
      .amdhsa_next_free_vgpr 8
      .amdhsa_next_free_sgpr 16
    .end_amdhsa_kernel

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.values import readers
from gcn_lsp.findings import descriptor_places, sites
from gcn_lsp.findings.rule import Finding, Fix, Related, Rule, Severity, Stage
from gcn_lsp.program.chunk import Chunk
from gcn_lsp.program.kernels import kernel_usage, metadata
from gcn_lsp.program.kernels.descriptor_blocks import DescriptorBlock
from gcn_lsp.program.kernels.metadata import MetadataArgument
from gcn_lsp.program.program import Program
from gcn_lsp.syntax import nodes
from gcn_lsp.text import Location, TextEdit

_DWORD = 4  # bytes
_PAIR = 8  # bytes of a load of two dwords
_FIELD, _KEY = "kernarg_size", ".kernarg_segment_size"


def check(program: Program) -> Iterator[Finding]:
    """A finding at each load that begins beyond the kernel's arguments."""
    for block in program.closed_blocks:
        judgement = program.judgement(block)
        used = program.register_usage.get(block.name) if judgement is not None else None
        pointer = judgement.resources.kernarg_pointer if judgement is not None else None
        if used is None or pointer is None:
            continue
        loads = list(kernel_usage.entry_loads(used, pointer))
        size = descriptor_places.size_given(program, block, _FIELD, _KEY) if loads else None
        if size is None:
            continue
        for chunk, load in loads:
            if load.offset + (load.size == _PAIR and _PAIR // 2) >= size[0]:
                meant = _meant(program, block, loads, load)
                yield _finding(program, block, chunk, load, *size, meant=meant)
            elif load.size > _PAIR and load.offset + load.size > size[0]:
                read = _read_beyond(program, load, size[0], metadata.has_compiled(program.metadata_so_far, block.name))
                if read is not None:
                    meant = _meant(program, block, loads, load)
                    yield _finding(program, block, chunk, load, *size, (read,), meant)


RULE = Rule("kernarg-beyond-segment", Severity.WARNING, __doc__, Stage.PATHS, check=check)


def _read_beyond(program: Program, load: kernel_usage.Load, size: int, is_compiled: bool) -> Related | None:
    """Where an SGPR is read first that a load fills from beyond the arguments. A compiler's moves do not count."""
    graph = graphs.of(program)
    if graph is None:
        return None
    places = ((node, site) for node, each in enumerate(graph.nodes) for site in each.sites if site.item is load.item)
    for node, site in places:
        target = next(each for each in site.operands if each.slot == "sdst")
        inside = -(-(size - load.offset) // _DWORD)
        beyond = registers.of_tuple("s", target.first + inside, load.size // _DWORD - inside)
        found = readers.after(program, graph, node, site.index, beyond)
        read = next(
            (
                each
                for each in found.sites
                if not readers.only_masked(each, beyond) and not (is_compiled and readers.moves(each))
            ),
            None,
        )
        if read is not None:
            return Related(sites.place(program, graph, read).where, "what is beyond them is read here")
    return None


def _meant(
    program: Program, block: DescriptorBlock, loads: list[tuple[Chunk, kernel_usage.Load]], load: kernel_usage.Load
) -> MetadataArgument | None:
    """The nearest argument with which a load of that size ends at the end of one, if no other load begins with it."""
    found = [each for each in metadata.arguments(program.metadata, block.name) if not each.is_hidden]
    ends = {each.offset + each.size for each in found}
    others = [other for _, other in loads if other is not load]
    free = [
        each
        for each in found
        if each.offset + load.size in ends and not any(kernel_usage.covers(other, each.offset) for other in others)
    ]
    return min(free, key=lambda each: abs(each.offset - load.offset), default=None)


def _loading(program: Program, chunk: Chunk, load: kernel_usage.Load, meant: MetadataArgument) -> tuple[Fix, ...]:
    """The fix that loads an argument instead, if the line has its offset as a number of bytes."""
    instruction = load.item.instruction
    offset = next((each for each in instruction.operands if each.slot == "offset"), None) if instruction else None
    if offset is None or type(offset.node) is not nodes.Integer or offset.value != load.offset:
        return ()
    where, is_own = program.place_in(chunk, load.item, offset.node.start, offset.node.end)
    title = f"Load argument {meant.title} at byte {meant.offset}"
    return (Fix(title, (TextEdit(where, f"{meant.offset:#x}"),), is_certain=False),) if is_own else ()


def _finding(
    program: Program,
    block: DescriptorBlock,
    chunk: Chunk,
    load: kernel_usage.Load,
    size: int,
    source: Location,
    read: tuple[Related, ...] = (),
    meant: MetadataArgument | None = None,
) -> Finding:
    instruction, statement = load.item.instruction, load.item.statement
    operands = instruction.operands if instruction is not None else ()
    start, end = next(
        ((each.node.start, each.node.end) for each in operands if each.slot in ("offset", "soffset")),
        (statement.start, statement.end),
    )
    where, _ = program.place_in(chunk, load.item, start, end)
    last = load.offset + load.size
    if load.offset >= size:
        message = f"this loads byte {load.offset} of the kernel's arguments, which have {size} bytes"
    else:
        message = f"this loads bytes {load.offset} to {last - 1} of the kernel's arguments, which have {size} bytes"
    fixes = descriptor_places.size_fixes(program, block, _FIELD, _KEY, last)
    if meant is not None:
        message += f"; argument {meant.title} is at byte {meant.offset}"
        fixes = (*_loading(program, chunk, load, meant), *fixes)
    return RULE.at(where, message, (Related(source, "the size is given here"), *read), fixes)
