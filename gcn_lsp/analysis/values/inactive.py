"""Finds memory accesses that no lane makes, and masks of lanes that nobody gives back, or that are lost before that.

Question: which access does a wave reach with an EXEC of 0? Which saved mask does no path restore before a barrier, or
at all? Which is overwritten by the code for the lanes that remain, before the instruction behind that gives it back?
Direction: forward, from each branch on EXEC and each constant that makes it 0, and from each saved mask.
May or must: may; one path that leads there is enough, since EXEC is 0 on all of that path. Of instructions that are no
accesses must: no other path leads there. Of masks must: no path restores one.
Ignored: what other branches test on the way; code after a call; branches on an EXEC that the straight code before
them does not narrow.
"""

from collections.abc import Callable, Iterator

from gcn_lsp.analysis.control import straight
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine import registers, results
from gcn_lsp.analysis.machine.effects import Model
from gcn_lsp.flow.search import Search
from gcn_lsp.isa.machine import barriers, control_flow, register_results, roles
from gcn_lsp.patterns import regex
from gcn_lsp.records import NamedTuple


class Inactive(NamedTuple):
    """An access without active lanes, and the instruction after which EXEC is 0. first: the first one after that.

    saved: the instruction that saved the mask before, None if none did straight before. is_certain: whether EXEC is 0
    on all paths to `access`, which is then the first instruction that does nothing without lanes, access or not.
    is_inverted: whether `cause` leads waves with lanes around a region, and so should be the opposite branch.
    """

    access: Site
    cause: Site
    first: Site
    saved: Site | None
    is_certain: bool = False
    is_inverted: bool = False


class Unrestored(NamedTuple):
    """What saves a mask, what then takes lanes away, and a barrier or an access before which nothing restores it.

    branch: the branch on EXEC around the code for the remaining lanes, behind which the access is; None without one.
    is_barrier: whether a barrier follows; otherwise, without a branch, the mask may have been saved for nothing.
    """

    saving: Site
    narrowing: Site
    before: Site
    branch: Site | None = None
    is_barrier: bool = False


_SAVES = roles.mnemonics("save exec")
_MOVES = roles.mnemonics("move", file="s")


def accesses(graph: Graph, opaque: frozenset[int]) -> Iterator[Inactive]:
    """The first access without active lanes after each place that makes EXEC 0.

    Without one, the first instruction that does nothing where control only comes from such a place.
    """
    for node, causes in _causes(graph):
        if node in opaque:
            continue
        for cause, is_taken in causes:
            found = _first_access(graph, opaque, node, cause, is_taken=is_taken)
            is_certain = found is None
            found = found or _useless(graph, opaque, node, cause, is_taken=is_taken)
            if found is not None:
                access, first = found
                is_inverted = _is_inverted(graph, node, cause, access)
                yield Inactive(access, cause, first, _saved(cause), is_certain, is_inverted)


def _is_inverted(graph: Graph, node: int, cause: Site, access: Site) -> bool:
    """Whether a branch behind what saves a mask leads waves with lanes forward, to where all others come later.

    The access is in what it leads around, which waves without lanes run.
    """
    if control_flow.EXEC_BRANCHES.get(cause.mnemonic) is not False or not cause.index:
        return False
    before = cause.segment.sites[cause.index - 1]
    if before.mnemonic not in _SAVES:
        return False
    (on,), (around,) = (_way(graph, node, is_taken=is_taken) or (node,) for is_taken in (False, True))
    if around <= node or on == node:
        return False
    inside = graph.reached((on,), barred=frozenset((each, around) for each in graph.predecessors[around]))
    is_left = any(each in inside for each in graph.predecessors[around])
    return is_left and node not in inside and around not in inside and graph.node_of(access.segment) in inside


def _causes_in(segment: Segment, _: Model) -> tuple[tuple[Site, bool | None], ...]:
    """The instructions of a segment after which EXEC is 0: where a branch is taken (True), is not, or always (None)."""
    found: list[tuple[Site, bool | None]] = []
    for site in segment.sites:
        zero = _taken_without_lanes(site)
        if zero is not None:
            found.append((site, zero))
        elif site.effects.writes & registers.EXEC and site.mnemonic in _MOVES:
            whole = not registers.EXEC & ~site.effects.writes or site.effects.writes & registers.EXEC == _LOW
            if whole and site.operands[-1].value == 0 and not site.effects.reads:
                found.append((site, None))
        elif takes_all_away(site):
            found.append((site, None))
    return tuple(found)


