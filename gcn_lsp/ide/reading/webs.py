"""The web of a register: the writes and reads that must name one register, because values pass between them.

A read belongs to its last writers on every path. Where the function changes EXEC, a write of a VGPR leaves other lanes
as they are, so it belongs to the earlier writers too. A web is as wide as its widest operand: all of `v[4:7]` moves if
a load fills it.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.machine import registers as sets
from gcn_lsp.analysis.machine.results import EVERYTHING
from gcn_lsp.analysis.values import kernel_inputs, liveness, reaching
from gcn_lsp.flow import search
from gcn_lsp.ide.reading import functions, registers
from gcn_lsp.ide.reading.registers import Touch
from gcn_lsp.records import NamedTuple

if TYPE_CHECKING:
    from gcn_lsp.analysis.control.graphs import Graph
    from gcn_lsp.analysis.control.segments import Site
    from gcn_lsp.program.program import Program


class Member(NamedTuple):
    """An operand of a web. node: of the graph."""

    node: int
    site: "Site"
    touch: Touch


class Web(NamedTuple):
    """The operands that share a register. registers: all that they touch.

    from_entry: whether one of them may read what the kernel or function is started with. by_unknown: whether a function
    or unknown code may write it.
    """

    registers: int
    members: tuple[Member, ...]
    from_entry: bool
    by_unknown: bool


_ROUNDS = 8


def of(program: "Program", line: int, wanted: int, *, is_write: bool) -> "Web | None":
    """The web of some registers that an operand on a line of the main file reads or writes; None without control."""
    graph = graphs.of(program)
    place = reaching.on_line(program, line)
    if graph is None or place is None or program.target is None:
        return None
    sites = list(_sites(program, graph, line))
    for _ in range(_ROUNDS):
        found = _joined(program, place, sites, wanted, is_write=is_write)
        if found is None or found.registers & ~wanted == sets.NONE:
            return found
        wanted |= found.registers
    return None


def _sites(program: "Program", graph: "Graph", line: int) -> "Iterator[tuple[int, Site]]":
    """The instructions of the function around a line."""
    first, last = functions.region_at(program, line)
    for number in range(program.chunk_at(first), program.chunk_at(last) + 1):
        base = program.bases[number]
        for node in graph.nodes_of_chunk(number):
            for site in graph.nodes[node].sites:
                if first <= base + site.item.written.top_line <= last:
                    yield node, site


def wrong_line(program: "Program", line: int) -> "int | None":
    """The first line of the function around a line whose instruction is rejected, so that it may read any register."""
    graph = graphs.of(program)
    sites = _sites(program, graph, line) if graph is not None else ()
    return min((line_of(program, site) for _, site in sites if not site.effects.known), default=None)


def _joined(
    program: "Program", place: reaching.GraphSite, sites: "list[tuple[int, Site]]", wanted: int, *, is_write: bool
) -> "Web | None":
    members = list(_members(program, sites, wanted))
    starts = [
        number
        for number, member in enumerate(members)
        if member.site is place.site and member.touch.is_write == is_write
    ]
    if not starts:
        return None
    is_masked = any(site.effects.writes & sets.EXEC for _, site in sites)
    links = _links(program, place.graph, members, wanted, is_masked=is_masked)
    web = search.reached(starts, links.sharing.__getitem__)
    touched = sets.NONE
    for number in web:
        touched |= members[number].touch.registers
    is_input = not web.isdisjoint(links.from_entry) and bool(touched & _inputs(program, place.node))
    of_web = tuple(members[number] for number in sorted(web))
    return Web(touched, of_web, is_input, not web.isdisjoint(links.by_unknown))


class _Links(NamedTuple):
    """sharing: for each member those that it shares a value with. from_entry, by_unknown: readers of such values."""

    sharing: list[set[int]]
    from_entry: set[int]
    by_unknown: set[int]


def _links(program: "Program", graph: graphs.Graph, members: list[Member], wanted: int, *, is_masked: bool) -> _Links:
    """How values link the members. is_masked: whether lanes may be off."""
    writes: dict[int, list[int]] = {}  # by site, the numbers of its members
    for number, member in enumerate(members):
        if member.touch.is_write:
            writes.setdefault(id(member.site), []).append(number)
    links = _Links([set() for _ in members], set(), set())
    for number, (node, site, touch) in enumerate(members):
        if touch.is_write and not _keeps(site, touch, is_masked=is_masked):
            continue
        found = reaching.before(program, graph, node, site.index, touch.registers & wanted)
        if found.from_entry:
            links.from_entry.add(number)
        if found.by_unknown or any(id(writer) not in writes for writer in found.sites):
            links.by_unknown.add(number)
        for other in (each for writer in found.sites for each in writes.get(id(writer), ())):
            if members[other].touch.registers & touch.registers:
                links.sharing[number].add(other)
                links.sharing[other].add(number)
    return links


def _members(program: "Program", sites: "list[tuple[int, Site]]", wanted: int) -> Iterator[Member]:
    """The operands of some instructions that touch one of the registers."""
    assert program.target is not None
    for node, site in sites:
        instruction = site.item.instruction
        if instruction is not None and site.effects.touches & wanted:
            for touch in registers.touches(instruction, program.target):
                if touch.registers & wanted:
                    yield Member(node, site, touch)


def _inputs(program: "Program", node: int) -> int:
    """The registers that hold something at the start: the inputs of the kernel, all in a function."""
    kernels = [resources for _, resources in kernel_inputs.kernels_of(program, node)]
    if not kernels:
        return EVERYTHING
    found = sets.NONE
    for resources in kernels:
        for each in resources.inputs:
            found |= sets.of_tuple(each.file, each.first, each.count)
    return found


def _keeps(site: "Site", touch: Touch, *, is_masked: bool) -> bool:
    """Whether a write leaves something of the old value: it reads it too, or writes a part or some lanes."""
    explicit_reads = sets.NONE
    if site.effects.reads & touch.registers:
        instruction = site.item.instruction
        operands = instruction.operands if instruction is not None else ()
        same = [each for each in operands if each.node.start <= touch.start < each.node.end]
        is_only = not any(
            each.slot not in site.effects.defined and sets.of_tuple(each.file, each.first, each.count) & touch.registers
            for each in operands
            if each.kind == "register" and each not in same
        )
        explicit_reads = touch.registers if is_only else sets.NONE
    is_vector = bool(sets.vectors(touch.registers))
    return bool(explicit_reads) or (is_masked and is_vector) or bool(touch.registers & ~sets.whole(site.effects.writes))


def conflict(program: "Program", web: Web, moved: int, allowed: int) -> "tuple[Site, int] | None":
    """An instruction at which the registers `moved` hold another value while the web needs its own, and which they are.

    moved: the registers that the web is to have. allowed: those that it has and may overlap with.
    """
    graph = graphs.of(program)
    live = liveness.of(program)
    if graph is None or live is None or program.target is None:
        return None
    own = {id(member.site) for member in web.members if member.touch.is_write}
    wanted = moved & ~allowed
    for node, segment in enumerate(live.graph.nodes):
        if not any(site.effects.touches & (wanted | web.registers) for site in segment.sites):
            continue
        after = list(live.each_after(node))[::-1]
        for site, each in zip(segment.sites, after, strict=True):
            others = each.here  # a write changes the active lanes only
            if id(site) in own and others & wanted:
                return site, others & wanted
            if site.effects.writes & wanted and others & web.registers and id(site) not in own:
                before = reaching.before(program, live.graph, node, site.index, others & web.registers)
                if any(id(writer) in own for writer in before.sites):
                    return site, site.effects.writes & wanted
    return None


def line_of(program: "Program", site: "Site") -> int:
    """The line of the main file that leads to an instruction."""
    graph = graphs.of(program)
    number = graph.number_of(site.segment) if graph is not None else None
    assert number is not None, "it is of this version"
    return program.bases[number] + site.item.written.top_line
