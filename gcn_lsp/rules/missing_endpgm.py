"""missing-endpgm: a path runs off the end of a kernel.

What it checks

Every path from the label of a kernel with a descriptor or a header must reach `s_endpgm` or loop forever. The finding
is where control leaves the kernel: at the end of the section, in the padding after it (`s_code_end`), or where the next
kernel or function begins.

- Paths that jump to an address in registers or end with `s_trap` are not checked.
- Code mixed with bytes that are not instructions is not checked.
- Files with an include that is not found are not checked.

Why it matters

The wave continues with whatever follows: the next kernel, padding or data. It writes to wrong places, hangs or faults,
depending on what the linker put there.

Example

    ; gcn-lsp: target=gfx900
    clear:
      v_mov_b32 v2, 0
      global_store_dword v[0:1], v2, off
    .rodata
    .amdhsa_kernel clear
      .amdhsa_next_free_vgpr 3
      .amdhsa_next_free_sgpr 16
      .amdhsa_system_vgpr_workitem_id 1
    .end_amdhsa_kernel

Use instead

    ; gcn-lsp: target=gfx900
    clear:
      v_mov_b32 v2, 0
      global_store_dword v[0:1], v2, off
      s_endpgm
    .rodata
    .amdhsa_kernel clear
      .amdhsa_next_free_vgpr 3
      .amdhsa_next_free_sgpr 16
      .amdhsa_system_vgpr_workitem_id 1
    .end_amdhsa_kernel

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import functions, graphs, kernels
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.control.segments import Segment
from gcn_lsp.analysis.machine import results
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Fix, Rule, Severity, Stage
from gcn_lsp.findings.sites import WrittenPlace
from gcn_lsp.flow.kept import once
from gcn_lsp.isa.machine import control_flow, roles
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each place where control leaves the code of a kernel."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    entries = kernels.entries(program, graph)
    if not entries:
        return
    others = frozenset(entries) | kernels.functions(program)
    opaque = results.opaque(program, graph)
    ways = tuple(functions.falling_into(graph, others))
    falls = {node: after for node, _, after in ways}
    # Few nodes can leave the kernel, so what is reached is computed only if there are any.
    padded = (node for node, _ in _all_padded(graph))
    leaving = {
        node: where_to
        for node in sorted({*falls, *graph.fallen, *padded})
        if node not in opaque and (where_to := _left(graph, node, falls, others))
    }
    barred = frozenset((last, after) for _, last, after in ways)
    for name, entry in entries.items():
        if not leaving:
            return
        reached = graph.reached((entry,), barred=barred)
        for node in [node for node in leaving if node in reached]:
            yield from _finding(program, graph, node, name, leaving.pop(node))


RULE = Rule("missing-endpgm", Severity.WARNING, __doc__, Stage.PATHS, check=check)


def _left(graph: Graph, node: int, falls: dict[int, int], others: frozenset[str]) -> str:
    """Where control goes if it leaves the kernel at the end of a node; empty if it does not."""
    segment = graph.nodes[node]
    if _stops(segment) or segment.flow == "call":
        return ""
    if node in falls:
        name = next(label for label in graph.nodes[falls[node]].labels if label in others)
        return f"into `{name}`"
    if node in graph.fallen or _padding(segment) is not None:
        return "off the end of the code"
    return ""


def _padding_after(graph: Graph, node: int) -> tuple[int, Segment]:
    """The index of the padding at the start of a node, in the segment before it that falls through to it."""
    segment, before = graph.nodes[node], graph.predecessors[node]
    if segment.labels or len(before) != 1 or graph.nodes[before[0]].flow != "next":
        return 0, segment
    earlier = graph.nodes[before[0]]
    return len(earlier.sites), earlier


def _stops(segment: Segment) -> bool:
    return bool(segment.sites) and segment.sites[-1].mnemonic in control_flow.STOPS


@once
def _padding(segment: Segment) -> "int | None":
    """The index of the padding in a segment; padding is its last instruction."""
    last = len(segment.sites) - 1
    return last if last >= 0 and segment.sites[last].mnemonic in control_flow.PADDING else None


_all_padded = in_segments(lambda segment, _: _padding(segment) is not None)


def _finding(program: Program, graph: Graph, node: int, name: str, where_to: str) -> Iterator[Finding]:
    segment = graph.nodes[node]
    padding = _padding(segment)
    if padding == 0:
        padding, segment = _padding_after(graph, node)
    site = segment.sites[-1 if not padding else padding - 1] if segment.sites else None
    place = sites.place(program, graph, site) if site is not None else _label(program, graph, node)
    message = f"control runs {where_to} after this, in kernel `{name}`: `{roles.END}` is missing"
    fixes: tuple[Fix, ...] = ()
    if not place.related and padding != 0:
        edit = sites.appending(
            program, place, roles.END, like=None if site else _instruction_before(program, graph, node)
        )
        fixes = (Fix(f"Insert `{roles.END}`", (edit,)),)
    yield RULE.at(place.where, message, place.related, fixes)


def _instruction_before(program: Program, graph: Graph, node: int) -> "WrittenPlace | None":
    """The last instruction of a node that leads to this one, written in the file itself; None without one."""
    before = (graph.nodes[each].sites for each in graph.predecessors[node])
    places = (sites.place(program, graph, found[-1]) for found in before if found)
    return next((each for each in places if each.own and not each.related), None)


def _label(program: Program, graph: Graph, node: int) -> WrittenPlace:
    """The place of the last label of a node without instructions."""
    chunk = program.chunks[graph.chunks[node]]
    item = chunk.items[graph.nodes[node].first]
    where, own = program.place_in(chunk, item, item.statement.start, item.statement.end)
    return WrittenPlace(where, (), own and item.written.frame is None)
