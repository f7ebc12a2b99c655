"""Finds accesses of LDS to the part of the wave itself: the number of the wave, in an SGPR, is in their addresses.

Accesses of one wave stay in order, so what waves exchange only with themselves needs neither wait nor barrier.

Question: is the same SGPR, computed from `v_readfirstlane_b32`, added to the addresses of two accesses?
Direction: backward from each access in straight code, over additions.
Lattice and join: the last writer in straight code; of an SGPR also all writers of the program, which must agree.
May or must: must, but for the value that `v_readfirstlane_b32` reads: if all waves have the same, they do not differ.
Ignored: additions of floats, which make no address.
"""

from collections.abc import Iterator

from gcn_lsp.analysis import bounds
from gcn_lsp.analysis.control import straight
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.isa.machine import roles

_ADDITIONS = roles.mnemonics("move", "add", "combine", file="v", bits=32)
_SCALINGS = roles.mnemonics("move", "scale", "add", "add carry", "accumulate", file="s")
_TO_SCALAR = roles.mnemonics("to scalar")


def share(graph: Graph, one: Site, other: Site) -> bool:
    """Whether two accesses of LDS are certainly in the part of one wave."""
    parts = {id(site) for site in _added(graph, one, one.effects.slot("addr"), bounds.STEPS_TO_WAVE)}
    return any(id(site) in parts for site in _added(graph, other, other.effects.slot("addr"), bounds.STEPS_TO_WAVE))


def _added(graph: Graph, site: Site, wanted: int, steps: int) -> Iterator[Site]:
    """The instructions that write SGPRs with the wave's number, which are added to a VGPR that a site reads."""
    writer = _writer(graph, site, wanted)
    if writer is None or not steps or writer.mnemonic not in _ADDITIONS:
        return
    for scalar in _sources(writer, registers.SGPRS & ~registers.VCC):
        source = _writer(graph, writer, scalar)
        if source is not None and _is_of_wave(graph, source, bounds.STEPS_TO_WAVE):
            yield source
    for vector in _sources(writer, registers.vectors(-1)):
        yield from _added(graph, writer, vector, steps - 1)


def _is_of_wave(graph: Graph, site: Site, steps: int) -> bool:
    """Whether an instruction computes a multiple of what `v_readfirstlane_b32` has read."""
    if site.mnemonic in _TO_SCALAR:
        return True
    if not steps or site.mnemonic not in _SCALINGS:
        return False
    for scalar in _sources(site, registers.SGPRS):
        near = _writer(graph, site, scalar)
        writers = [near] if near is not None else _all_writers(graph, scalar)
        if writers and all(_is_of_wave(graph, writer, steps - 1) for writer in writers):
            return True
    return False


def _sources(site: Site, of: int) -> Iterator[int]:
    """The operands that an instruction reads, as far as they are in a set."""
    effects = site.effects
    yield from (mask & of for name, mask in effects.slots if name not in effects.defined and mask & of)


def _writer(graph: Graph, site: Site, wanted: int) -> "Site | None":
    """The last instruction before a site in straight code that writes one of some registers."""
    return next((each for each in straight.back(graph, site) if each.effects.writes & wanted), None)


def _all_writers(graph: Graph, wanted: int) -> list[Site]:
    return [site for segment in graph.nodes for site in segment.sites if site.effects.writes & wanted]
