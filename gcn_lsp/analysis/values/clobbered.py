"""Finds conditions that are overwritten before anything reads them: a comparison, a carry, then a branch on the carry.

Only straight code is searched: the comparison, the side effect on SCC or VCC, and the branch or selection that reads it
follow one another with nothing leading in or out between them. Likewise the low half of a sum of 64 bits in SGPRs, and
the high half in the next register, which reads its carry.

Question: is the result of a comparison, or a carry, overwritten before a reader that is meant for it?
Direction: forward from each comparison and low half without a reader, through straight code.
Lattice and join: none; paths do not join in straight code.
May or must: must; one path leads through the stretch.
Ignored: branches before the reader.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs, straight
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine import registers, results
from gcn_lsp.analysis.values import dead, liveness
from gcn_lsp.flow.kept import once
from gcn_lsp.isa.machine import comparisons, roles
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple

_CONDITIONS = {"SCC": registers.SCC, "VCC": registers.VCC}


_LOW_HALVES = roles.mnemonics("add", "subtract", file="s", bits=32)
_HIGH_HALVES = roles.mnemonics("add carry", "subtract borrow")


class Clobbered(NamedTuple):
    """What sets a condition that nothing reads, its overwriter, and the reader of that. condition: SCC or VCC.

    setting: a comparison, or the low half of a sum.
    """

    condition: str
    setting: Site
    overwriting: Site
    reader: Site

    @property
    def is_carry(self) -> bool:
        """Whether the condition is the carry of a sum."""
        return self.setting.mnemonic in _LOW_HALVES


@once
def conditions(program: Program) -> tuple[Clobbered, ...]:
    """The conditions of a program that are overwritten, in program order.

    Those that look like it in straight code are few, so liveness, which costs more, is mostly not asked for.
    """
    graph = graphs.of(program)
    candidates = tuple(_in_straight_code(graph)) if graph is not None else ()
    live = liveness.of(program) if candidates else None
    if live is None:
        return ()
    return tuple(
        each
        for node, each in candidates
        if node not in live.opaque and (each.is_carry or each.setting in dead.in_node(live, node))
    )


class _Followed(NamedTuple):
    """A setting and what follows it so far: the overwriter, None before it, and the reader of that.

    is_over: whether what follows further cannot matter.
    """

    condition: str
    setting: Site
    overwriting: Site | None = None
    reader: Site | None = None
    is_over: bool = False


def _in_straight_code(graph: Graph) -> Iterator[tuple[int, Clobbered]]:
    for stretch in straight.stretches(graph):
        for number, node in enumerate(stretch):
            for each in _in_segment(graph.nodes[node]):
                found = _through(graph, each, stretch[number + 1 :])
                if found.overwriting is not None and found.reader is not None:
                    yield node, Clobbered(found.condition, found.setting, found.overwriting, found.reader)


def _through(graph: Graph, each: _Followed, nodes: straight.Stretch) -> _Followed:
    for node in nodes:
        if each.is_over:
            break
        each = _after(each, graph.nodes[node], 0)
    return each


@once
def _in_segment(segment: Segment) -> tuple[_Followed, ...]:
    """The settings of a segment, each followed to its end, without those that are not overwritten for a reader."""
    found = []
    for site in segment.sites:
        condition = _condition_set(site)
        if condition:
            each = _after(_Followed(condition, site), segment, site.index + 1)
            if not each.is_over or each.reader is not None:
                found.append(each)
    return tuple(found)


def _condition_set(site: Site) -> str:
    """The condition that an instruction is there to set; empty for others."""
    if site.mnemonic in _LOW_HALVES:
        return "SCC"
    if not site.mnemonic.startswith(comparisons.STARTS):
        return ""
    return next((name for name, mask in _CONDITIONS.items() if not site.effects.writes & ~mask), "")


def _after(each: _Followed, segment: Segment, first: int) -> _Followed:
    """A setting followed through the instructions of a segment, from number `first`."""
    condition, overwriting = _CONDITIONS[each.condition], each.overwriting
    writes = each.setting.effects.writes & condition
    low_half = each.setting.effects.writes & ~condition
    for site, result in zip(segment.sites[first:], results.of_segment(segment)[first:], strict=True):
        if result.used & writes:
            reader = site if overwriting is not None and _is_meant(site, low_half) else None
            return each._replace(overwriting=overwriting, reader=reader, is_over=True)
        if result.writes & low_half:  # another value, whose carry counts
            return each._replace(is_over=True)
        if result.writes & writes:
            is_on_the_side = result.is_computed and bool(result.writes & ~condition)
            if overwriting is not None or not is_on_the_side:
                return each._replace(is_over=True)
            overwriting = site
    return each._replace(overwriting=overwriting)


def _is_meant(reader: Site, low_half: int) -> bool:
    """Whether a reader of a condition asks for a comparison, or is the high half to the low half of a sum."""
    if low_half:
        return reader.mnemonic in _HIGH_HALVES and reader.effects.writes & registers.SGPRS == low_half << 1
    return reader.effects.flow == "conditional" or reader.mnemonic.startswith(comparisons.SELECTIONS)
