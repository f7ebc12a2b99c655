"""Finds the few instructions that some checks start from; a program without them costs those checks nothing.

They are found once for each segment, by mnemonic; after an edit only new segments are searched.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.flow.kept import once
from gcn_lsp.isa.machine import barriers, roles
from gcn_lsp.isa.memory import memory_model
from gcn_lsp.patterns import regex

CLAUSE, SCALAR_STORE, SCALAR_ATOMIC, BARRIER = "clause", "scalar store", "scalar atomic", "barrier"
WRITE_BACK, INVALIDATE, MESSAGE = "write-back", "invalidate", "message"
_PATTERNS: tuple[tuple[str, "re.Pattern[str]"], ...] = (
    (CLAUSE, regex(roles.CLAUSE)),
    (SCALAR_STORE, regex("s_(buffer_|scratch_)?store_.*")),
    (SCALAR_ATOMIC, regex("s_(buffer_)?atomic_.*")),
    (BARRIER, regex(barriers.ARRIVALS)),
    (WRITE_BACK, regex(memory_model.WRITE_BACKS)),
    (INVALIDATE, regex(memory_model.INVALIDATES)),
    (MESSAGE, regex("|".join(sorted(roles.mnemonics("send message"))))),
)

Found = tuple[int, Site]  # with its node


def of(graph: Graph, name: str) -> tuple[Found, ...]:
    """The instructions of one of the classes above, in program order."""
    return tuple((node, site) for node, sites in in_nodes(graph, name) for site in sites)


def in_nodes(graph: Graph, name: str) -> Sequence[tuple[int, tuple[Site, ...]]]:
    """The nodes that have instructions of a class, with these, in program order."""
    return _IN_SEGMENTS[name](graph)


_CLASSES: dict[str, str] = {}  # of every mnemonic met so far, empty for most


def _find(segment: Segment) -> Iterator[tuple[str, Site]]:
    for site in segment.sites:
        instruction = site.item.instruction
        if instruction is None or instruction.form is None:
            continue
        mnemonic = instruction.form.mnemonic
        name = _CLASSES.get(mnemonic)
        if name is None:
            name = _CLASSES[mnemonic] = next((each for each, fits in _PATTERNS if fits.fullmatch(mnemonic)), "")
        if name:
            yield name, site


@once
def _of_segment(segment: Segment) -> dict[str, tuple[Site, ...]]:
    found: dict[str, tuple[Site, ...]] = {}
    for name, site in _find(segment):
        found[name] = (*found.get(name, ()), site)
    return found


def _in_segments(name: str) -> Callable[[Graph], Sequence[tuple[int, tuple[Site, ...]]]]:
    return in_segments(lambda segment, _: _of_segment(segment).get(name))


_IN_SEGMENTS = {name: _in_segments(name) for name, _ in _PATTERNS}
