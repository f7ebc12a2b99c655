"""The control flow graph of a program: its segments in program order and the edges between them.

It is rebuilt for each version from the segments kept by chunks, at a cost of about a microsecond a segment.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable
from functools import cached_property
from typing import Any

from gcn_lsp.analysis.control import segments
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine.effects import Model, model_for
from gcn_lsp.flow.kept import once
from gcn_lsp.program.program import Program

# How control gets from one segment to the next: see `effects.Effects.flow`.
_GOES_ON = frozenset(("next", "conditional", "call"))
_BRANCHES = frozenset(("branch", "conditional", "call"))
_NONE: frozenset[int] = frozenset()


class Graph:
    """Segments, numbered in program order, and where control goes from each.

    nodes: the segments. chunks: the number of each one's chunk. successors: the nodes after each. calls: nodes that
    call a function of this file, with its node; the node after the call is among its successors too. open_ends: nodes
    that may continue at an unknown place: an address in registers, a label that is not here. fallen: nodes that end
    with the section's code, so that control falls off its end. memo: see `flow.kept`.
    """

    def __init__(self, program: Program, model: Model) -> None:
        self.model = model
        self.memo: dict[Any, Any] = {}
        self.nodes: list[Segment] = []
        self.chunks: list[int] = []
        by_label: dict[str, int] = {}
        local: dict[str, list[int]] = {}
        places = _Places(program)
        entered = _entered(program, model, places)
        selectors = 0
        for number, chunk in enumerate(program.chunks):
            found, selectors = segments.of_chunk(chunk, model, entered.get(number, _NONE), selectors)
            for node, segment in enumerate(found, len(self.nodes)):
                for label in segment.labels:
                    if label[:1].isdigit():
                        local.setdefault(label, []).append(node)
                    else:
                        by_label.setdefault(label, node)
            self.nodes += found
            self.chunks += [number] * len(found)
        self.by_label = by_label
        self.successors: list[tuple[int, ...]] = []
        self.calls: dict[int, int] = {}
        self.open_ends: set[int] = set()
        self.fallen: set[int] = set()
        following = self._following()
        for node, segment in enumerate(self.nodes):
            ways: tuple[int, ...] = ()
            flow = segment.flow
            if flow in _GOES_ON:
                after = following[node]
                if after is None:
                    self.fallen.add(node)
                else:
                    ways = (after,)
            if flow in _BRANCHES or flow == "jump":
                targets, distance = segment.targets, segment.distance
                if flow in segments.COMPUTED and targets is None and distance is None and node:
                    targets, distance = _across(self.nodes[node - 1], segment)
                target = (
                    _resolve(targets, by_label, local, node)
                    if distance is None
                    else self._at(places.target(self.chunks[node], segment, distance))
                )
                if target is None:
                    self.open_ends.add(node)
                elif flow == "call":
                    self.calls[node] = target
                elif target not in ways:
                    ways = (*ways, target)
            self.successors.append(ways)

    def _following(self) -> "list[int | None]":
        """For each node the next one of its section."""
        last: dict[str, int] = {}
        found: list[int | None] = [None] * len(self.nodes)
        for node in range(len(self.nodes) - 1, -1, -1):
            section = self.nodes[node].section
            found[node] = last.get(section)
            last[section] = node
        return found

    def _at(self, place: "tuple[int, int] | None") -> "int | None":
        """The node that begins at an item of a chunk."""
        return self._by_place.get(place) if place is not None else None

    @cached_property
    def _by_place(self) -> dict[tuple[int, int], int]:
        return {(self.chunks[node], segment.first): node for node, segment in enumerate(self.nodes)}

    @cached_property
    def predecessors(self) -> "list[list[int]]":
        """The nodes before each node; a call is not one of the function that it calls."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for node, after in enumerate(self.successors):
            for successor in after:
                found[successor].append(node)
        return found

    @cached_property
    def entries(self) -> "tuple[int, ...]":
        """Nodes that control may enter from outside: kernels, functions, and nodes without predecessors.

        The first node of each section is one, even if it is the head of a loop, and so is the head of any later loop
        that nothing leads into.
        """
        sections = {segment.section: node for node, segment in reversed(list(enumerate(self.nodes)))}
        outside = {*self.calls.values(), *sections.values()}
        predecessors = self.predecessors
        found = [node for node, before in enumerate(predecessors) if not before or node in outside]
        # A node with a predecessor before it is reached if that is; mostly this holds for all, and nothing remains to
        # do.
        if all(before[0] < node or node in outside for node, before in enumerate(predecessors) if before):
            return tuple(found)
        reached = self.reached(found)
        for node in range(len(self.nodes)):
            if node not in reached:
                found.append(node)
                reached |= self.reached((node,), known=reached)
        return tuple(sorted(found))

    def reached(
        self,
        starts: Iterable[int],
        *,
        barred: Collection[tuple[int, int]] = (),
        into_calls: bool = False,
        known: Collection[int] = frozenset(),
    ) -> set[int]:
        """The nodes reachable from `starts`, including these.

        barred: edges not to take. into_calls: called functions are reached, too. known: nodes where the search stops.
        """
        found = set(starts)
        waiting = list(found)
        while waiting:
            node = waiting.pop()
            after = self.successors[node]
            if into_calls and node in self.calls:
                after = (*after, self.calls[node])
            for successor in after:
                if successor not in found and successor not in known and (node, successor) not in barred:
                    found.add(successor)
                    waiting.append(successor)
        return found

    def nodes_of_chunk(self, number: int) -> range:
        """The nodes of a chunk."""
        return range(bisect_left(self.chunks, number), bisect_right(self.chunks, number))

    def number_of(self, segment: Segment) -> "int | None":
        """The number of a segment's chunk; None if it is not in this version."""
        return self._chunk_of.get(id(segment))

    @cached_property
    def _chunk_of(self) -> dict[int, int]:
        return {id(segment): chunk for segment, chunk in zip(self.nodes, self.chunks, strict=True)}

    def order(self, site: Site) -> tuple[int, int]:
        """The place of an instruction in program order, for comparisons."""
        node = self.node_of(site.segment)
        return -1 if node is None else node, site.index

    def node_of(self, segment: Segment) -> "int | None":
        """The node of a segment; None if it is not in this version."""
        return self._node_of.get(id(segment))

    @cached_property
    def _node_of(self) -> dict[int, int]:
        return {id(segment): node for node, segment in enumerate(self.nodes)}