def _taken_without_lanes(branch: Site) -> "bool | None":
    """Whether a branch is taken if EXEC is 0, or is not; None if it does not test EXEC.

    The SCC of a logical instruction says whether its result, EXEC, is not 0.
    """
    zero = control_flow.EXEC_BRANCHES.get(branch.mnemonic)
    if zero is not None or branch.mnemonic not in control_flow.SCC_BRANCHES:
        return zero
    for site in reversed(branch.segment.sites[: branch.index]):
        if site.effects.writes & registers.SCC:
            is_logic = site.mnemonic in _SAVES or control_flow.NARROWS_EXEC.fullmatch(site.mnemonic) is not None
            is_of_exec = is_logic and site.effects.writes & registers.EXEC
            return not control_flow.SCC_BRANCHES[branch.mnemonic] if is_of_exec else None
        if site.effects.writes & registers.EXEC:
            return None
    return None


# EXEC without the lanes of a mask; in the other order, the lanes of the mask that are not active.
_TAKES_AWAY = frozenset(f"s_{name}_b{bits}" for name in ("andn2", "and_not1") for bits in (32, 64))


def takes_all_away(site: Site) -> bool:
    """Whether an instruction takes away the lanes of a mask that has all that are active: one saved just before."""
    if site.mnemonic not in _TAKES_AWAY or not site.effects.slot("sdst") & registers.EXEC:
        return False
    mask = site.effects.slot("src1") if site.effects.slot("src0") & registers.EXEC else registers.NONE
    for each in reversed(site.segment.sites[: site.index]):
        if each.effects.writes & mask:
            return each.mnemonic in _SAVES and each.effects.slot("sdst") == mask
        gives = each.effects.writes & registers.EXEC and control_flow.NARROWS_EXEC.fullmatch(each.mnemonic) is None
        if gives or not each.effects.known:
            return False
    return False


_LOW = registers.of_tuple("exec_lo", 0, 0)
_causes = in_segments(_causes_in)


def _first_access(
    graph: Graph, opaque: frozenset[int], node: int, cause: Site, *, is_taken: "bool | None"
) -> "tuple[Site, Site] | None":
    """The first access on the way from `cause`, and the first instruction of that way; None without one."""
    if is_taken is None:
        if _is_partial(graph, cause):
            return None
        rest = graph.nodes[node].sites[cause.index + 1 :]
        found, goes_on = _in_sites(rest, is_any=takes_all_away(cause))
        if found is not None or not goes_on:
            return (found, rest[0]) if found is not None else None
        starts = _ways(graph, node)
    elif _is_narrowed(graph, cause) and not _tests_a_half(graph, cause):
        starts = _way(graph, node, is_taken=is_taken)
    else:  # LLVM writes a branch that is never taken as one on EXEC, which nothing has narrowed
        return None
    search = Search(each for each in starts if each not in opaque)
    first: Site | None = None
    for each in search:
        segment = graph.nodes[each]
        first = first if first is not None or not segment.sites else segment.sites[0]
        found, goes_on = _in_sites(segment.sites)
        if found is not None and first is not None:
            return found, first
        if goes_on:
            search.add(after for after in _ways(graph, each) if after not in opaque)
    return None


def _useless(
    graph: Graph, opaque: frozenset[int], node: int, cause: Site, *, is_taken: "bool | None"
) -> "tuple[Site, Site] | None":
    """The first instruction that does nothing without lanes where EXEC is always 0, and the first one of that way.

    That is the code to which nothing but one side of a branch leads, until something may give lanes back. Narrowing
    does not: code that is also for waves with lanes goes on so. A compiler restores EXEC there before all else.
    """
    if is_taken is None or not _is_narrowed(graph, cause) or _tests_a_half(graph, cause):
        return None
    entries = frozenset(graph.entries)
    first: Site | None = None
    way, here = _way(graph, node, is_taken=is_taken), node
    while len(way) == 1 and graph.predecessors[way[0]] == [here] and way[0] not in entries and way[0] not in opaque:
        (here,) = way
        for site in graph.nodes[here].sites:
            first = first or site
            instruction, writes = site.item.instruction, site.effects.writes
            if not site.effects.known or instruction is None or instruction.form is None:
                return None
            if is_vector(site) or needs_lanes(site) or _EXCHANGES_OR_VOTES.fullmatch(site.mnemonic):
                return site, first
            if site.effects.flow in ("call", "jump", "end") or (writes & registers.EXEC and not takes(site)):
                return None
        way = _ways(graph, here)
    return None


