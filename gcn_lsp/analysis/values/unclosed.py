"""Finds regions of fewer lanes that never give their mask back, or end with the mask of another region.

Question: which saved mask does nothing read, and what comes after the code for the lanes that remain?
Direction: forward, from each mask without a reader.
May or must: must; no path reads the mask.
Ignored: lanes that are done: if nothing for them follows, or if the branch around the code leaves a loop.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import functions, loops
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.values import given_back, inactive, preserved, wrong_masks
from gcn_lsp.flow.kept import latest
from gcn_lsp.flow.search import Search
from gcn_lsp.instruction.model import Operand
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple


class Unclosed(NamedTuple):
    """A mask that nothing reads, though lanes of before are meant to go on after the code for those that remain.

    saving: what keeps it; narrowing: what takes lanes away; branch: the one around the code, None without one. before:
    what comes after that code: an instruction that does nothing without lanes, the return of a function, or what gives
    `other` back in its place, a mask that `again` gives back as well, or that no region has.
    """

    saving: Site
    narrowing: Site
    branch: "Site | None"
    before: Site
    other: "Operand | None" = None
    again: "Site | None" = None


@latest
def found(program: Program, graph: Graph, opaque: frozenset[int]) -> tuple[Unclosed, ...]:
    """The saved masks that nothing reads, although lanes of before go on, or another mask is given back."""
    return tuple(_found(program, graph, opaque))


def _found(program: Program, graph: Graph, opaque: frozenset[int]) -> Iterator[Unclosed]:
    regions = [
        (node, narrowing, saving)
        for node, narrowings in inactive.exec_writers(graph, inactive.leaves_lanes)
        for narrowing in narrowings
        if node not in opaque and (saving := _kept_at(graph, narrowing)) is not None
    ]
    if not regions:
        return
    returns = frozenset(id(site) for function in functions.of(program, graph) for _, site in function.returns)
    kept = preserved.kept_by_calls(program, graph)
    for node, narrowing, saving in regions:
        if inactive.is_mask_read(graph, opaque, saving, kept, returns):
            continue
        branch = inactive.branch_around(graph, node, narrowing)
        found = _after(graph, opaque, node, narrowing, branch, returns)
        if found is None:
            continue
        if not given_back.mask_given(graph, found):
            yield Unclosed(saving, narrowing, branch, found)
            continue
        again = _other(program, graph, opaque, found)
        if again is not None or _is_no_region(program, graph, opaque, found):
            yield Unclosed(saving, narrowing, branch, found, wrong_masks.source_of_lanes(found), again)


def _kept_at(graph: Graph, narrowing: Site) -> "Site | None":
    """What keeps the lanes that an instruction takes away: what saves the mask, or takes the others from it."""
    saving = inactive.saving_of(graph, narrowing)
    if saving is None:
        return None
    mask = saving.effects.writes & registers.SGPRS
    for site in narrowing.segment.sites[narrowing.index + 1 :]:
        if site.effects.reads & mask:
            return site if inactive.keeps(site) else saving
        if site.effects.writes & (mask | registers.EXEC):
            break
    return saving


def _after(
    graph: Graph, opaque: frozenset[int], node: int, narrowing: Site, branch: "Site | None", returns: frozenset[int]
) -> "Site | None":
    """What comes first after the code for the lanes that remain; None if nothing does, or if nobody knows.

    An instruction that needs lanes, a return, or one that gives lanes back. Without a branch around it, that code has
    no end; then the first one of the last two kinds counts.
    """
    ways = graph.successors[node]
    if branch is None:
        search: Search[tuple[int, bool]] = Search(((node, True),))
    elif len(ways) != len(("next", "target")):
        return None
    else:
        loop = loops.innermost(graph, node)
        if ways[1] <= node or (loop is not None and ways[1] not in loop.body):
            return None  # a loop that begins again or ends, for some lanes
        search = Search(((ways[1], False),))
    found: list[Site] = []
    for here, is_first in search:
        if here in opaque:
            return None
        for site in graph.nodes[here].sites[narrowing.index + 1 if is_first else 0 :]:
            if not site.effects.known or (branch is None and inactive.leaves_lanes(site)):
                return None
            if id(site) in returns or (branch is not None and (inactive.needs_lanes(site) or inactive.is_vector(site))):
                found.append(site)
                break
            if site.effects.flow in ("call", "jump"):
                return None
            if site.effects.writes & registers.EXEC and inactive.takes(site) and not inactive.takes_away(site):
                break  # others may be meant
            if site.effects.writes & registers.EXEC and not inactive.takes(site):
                if not given_back.mask_given(graph, site):
                    return None
                found.append(site)
                break
        else:
            if here in graph.open_ends:
                return None
            search.add((after, False) for after in graph.successors[here])
    first = next((site for site in sorted(found, key=graph.order) if not given_back.mask_given(graph, site)), None)
    if first is not None:
        return first if id(first) in returns or _leads_to_access(graph, first) else None
    return found[0] if len({id(site) for site in found}) == 1 else None


def _leads_to_access(graph: Graph, site: Site) -> bool:
    """Whether an instruction is an access that needs lanes, or one may follow it."""
    node = graph.node_of(site.segment)
    if node is None or any(map(inactive.needs_lanes, site.segment.sites[site.index :])):
        return node is not None
    after = graph.reached(graph.successors[node])
    return any(inactive.needs_lanes(each) for here in after for each in graph.nodes[here].sites)


def _other(program: Program, graph: Graph, opaque: frozenset[int], restoring: Site) -> "Site | None":
    """Another instruction that gives the mask of the same region back, before or after one; copies often are."""
    all_origins = given_back.all_origins(program, graph, opaque)
    by_restoring = {id(each.restoring): each for each in all_origins}
    for each in all_origins:
        if each.restoring is restoring:
            other = next((site for site in each.given if site is not restoring), None)
        else:
            other = each.restoring if any(site is restoring for site in each.given) else None
        if other is None:
            continue
        savings = [site for one in (restoring, other) for site in by_restoring[id(one)].savings]
        if savings and all(given_back.takes_lanes(graph, site) for site in savings):
            return other if given_back.adds(restoring) and given_back.adds(other) else None
    return None


def _is_no_region(program: Program, graph: Graph, opaque: frozenset[int], restoring: Site) -> bool:
    """Whether nothing saves the mask that an instruction gives back on any way there.

    A constant may be a mask, but not if sums or shifts count on from there.
    """
    origins = given_back.all_origins(program, graph, opaque)
    found = next((each for each in origins if each.restoring is restoring), None)
    if found is None or found.savings or found.is_unknown:
        return False
    return not found.constants or (bool(found.numbers) and given_back.adds(restoring))
