"""The control flow of a kernel for drawings: blocks of instructions and the edges between them."""

from collections.abc import Iterator
from typing import Literal

import msgspec

from gcn_lsp.analysis.control import graphs, segments
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.values import pressure as pressures
from gcn_lsp.analysis.values.pressure import NONE, Pressure, Pressures
from gcn_lsp.analysis.waits import waits
from gcn_lsp.analysis.waits.state import Pending
from gcn_lsp.program.program import Program

_LOCAL = ".L"  # how the names of labels begin that are no symbols


class DrawnInstruction(msgspec.Struct, frozen=True):
    """One instruction of a block. line: of the main file, from 0. is_wait: it waits for counters."""

    text: str
    line: int
    is_wait: bool
    vgprs: int
    agprs: int
    sgprs: int


class BasicBlock(msgspec.Struct, frozen=True):
    """Instructions that run one after another.

    number: in program order, from 0. labels: at its start. waits: how many of its instructions wait for counters.
    vgprs, agprs, sgprs: the most that are in use at one of them. is_exit: the wave may end with it. leaves: control may
    go from it to an unknown place.
    """

    number: int
    labels: tuple[str, ...]
    instructions: tuple[DrawnInstruction, ...]
    waits: int
    vgprs: int
    agprs: int
    sgprs: int
    is_exit: bool
    leaves: bool

    @property
    def first_line(self) -> int:
        """The line of its first instruction, from 0."""
        return self.instructions[0].line

    @property
    def last_line(self) -> int:
        """The line of its last instruction, from 0."""
        return self.instructions[-1].line


EdgeKind = Literal["next", "branch", "back", "call"]
"""`branch` is taken; `back` is taken, to an earlier block."""


class Edge(msgspec.Struct, frozen=True):
    """An edge between blocks."""

    source: int
    target: int
    kind: EdgeKind


class ControlFlow(msgspec.Struct, frozen=True):
    """The blocks of a kernel in program order, the entry first, and the edges between them."""

    kernel: str
    blocks: tuple[BasicBlock, ...]
    edges: tuple[Edge, ...]


def kernels(program: Program) -> tuple[str, ...]:
    """The names of kernels with code; without descriptors in the file, the labels where control may enter.

    Code at the start that has no label, or one that only the build knows, is named by its line: `line 12`.
    """
    graph = graphs.of(program)
    if graph is None:
        return ()
    named = tuple(block.name for block in program.kernel_blocks if block.name in graph.by_label)
    if named:
        return tuple(dict.fromkeys(named))
    entries = sorted({0, *graph.entries}) if graph.nodes else ()  # a loop may lead back to the first one
    labels = filter(None, (_symbol_at(graph, node) for node in entries))
    return (*filter(None, (_first_line(program, graph),)), *dict.fromkeys(labels))


def _symbol_at(graph: Graph, node: int) -> "str | None":
    """The first symbol at the place of a node; None without one."""
    last = node
    while not graph.nodes[last].sites and graph.successors[last]:
        (last,) = graph.successors[last]
    labels = (label for each in _same_place(graph, last) for label in graph.nodes[each].labels)
    return next((label for label in labels if not label.startswith(_LOCAL)), None)


def entry_of(program: Program, graph: Graph, kernel: str) -> "int | None":
    """The node at which a kernel of that name begins, a label, or the code at the start that has none."""
    is_start = kernel not in graph.by_label and kernel != "" and kernel == _first_line(program, graph)
    return 0 if is_start else graph.by_label.get(kernel)


def _first_line(program: Program, graph: Graph) -> str:
    """The name of the code at the start; empty if it has a label."""
    first = graph.nodes[0] if graph.nodes else None
    if first is None or first.labels or not first.sites:
        return ""
    return f"line {program.bases[graph.chunks[0]] + first.sites[0].item.written.top_line + 1}"


def kernel_at(program: Program, line: int) -> "str | None":
    """The kernel with or before a line of the main file, from 0; before all code the first one."""
    found = None
    for name in kernels(program):
        flow = control_flow(program, name)
        if flow is not None and (found is None or flow.blocks[0].first_line <= line + 1):
            found = name
    return found


def control_flow(program: Program, kernel: str) -> "ControlFlow | None":
    """The control flow of a kernel, or from any other label; None without such code or a known target."""
    graph = graphs.of(program)
    pressure = pressures.of(program)
    entry = entry_of(program, graph, kernel) if graph is not None else None
    if graph is None or pressure is None or entry is None:
        return None
    reached = {entry, *graph.reached((entry,), into_calls=True)}
    nodes = {each for node in reached for each in _same_place(graph, node)}
    chains = tuple(sorted(_chains(graph, sorted(nodes)), key=lambda chain: entry not in chain))
    numbers = {node: number for number, chain in enumerate(chains) for node in chain}
    blocks = tuple(_block(program, pressure, number, chain) for number, chain in enumerate(chains))
    edges = tuple(
        Edge(number, numbers[target], kind)
        for number, chain in enumerate(chains)
        for target, kind in _ways(graph, chain[-1])
        if target in numbers
    )
    return ControlFlow(kernel, blocks, edges) if blocks else None


