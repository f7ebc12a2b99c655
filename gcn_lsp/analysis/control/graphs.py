"""The control flow graph of a program: its segments in program order and the edges between them.

Chunks keep their segments. An edit that changes no label and no branch leaves the shape of the graph as it was, and
only the new segments take the places of the old ones.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from gcn_lsp.analysis import bounds
from gcn_lsp.analysis.control import modes, segments
from gcn_lsp.analysis.control.modes import InForce
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine.effects import Model, model_for
from gcn_lsp.flow import solver
from gcn_lsp.flow.kept import common, handed_on, renewed
from gcn_lsp.flow.search import Search
from gcn_lsp.program.chunk import Chunk
from gcn_lsp.program.kernels import kernel_usage
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple

# How control gets from one segment to another: see `effects.Effects.flow`.
_BRANCHES = frozenset(("branch", "conditional", "call"))
_NONE: frozenset[int] = frozenset()
_NO_LABELS: frozenset[str] = frozenset()


class GraphShape:
    """Where control goes from each node.

    Versions of a program that differ only in what the instructions of their nodes do have one shape between them, the
    same object. So it keeps (`memo`) what follows from the shape alone.

    chunks: the number of each node's chunk. flows: of each node's segment. labelled: nodes with labels. successors: the
    nodes after each. by_label: the node of each label. calls: nodes that call a function of this file, with its node;
    the node after the call is among its successors too.
    conditional: nodes that end with a branch that may not be taken. open_ends: nodes that may continue at an unknown
    place: an address in registers, a label that is not here, the epilog of a part of a shader. fallen: nodes that end
    with the section's code, so that control falls off its end. ends: labels at the ends of functions, where an epilog
    goes on. parted: for the node of such a label the nodes that end there. firsts: the first node of each section.
    memo: see `flow.kept`.
    """

    def __init__(
        self, segments_: Sequence[Segment], chunks: list[int], places: "_Places", ends: frozenset[str] = frozenset()
    ) -> None:
        self.ends = ends
        self.memo: dict[Any, Any] = {}
        self.chunks = chunks
        self.flows = [segment.flow for segment in segments_]
        self.conditional = [node for node, flow in enumerate(self.flows) if flow == "conditional"]
        self.labelled = frozenset(node for node, segment in enumerate(segments_) if segment.labels)
        self.firsts = {segments_[node].section: node for node in range(len(segments_) - 1, -1, -1)}
        self.calls: dict[int, int] = {}
        self.open_ends: set[int] = set()
        self.fallen: set[int] = set()
        self.parted: dict[int, list[int]] = {}
        targets = _Targets(segments_, chunks, places)
        self.by_label = targets.by_label
        following = _following(segments_)
        self.successors = [self._ways(node, segments_, following[node], targets) for node in range(len(segments_))]

    def _ways(
        self, node: int, segments_: Sequence[Segment], following: "int | None", targets: "_Targets"
    ) -> tuple[int, ...]:
        """The nodes after a node. following: the next one of its section."""
        flow = self.flows[node]
        ways: tuple[int, ...] = ()
        if flow in segments.GOES_ON:
            if following is None:
                self.fallen.add(node)
            elif self.ends and not self.ends.isdisjoint(segments_[following].labels):
                self.parted.setdefault(following, []).append(node)
                self.open_ends.add(node)
            else:
                ways = (following,)
        if flow in _BRANCHES or flow == "jump":
            name, target = targets.of(node)
            if target is not None and self.ends and name and _is_before_end(name, segments_[target], self.ends):
                self.parted.setdefault(target, []).append(node)
                target = None
            if target is None:
                self.open_ends.add(node)
            elif flow == "call":
                self.calls[node] = target
            elif target not in ways:
                ways = (*ways, target)
        return ways

    @cached_property
    def predecessors(self) -> list[list[int]]:
        """The nodes before each node; a call is not one of the function that it calls."""
        found: list[list[int]] = [[] for _ in self.successors]
        for node, after in enumerate(self.successors):
            for successor in after:
                found[successor].append(node)
        return found

    @cached_property
    def entries(self) -> tuple[int, ...]:
        """Nodes that control may enter from outside: kernels, functions, and nodes without predecessors.

        The first node of each section is one, even if it is the head of a loop, and so is the head of any later loop
        that nothing leads into.
        """
        outside = {*self.calls.values(), *self.firsts.values()}
        predecessors = self.predecessors
        found = [node for node, before in enumerate(predecessors) if not before or node in outside]
        # A node with a predecessor before it is reached if that is; mostly this holds for all, and nothing remains to
        # do.
        if all(before[0] < node or node in outside for node, before in enumerate(predecessors) if before):
            return tuple(found)
        search = Search(found)
        for start in range(-1, len(self.successors)):
            if start >= 0 and start not in search.seen:
                found.append(start)
                search.add((start,))
            for node in search:
                search.add(self.successors[node])
        return tuple(sorted(found))

    def reached(
        self,
        starts: Iterable[int],
        *,
        barred: Collection[tuple[int, int]] = (),
        into_calls: bool = False,
    ) -> set[int]:
        """The nodes reachable from `starts`, including these.

        barred: edges not to take. into_calls: called functions are reached, too.
        """
        search = Search(starts)
        for node in search:
            search.add(each for each in self.successors[node] if (node, each) not in barred)
            if into_calls and node in self.calls:
                search.add((self.calls[node],))
        return search.seen

    @cached_property
    def blocks(self) -> solver.Blocks:
        """The blocks for `flow.solver`."""
        return self._blocks(self.successors)

    def _blocks(self, ways: list[tuple[int, ...]]) -> solver.Blocks:
        # They begin with chunks, which an edit leaves where they are.
        stride = 1
        while stride * len(ways) < bounds.BLOCK * (self.chunks[-1] if self.chunks else 0):
            stride *= 2
        chunks = self.chunks
        firsts = (node for node in range(1, len(chunks)) if chunks[node] // stride != chunks[node - 1] // stride)
        return solver.Blocks.of(ways, firsts)

    @cached_property
    def blocks_to_labels(self) -> solver.Blocks:
        """The blocks if each jump to an address in registers may lead to every label."""
        jumps = [node for node, flow in enumerate(self.flows) if flow == "jump"]
        if not jumps:
            return self.blocks
        ways = self.successors.copy()
        labelled = tuple(sorted(self.labelled))
        for node in jumps:
            ways[node] = labelled
        return self._blocks(ways)


class Changed(NamedTuple):
    """The nodes from `front` that took the place of the earlier ones: up to `end`, where those went up to `old_end`."""

    front: int
    old_end: int
    end: int


class Graph:
    """The control flow graph of one version: segments, numbered in program order, and their shape.

    nodes: the segments. parts: the chunks that they are from. falling: for each chunk, and after the last, the sections
    in which control comes into it. kernels: their names. is_local: whether no edge depends on an address.
    changed: the nodes that differ from those of the version before; None if all may. in_force: the modes of
    the wave before each node; None if nothing sets any.
    memo, earlier: see `flow.kept`.
    """

    def __init__(
        self,
        model: Model,
        nodes: list[Segment],
        parts: Sequence[Chunk],
        shape: GraphShape,
        falling: list[frozenset[str]],
        kernels: frozenset[str],
        *,
        is_local: bool,
        changed: "Changed | None" = None,
        earlier: "Graph | None" = None,
    ) -> None:
        self.model = model
        self.nodes = nodes
        self.parts = parts
        self.shape = shape
        self.falling = falling
        self.kernels = kernels
        self.is_local = is_local
        self.changed = changed
        self.in_force: InForce | None = None
        self.memo: dict[Any, Any] = {}
        self.earlier = handed_on(earlier) if earlier is not None else {}
        self.chunks = shape.chunks
        self.successors = shape.successors
        self.by_label = shape.by_label
        self.calls = shape.calls
        self.open_ends = shape.open_ends
        self.fallen = shape.fallen
        self.reached = shape.reached

    @property
    def predecessors(self) -> list[list[int]]:
        """The nodes before each node; a call is not one of the function that it calls."""
        return self.shape.predecessors

    @property
    def entries(self) -> tuple[int, ...]:
        """Nodes that control may enter from outside, see `GraphShape`."""
        return self.shape.entries

    def nodes_of_chunk(self, number: int) -> range:
        """The nodes of a chunk."""
        return range(bisect_left(self.chunks, number), bisect_right(self.chunks, number))

    def number_of(self, segment: Segment) -> "int | None":
        """The number of a segment's chunk; None if it is not in this version."""
        node = self.node_of(segment)
        return self.chunks[node] if node is not None else None

    def order(self, site: Site) -> tuple[int, int]:
        """The place of an instruction in program order, for comparisons."""
        node = self.node_of(site.segment)
        return -1 if node is None else node, site.index

    def node_of(self, segment: Segment) -> "int | None":
        """The node of a segment; None if it is not in this version."""
        return self.numbers.get(id(segment))

    @cached_property
    def numbers(self) -> dict[int, int]:
        """The node of each segment, by its identity."""
        return {id(segment): node for node, segment in enumerate(self.nodes)}


