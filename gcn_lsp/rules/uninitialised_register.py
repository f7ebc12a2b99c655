"""uninitialised-register: a kernel reads a register that nothing has written.

What it checks

Every VGPR, AGPR, SGPR, VCC and SCC that the code of a kernel with a descriptor reads, and M0 where accesses to LDS or
relative moves depend on it. A register has no value if no path from the kernel's label writes it and the hardware does
not set it up: user SGPRs, work-group ids and work-item ids, as the descriptor requests them.

- One path that writes the register or a part of it, or a call on the way, is enough: the register is not reported.
- A VGPR that is written in the lanes of a condition only counts as written in all. A scan over lanes reads lower ones,
  and never needs what the lanes beyond the end of the data hold.
- Adding to a register is not writing it: a loop of `v_add_f32 v3, v3, v1`, of multiply-adds or of matrix instructions
  needs a value in its accumulator from before the loop. So does a register that a loop only shifts to the left.
- The result of a calculation may not need a part of a tuple. What is shifted to the left by less than 32 needs its high
  half if the next use of the result's high half is no move.
- Operands that only pass an old value on (`v_writelane`, 16-bit loads, DPP) do not count as reads.
- The register that a relative move counts from, such as the source of `v_movrels_b32`, need not be the one it reads.
- An instruction that does not assemble may write what it names, and whatever its mnemonic could. If the mnemonic or the
  result cannot be read, nothing after it is reported.
- In what a compiler wrote, a move is no read: it moves registers without a value on paths that need none.
- An instruction that sets up scratch may read the wave's offset, even if the descriptor does not request it.
- Clearing a register with itself, as in `v_xor_b32 v1, v1, v1`, does not count as a read.

Why it matters

The register holds what an earlier wave left there: the result is right on one machine and wrong on the next. Often the
descriptor does not request an input that the code expects, a register number is wrong, or an accumulator was not
cleared: for that one there is a fix, which clears it at the start of the kernel. Where `v1` or `v2` is read, the
finding says which field of the descriptor requests the work-item ids there, or which bits of `v0` they are.

Example

    ; gcn-lsp: target=gfx900
    scale:
      v_lshlrev_b32 v1, 2, v1
      v_mov_b32 v2, 0
      ds_write_b32 v1, v2
      s_endpgm
    .rodata
    .amdhsa_kernel scale
      .amdhsa_group_segment_fixed_size 1024
      .amdhsa_next_free_vgpr 3
      .amdhsa_next_free_sgpr 16
    .end_amdhsa_kernel

Use instead

    ; gcn-lsp: target=gfx900
    scale:
      v_lshlrev_b32 v1, 2, v1
      v_mov_b32 v2, 0
      ds_write_b32 v1, v2
      s_endpgm
    .rodata
    .amdhsa_kernel scale
      .amdhsa_group_segment_fixed_size 1024
      .amdhsa_next_free_vgpr 3
      .amdhsa_next_free_sgpr 16
      .amdhsa_system_vgpr_workitem_id 1
    .end_amdhsa_kernel

Targets

All. Which registers hold the inputs depends on the target.
"""

from collections import Counter
from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs, loops
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.values import defined
from gcn_lsp.findings import sites, unrequested_inputs
from gcn_lsp.findings.rule import Finding, Fix, Related, Rule, Severity, Stage
from gcn_lsp.isa.machine import register_results
from gcn_lsp.patterns import regex
from gcn_lsp.program.kernels import metadata
from gcn_lsp.program.kernels.descriptor_blocks import KernelDescriptor
from gcn_lsp.program.kernels.inputs import KERNARG_POINTER, Input
from gcn_lsp.program.program import Program
from gcn_lsp.text import TextEdit