# Values of lanes for others, by the LDS hardware, and for all: of a lane that is off, no value and no vote.
_EXCHANGES_OR_VOTES = regex(r"ds_(bpermute|permute|swizzle)_\w+|v_cmps?x?_\w+")


def _is_narrowed(graph: Graph, branch: Site) -> bool:
    """Whether the last write of EXEC in the straight code before a branch may leave no lane: it takes lanes away."""
    last = next((site for site in straight.back(graph, branch) if site.effects.writes & registers.EXEC), None)
    if last is None:
        return False
    if last.mnemonic in _MOVES:
        return bool(last.effects.reads & registers.VCC)
    return control_flow.NARROWS_EXEC.fullmatch(last.mnemonic) is not None


def _tests_a_half(graph: Graph, branch: Site) -> bool:
    """Whether a branch depends on an SCC that says whether half of EXEC is 0."""
    if branch.mnemonic not in control_flow.SCC_BRANCHES:
        return False
    last = next((site for site in straight.back(graph, branch) if site.effects.writes & registers.EXEC), branch)
    return _is_partial(graph, last)


def _is_partial(graph: Graph, cause: Site) -> bool:
    return graph.model.target.wavefront_size > _LOW_LANES and bool(registers.EXEC & ~cause.effects.writes)


_LOW_LANES = 32


def needs_lanes(site: Site) -> bool:
    """Whether an instruction is an access that does nothing without active lanes."""
    instruction = site.item.instruction
    return instruction is not None and instruction.form is not None and register_results.needs_lanes(instruction.form)


def is_vector(site: Site) -> bool:
    """Whether an instruction writes nothing but VGPRs in the lanes that are active."""
    instruction, writes = site.item.instruction, site.effects.writes
    form = instruction.form if instruction is not None else None
    if form is None or "VALU" not in form.flags or "exec" not in form.uses:  # `v_writelane` writes what is off, too
        return False
    return writes == registers.vectors(writes) != registers.NONE and not results.of_site(site).all_lanes


def _in_sites(sites: "list[Site]", *, is_any: bool = False) -> "tuple[Site | None, bool]":
    """The first access among instructions that run with an EXEC of 0, and whether it is still 0 at their end.

    is_any: the first one that does nothing without lanes, access or not.
    """
    for site in sites:
        instruction = site.item.instruction
        if not site.effects.known or instruction is None or instruction.form is None:
            return None, False
        if needs_lanes(site) or (is_any and is_vector(site)):
            return site, False
        if site.effects.writes & registers.EXEC or site.effects.flow in ("call", "jump", "end"):
            return None, False
    return None, True


def _ways(graph: Graph, node: int) -> tuple[int, ...]:
    """The nodes after a node that control reaches with an EXEC of 0."""
    sites = graph.nodes[node].sites
    zero = control_flow.EXEC_BRANCHES.get(sites[-1].mnemonic) if sites else None
    return graph.successors[node] if zero is None else _way(graph, node, is_taken=zero)


def _way(graph: Graph, node: int, *, is_taken: bool) -> tuple[int, ...]:
    """Where a branch leads that is taken, or is not; nowhere if both are one place or one of them is unknown."""
    ways = graph.successors[node]
    if len(ways) != len(("next", "target")) or node in graph.open_ends:
        return ()
    return (ways[1],) if is_taken else (ways[0],)


def _saved(cause: Site) -> "Site | None":
    """The instruction that saved the mask that EXEC had before `cause`, in the same straight code."""
    for site in reversed(cause.segment.sites[: cause.index]):
        if site.mnemonic in _SAVES:
            return site
        if site.mnemonic in _MOVES and site.effects.reads & registers.EXEC and not site.effects.writes & registers.EXEC:
            return site
    return None


# -- masks that nothing restores -----------------------------------------------------------------------------------


def unrestored(graph: Graph, opaque: frozenset[int]) -> Iterator[Unrestored]:
    """The saved masks that nothing reads again although a barrier follows, or a join of lanes that access memory.

    A branch on EXEC after the mask may lead lanes out of the program, as compilers do for `if (i >= n) return;`. If it
    leads to accesses, they are meant for the lanes of before.
    """
    for node, narrowings in exec_writers(graph, leaves_lanes):
        for narrowing in narrowings if node not in opaque else ():
            saving = saving_of(graph, narrowing)
            if saving is None:
                continue
            mask = saving.effects.writes & registers.SGPRS
            branch = branch_around(graph, node, narrowing)
            if branch is None:
                barrier, access = _before_restore(graph, opaque, node, narrowing, mask)
                before = barrier or (access if saving is narrowing else None)
            else:
                barrier, before = None, _access_at_join(graph, opaque, node, narrowing, mask)
            if before is not None:
                yield Unrestored(saving, narrowing, before, branch, barrier is not None)


