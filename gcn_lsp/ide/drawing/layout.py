"""Places the boxes of a directed graph in layers, from above, and leads the edges between them.

Sugiyama's method: ways back are turned around, each box gets a layer below those that lead to it, long edges get a
joint in each layer that they cross, the order in the layers is improved until fewer edges cross, then each layer is
moved to where its neighbours are. All edges to one box that pass the same layer share their joints, so that a thousand
exits to one end are one line. The result depends on nothing but the sizes and the edges, in their order.
"""

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from gcn_lsp.records import NamedTuple

_BESIDE = 28  # pixels between boxes
_JOINT = 14  # pixels for a line that passes a layer
_MARGIN = 24
_BETWEEN, _STEEP = 36, 90  # the least and the greatest room between layers
_SWEEPS = 16
_WORK = 200_000  # joints that all sweeps together may visit
_STRAIGHT = 16  # how much more a line resists a bend than a box resists to move


class Box(NamedTuple):
    """A box in pixels; x and y are those of its corner above at the left."""

    x: int
    y: int
    width: int
    height: int


class Way(NamedTuple):
    """The path of an edge: the points at which it passes layers, from above for an edge down, from below for one back.

    Between two points it is straight if they are above each other, and otherwise a curve. is_back: it leads up, and
    leaves the box below before its first point and enters the one above after its last.
    """

    points: tuple[tuple[int, int], ...]
    is_back: bool


class Layout(NamedTuple):
    """A drawing: the boxes in the order of their numbers, a way for each edge, and its size."""

    boxes: tuple[Box, ...]
    ways: tuple[Way, ...]
    width: int
    height: int