def check(program: Program) -> Iterator[Finding]:
    """A finding at the first read of each register that a kernel neither writes nor gets as an input."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    opaque = None
    for kernel in program.kernels:
        node = graph.by_label.get(kernel.name)
        at_start = defined.at_entry(graph.model.target, kernel.resources) if kernel.resources is not None else None
        if node is None or kernel.resources is None or at_start is None:
            continue
        opaque = defined.opaque(program, graph) if opaque is None else opaque
        is_compiled = metadata.has_compiled(program.metadata_so_far, kernel.name)
        unset = tuple(
            each
            for each in defined.unset_reads(graph, opaque, node, at_start, is_compiled=is_compiled)
            if not defined.sets_up_scratch(*each, kernel.resources)
        )
        count = Counter(sites.written(graph, site) for site, _ in unset)
        for site, missing in sites.first_at_each(graph, unset, lambda each: each[0]):
            place = sites.place(program, graph, site)
            names = registers.describe(missing)
            verb = "has no value" if missing.bit_count() == 1 or "," not in names else "have no value"
            message = f"`{names}` {verb} here: no path from kernel `{kernel.name}` writes it, and it is not an input"
            similar = count[sites.written(graph, site)] - 1
            message += f"; {similar} more reads by this line are similar" if similar > 1 else ""
            more, fixes = _pointer(program, graph, site, missing, kernel)
            if not more and not missing & site.effects.writes:
                more, fixes = unrequested_inputs.in_registers(program, missing, kernel)
            fixes = fixes or _cleared(program, graph, site, missing, kernel)
            related = (*place.related, Related(kernel.where, _inputs(kernel)))
            operand = sites.operand(site, missing, is_written=False)
            where = sites.operand_place(program, graph, site, operand) if operand is not None else place.where
            yield RULE.at(where, message + more, related, fixes)


def _inputs(kernel: KernelDescriptor) -> str:
    """The inputs of a kernel in SGPRs and VGPRs, as a sentence."""
    given = kernel.resources.inputs if kernel.resources is not None else ()
    said = [f"`{registers.describe(_held(each))}` {each.title}" for each in given if each.file in ("s", "v")]
    return f"this descriptor requests the inputs: {', '.join(said)}" if said else "this descriptor requests no inputs"


def _held(each: Input) -> int:
    return registers.of_tuple(each.file, each.first, each.count)


def _pointer(
    program: Program, graph: graphs.Graph, site: Site, missing: int, kernel: KernelDescriptor
) -> tuple[str, tuple[Fix, ...]]:
    """Where the pointer to the arguments is, if a scalar load has its base in other registers, and the fix."""
    given = kernel.resources.inputs if kernel.resources is not None else ()
    pointer = next((each for each in given if each.title == KERNARG_POINTER), None)
    instruction = site.item.instruction
    operands = instruction.operands if instruction is not None else ()
    base = next((each for each in operands if each.slot == "sbase"), None)
    if pointer is None or base is None or base.count != pointer.count or site.effects.slot("sbase") != missing:
        return "", ()
    name = registers.describe(_held(pointer))
    fixes: tuple[Fix, ...] = ()
    place = sites.place(program, graph, site)
    if place.own:
        edit = TextEdit(sites.operand_place(program, graph, site, base), name)
        fixes = (Fix(f"Change to `{name}`", (edit,), is_certain=False),)
    return f"; the {KERNARG_POINTER} is `{name}`", fixes


def _cleared(
    program: Program, graph: graphs.Graph, site: Site, missing: int, kernel: KernelDescriptor
) -> tuple[Fix, ...]:
    """The fix for accumulators: 0 in each before the innermost loop, or where the kernel begins."""
    form = site.item.instruction.form if site.item.instruction is not None else None
    cleared = [(file, number) for file in _CLEARING for number in registers.numbers(missing, file)]
    rest = missing
    for file, number in cleared:
        rest &= ~registers.of_tuple(file, number, 1)
    if form is None or rest or missing & ~site.effects.writes or len(cleared) > _MOST_CLEARED:
        return ()
    if _FROM_ELSEWHERE.search(form.mnemonic):
        return ()
    texts = [_CLEARING[file].format(number) for file, number in cleared]
    names = registers.describe(missing)
    above = _above_loop(program, graph, site) if register_results.accumulates(form.mnemonic) else None
    if above is not None:
        edit = sites.appending(program, above, *texts)
        return (Fix(f"Set `{names}` to 0 before the loop", (edit,), is_certain=False),)
    node = graph.by_label[kernel.name]
    begun = graph.nodes[node].sites
    is_preloaded = kernel.resources is not None and kernel.resources.values.get(_PRELOAD)
    # A kernel whose arguments are preloaded begins with instructions at fixed places.
    if not begun or graph.predecessors[node] or is_preloaded or any(file == "s" for file, _ in cleared):
        return ()
    first = sites.place(program, graph, begun[0])
    if not first.own or first.where.path != program.path:
        return ()
    title = f"Set `{names}` to 0 at the start of `{kernel.name}`"
    return (Fix(title, (sites.insertion(program, first, *texts),), is_certain=False),)


def _above_loop(program: Program, graph: graphs.Graph, site: Site) -> "sites.WrittenPlace | None":
    """The last instruction above the innermost loop that a site is in, if control enters the loop from there only."""
    node = graph.node_of(site.segment)
    loop = loops.innermost(graph, node) if node is not None else None
    outside = [each for each in graph.predecessors[loop.head] if each not in loop.body] if loop is not None else []
    if loop is None or len(outside) != 1 or graph.successors[outside[0]][:1] != (loop.head,):
        return None
    before = graph.nodes[outside[0]]
    above = sites.place(program, graph, before.sites[-1]) if before.sites else None
    is_from_above = before.flow in ("next", "conditional") and above is not None and above.own
    return above if is_from_above and above is not None and above.where.path == program.path else None


_CLEARING = {"v": "v_mov_b32 v{}, 0", "a": "v_accvgpr_write_b32 a{}, 0", "s": "s_mov_b32 s{}, 0"}
_MOST_CLEARED = 64
_FROM_ELSEWHERE = regex(r"_(?:mul|mulk|min|max|med3)\w*")  # products and extremes do not begin with 0
_PRELOAD = "user_sgpr_kernarg_preload_length"


RULE = Rule(
    "uninitialised-register",
    Severity.WARNING,
    __doc__,
    Stage.PATHS,
    check=check,
    found_by=("machine.observations",),
    shown_by=("uninitialised-register",),
)
