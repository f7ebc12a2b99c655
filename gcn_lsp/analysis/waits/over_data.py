"""Finds where control runs through data among the code, such as instructions written as `.long` for an old assembler.

They may be waits, and nothing is known of what is in flight behind them.
"""

import struct
from collections.abc import Iterator

from gcn_lsp.analysis.control.graph import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import results
from gcn_lsp.flow.kept import latest
from gcn_lsp.isa import wait_events
from gcn_lsp.program.chunk import Item
from gcn_lsp.program.program import Program

_WORD, _BITS, _PREFIX_BITS = 4, 32, 4  # bytes and bits of a word of code
_GOES_ON = ("next", "conditional", "call")  # the first way from these is straight on


@latest
def behind(program: Program, graph: Graph) -> frozenset[Site]:
    """The first instruction after each run of data that may be a wait, as far as it follows in straight code."""
    return frozenset(
        site
        for node, number, index in results.data_after(program, graph)
        if _may_wait(program.chunks[number].items[index])
        for site in _next(program, graph, node, number, index)
    )


def _may_wait(item: Item) -> bool:
    words = struct.unpack(f"<{len(item.data) // _WORD}I", item.data[: len(item.data) // _WORD * _WORD])
    is_known = not item.fixups and len(item.data) % _WORD == 0
    return not is_known or any(word >> (_BITS - _PREFIX_BITS) == wait_events.WAIT_PREFIX for word in words)


def _next(program: Program, graph: Graph, node: int, number: int, index: int) -> Iterator[Site]:
    """The first instruction after an item of a chunk, which is in a node or behind it."""
    place = {id(item): at for at, item in enumerate(program.chunks[number].items)}
    sites = [site for site in graph.nodes[node].sites if place.get(id(site.item), -1) > index]
    seen: set[int] = set()
    while not sites and node not in seen and graph.nodes[node].flow in _GOES_ON and graph.successors[node]:
        seen.add(node)
        node = graph.successors[node][0]
        sites = graph.nodes[node].sites
    yield from sites[:1]