def takes(site: Site) -> bool:
    """Whether an instruction leaves some of the lanes that are active, and no others."""
    if not site.effects.writes & registers.EXEC:
        return False
    if site.mnemonic in _SAVES or site.mnemonic.startswith(("v_cmpx", "v_cmpsx")):
        return True
    sources = (
        ("src0",) if site.mnemonic in _TAKES_AWAY else ("src0", "src1") if site.mnemonic in control_flow.ANDS else ()
    )
    return any(site.effects.slot(source) & registers.EXEC for source in sources)


def takes_away(site: Site) -> bool:
    """Whether an instruction takes the lanes of a mask away, such as those for which a loop ends."""
    return site.mnemonic in _TAKES_AWAY and takes(site)


def is_saving(site: Site) -> bool:
    """Whether an instruction keeps the lanes that are active in SGPRs."""
    copies = site.mnemonic in _MOVES and site.effects.reads & registers.EXEC
    return bool(copies and not site.effects.writes & registers.EXEC) or site.mnemonic in _SAVES or goes_over(site)


def described(saving: Site) -> str:
    """The registers of a saved mask, as they are written."""
    return registers.describe(saving.effects.writes & registers.SGPRS & ~registers.SCC & ~registers.EXEC)


def saved_mask(saving: Site) -> int:
    """The SGPRs in which an instruction keeps lanes."""
    return saving.effects.writes & registers.SGPRS & ~registers.EXEC


def is_mask_read(
    graph: Graph,
    opaque: frozenset[int],
    saving: Site,
    kept: int = registers.NONE,
    returns: frozenset[int] = frozenset(),
) -> bool:
    """Whether anything may read a saved mask before it is overwritten.

    kept: the registers that calls leave as they are. returns: the identities of the instructions that end functions;
    other jumps, and other ends of what is known, may lead to a reader.
    """
    mask = saved_mask(saving)
    start = graph.node_of(saving.segment)
    if start is None or not mask:
        return True
    search: Search[tuple[int, bool]] = Search(((start, True),))
    for here, is_first in search:
        sites = graph.nodes[here].sites
        if here in opaque or (here in graph.open_ends and not (sites and id(sites[-1]) in returns)):
            return True
        for site in sites[saving.index + 1 :] if is_first else sites:
            effects = site.effects
            if not effects.known or effects.reads & mask:
                return True
            if (effects.flow == "jump" and id(site) not in returns) or (effects.flow == "call" and mask & ~kept):
                return True
            if not mask & ~effects.writes:
                break
        else:
            search.add((after, False) for after in graph.successors[here])
    return False


def keeps(site: Site) -> bool:
    """Whether an instruction keeps lanes that are active, or those of them that are off since then."""
    is_rest = (
        site.mnemonic in _XORS and site.effects.reads & registers.EXEC and not site.effects.writes & registers.EXEC
    )
    return bool(is_rest) or is_saving(site)


_XORS = frozenset(("s_xor_b32", "s_xor_b64"))


def goes_over(site: Site) -> bool:
    """Whether an instruction saves the lanes that are active, and goes over to those of the other case."""
    return site.mnemonic in _OTHER_CASES


_OTHER_CASES = frozenset(f"s_{name}_saveexec_b{bits}" for name in ("andn2", "and_not1") for bits in (32, 64))


def leaves_lanes(site: Site) -> bool:
    """Whether an instruction switches lanes off that are active."""
    return takes(site) or goes_over(site)


def saving_of(graph: Graph, narrowing: Site) -> "Site | None":
    """What saves the lanes before `narrowing`: the same instruction, or a copy of EXEC straight before it."""
    if narrowing.mnemonic in _SAVES or goes_over(narrowing):
        return narrowing
    read = registers.NONE
    for site in straight.back(graph, narrowing):
        if site.effects.writes & registers.EXEC or not site.effects.known:
            return None
        if site.mnemonic in _MOVES and site.effects.reads & registers.EXEC:
            return site if not site.effects.writes & read else None
        read |= site.effects.reads | site.effects.writes
    return None


