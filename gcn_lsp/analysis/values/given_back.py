"""Finds masks that are given back to EXEC although nothing has saved them, or no longer, on one of the ways there.

Question: where may a wave come from to an instruction that gives lanes back: from what saves the mask, from what gave
it back before, or from where nothing has saved it?
Direction: backward, from each instruction that gives EXEC the lanes of SGPRs.
May or must: may; one way without a mask is enough, if another one has it.
Ignored: what branches test; masks from constants, copies and logic, which may be right on any way; copies of EXEC that
give all lanes back again and again.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import functions
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import registers, results
from gcn_lsp.analysis.values import inactive, preserved, wrong_masks
from gcn_lsp.flow.kept import latest
from gcn_lsp.flow.search import Search
from gcn_lsp.instruction.model import Operand
from gcn_lsp.isa.machine import roles
from gcn_lsp.patterns import regex
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple


class Origins(NamedTuple):
    """Where the mask comes from that an instruction gives back.

    savings: what saves it. given: what gives it back on a way on which nothing saves it again. numbers: what writes
    something else. constants: what moves a number there, which may be a mask too. without: the last instruction, on
    a way from the entry or from `numbers`, before it meets one from `savings`. is_unknown: whether something else
    may have written it. from_entry: whether some way has no writer.
    """

    restoring: Site
    operand: Operand
    savings: tuple[Site, ...]
    given: tuple[Site, ...]
    numbers: tuple[Site, ...]
    computed: tuple[Site, ...]
    constants: tuple[Site, ...]
    from_entry: bool
    is_unknown: bool
    without: "Site | None"


class Unkept(NamedTuple):
    """An instruction that gives a mask back which nothing has saved on some way there.

    saving: what saves it on another one. coming: the last instruction of that way before both meet. number: what wrote
    the registers there; given: what gave the mask back there before; None without one.
    """

    restoring: Site
    operand: Operand
    saving: Site
    coming: Site
    number: "Site | None"
    given: "Site | None"


def unkept(program: Program, graph: Graph, opaque: frozenset[int]) -> Iterator[Unkept]:
    """The instructions that give a mask back which only some ways there have saved, or have not given back yet."""
    for each in all_origins(program, graph, opaque):
        if not each.savings:
            continue
        if each.without is not None:
            number = next(iter(each.numbers), None)
            yield Unkept(each.restoring, each.operand, each.savings[0], each.without, number, None)
        elif _is_given_twice(graph, each):
            yield Unkept(each.restoring, each.operand, each.savings[0], each.given[0], None, each.given[0])


def _is_given_twice(graph: Graph, each: Origins) -> bool:
    """Whether the mask of one region is given back at two places, one after the other; copies often are."""
    if not each.given or each.restoring in each.given or not all(map(adds, (each.restoring, *each.given))):
        return False
    return all(takes_lanes(graph, saving) for saving in each.savings)


@latest
def all_origins(program: Program, graph: Graph, opaque: frozenset[int]) -> tuple[Origins, ...]:
    """Where the mask of each instruction comes from that gives lanes to EXEC."""
    all_givings = tuple(inactive.exec_writers(graph, wrong_masks.gives_lanes))
    if not all_givings:
        return ()
    kept = preserved.kept_by_calls(program, graph)
    with_data = results.with_data(program, graph)
    found = []
    for node, givings in all_givings:
        for site in givings if node not in opaque else ():
            mask = mask_given(graph, site)
            if mask:
                found.append(_origins(graph, with_data, node, site, mask, kept))
    return tuple(found)


_BITS = 32


def mask_given(graph: Graph, site: Site) -> int:
    """The SGPRs from which an instruction gives lanes to all of EXEC; none for another one."""
    source = wrong_masks.source_of_lanes(site) if wrong_masks.gives_lanes(site) else None
    if source is None or source.count * _BITS != graph.model.target.wavefront_size:
        return registers.NONE
    return registers.of_tuple("s", source.first, source.count)


def _origins(graph: Graph, opaque: frozenset[int], node: int, restoring: Site, mask: int, kept: int) -> Origins:
    entries = graph.shape.labelled.intersection(graph.entries)
    savings: list[Site] = []
    given: list[Site] = []
    numbers: list[Site] = []
    computed: list[Site] = []
    constants: list[Site] = []
    starts: list[tuple[int, Site | None]] = []  # where ways without a mask begin
    is_unknown = from_entry = False
    onward: dict[int, int] = {}
    search: Search[tuple[int, bool]] = Search(((node, True),))
    for here, is_first in search:
        if here in opaque:
            is_unknown = True
            continue
        sites = graph.nodes[here].sites
        for site in reversed(sites[: restoring.index] if is_first else sites):
            writes = site.effects.writes & mask
            if not site.effects.known or (writes and writes != mask):
                is_unknown = True
            elif writes and inactive.keeps(site):
                savings.append(site)
            elif writes and not wrong_masks.may_be_mask(site):
                numbers.append(site)
                starts.append((here, site))
            elif writes and COMPUTES.fullmatch(site.mnemonic):
                computed.append(site)
            elif writes and wrong_masks.writes_number(site, mask):
                constants.append(site)
            elif writes:
                is_unknown = True
            elif mask_given(graph, site) == mask:
                given.append(site)
            else:
                continue
            break
        else:
            if here in entries:
                from_entry = True
                starts.append((here, None))
            for earlier in graph.predecessors[here]:
                if graph.nodes[earlier].flow == "call" and mask & ~kept:
                    is_unknown = True
                elif (earlier, False) not in search.seen:
                    onward[earlier] = here
                    search.add(((earlier, False),))
    without = _before_join(graph, starts, savings, onward) if savings else None
    source = wrong_masks.source_of_lanes(restoring)
    assert source is not None
    kinds = (savings, given, numbers, computed, constants)
    savings, given, numbers, computed, constants = (sorted(each, key=graph.order) for each in kinds)
    return Origins(
        restoring,
        source,
        tuple(savings),
        tuple(given),
        tuple(numbers),
        tuple(computed),
        tuple(constants),
        from_entry,
        is_unknown,
        without,
    )


COMPUTES = regex(r"s_(and|or|andn2|and_not1|xor|orn2|or_not1|nand|nor|xnor)_b(32|64)|v_cmp_\w+")


def _before_join(
    graph: Graph, starts: "list[tuple[int, Site | None]]", savings: list[Site], onward: dict[int, int]
) -> "Site | None":
    """The last instruction of a way without a mask before it meets one on which a mask is saved."""
    nodes = [node for site in savings if (node := graph.node_of(site.segment)) is not None]
    met = Search(after for node in nodes for after in graph.successors[node])
    for node in met:
        met.add(after for after in graph.successors[node] if after in onward)
    for start, number in starts:
        here, last = start, number
        while here not in met.seen and here in onward:
            last = graph.nodes[here].sites[-1] if graph.nodes[here].sites else last
            here = onward[here]
        if last is not None:
            return last
    return None


def adds(site: Site) -> bool:
    """Whether an instruction adds the lanes of a mask to those that are active, or goes over to them."""
    return site.mnemonic not in _MOVES


_MOVES = roles.mnemonics("move", file="s")


def takes_lanes(graph: Graph, saving: Site) -> bool:
    """Whether what saves a mask takes lanes away as well, or what comes straight after it does."""
    if saving.effects.writes & registers.EXEC or saving.mnemonic not in _MOVES:
        return True
    rest = saving.segment.sites[saving.index + 1 :]
    first = next((site for site in rest if site.effects.writes & registers.EXEC), None)
    return first is not None and inactive.takes(first)


def unsaved(program: Program, graph: Graph, opaque: frozenset[int]) -> Iterator[Origins]:
    """The instructions of functions that give a mask back which nothing in the function has saved."""
    if not all_origins(program, graph, opaque):
        return
    inside = frozenset(node for function in functions.of(program, graph) for node in function.nodes)
    for each in all_origins(program, graph, opaque):
        writers = (each.savings, each.given, each.numbers, each.computed, each.constants)
        is_other = any(writers) or each.is_unknown
        if each.from_entry and not is_other and graph.node_of(each.restoring.segment) in inside:
            yield each


def overwritten(program: Program, graph: Graph, opaque: frozenset[int]) -> Iterator[inactive.Overwritten]:
    """The masks over which another one is saved before they are given back, by an instruction that needs both."""
    for each in all_origins(program, graph, opaque):
        for later in each.savings if len(each.savings) > 1 else ():
            if later.effects.reads & mask_given(graph, each.restoring):
                continue
            earlier = _kept_before(graph, opaque, later, each)
            if earlier is not None:
                yield inactive.Overwritten(earlier, later, each.restoring)


def _kept_before(graph: Graph, opaque: frozenset[int], later: Site, origins: Origins) -> "Site | None":
    """What has saved the mask that an instruction overwrites, on all ways there, with nothing that reads it since."""
    mask = mask_given(graph, origins.restoring)
    node = graph.node_of(later.segment)
    savings = {id(site) for site in origins.savings if site is not later}
    found: list[Site] = []
    search: Search[tuple[int, bool]] = Search(((node, True),) if node is not None else ())
    for here, is_first in search:
        if here in opaque:
            return None
        sites = graph.nodes[here].sites
        for site in reversed(sites[: later.index] if is_first else sites):
            if id(site) in savings:
                found.append(site)
                break
            if (
                not site.effects.known
                or (site.effects.reads | site.effects.writes) & mask
                or site.effects.flow == "call"
            ):
                return None
        else:
            if not graph.predecessors[here]:
                return None
            search.add((earlier, False) for earlier in graph.predecessors[here])
    return found[0] if found else None
