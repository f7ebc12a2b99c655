"""Finds loops that take lanes away in each round and never give them back, although a mask of them was saved.

Question: which mask is saved in a loop whose rounds are counted, and read by nothing, although accesses follow that the
lanes of before are meant to make: in the next round, or after the loop if that has a barrier?
Direction: forward, from the instruction that takes lanes away, through the rest of the round and the next one.
May or must: must; nothing reads the mask again on any path, and nothing in the loop gives lanes back.
Ignored: loops that a branch on EXEC leaves, or a comparison of what the lanes computed: these lose lanes on purpose,
unless a branch around the code for the remaining lanes leads to the rest of the round.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import loops, straight
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.loops import Loop
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.values import counted, inactive, reaching
from gcn_lsp.flow.search import Search
from gcn_lsp.isa.machine import barriers, comparisons, control_flow, roles
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple


class Shrinking(NamedTuple):
    """An instruction that takes lanes away in each round of a loop. saving: what keeps the mask of before.

    before: an access, in the next round or behind the loop, that the lanes taken away are missing at. is_next_round:
    whether it is one of the loop, which all lanes make in the first round. branch: the one that is taken if no lane is
    left; None without one.
    """

    saving: Site
    narrowing: Site
    before: Site
    is_next_round: bool
    branch: "Site | None"


_SAVES = roles.mnemonics("save exec")


def found(program: Program, graph: Graph, opaque: frozenset[int]) -> Iterator[Shrinking]:
    """The instructions of loops after which lanes stay off, although something saved their mask."""
    for node, narrowings in inactive.exec_writers(graph, inactive.leaves_lanes):
        loop = loops.innermost(graph, node) if node not in opaque else None
        if loop is None:
            continue
        loop = loops.whole(graph, loop)
        if not counted.is_followed(graph, opaque, loop):
            continue
        is_counted = counted.exits(graph, loop) is not None
        for narrowing in narrowings:
            saving = inactive.saving_of(graph, narrowing)
            if (
                saving is None
                or inactive.is_mask_read(graph, opaque, saving)
                or _gives_back(program, graph, loop, narrowing)
            ):
                continue
            rest = graph.nodes[node].sites[narrowing.index + 1 :]
            branch = rest[-1] if _way_around(graph, node, rest) in loop.body else None
            if branch is None and not is_counted:
                continue  # lanes may be meant to leave the loop
            missing = _missing_at(graph, opaque, loop, node, narrowing)
            if missing is not None and (is_counted or missing[1]):
                yield Shrinking(saving, narrowing, *missing, branch)


def _gives_back(program: Program, graph: Graph, loop: Loop, narrowing: Site) -> bool:
    """Whether anything in a loop may give back the lanes that `narrowing` takes away."""
    for node in loop.body:
        for site in graph.nodes[node].sites:
            if not site.effects.writes & registers.EXEC or inactive.takes(site) or site is narrowing:
                continue
            masks = site.effects.reads & registers.SGPRS & ~registers.EXEC
            if not masks or not (site.mnemonic in control_flow.GIVES_LANES or inactive.leaves_lanes(site)):
                return True
            writers = reaching.before(program, graph, node, site.index, masks)
            if writers.from_entry or writers.by_unknown or not all(map(inactive.keeps, writers.sites)):
                return True
            if any(_is_passed(graph, loop, each, site, narrowing) for each in writers.sites):
                return True
    return False


def _is_passed(graph: Graph, loop: Loop, saving: Site, restoring: Site, narrowing: Site) -> bool:
    """Whether `narrowing` is on a way from where a mask is saved to where it is given back: it is in that region."""
    start, masks = graph.node_of(saving.segment), saving.effects.writes & registers.SGPRS
    search: Search[tuple[int, bool]] = Search(((start, True),) if start is not None else ())
    for here, is_first in search:
        sites = graph.nodes[here].sites
        for site in sites[saving.index + 1 :] if is_first else sites:
            if site is restoring or site.effects.writes & masks:
                break
            if site is narrowing:
                return True
        else:
            search.add((after, False) for after in graph.successors[here] if after in loop.body)
    return False


def _missing_at(
    graph: Graph, opaque: frozenset[int], loop: Loop, node: int, narrowing: Site
) -> "tuple[Site, bool] | None":
    """The access that the lanes are missing at which `narrowing` takes away, and whether it is in the next round."""
    rest = graph.nodes[node].sites[narrowing.index + 1 :]
    around = _way_around(graph, node, rest)
    # Behind a branch around the code for the lanes that remain, everything is for all of them.
    starts = graph.successors[node] if around is None else (around,)
    has_barrier = around is None and any(barriers.arrives(site.mnemonic) for site in rest)
    is_behind = around is not None
    search: Search[tuple[int, bool]] = Search(
        (each, is_behind or each == loop.head) for each in starts if each in loop.body
    )
    access: Site | None = None
    for here, is_whole in search:
        is_all = is_whole
        sites = graph.nodes[here].sites
        for site in sites:
            if here == node and site is narrowing:
                break
            has_barrier |= barriers.arrives(site.mnemonic)
            if inactive.takes(site) and not _leaves_a_loop(graph, loop, here, site):
                is_all = False
            if is_all and inactive.needs_lanes(site) and (access is None or graph.order(site) < graph.order(access)):
                access = site
        else:
            search.add((each, is_all or each == loop.head) for each in graph.successors[here] if each in loop.body)
    if access is not None:
        return access, True
    outside = _access_behind(graph, opaque, loop, narrowing) if has_barrier else None
    return (outside, False) if outside is not None else None


def _leaves_a_loop(graph: Graph, loop: Loop, node: int, narrowing: Site) -> bool:
    """Whether an instruction takes the lanes away for which a loop ends, as the branch after it shows."""
    last = graph.nodes[node].sites[-1]
    is_exit = last.mnemonic in control_flow.EXEC_BRANCHES and not loop.body.issuperset(graph.successors[node])
    return is_exit and not any(
        site.effects.writes & registers.EXEC for site in last.segment.sites[narrowing.index + 1 :]
    )


def _way_around(graph: Graph, node: int, rest: "list[Site]") -> "int | None":
    """Where the branch at the end of a node leads if no lane is left; None without one."""
    if not rest or len(graph.successors[node]) != len(("next", "target")) or any(map(inactive.takes, rest)):
        return None
    is_taken = control_flow.EXEC_BRANCHES.get(rest[-1].mnemonic)
    return None if is_taken is None else graph.successors[node][is_taken]


def _access_behind(graph: Graph, opaque: frozenset[int], loop: Loop, narrowing: Site) -> "Site | None":
    """The first access behind a loop that some lanes are meant to make which the loop may have taken away.

    Lanes chosen from fewer and fewer, such as those below a number that gets smaller and then the first, are there.
    """
    first = _compared(graph, narrowing)
    starts = [after for each in loop.body for after in graph.successors[each] if after not in loop.body]
    search: Search[tuple[int, bool]] = Search((each, True) for each in starts)
    for here, was_sure in search:
        is_sure = was_sure
        if here in opaque or here in graph.open_ends:
            return None
        for site in graph.nodes[here].sites:
            if not site.effects.known or site.effects.flow in ("call", "jump"):
                return None
            if inactive.takes(site):
                is_sure = is_sure and not _may_be_among(_compared(graph, site), first)
            elif site.effects.writes & registers.EXEC:
                break
            if is_sure and inactive.needs_lanes(site):
                return site
        else:
            search.add((after, is_sure) for after in graph.successors[here] if after not in loop.body)
    return None


class Skipped(NamedTuple):
    """A branch that is taken if no lane is left, and goes on behind the instruction that gives lanes back.

    before: an access behind it that the lanes of before are meant to make.
    """

    branch: Site
    restoring: Site
    before: Site


def skipped(graph: Graph, opaque: frozenset[int]) -> Iterator[Skipped]:
    """The branches around a region that leave out its end, where the lanes of before come back."""
    for node, savings in inactive.exec_writers(graph, lambda site: site.mnemonic in _SAVES):
        for saving in savings if node not in opaque else ():
            rest = graph.nodes[node].sites[saving.index + 1 :]
            around = _way_around(graph, node, rest)
            if around is None or around == graph.successors[node][0]:
                continue
            restoring = _restoring_before(graph, node, around, inactive.saved_mask(saving))
            before = _access_without(graph, opaque, around, saving) if restoring is not None else None
            if restoring is not None and before is not None:
                yield Skipped(rest[-1], restoring, before)


def _restoring_before(graph: Graph, node: int, around: int, mask: int) -> "Site | None":
    """The instruction that gives a mask back straight before a node, on the only other way there."""
    others = [each for each in graph.predecessors[around] if each != node]
    if len(others) != 1 or graph.nodes[others[0]].flow != "next" or not graph.nodes[others[0]].sites:
        return None
    last = graph.nodes[others[0]].sites[-1]
    for site in (last, *straight.back(graph, last)):
        if site.effects.writes & registers.EXEC:
            gives = site.mnemonic in control_flow.GIVES_LANES and not mask & ~site.effects.reads
            return site if gives else None
    return None


def _access_without(graph: Graph, opaque: frozenset[int], start: int, saving: Site) -> "Site | None":
    """The first access for lanes of before, after a node that a wave reaches without lanes; None if nobody knows."""
    first, mask = _compared(graph, saving), inactive.saved_mask(saving)
    search = Search((start,))
    for here in search:
        if here in opaque or here in graph.open_ends:
            return None
        for site in graph.nodes[here].sites:
            if not site.effects.known or site.effects.flow in ("call", "jump") or site.effects.reads & mask:
                return None
            if inactive.needs_lanes(site):
                return site
            if site.effects.writes & registers.EXEC and (not inactive.takes(site) or _may_be_fewer(graph, site, first)):
                break
        else:
            search.add(graph.successors[here])
    return None


def _may_be_fewer(graph: Graph, narrowing: Site, first: "_Compared | None") -> bool:
    """Whether the lanes that an instruction leaves may be among those of a comparison before it, as far as is known."""
    later = _compared(graph, narrowing)
    if later is None or first is None or later.register == first.register:
        return _may_be_among(later, first)
    return False


class _Compared(NamedTuple):
    """The lanes that a comparison leaves: those in which a VGPR has a relation to another operand."""

    relation: str
    register: int
    other: "int | float | None"


def _compared(graph: Graph, narrowing: Site) -> "_Compared | None":
    """The comparison in straight code whose lanes an instruction leaves; None if it is not known."""
    masks = narrowing.effects.reads & registers.SGPRS & ~registers.EXEC
    before = straight.back(graph, narrowing)
    site = narrowing if not masks else next((each for each in before if each.effects.writes & masks), None)
    if site is None:
        return None
    relation = comparisons.relation_of_lanes(site.mnemonic.replace("cmpx", "cmp"))
    sources = [each for each in site.operands if each.slot.startswith("src")]
    vectors = [number for number, each in enumerate(sources) if each.file == "v"]
    if relation is None or len(sources) != len(("one", "other")) or len(vectors) != 1:
        return None
    vector, other = sources[vectors[0]], sources[1 - vectors[0]]
    return _Compared(relation if vectors == [0] else comparisons.MIRRORED[relation], vector.first, other.value)


def _may_be_among(later: "_Compared | None", first: "_Compared | None") -> bool:
    """Whether the lanes of a comparison may be among those of another one: nobody knows, or they are the first ones."""
    if later is None or first is None or later == first or later.relation != "eq" or not later.other:
        return True
    if first.other is None:
        return False
    return first.relation in ("lt", "le") and first.other >= later.other