def _writers_in(segment: Segment, _: Model) -> tuple[Site, ...]:
    return tuple(site for site in segment.sites if site.effects.writes & registers.EXEC)


_writers = in_segments(_writers_in)


def exec_writers(graph: Graph, which: Callable[[Site], bool]) -> Iterator[tuple[int, list[Site]]]:
    """The nodes with instructions that write EXEC for which `which` holds, with these."""
    for node, writers in _writers(graph):
        found = list(filter(which, writers))
        if found:
            yield node, found


def _savings(graph: Graph) -> Iterator[tuple[int, list[Site]]]:
    return exec_writers(graph, lambda site: site.mnemonic in _SAVES)


def _before_restore(
    graph: Graph, opaque: frozenset[int], node: int, narrowing: Site, mask: int
) -> "tuple[Site | None, Site | None]":
    """The first barrier and the first access after a saved mask; None if anything may use the mask again.

    Only an access counts that needs a VGPR with a value from before, which the lanes that are left have changed: that
    value is the result of the others, or nobody's. None counts if some path gives lanes back by another mask, or goes
    on where nobody knows.
    """
    barrier: Site | None = None
    access: Site | None = None
    inner = registers.NONE  # masks that are saved later, of lanes that are left
    before = _vectors_before(graph, narrowing)
    changed = registers.NONE
    is_final = True
    search = Search((node,))
    for here in search:
        sites = graph.nodes[here].sites
        for site in sites[narrowing.index + 1 :] if here == node else sites:
            effects = site.effects
            if not effects.known or effects.reads & mask or effects.flow in ("call", "jump"):
                return None, None
            if effects.writes & mask:  # nothing can restore it any more
                break
            if site.mnemonic in control_flow.EXEC_BRANCHES:
                return None, None
            if site.mnemonic in _SAVES:
                inner |= effects.writes & registers.SGPRS
            elif effects.writes & registers.EXEC:
                gives_more = not _gives_no_more(site, inner)
                is_final &= not gives_more
                if gives_more and not effects.reads & registers.EXEC:
                    break
            if barrier is None and barriers.arrives(site.mnemonic):
                barrier = site
            if access is None and needs_lanes(site) and effects.reads & changed:
                access = site
            changed |= effects.writes & before
        else:
            after = graph.successors[here]
            if here in graph.open_ends or not opaque.isdisjoint(after) or node in after:
                return None, None
            is_final &= here not in graph.fallen
            search.add(after)
    return barrier, access if is_final else None


def _vectors_before(graph: Graph, narrowing: Site) -> int:
    """The VGPRs that the straight code before a site writes."""
    found = registers.NONE
    for site in straight.back(graph, narrowing):
        found |= registers.vectors(site.effects.writes)
    return found


def _gives_no_more(site: Site, inner: int) -> bool:
    """Whether a write of EXEC takes lanes away, or gives back those of masks that were saved after others were off."""
    masks = site.effects.reads & registers.SGPRS
    is_inner = site.mnemonic in control_flow.GIVES_LANES and masks and not masks & ~inner
    return is_inner or control_flow.NARROWS_EXEC.fullmatch(site.mnemonic) is not None


def branch_around(graph: Graph, node: int, narrowing: Site) -> "Site | None":
    """The branch at the end of a node that is taken if the mask of the lanes that remain is empty."""
    rest = graph.nodes[node].sites[narrowing.index + 1 :]
    if not rest or any(site.effects.writes & registers.EXEC for site in rest):
        return None
    return rest[-1] if control_flow.EXEC_BRANCHES.get(rest[-1].mnemonic) else None


def _access_at_join(graph: Graph, opaque: frozenset[int], node: int, narrowing: Site, mask: int) -> "Site | None":
    """The first access after a branch around a region; None if anything uses the mask again, or gives lanes back."""
    if any(site.effects.reads & mask for site in graph.nodes[node].sites[narrowing.index + 1 :]):
        return None  # a copy, or the lanes of the other case, may be used in its place
    everywhere = Search(graph.successors[node])
    for here in everywhere:
        if here == node or here in opaque or here in graph.open_ends:
            return None
        for site in graph.nodes[here].sites:
            effects = site.effects
            if not effects.known or effects.reads & mask or effects.flow in ("call", "jump"):
                return None
            if effects.writes & mask:
                break
        else:
            everywhere.add(graph.successors[here])
    search = Search(_way(graph, node, is_taken=True))
    for here in search:
        for site in graph.nodes[here].sites:
            if needs_lanes(site):
                return site
            if site.effects.writes & registers.EXEC and control_flow.NARROWS_EXEC.fullmatch(site.mnemonic) is None:
                break
        else:
            search.add(graph.successors[here])
    return None


