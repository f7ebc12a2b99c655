"""Finds where control runs through data among the code that are not known to be instructions.

They may be waits, and nothing is known of what is in flight behind them.
"""

import struct
from collections.abc import Iterator

from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import results
from gcn_lsp.flow.kept import latest
from gcn_lsp.isa.waits import wait_events
from gcn_lsp.program.chunk import Item
from gcn_lsp.program.program import Program

_WORD, _BITS, _PREFIX_BITS = 4, 32, 4  # bytes and bits of a word of code
_GOES_ON = ("next", "conditional", "call")  # the first way from these is straight on


@latest
def behind(program: Program, graph: Graph) -> frozenset[Site]:
    """The first instruction after each run of data that may be a wait, as far as it follows in straight code."""
    return frozenset(
        site
        for node, last, item in results.places_of_data(program, graph)
        if _may_wait(item)
        for site in _next(graph, node, last)
    )


def after_any(program: Program, graph: Graph) -> frozenset[Site]:
    """The first instruction after each run of data, which may be instructions that write any register."""
    return frozenset(
        site for node, last, _ in results.places_of_data(program, graph) for site in _next(graph, node, last)
    )


def _may_wait(item: Item) -> bool:
    words = struct.unpack(f"<{len(item.data) // _WORD}I", item.data[: len(item.data) // _WORD * _WORD])
    is_known = not item.fixups and len(item.data) % _WORD == 0
    return not is_known or any(word >> (_BITS - _PREFIX_BITS) == wait_events.WAIT_PREFIX for word in words)


def _next(graph: Graph, node: int, last: int) -> Iterator[Site]:
    """The first instruction after one of a node, in it or behind it."""
    sites = graph.nodes[node].sites[last + 1 :]
    seen: set[int] = set()
    while not sites and node not in seen and graph.nodes[node].flow in _GOES_ON and graph.successors[node]:
        seen.add(node)
        node = graph.successors[node][0]
        sites = graph.nodes[node].sites
    yield from sites[:1]