def _same_place(graph: Graph, node: int) -> tuple[int, ...]:
    """A node, after those right before it that are only labels: where chunks end decides whether they are nodes."""
    found = [node]
    for before in range(node - 1, -1, -1):
        if graph.nodes[before].section != graph.nodes[node].section:
            continue
        if graph.nodes[before].sites:
            break
        found.insert(0, before)
    return tuple(found)


class Held(msgspec.Struct, frozen=True):
    """What is in flight on a counter: how many operations, and the registers that they will write or still read."""

    operations: int = 0
    registers: str = ""


def in_flight(program: Program) -> dict[int, dict[str, Held]]:
    """What is in flight on each counter at each wait, by its line, from 0."""
    analysis = waits.of(program)
    found: dict[int, dict[str, list[Pending]]] = {}
    if analysis is None:
        return {}
    graph = analysis.graph
    for chunk, segment in zip(graph.chunks, graph.nodes, strict=True):
        for site, in_flight in analysis.along(segment):
            if site.effects.waits:
                by_counter = found.setdefault(program.bases[chunk] + site.item.written.top_line, {})
                for counter, pending in in_flight:
                    by_counter.setdefault(counter, []).append(pending)
    return {line: {counter: _held(each) for counter, each in counters.items()} for line, counters in found.items()}


def _held(pending: list[Pending]) -> Held:
    named = 0
    for each in pending:
        named |= each.raised.writes | each.raised.reads
    return Held(len(pending), registers.describe(named, _NAMED) if named else "")


_NAMED = 8  # registers of a counter


def _chains(graph: Graph, nodes: list[int]) -> Iterator[tuple[int, ...]]:
    """Nodes joined to blocks: a node joins the next one if it only continues there and nothing else leads there.

    The graph's nodes end with the chunks of the text, which a drawing should not show.
    """
    called = set(graph.calls.values())
    chain: list[int] = []
    for node in nodes:
        if chain:
            last = chain[-1]
            is_one = (
                graph.successors[last] == (node,)
                and graph.nodes[last].flow == "next"
                and len(graph.predecessors[node]) == 1
                and node not in called
                and (not graph.nodes[node].labels or not any(graph.nodes[each].sites for each in chain))
            )
            if not is_one and any(graph.nodes[each].sites for each in chain):
                yield tuple(chain)
                chain = []
        chain.append(node)
    if chain and any(graph.nodes[each].sites for each in chain):
        yield tuple(chain)


def _ways(graph: Graph, node: int) -> Iterator[tuple[int, EdgeKind]]:
    flow = graph.nodes[node].flow
    following = graph.successors[node]
    for index, target in enumerate(following):
        is_taken = flow in ("branch", "jump") or (flow == "conditional" and index > 0)
        yield target, "next" if not is_taken else "back" if target <= node else "branch"
    if node in graph.calls:
        yield graph.calls[node], "call"


def _block(program: Program, pressure: Pressures, number: int, chain: tuple[int, ...]) -> BasicBlock:
    graph = pressure.graph
    labels = tuple(label for node in chain for label in graph.nodes[node].labels)
    instructions = tuple(each for node in chain for each in _instructions(program, pressure, node))
    most = NONE
    for each in instructions:
        most = most.at_least(Pressure(each.vgprs, each.agprs, each.sgprs))
    return BasicBlock(
        number,
        labels,
        instructions,
        sum(each.is_wait for each in instructions),
        *most,
        is_exit=graph.nodes[chain[-1]].flow == "end",
        leaves=chain[-1] in graph.open_ends,
    )


_CODE = segments.RUN | {"data"}  # the kinds of items that instructions are written as


def _instructions(program: Program, pressure: Pressures, node: int) -> Iterator[DrawnInstruction]:
    graph = pressure.graph
    segment, chunk = graph.nodes[node], graph.chunks[node]
    items = program.chunks[chunk].items
    numbers = iter([index for index in range(segment.first, len(items)) if items[index].kind in _CODE])
    for site, used in zip(segment.sites, pressure.of_node(node), strict=False):
        place = site.item.piece, site.item.offset
        number = next(index for index in numbers if place == (items[index].piece, items[index].offset))
        placed = program.placed(chunk, number)
        line = program.bases[chunk] + site.item.written.top_line
        yield DrawnInstruction(placed.text, line, bool(site.effects.waits) or site.effects.is_idle_wait, *used)