def _following(nodes: Sequence[Segment]) -> "list[int | None]":
    """For each node the next one of its section."""
    last: dict[str, int] = {}
    found: list[int | None] = [None] * len(nodes)
    for node in range(len(nodes) - 1, -1, -1):
        section = nodes[node].section
        found[node] = last.get(section)
        last[section] = node
    return found


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
                    if item.kind in ("instruction", "data"):
                        section = chunk.pieces[item.piece].section
                        addresses, places = self._sections.setdefault(section, ([], []))
                        addresses.append(starts[item.piece] + item.offset)
                        places.append((number, index))
        return self._sections


def _entered(program: Program, model: Model, places: _Places) -> tuple[dict[int, frozenset[int]], bool]:
    """The items, by chunk, that branches reach by a distance in place of a label; whether there are such branches."""
    found: dict[int, frozenset[int]] = {}
    nodes: list[Segment] = []
    are_any = False
    falling, kernels = _NO_LABELS, _kernels(program)
    for number, chunk in enumerate(program.chunks):
        first = len(nodes)
        division = segments.as_last_divided(chunk, model, falling, kernels)
        falling = division.falling(falling)
        nodes += division.segments
        for node in range(first, len(nodes)):
            segment = nodes[node]
            distance = _across(nodes, node)[1] if _is_open(segment) else segment.distance
            are_any |= distance is not None
            place = places.target(number, segment, distance) if distance is not None else None
            if place is not None:
                found[place[0]] = found.get(place[0], frozenset()) | {place[1]}
    return found, are_any


