"""Finds the few instructions that some checks start from; a program without them costs those checks nothing.

They are found once for each segment, by mnemonic; after an edit only new segments are searched.
"""

import re
from collections.abc import Iterator

from gcn_lsp.analysis.control.found import in_segments
from gcn_lsp.analysis.control.graph import Graph
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.flow.kept import once
from gcn_lsp.isa import barriers, memory_model

CLAUSE, SCALAR_STORE, SCALAR_ATOMIC, BARRIER = "clause", "scalar store", "scalar atomic", "barrier"
WRITE_BACK, INVALIDATE = "write-back", "invalidate"
_PATTERNS: tuple[tuple[str, "re.Pattern[str]"], ...] = (
    (CLAUSE, re.compile("s_clause")),
    (SCALAR_STORE, re.compile("s_(buffer_|scratch_)?store_.*")),
    (SCALAR_ATOMIC, re.compile("s_(buffer_)?atomic_.*")),
    (BARRIER, re.compile(barriers.ARRIVALS)),
    (WRITE_BACK, re.compile(memory_model.WRITE_BACKS)),
    (INVALIDATE, re.compile(memory_model.INVALIDATES)),
)

Found = tuple[int, Site]  # with its node


def of(graph: Graph, name: str) -> tuple[Found, ...]:
    """The instructions of one of the classes above, in program order."""
    return _all(graph).get(name, ())


@once
def _all(graph: Graph) -> dict[str, tuple[Found, ...]]:
    found: dict[str, list[Found]] = {}
    for node, sites in _of_segments(graph):
        for name, site in sites:
            found.setdefault(name, []).append((node, site))
    return {name: tuple(each) for name, each in found.items()}


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
def _of_segment(segment: Segment) -> tuple[tuple[str, Site], ...]:
    return tuple(_find(segment))


_of_segments = in_segments(lambda segment, _: _of_segment(segment))
