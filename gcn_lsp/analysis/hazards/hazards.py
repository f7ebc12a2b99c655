"""Finds instructions too close after another one: pipeline hazards that wait states or other instructions resolve.

Every segment is a function from the dangers before it to the hazards in it and the dangers after it. It keeps its
results for the most recent states, so an edit renews only what it affects.

Question: which instructions are too close after another one, and which `s_nop` could go?
Direction: forward, from every entry; `hazards.walk` is the transfer.
Lattice and join: the dangers of `hazards.walk`; the union.
May or must: may; a hazard on some path is one. An `s_nop` can go if no path needs it.
Ignored: which path was taken. Hazards over data among the code, see `over_data`.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from operator import or_

from gcn_lsp.analysis import bounds
from gcn_lsp.analysis.control import graphs, solutions
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.control.segments import Segment, Site, touched
from gcn_lsp.analysis.hazards import over_data
from gcn_lsp.analysis.hazards.profiles import Profile, Rows, Triple, rows_for
from gcn_lsp.analysis.hazards.walk import NOTHING, Hazard, HazardSetting, HazardState, SegmentHazards, join, run
from gcn_lsp.analysis.machine import registers
from gcn_lsp.flow.kept import latest, once, renewed
from gcn_lsp.flow.search import Search
from gcn_lsp.isa.hazards.model import Separation
from gcn_lsp.isa.hazards.restrictions import Restriction
from gcn_lsp.isa.machine import vgpr_selectors
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple
from gcn_lsp.syntax import nodes


class Hazards(NamedTuple):
    """The hazards of a program in program order, with the graph that they are in.

    found: the first for each instruction and each kind of fix. every: all of them, in no order.
    restricted: instructions that the target never executes as it should, whatever is around them.
    """

    graph: Graph
    rows: Rows
    found: tuple[Hazard, ...]
    every: tuple[Hazard, ...]
    restricted: tuple[tuple[Site, Restriction], ...]


class _HazardSummary:
    """What the rows of a target mean for a segment.

    profiles: of its sites. keys: classes of second instructions in it. guessed: those that what does not assemble there
    could belong to. has_nops: whether it contains an `s_nop`. ends: its first and last instructions that are not one.
    restricted: see `Hazards`. results: for a view and its setting, the segment's result by the state before it.
    """

    __slots__ = ("ends", "guessed", "has_nops", "keys", "profiles", "restricted", "results")

    def __init__(self, rows: Rows, segment: Segment) -> None:
        self.profiles: tuple[Profile, ...] = tuple(
            rows.of(site.item.instruction, site.effects) for site in segment.sites
        )
        self.keys = self.guessed = 0
        self.has_nops = False
        self.restricted: list[tuple[Site, Restriction]] = []
        for site, profile in zip(segment.sites, self.profiles, strict=True):
            self.keys |= profile.keys
            self.guessed |= profile.guess.keys if profile.guess is not None else 0
            self.has_nops |= profile.is_nop
            self.restricted += ((site, restriction) for restriction in profile.restrictions)
        others = [profile for profile in self.profiles if not profile.is_nop]
        self.ends: tuple[Profile | None, Profile | None] = (others[0], others[-1]) if others else (None, None)
        self.results: dict[str, tuple[HazardSetting, dict[HazardState, SegmentHazards]]] = {}


@latest
def _summary(segment: Segment, rows: Rows) -> _HazardSummary:
    return _HazardSummary(rows, segment)


@once
def of(program: Program) -> "Hazards | None":
    """The hazards of a program; None if its target is not known."""
    graph = graphs.of(program)
    if graph is None:
        return None
    rows = rows_for(graph.model.target)
    results = _results(graph, rows)
    found = [hazard for _, result in results if result.hazards for hazard in result.hazards]
    every = tuple(over_data.without(program, graph, found))
    return Hazards(graph, rows, _chosen(graph, every), every, tuple(_restricted(graph)))


def _chosen(graph: Graph, found: Sequence[Hazard]) -> tuple[Hazard, ...]:
    """The first hazard for each instruction and each kind of fix, a certain one if possible, in program order."""

    def rank(hazard: Hazard) -> tuple[object, ...]:
        # A total order, so that the choice does not depend on the order in which segments found them.
        row = hazard.row
        missing = hazard.need - hazard.present
        first = graph.order(hazard.first)
        return graph.order(hazard.second), not row.sure, first, row.id, -missing, row.reason, hazard.registers

    chosen: dict[tuple[tuple[int, int], Separation], Hazard] = {}
    for hazard in sorted(found, key=rank):
        chosen.setdefault((graph.order(hazard.second), hazard.row.fix), hazard)
    return tuple(chosen.values())


def _restricted(graph: Graph) -> Iterator[tuple[Site, Restriction]]:
    used: int | None = None
    for node, restricted in _all_restricted(graph):
        for site, restriction in restricted:
            if restriction.selects and not _changes_selectors(graph, node, site):
                continue
            if restriction.last_of:
                register = next(registers.numbers(site.effects.slot(restriction.slot), "v"), -1)
                if register % restriction.last_of != restriction.last_of - 1:
                    continue
                if used is None:
                    used = reduce(or_, map(touched, graph.nodes), registers.NONE)
                if registers.of_tuple("v", register + 1, 1) & used:
                    continue
            yield site, restriction


_all_restricted = in_segments(lambda segment, model: _summary(segment, rows_for(model.target)).restricted)


def _changes_selectors(graph: Graph, node: int, site: Site) -> bool:
    """Whether a write of MODE leaves other selectors of VGPRs in force for an instruction after it."""
    instruction = site.item.instruction
    if instruction is None or graph.model.means_selectors(instruction):
        return False
    written = graph.model.mode_selectors(instruction)
    if written is None:
        return False
    differ = vgpr_selectors.joined(written, site.selectors) & ~site.selectors
    return differ & vgpr_selectors.UNKNOWN != 0 and _are_selectors_used(graph, node, site.index + 1)


def _are_selectors_used(graph: Graph, node: int, index: int) -> bool:
    """Whether an instruction from `index` of a node has operands that selectors choose before they are set again."""
    search = Search([(node, index)])
    for at, start in search:
        for site in graph.nodes[at].sites[start:]:
            if site.mnemonic == vgpr_selectors.SETTER:
                break
            if graph.model.is_selected(site.item.instruction):
                return True
        else:
            search.add((after, 0) for after in graph.successors[at])
    return False


def nop_states(hazards: Hazards, site: Site) -> "int | None":
    """The wait states of an `s_nop` whose count is a number; None for anything else."""
    instruction = site.item.instruction
    if instruction is None or not instruction.operands or not isinstance(instruction.operands[0].node, nodes.Integer):
        return None
    profile = hazards.rows.of(instruction, site.effects)
    return profile.steps[0] if profile.is_nop else None


def idle_nops(hazards: Hazards) -> Iterator[Site]:
    """The `s_nop` instructions that could all be removed together without violating a row.

    Those beside instructions that people surround with wait states for other reasons are left out.
    """
    graph, rows = hazards.graph, hazards.rows
    summaries = [_summary(segment, rows) for segment in graph.nodes]
    if not any(summary.has_nops for summary in summaries):
        return
    results = _results(graph, rows, _WITHOUT_NOPS)
    needed = frozenset[Site]().union(*(result.needed for _, result in results))
    # padding after `s_endpgm` is never reached
    reached = graph.reached(node for node in graph.entries if graph.nodes[node].labels or node == 0)
    for node, _ in results:
        if summaries[node].has_nops and node in reached:
            for nops in _rows_of_nops(summaries[node].profiles):
                idle = [site for site in graph.nodes[node].sites[nops.start : nops.stop] if site not in needed]
                if idle and _is_among_plain(graph, summaries, node, nops):
                    yield from idle


def needed(hazards: Hazards, sites: frozenset[Site]) -> frozenset[Site]:
    """Those of some instructions whose removal, all together, would violate a row."""
    if not sites:
        return sites
    results = _results(hazards.graph, hazards.rows, _WITHOUT_SITES, sites)
    return frozenset[Site]().union(*(result.needed for _, result in results))


# A view: the program as it is, or without certain instructions.
_AS_IT_IS, _WITHOUT_NOPS, _WITHOUT_SITES = "as it is", "without nops", "without sites"


def _results(
    graph: Graph, rows: Rows, view: str = _AS_IT_IS, sites: frozenset[Site] = frozenset()
) -> list[tuple[int, SegmentHazards]]:
    """The result of each reachable node, with its number. sites: the removed instructions."""
    present = reduce(or_, _keys(graph), 0)
    if view != _AS_IT_IS:  # only there, so that a line that is being typed changes no setting of the others
        present = reduce(or_, (_summary(segment, rows).guessed for segment in graph.nodes), present)
    common = _setting(rows.units, present, view == _WITHOUT_NOPS, tuple(rows.triples))
    settings = _without(graph, common, sites) if view == _WITHOUT_SITES else {}
    usual = settings.get(None, common)

    def result_of(segment: Segment, state: HazardState) -> tuple[HazardState, SegmentHazards]:
        summary = _summary(segment, rows)
        setting = settings.get(id(segment), usual)
        kept = summary.results.get(view)
        if kept is None or (kept[0] is not setting and kept[0] != setting):
            kept = summary.results[view] = setting, {}
        results = kept[1]
        result = results.get(state)
        if result is None:
            if len(results) >= bounds.HAZARD_STATES:
                results.clear()
            result = results[state] = run(segment, summary.profiles, state, setting)
        return result.after, result

    entries = dict.fromkeys(graph.entries, NOTHING)
    found = solutions.of(graph, (_results, rows, view, usual, sites), entries, result_of, join)
    return [(node, result) for node, result in enumerate(found.results) if result is not None]


@renewed
def _keys(graph: Graph, earlier: "list[int] | None") -> list[int]:
    """The classes of second instructions in each node."""
    rows = rows_for(graph.model.target)
    if earlier is None or graph.changed is None:
        return [_summary(segment, rows).keys for segment in graph.nodes]
    front, old_end, end = graph.changed
    found = earlier.copy()
    found[front:old_end] = [_summary(segment, rows).keys for segment in graph.nodes[front:end]]
    return found


def _without(graph: Graph, common: HazardSetting, sites: frozenset[Site]) -> dict["int | None", HazardSetting]:
    """The settings of segments with removed `sites`, by identity, and under None that of all others."""
    gone: dict[int, set[Site]] = {}
    for site in sites:
        if graph.node_of(site.segment) is not None:
            gone.setdefault(id(site.segment), set()).add(site)
    return {
        None: common._replace(without=frozenset()),
        **{segment: common._replace(without=frozenset(each)) for segment, each in gone.items()},
    }


@lru_cache(maxsize=64)
def _setting(units: int, present: int, without_nops: bool, triples: tuple[Triple, ...]) -> HazardSetting:
    """The setting with that content, the same object each time."""
    return HazardSetting(units, present, without_nops, triples)


def _rows_of_nops(profiles: Sequence[Profile]) -> Iterator[range]:
    """The indices of consecutive `s_nop`."""
    first = 0
    for index, profile in enumerate(profiles):
        if not profile.is_nop:
            if first < index:
                yield range(first, index)
            first = index + 1
    if first < len(profiles):
        yield range(first, len(profiles))


def _is_among_plain(graph: Graph, summaries: list[_HazardSummary], node: int, nops: range) -> bool:
    """Whether some `s_nop` are among instructions that the rows know completely.

    Between two that may be replayed together they may end the group, for reasons that compilers do not print.
    """
    before = _neighbours(summaries, graph.predecessors, node, nops.start - 1, -1)
    after = _neighbours(summaries, graph.successors, node, nops.stop, 0)
    if any(one.runs & other.runs for one in before for other in after):
        return False
    return bool(before) and bool(after) and all(profile.is_plain for profile in (*before, *after))


def _neighbours(
    summaries: Sequence[_HazardSummary], ways: Sequence[Sequence[int]], node: int, index: int, end: int
) -> list[Profile]:
    """The instruction at an index of a node or, beyond it, those at that end of the adjacent nodes.

    If such a node has only `s_nop`, the nodes after it count: chunks may end anywhere in a row of them.
    """
    profiles = summaries[node].profiles
    if 0 <= index < len(profiles):
        return [profiles[index]]
    found: list[Profile] = []
    search = Search(ways[node])
    for other in search:
        profile = summaries[other].ends[end]
        if profile is not None:
            found.append(profile)
        else:
            search.add(ways[other])
    return found