def _is_open(segment: Segment) -> bool:
    """Whether a segment ends with a jump whose target only the segment before it may show."""
    is_computed = segment.flow in segments.COMPUTED and segment.targets is None and segment.distance is None
    return is_computed and segment.sites[-1].effects.known


def _across(nodes: Sequence[Segment], node: int) -> "tuple[tuple[str, ...] | None, int | None]":
    """The label or distance of the jump at the end of a node whose address the code before it helps to compute.

    Code is read back past one label, wherever chunks end.
    """
    first, is_past_label = node, False
    while first and nodes[first - 1].flow == "next" and nodes[first - 1].section == nodes[node].section:
        if nodes[first].labels and nodes[first - 1].sites:
            if is_past_label:
                break
            is_past_label = True
        first -= 1
    return segments.computed([site for each in nodes[first : node + 1] for site in each.sites])


def _open_after(nodes: Sequence[Segment], first: int) -> "int | None":
    """The node at or after `first` for which `_across` may read back to what is before that; None if there is none."""
    labels = 0
    for node in range(first, len(nodes)):
        segment = nodes[node]
        labels += bool(segment.labels and segment.sites)
        if labels > 1:
            break
        if segment.flow != "next":
            return node if _is_open(segment) else None
    return None


class _Targets:
    """Finds the node that control branches to. by_label: the node of each label, the first if there are several."""

    def __init__(self, segments_: Sequence[Segment], chunks: Sequence[int], places: _Places) -> None:
        self._segments = segments_
        self._chunks = chunks
        self._places = places
        self.by_label: dict[str, int] = {}
        self._local: dict[str, list[int]] = {}
        self._repeated: set[str] = set()
        for node, segment in enumerate(segments_):
            for label in segment.labels:
                if label[:1].isdigit():
                    self._local.setdefault(label, []).append(node)
                elif label in self.by_label:  # also of the same node: it may be two where chunks end
                    self._repeated.add(label)
                else:
                    self.by_label[label] = node

    def of(self, node: int) -> "tuple[str | None, int | None]":
        """The label that a node branches to, and its node; None for either that is not known."""
        segment = self._segments[node]
        names, distance = segment.targets, segment.distance
        if _is_open(segment) and node:
            names, distance = _across(self._segments, node)
        name = names[0] if names else None
        if distance is not None:
            place = self._places.target(self._chunks[node], segment, distance)
            return name, self._by_place.get(place) if place is not None else None
        return name, self._labelled(name, node) if name is not None else None

    def _labelled(self, name: str, node: int) -> "int | None":
        if not name[:1].isdigit():
            return self.by_label.get(name) if name not in self._repeated else None  # which one is meant is not known
        places = self._local.get(name[:-1], [])
        index = bisect_left(places, node + 1)  # a label is at the start of its segment, the branch at the end of its
        index = index if name[-1] == "f" else index - 1
        return places[index] if 0 <= index < len(places) else None

    @cached_property
    def _by_place(self) -> dict[tuple[int, int], int]:
        return {(self._chunks[node], segment.first): node for node, segment in enumerate(self._segments)}


