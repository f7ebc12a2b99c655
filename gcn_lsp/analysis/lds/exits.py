"""The exits of loops, and later questions about the round in which a loop was left.

A kernel with two buffers has two rounds in its loop, and after it two tails, one for each buffer: a question about the
number of rounds chooses. No path leads through the wrong tail, but comparisons alone do not show that.

A loop is the text from a branch's target down to the branch.
"""

from gcn_lsp.analysis.control.graphs import GraphShape
from gcn_lsp.flow.kept import once
from gcn_lsp.flow.search import Search


class Exits:
    """depths: in how many loops each node is. behind: the nodes after the exits of loops, reached forwards."""

    __slots__ = ("behind", "depths")

    def __init__(self, shape: GraphShape) -> None:
        ends: dict[int, int] = {}  # the last node of each loop, by its first one
        for node, after in enumerate(shape.successors):
            for way in after:
                if way <= node:
                    ends[way] = max(ends.get(way, 0), node)
        steps = [0] * (len(shape.successors) + 1)
        for first, last in ends.items():
            steps[first] += 1
            steps[last + 1] -= 1
        self.depths: list[int] = []
        depth = 0
        for step in steps[:-1]:
            depth += step
            self.depths.append(depth)
        search = Search(
            way for node, after in enumerate(shape.successors) for way in after if self.depths[way] < self.depths[node]
        )
        for node in search:
            search.add(way for way in shape.successors[node] if way > node)
        self.behind = search.seen

    def is_left(self, node: int, way: int) -> bool:
        """Whether a step leaves a loop, or skips it and reaches the code after it."""
        return self.depths[way] < self.depths[node] or (way in self.behind and node not in self.behind)

    def asks(self, node: int, level: int) -> bool:
        """Whether a question at a node can be about the rounds of a loop that was left. level: depth after that."""
        return self.depths[node] <= level


@once
def of(shape: GraphShape) -> Exits:
    """The exits of a graph's loops."""
    return Exits(shape)