# -- masks that are overwritten before they are given back ---------------------------------------------------------


class Overwritten(NamedTuple):
    """A mask that an instruction saves, one that overwrites it before it is used, and the one that gives it back."""

    saving: Site
    overwriting: Site
    restoring: Site


_WRITES_OTHERS = roles.mnemonics("move", "add", "add carry", "accumulate", "subtract", "scale", file="s")


def overwritten(graph: Graph, opaque: frozenset[int]) -> Iterator[Overwritten]:
    """The saved masks that the code for the remaining lanes overwrites, although EXEC is restored from them later.

    Only a constant, a comparison, a sum or another mask that is saved counts: a copy may be the mask itself.
    """
    for node, savings in _savings(graph):
        for saving in savings if node not in opaque else ():
            ways = graph.successors[node] if branch_around(graph, node, saving) is not None else ()
            if len(ways) != len(("next", "target")) or node in graph.open_ends:
                continue
            mask = saving.effects.writes & registers.SGPRS & ~registers.VCC
            restoring = _restoring(graph.nodes[ways[1]].sites, mask)
            overwriting = _overwriting(graph, opaque, node, mask) if restoring is not None else None
            if restoring is not None and overwriting is not None:
                yield Overwritten(saving, overwriting, restoring)


def _restoring(sites: "list[Site]", mask: int) -> "Site | None":
    """The instruction that gives a mask back, at the start of a node."""
    for site in sites:
        if not site.effects.known or site.effects.writes & (mask | registers.EXEC) or site.effects.reads & mask:
            gives = site.effects.writes & registers.EXEC and not mask & ~site.effects.reads
            return site if gives and site.mnemonic in control_flow.GIVES_LANES else None
    return None


def _overwriting(graph: Graph, opaque: frozenset[int], node: int, mask: int) -> "Site | None":
    """What has overwritten a mask where control joins, on some way through the code for the lanes that remain."""
    on, around = graph.successors[node]
    first: dict[int, Site] = {}  # what has overwritten it before a node
    untouched = Search((on,))
    for here in untouched:
        if here in opaque or here in (node, around):
            continue
        found, goes_on = _loses(graph.nodes[here].sites, mask)
        ways = graph.successors[here]
        if found is not None and here not in graph.open_ends:
            is_lost = _goes_on_without(graph.nodes[here].sites[found.index + 1 :], mask)
            first |= dict.fromkeys(ways if is_lost else (), found)
        elif goes_on and here not in graph.open_ends:
            untouched.add(ways)
    lost = Search(first)
    by = dict(first)
    for here in lost:
        if here == around:
            return by[here]
        if here in opaque or here == node or here in graph.open_ends:
            continue
        if _goes_on_without(graph.nodes[here].sites, mask):
            for after in graph.successors[here]:
                by.setdefault(after, by[here])
            lost.add(graph.successors[here])
    return None


def _loses(sites: "list[Site]", mask: int) -> "tuple[Site | None, bool]":
    """The first instruction that overwrites a mask that nothing has used, and whether it is whole at the end."""
    for site in sites:
        effects = site.effects
        if not effects.known or effects.reads & mask or effects.flow in ("call", "jump"):
            return None, False
        if effects.writes & mask:
            is_other = site.mnemonic in _SAVES or control_flow.COMPARISONS.fullmatch(site.mnemonic) is not None
            if site.mnemonic in _WRITES_OTHERS:
                is_other = not (site.mnemonic in _MOVES and (effects.reads or site.operands[-1].value == -1))
            return (site, False) if is_other else (None, False)
        if effects.writes & registers.EXEC and site.mnemonic in control_flow.GIVES_LANES:
            return None, False
    return None, True


def _goes_on_without(sites: "list[Site]", mask: int) -> bool:
    """Whether some instructions leave a mask as it is, and give back no other lanes than its own."""
    for site in sites:
        effects = site.effects
        if not effects.known or effects.writes & mask or effects.flow in ("call", "jump"):
            return False
        gives = bool(effects.writes & registers.EXEC) and site.mnemonic in control_flow.GIVES_LANES
        if gives and not effects.reads & mask:
            return False
    return True