def _is_before_end(name: str, segment: Segment, ends: frozenset[str]) -> bool:
    """Whether nothing is between a label of a segment and one of `ends`: a branch to the first leaves the function."""
    label = name[:-1] if name[:1].isdigit() else name
    last = next((index for index in reversed(range(len(segment.labels))) if segment.labels[index] in ends), -1)
    return last >= 0 and label in segment.labels[: last + 1]


@renewed
def of(program: Program, earlier: "Graph | None") -> "Graph | None":
    """The graph of a program; None if its target is not known, or control is not to be followed."""
    if program.target is None or not program.has_flow:
        return None
    model = model_for(program.target)
    found = _after_edit(program, model, earlier) if earlier is not None else None
    if found is None:
        found = _whole(program, model)
    if model.has_modes:
        _enter_with_modes(found, earlier)
    return found


def forget(program: Program) -> None:
    """Drop the results that are kept with the graph of a program and with its segments."""
    graph = of(program)
    if graph is not None:
        graph.memo.clear()
        for segment in graph.nodes:
            segment.memo.clear()


def _whole(program: Program, model: Model) -> Graph:
    places = _Places(program)
    entered, are_any = _entered(program, model, places)
    falling, kernels = [_NO_LABELS], _kernels(program)
    nodes, chunks = _divided(program, range(len(program.chunks)), falling, model, kernels, entered)
    shape = GraphShape(nodes, chunks, places, _ends(program))
    return Graph(model, nodes, program.chunks, shape, falling, kernels, is_local=not are_any)


def _kernels(program: Program) -> frozenset[str]:
    """The names of kernels, whose code may be written as data."""
    return frozenset(block.name for block in program.kernel_blocks)


def _ends(program: Program) -> frozenset[str]:
    """The labels at the ends of functions that are not kernels, as far as `.size` names them.

    A function that control leaves there is a part of a shader: the linker puts its epilog there, whatever follows it in
    this file.
    """
    groups = [group for group in kernel_usage.groups_of(program.chunks) if group.functions or group.ends]
    if not any(group.ends for group in groups) or any(chunk.headers for chunk in program.chunks):
        return _NO_LABELS
    functions = frozenset().union(*(group.functions for group in groups))
    functions -= {block.name for block in program.kernel_blocks}
    return frozenset(end for group in groups for name, end in group.ends if name in functions)


def _divided(
    program: Program,
    numbers: range,
    falling: list[frozenset[str]],
    model: Model,
    kernels: frozenset[str],
    entered: "Mapping[int, frozenset[int]] | None" = None,
) -> tuple[list[Segment], list[int]]:
    """The segments of some chunks, and the number of the chunk of each. Continues `falling` after the last one.

    entered: by chunk, the items that a branch reaches without naming a label.
    """
    found: list[Segment] = []
    chunks: list[int] = []
    for number in numbers:
        items = entered.get(number, _NONE) if entered is not None else _NONE
        division = segments.of_chunk(program.chunks[number], model, segments.Entrances(items, falling[-1], kernels))
        falling.append(division.falling(falling[-1]))
        found += division.segments
        chunks += [number] * len(division.segments)
    return found, chunks