def layout(sizes: Sequence[tuple[int, int]], edges: Sequence[tuple[int, int]]) -> Layout:
    """The layout of boxes of these widths and heights, and of edges between their numbers."""
    back = _back(len(sizes), edges)
    layer_of = _layers(len(sizes), [edge for edge in edges if edge not in back])
    graph = _Joined(sizes, edges, back, layer_of)
    layers = _ordered(graph)
    centres = _centres(graph, layers)
    left = min(x - width // 2 for x, width in zip(centres, graph.widths, strict=True)) - _MARGIN
    centres = [x - left for x in centres]
    width = max(x + (width + 1) // 2 for x, width in zip(centres, graph.widths, strict=True)) + _MARGIN
    tops, bottoms, height = _heights(graph, layers, centres)
    boxes = tuple(Box(centres[node] - size[0] // 2, tops[layer_of[node]], *size) for node, size in enumerate(sizes))
    ports = _Ports(graph, centres)
    ways = tuple(
        Way(tuple(_points(graph, ports, number, centres, tops, bottoms)), edge in back)
        for number, edge in enumerate(edges)
    )
    return Layout(boxes, ways, width, height)


def _back(count: int, edges: Sequence[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    """The edges to a box on the path to where they begin, as a walk from the first box finds it."""
    following = _following(count, edges)
    found = set()
    seen, on_path = [False] * count, [False] * count
    for start in range(count):
        stack = [] if seen[start] else [(start, iter(following[start]))]
        while stack:
            node, targets = stack[-1]
            seen[node] = on_path[node] = True
            for target in targets:
                if on_path[target]:
                    found.add((node, target))
                elif not seen[target]:
                    stack.append((target, iter(following[target])))
                    break
            else:
                on_path[node] = False
                stack.pop()
    return frozenset(found)


def _following(count: int, edges: Iterable[tuple[int, int]]) -> list[list[int]]:
    following: list[list[int]] = [[] for _ in range(count)]
    for source, target in edges:
        following[source].append(target)
    return following


def _layers(count: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """The layer of each box, from 1: below all that lead to it; one that nothing leads to is right above the next."""
    following = _following(count, edges)
    open_ways = [0] * count
    for _, target in edges:
        open_ways[target] += 1
    entries = [node for node in range(count) if not open_ways[node]]
    order, layer = list(entries), [1] * count
    for node in order:
        for target in following[node]:
            layer[target] = max(layer[target], layer[node] + 1)
            open_ways[target] -= 1
            if not open_ways[target]:
                order.append(target)
    for node in entries[1:]:
        layer[node] = min((layer[target] - 1 for target in following[node]), default=1)
    return layer


class _Joined:
    """The graph with joints: nodes from the number of boxes on. Its links run from one layer to the next.

    chains: the joints that each edge passes, in the order from above. above, below: the neighbours of each node.
    """

    def __init__(
        self,
        sizes: Sequence[tuple[int, int]],
        edges: Sequence[tuple[int, int]],
        back: frozenset[tuple[int, int]],
        layer_of: Sequence[int],
    ) -> None:
        self.count = len(sizes)
        self.heights = [height for _, height in sizes]
        self.widths = [width for width, _ in sizes]
        self.layer_of = list(layer_of)
        self.above: list[list[int]] = [[] for _ in sizes]
        self.below: list[list[int]] = [[] for _ in sizes]
        self.edges = edges
        self.chains: list[tuple[int, ...]] = []
        self._joints: dict[tuple[int, bool, int], int] = {}
        for edge in edges:
            source, target = edge
            is_back = edge in back
            # A way back turns around below its beginning and above its end.
            first, last = (
                (layer_of[target] - 1, layer_of[source] + 1)
                if is_back
                else (layer_of[source] + 1, layer_of[target] - 1)
            )
            chain = tuple(self._joint(target, is_back, layer) for layer in range(first, last + 1))
            self.chains.append(chain)
            ends = (chain[0], target, source, chain[-1]) if is_back else (source, *chain[:1], *chain[-1:], target)
            links = [*pairwise(chain), *zip(ends[::2], ends[1::2], strict=True)]
            for upper, lower in links:
                if lower not in self.below[upper]:
                    self.below[upper].append(lower)
                    self.above[lower].append(upper)

    def _joint(self, target: int, is_back: bool, layer: int) -> int:
        key = target, is_back, layer
        if key not in self._joints:
            self._joints[key] = len(self.layer_of)
            self.layer_of.append(layer)
            self.widths.append(_JOINT)
            self.above.append([])
            self.below.append([])
        return self._joints[key]

    def rows(self) -> list[list[int]]:
        """The nodes of each layer: the joints of ways back first, since loops are drawn at their left."""
        found: list[list[int]] = [[] for _ in range(max(self.layer_of) + 2)]
        for node in self._walk():
            found[self.layer_of[node]].append(node)
        return found

    def _walk(self) -> Iterator[int]:
        """All nodes, each after one that leads to it, what follows one first."""
        seen: set[int] = set()
        for start in range(len(self.layer_of)):
            stack = [start]
            while stack:
                node = stack.pop()
                if node not in seen:
                    seen.add(node)
                    yield node
                    stack += reversed(self.below[node])


def _ordered(graph: _Joined) -> list[list[int]]:
    """The nodes of each layer from the left, in the best order found."""
    rows = graph.rows()
    best, fewest = [list(row) for row in rows], _crossings(graph, rows)
    sweeps = min(_SWEEPS, _WORK // len(graph.layer_of))
    place = [0.0] * len(graph.layer_of)
    for row in rows:
        for index, node in enumerate(row):
            place[node] = index
    for sweep in range(sweeps):
        if not fewest:
            break
        neighbours = graph.below if sweep % 2 else graph.above
        for row in reversed(rows) if sweep % 2 else rows:
            row.sort(key=lambda node: _mean([place[each] for each in neighbours[node]], place[node]))
            for index, node in enumerate(row):
                place[node] = index
        crossings = _crossings(graph, rows)
        if crossings < fewest:
            best, fewest = [list(row) for row in rows], crossings
    return best


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _crossings(graph: _Joined, rows: Sequence[Sequence[int]]) -> int:
    """How many pairs of links cross."""
    place = {node: index for row in rows for index, node in enumerate(row)}
    count = 0
    for row in rows:
        ends: list[int] = []
        for node in row:
            lower = sorted(place[each] for each in graph.below[node])
            count += sum(len(ends) - bisect_left(ends, each + 1) for each in lower)
            for each in lower:
                insort(ends, each)
    return count


def _centres(graph: _Joined, rows: Sequence[Sequence[int]]) -> list[int]:
    """The middle of each node: near those of its neighbours, in the order of its layer, without an overlap."""
    centres = [0.0] * len(graph.layer_of)
    for row in rows:
        _placed(graph, row, [0.0] * len(row), [1] * len(row), centres)
    both = [[*above, *below] for above, below in zip(graph.above, graph.below, strict=True)]
    down, up = (graph.above, False), (graph.below, True)
    passes = [*(down, up) * 4, *((both, False), (both, True)) * 2, down]
    for neighbours, is_up in passes[: max(2, _WORK // len(centres))]:
        for row in reversed(rows) if is_up else rows:
            wanted, weights = [], []
            for node in row:
                # A line goes straight on; only its ends follow the boxes, or each layer would bend it a little more.
                on_line = [each for each in neighbours[node] if node >= graph.count <= each]
                wanted.append(_mean([centres[each] for each in on_line or neighbours[node]], centres[node]))
                weights.append(_STRAIGHT if on_line else len(neighbours[node]) or 1)
            _placed(graph, row, wanted, weights, centres)
    return [int(x) for x in centres]


def _placed(
    graph: _Joined, row: Sequence[int], wanted: Sequence[float], weights: Sequence[int], centres: list[float]
) -> None:
    """Moves the nodes of a layer as close to `wanted` as their order and widths allow, in whole pixels.

    Least squares under an order: neighbours that would overlap are joined to a group, which goes to the mean.
    """
    offset = 0
    offsets = []
    for index, node in enumerate(row):
        if index:
            offset += _distance(graph, row[index - 1], node)
        offsets.append(offset)
    groups: list[tuple[float, int, int]] = []  # the sum of what is wanted, weight, number of nodes
    for x, weight, offset in zip(wanted, weights, offsets, strict=True):
        group = (x - offset) * weight, weight, 1
        while groups and groups[-1][0] * group[1] >= group[0] * groups[-1][1]:
            last = groups.pop()
            group = last[0] + group[0], last[1] + group[1], last[2] + group[2]
        groups.append(group)
    index = 0
    for total, weight, count in groups:
        for _ in range(count):
            centres[row[index]] = round(total / weight) + offsets[index]
            index += 1


def _distance(graph: _Joined, left: int, right: int) -> int:
    """The least distance between the middles of two nodes beside each other."""
    widths = (graph.widths[left] + 1) // 2 + (graph.widths[right] + 1) // 2
    return widths + (_BESIDE if left < graph.count and right < graph.count else _JOINT)


def _heights(graph: _Joined, rows: Sequence[Sequence[int]], centres: Sequence[int]) -> tuple[list[int], list[int], int]:
    """Where each layer begins and ends, and the height of the drawing; flat links get more room to be steeper."""
    tops, bottoms = [], []
    y = 0
    for row in rows:
        tops.append(y)
        y += max((graph.heights[node] for node in row if node < graph.count), default=0)
        bottoms.append(y)
        slant = max((abs(centres[node] - centres[each]) for node in row for each in graph.below[node]), default=0)
        y += max(_BETWEEN, min(_STEEP, slant // 8))
    return tops, bottoms, y


class _Ports:
    """Where links leave and enter boxes: spread around the middle, in the order of their other ends."""

    def __init__(self, graph: _Joined, centres: Sequence[int]) -> None:
        self._from = [self._spread(graph, node, graph.below[node], centres) for node in range(graph.count)]
        self._to = [self._spread(graph, node, graph.above[node], centres) for node in range(graph.count)]

    def out_of(self, node: int, following: int) -> int:
        """Where the link to a node leaves a box."""
        return self._from[node][following]

    def into(self, node: int, before: int) -> int:
        """Where the link from a node enters a box."""
        return self._to[node][before]

    @staticmethod
    def _spread(graph: _Joined, node: int, others: Sequence[int], centres: Sequence[int]) -> dict[int, int]:
        room = min(_JOINT, graph.widths[node] // (len(others) + 1))
        first = centres[node] - room * (len(others) - 1) // 2
        ordered = sorted(others, key=lambda each: centres[each])
        return {each: first + room * index for index, each in enumerate(ordered)}


def _points(
    graph: _Joined, ports: _Ports, number: int, centres: Sequence[int], tops: Sequence[int], bottoms: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """The points of an edge."""
    (source, target), chain = graph.edges[number], graph.chains[number]
    layer_of = graph.layer_of
    is_back = layer_of[target] <= layer_of[source]
    first = chain[-1] if is_back else chain[0] if chain else target
    last = chain[0] if is_back else chain[-1] if chain else source
    out, into = ports.out_of(source, first), ports.into(target, last)
    yield out, tops[layer_of[source]] + graph.heights[source]
    yield out, bottoms[layer_of[source]]
    if is_back:
        for joint in reversed(chain[1:-1]):
            yield centres[joint], bottoms[layer_of[joint]]
            yield centres[joint], tops[layer_of[joint]]
    else:
        for joint in chain:
            yield centres[joint], tops[layer_of[joint]]
            yield centres[joint], bottoms[layer_of[joint]]
    yield into, tops[layer_of[target]]