class _Places:
    """Finds the instruction at an address; its tables are built on first use."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._sections: dict[str, tuple[list[int], list[tuple[int, int]]]] | None = None

    def target(self, number: int, segment: Segment, distance: int) -> "tuple[int, int] | None":
        """The chunk and item that a segment of chunk `number` branches to; None if there is no such item.

        distance: in bytes, from the end of its last instruction.
        """
        item = segment.sites[-1].item
        assert item.instruction is not None
        end = self._program.layout.starts[number][item.piece] + item.offset + item.instruction.size
        addresses, places = self._instructions().get(segment.section, ([], []))
        index = bisect_left(addresses, end + distance)
        return places[index] if index < len(addresses) and addresses[index] == end + distance else None

    def _instructions(self) -> dict[str, tuple[list[int], list[tuple[int, int]]]]:
        if self._sections is None:
            self._sections = {}
            for number, chunk in enumerate(self._program.chunks):
                starts = self._program.layout.starts[number]
                for index, item in enumerate(chunk.items):
                    if item.kind == "instruction":
                        section = chunk.pieces[item.piece].section
                        addresses, places = self._sections.setdefault(section, ([], []))
                        addresses.append(starts[item.piece] + item.offset)
                        places.append((number, index))
        return self._sections


def _entered(program: Program, model: Model, places: _Places) -> dict[int, frozenset[int]]:
    """The items, by chunk, that branches reach by a distance in place of a label."""
    found: dict[int, frozenset[int]] = {}
    before: Segment | None = None
    for number, chunk in enumerate(program.chunks):
        distant = [(segment, segment.distance) for segment in segments.with_distances(chunk, model)]
        ends = segments.ends(chunk, model)
        if ends is not None:
            first, last = ends
            if (
                first.flow in segments.COMPUTED
                and first.targets is None
                and first.distance is None
                and before is not None
            ):
                distant.append((first, _across(before, first)[1]))
            before = last
        for segment, distance in distant:
            place = places.target(number, segment, distance) if distance is not None else None
            if place is not None:
                found[place[0]] = found.get(place[0], frozenset()) | {place[1]}
    return found


def _across(before: Segment, segment: Segment) -> "tuple[tuple[str, ...] | None, int | None]":
    """The label or distance of the jump at the end of a segment whose address the segment before it computes."""
    if before.flow != "next" or before.section != segment.section:
        return None, None
    return segments.computed([*before.sites, *segment.sites])


def _resolve(
    targets: "tuple[str, ...] | None", by_label: dict[str, int], local: dict[str, list[int]], node: int
) -> "int | None":
    if not targets:
        return None
    name = targets[0]
    if not name[:1].isdigit():
        return by_label.get(name)
    places = local.get(name[:-1], [])
    index = bisect_left(places, node + 1)  # a label is at the start of its segment, the branch at the end of its
    index = index if name[-1] == "f" else index - 1
    return places[index] if 0 <= index < len(places) else None


@once
def of(program: Program) -> "Graph | None":
    """The graph of a program; None if its target is not known, or control is not to be followed."""
    return Graph(program, model_for(program.target)) if program.target is not None and program.has_flow else None
