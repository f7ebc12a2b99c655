"""Finds accesses of LDS whose lanes meet in a bank, and the smallest change of the addresses that ends it.

Question: how many lanes of a phase need different dwords of one bank?
Direction: backward, from the address of each access to what it is computed from.
Lattice and join: the last writers of `values.reaching`; several are an unknown value.
May or must: must; the known part of the address differs between lanes, the unknown one does not.
Ignored: EXEC; lanes that are switched off cannot meet others.
"""

from collections.abc import Iterator

from gcn_lsp.analysis import bounds
from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.lds import entry, steps, words
from gcn_lsp.analysis.lds.entry import Known
from gcn_lsp.analysis.lds.regions import WorkGroup
from gcn_lsp.analysis.lds.steps import Touch
from gcn_lsp.analysis.lds.words import Sharing, Word
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.values import preserved, reaching
from gcn_lsp.flow.kept import once
from gcn_lsp.isa.machine import word_operations
from gcn_lsp.isa.memory import lds_banks
from gcn_lsp.isa.memory.lds_banks import BankModel
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple


class Conflict(NamedTuple):
    """The phase of an access in which most lanes meet. phase: its number. bank: where. lanes: those that meet there,
    each for another dword. passes: of all phases together; least: with no conflict.
    """

    phase: int
    bank: int
    lanes: tuple[int, ...]
    passes: int
    least: int


class Cure(NamedTuple):
    """A change of addresses without a conflict. padding: bytes after each `every`; or `swizzle`: a shift and a mask,
    with which the address is combined by an exclusive or.
    """

    padding: int
    every: int
    shift: int = 0
    mask: int = 0


class BankedAccess(NamedTuple):
    """An access of LDS with its conflict. addresses: of the lanes, without what they have in common."""

    site: Site
    model: BankModel
    addresses: tuple[int, ...]
    width: int
    conflict: Conflict