def _continues(earlier: Graph, last: int, falling: list[frozenset[str]], model: Model, kernels: frozenset[str]) -> bool:
    """Whether the earlier chunks from `last` stay divided as they are. Continues `falling` through them."""
    old = earlier.parts
    for number in range(last, len(old)):
        if falling[-1] == earlier.falling[number]:
            falling += earlier.falling[number + 1 :]
            return True
        if segments.has_data(old[number]):
            return False
        entrances = segments.Entrances(_NONE, falling[-1], kernels)
        falling.append(segments.of_chunk(old[number], model, entrances).falling(falling[-1]))
    return True


def _after_edit(program: Program, model: Model, earlier: Graph) -> "Graph | None":
    """The graph made from an earlier one and the segments of new chunks; None if edges may depend on addresses."""
    old, new = earlier.parts, program.chunks
    same = common(old, new)
    if earlier.model is not model or not earlier.is_local:
        return None
    last = len(old) - same.back
    front = bisect_left(earlier.chunks, same.front)
    end = bisect_left(earlier.chunks, last)
    kernels = _kernels(program)
    if kernels != earlier.kernels:
        return None
    falling = earlier.falling[: same.front + 1]
    if len(new) == len(old):
        for number in range(same.front, last):
            segments.take_over(new[number], old[number])
    found, chunks = _divided(program, range(same.front, len(new) - same.back), falling, model, kernels)
    if not _continues(earlier, last, falling, model, kernels):
        return None
    if any(map(_is_open, (*found, *earlier.nodes[front:end]))) or any(each.distance is not None for each in found):
        return None
    nodes = [*earlier.nodes[:front], *found, *earlier.nodes[end:]]
    open_one = _open_after(earlier.nodes, end)
    if open_one is not None:
        moved = open_one + len(nodes) - len(earlier.nodes)
        if _across(earlier.nodes, open_one) != _across(nodes, moved):
            return None
    ends = _ends(program)
    if (
        ends == earlier.shape.ends
        and len(new) == len(old)
        and chunks == earlier.chunks[front:end]
        and all(map(_is_alike, found, earlier.nodes[front:end]))
    ):
        shape = earlier.shape
    else:
        shift = len(new) - len(old)
        after = earlier.chunks[end:]
        chunks = [*earlier.chunks[:front], *chunks, *((number + shift for number in after) if shift else after)]
        shape = GraphShape(nodes, chunks, _Places(program), ends)
    changed = Changed(front, end, front + len(found))
    made = Graph(model, nodes, new, shape, falling, kernels, is_local=True, changed=changed, earlier=earlier)
    if changed.end == end and "numbers" in earlier.__dict__:
        made.numbers = earlier.numbers.copy()
        for segment in earlier.nodes[front:end]:
            del made.numbers[id(segment)]
        made.numbers.update((id(segment), node) for node, segment in enumerate(found, front))
    return made


def _enter_with_modes(graph: Graph, earlier: "Graph | None") -> None:
    """Replace the nodes of a new graph that are entered with other modes in force than they were made for."""
    known = earlier.in_force if earlier is not None and earlier.model is graph.model else None
    changed, model = graph.changed, graph.model
    fresh = graph.nodes[changed.front : changed.end] if changed is not None and known is None else graph.nodes
    found: InForce | None = None
    if modes.are_set(fresh, model):
        shape = graph.shape
        firsts = frozenset(shape.firsts.values())
        # Without a label, only code that is never reached has no predecessor.
        entries = [node for node in shape.entries if graph.nodes[node].labels or node in firsts]
        found = modes.before(graph.nodes, shape.blocks, entries, shape.calls, model, known)
    elif known is None:
        return
    graph.in_force = found
    for node, segment in enumerate(graph.nodes):
        state = (found.before[node] if found is not None else None) or 0
        if not segment.sites or segment.sites[0].modes == state:
            continue
        made = graph.nodes[node] = segments.entered_with(segment, state, model)
        if "numbers" in graph.__dict__:
            del graph.numbers[id(segment)]
            graph.numbers[id(made)] = node
        if changed is not None and not changed.front <= node < changed.end:
            graph.changed = None


def _is_alike(one: Segment, other: Segment) -> bool:
    """Whether control goes the same ways from two segments, and comes to them in the same ways."""
    return (
        one.labels == other.labels
        and one.flow == other.flow
        and one.targets == other.targets
        and one.section == other.section
    )