def conflict(addresses: tuple[int, ...], width: int, model: BankModel) -> Conflict:
    """The worst phase of an access of `width` bytes at the address of each lane."""
    worst = Conflict(0, 0, (), 0, len(model.phases))
    passes = 0
    for number, phase in enumerate(model.phases):
        needed: dict[int, dict[int, int]] = {}  # by bank: the dwords, each with the first lane that needs it
        for lane in phase:
            first = addresses[lane] // lds_banks.BANK
            for dword in range(first, first + max(1, width // lds_banks.BANK)):
                needed.setdefault(dword % model.banks, {}).setdefault(dword, lane)
        bank = max(sorted(needed), key=lambda each: len(needed[each]))
        lanes = tuple(sorted(set(needed[bank].values())))
        passes += len(needed[bank])
        if len(lanes) > len(worst.lanes):
            worst = worst._replace(phase=number, bank=bank, lanes=lanes)
    return worst._replace(passes=passes)


_PADDED = tuple(1 << bit for bit in range(6, 13))  # bytes of a row
_SHIFTS = range(1, 9)


def cure(addresses: tuple[int, ...], width: int, model: BankModel) -> "Cure | None":
    """The smallest padding after a row of a power of two that ends a conflict; else the swizzle with fewest bits."""
    found: list[tuple[float, Cure]] = []
    for every in _PADDED:
        for padding in range(width, 8 * width + 1, width):
            padded = tuple(address + address // every * padding for address in addresses)
            if len(conflict(padded, width, model).lanes) == 1:
                found.append((padding / every, Cure(padding, every)))
                break
    if found:
        return min(found)[1]
    row = model.banks * lds_banks.BANK
    for bits in range(1, 6):
        mask = ((1 << bits) - 1) * width
        for shift in _SHIFTS:
            swizzled = tuple(address ^ address >> shift & mask for address in addresses)
            if mask < row and len(conflict(swizzled, width, model).lanes) == 1:
                return Cure(0, 0, shift, mask)
    return None


@once
def of(program: Program) -> tuple[BankedAccess, ...]:
    """The accesses of a program with a conflict, in program order."""
    graph = graphs.of(program)
    if graph is None or program.target is None or program.final_state.incomplete:
        return ()
    found: dict[int, BankedAccess] = {}
    for start in entry.of(program, graph):
        search = _WordSearch(program, graph, start.known, start.group)
        for node in sorted(graph.reached((start.node,))):
            for site, touch in steps.accesses(graph.nodes[node]):
                each = _access(search, site, touch) if id(site) not in found else None
                if each is not None:
                    found[id(site)] = each
    return tuple(sorted(found.values(), key=lambda each: graph.order(each.site)))


def at(program: Program, graph: Graph, node: int, site: Site) -> "BankedAccess | None":
    """The access by one instruction of a node, if it has a conflict."""
    touch = dict(steps.accesses(graph.nodes[node])).get(site)
    starts = entry.of(program, graph) if touch is not None and program.target is not None else ()
    start = next((each for each in starts if node in graph.reached((each.node,))), None)
    if touch is None or start is None:
        return None
    return _access(_WordSearch(program, graph, start.known, start.group), site, touch)


def ends_at(program: Program, graph: Graph, site: Site, lane: int, end: int) -> bool:
    """Whether an access of a work-item certainly ends at a byte, in a work-group in which it is the last one."""
    node = graph.node_of(site.segment)
    touch = dict(steps.accesses(site.segment)).get(site)
    start = next((each for each in entry.of(program, graph) if node in graph.reached((each.node,))), None)
    if touch is None or start is None or start.known_of is None:
        return False
    group = WorkGroup(lane + 1, start.group.wave)
    word = _WordSearch(program, graph, start.known_of(group), group).word(site, touch.address)
    address = word.lanes if isinstance(word.lanes, int) else word.lanes[lane]
    return not word.terms and address + max(touch.offsets) + touch.access.width == end


def _access(search: "_WordSearch", site: Site, touch: Touch) -> "BankedAccess | None":
    access, group = touch.access, search.group
    if (
        access.base != "vgpr"
        or access.is_copy
        or access.is_atomic
        or len(touch.offsets) != 1
        or _TRANSPOSED in site.mnemonic
    ):
        return None
    model = lds_banks.model(search.features, group.wave, access.width, reads=access.reads)
    addresses = _addresses(search.word(site, touch.address), group, touch.offsets[0]) if model is not None else None
    if model is None or addresses is None:
        return None
    worst = conflict(addresses, access.width, model)
    return BankedAccess(site, model, addresses, access.width, worst) if len(worst.lanes) > 1 else None


_TRANSPOSED = "_tr"


def _addresses(word: Word, group: WorkGroup, offset: int) -> "tuple[int, ...] | None":
    """The addresses of the lanes of the first wave; None if lanes differ by what is not known, or are misaligned."""
    if word.scope is Sharing.LANE or not isinstance(word.lanes, tuple) or len(word.lanes) < group.wave:
        return None
    first = word.lanes[: group.wave]
    addresses = tuple(address + offset for address in first)
    return addresses if all(address % lds_banks.BANK == 0 for address in addresses) else None


class _WordSearch:
    """The words in registers before instructions of one kernel."""

    def __init__(self, program: Program, graph: Graph, known: Known, group: WorkGroup) -> None:
        self._program = program
        self._graph = graph
        self._entry = known
        self.group = group
        self.features = graph.model.target.features
        self._kept = preserved.kept_by_calls(program, graph)
        self._found: dict[tuple[int, int], Word] = {}  # by instruction and register

    def word(self, site: Site, register: int, left: int = bounds.STEPS) -> Word:
        """The word in a register before an instruction."""
        writer = self._writer(site, register)
        if writer is None:
            return words.unknown(("before", id(site), register), _sharing(register))
        if isinstance(writer, Word):
            return writer
        key = (id(writer), register)
        known = self._found.get(key)
        if known is None:
            known = self._found[key] = self._computed(writer, register, left)
        return known

    def _writer(self, site: Site, register: int) -> "Site | Word | None":
        """The one instruction that wrote a register, or what it holds since the start; None if that is not known."""
        graph = self._graph
        node = graph.node_of(site.segment)
        wanted = 1 << register
        if registers.vectors(wanted):
            wanted |= wanted << 1
        assert node is not None, "a site of another version"
        found = reaching.before(self._program, graph, node, site.index, wanted, self._kept)
        if found.by_unknown or len(found.sites) + found.from_entry != 1:
            return None
        return self._entry.get(register) if found.from_entry else found.sites[0]

    def _computed(self, writer: Site, register: int, left: int) -> Word:
        operation = next((each for each in steps.computed(writer) if each.to == register), None)
        unknown = words.unknown(("result", id(writer), register), _sharing(register))
        if operation is None or not left:
            return unknown
        sources = {
            name: words.of(number) if source is None else self.word(writer, source, left - 1)
            for name, source, number in operation.sources
        }
        if operation.formula == (word_operations.FIRST_LANE,):
            return words.of_first_lanes(sources["a"], self.group.wave)
        if operation.formula == (word_operations.LANES_BELOW,):
            return words.lanes_below(sources, self.group.size, self.group.wave) or unknown
        return words.evaluated(operation.formula, sources) or unknown


def _sharing(register: int) -> Sharing:
    return Sharing.LANE if registers.vectors(1 << register) else Sharing.WORK_GROUP


def served(access: BankedAccess) -> Iterator[tuple[int, tuple[int, ...]]]:
    """For each bank of the worst phase that several lanes need, the lanes, ordered by bank."""
    needed: dict[int, dict[int, int]] = {}
    for lane in access.model.phases[access.conflict.phase]:
        first = access.addresses[lane] // lds_banks.BANK
        for dword in range(first, first + access.width // lds_banks.BANK):
            needed.setdefault(dword % access.model.banks, {}).setdefault(dword, lane)
    for bank in sorted(needed):
        yield bank, tuple(sorted(set(needed[bank].values())))
