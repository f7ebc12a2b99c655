"""Finds what the address of an access of memory is computed from, as far as it can be compared with others.

Question: which argument of the kernel is the pointer in an address, and do two accesses have one address?
Direction: backward, from one instruction, through all that is computed.
Lattice and join: sets of the instructions that loaded arguments, and of writers; the union.
May or must: must; a value from memory, or from unknown code, leaves nothing to say.
Ignored: EXEC and SCC.
"""

from collections.abc import Hashable, Iterator

from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import registers, results
from gcn_lsp.analysis.values import reaching, readers
from gcn_lsp.flow.search import Search
from gcn_lsp.instruction.model import Operand
from gcn_lsp.isa.modifiers.cache_policy import SCALAR_FAMILIES
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple

_SLOTS = ("vaddr", "saddr", "srsrc", "soffset", "offset")
_PAIR = 2


class LoadedPointer(NamedTuple):
    """A pointer among a kernel's arguments. load: what loaded it; first: the lower of its two SGPRs."""

    load: Site
    first: int


def argument(program: Program, graph: Graph, site: Site) -> "LoadedPointer | None":
    """The one pointer that the address of an access is computed from; None if there are others, or it is not known."""
    pointer = _pointer(site)
    node = graph.node_of(site.segment)
    if pointer is None or node is None:
        return None
    loaded: dict[Site, int] = {}
    search = Search([(node, site.index, register) for register in registers.singly(pointer)])
    for at, index, register in search:
        writers = reaching.before(program, graph, at, index, register)
        if writers.by_unknown:
            return None
        for writer in writers.sites:
            if _loads_arguments(program, graph, writer):
                loaded[writer] = loaded.get(writer, registers.NONE) | register
                continue
            place, result = graph.node_of(writer.segment), results.of_site(writer)
            if place is None or not result.is_computed:
                return None
            needed = writer.effects.reads & ~registers.EXEC & ~registers.SCC
            search.add((place, writer.index, each) for each in registers.singly(needed))
    pairs = [LoadedPointer(load, first) for load, found in loaded.items() for first in _pairs(load, found)]
    return pairs[0] if len(pairs) == 1 else None


def key(program: Program, graph: Graph, site: Site) -> "Hashable | None":
    """What decides an address: the writers of its registers, and its constants. None if it may be another each time."""
    node = graph.node_of(site.segment)
    found: list[Hashable] = []
    for operand in site.operands if node is not None else ():
        if operand.slot not in _SLOTS or node is None:
            continue
        if operand.kind != "register" or operand.file not in ("s", "v"):
            found.append((operand.slot, operand.file, operand.value))
            continue
        writers = reaching.before(program, graph, node, site.index, _registers(operand))
        if writers.by_unknown or writers.from_entry or not writers.sites:
            return None
        constants = {_constant(writer, operand) for writer in writers.sites}
        constant = constants.pop() if len(constants) == 1 else None
        found.append((operand.slot, *((constant,) if constant is not None else writers.sites)))
    return tuple(found) or None


def _pointer(site: Site) -> "int | None":
    """The registers with the 64 bits of an address, or of the base of a buffer."""
    by_slot = {operand.slot: operand for operand in site.operands if operand.kind == "register"}
    for slot in ("saddr", "srsrc", "vaddr"):
        operand = by_slot.get(slot)
        if operand is not None and operand.file in ("s", "v"):
            return registers.of_tuple(operand.file, operand.first, _PAIR) if operand.count >= _PAIR else None
    return None


def _loads_arguments(program: Program, graph: Graph, site: Site) -> bool:
    """Whether an instruction loads from an address that the kernel was started with."""
    form = site.item.instruction.form if site.item.instruction is not None else None
    if form is None or form.family not in SCALAR_FAMILIES or not site.effects.writes:
        return False
    node = graph.node_of(site.segment)
    read = site.effects.reads & registers.SGPRS
    writers = reaching.before(program, graph, node, site.index, read) if node is not None and read else None
    return writers is not None and writers.from_entry and not writers.sites and not writers.by_unknown


def _pairs(load: Site, found: int) -> Iterator[int]:
    """The first SGPRs of the pairs of a load's results of which both are in a set."""
    made = next((operand for operand in load.operands if operand.slot in load.effects.defined), None)
    if made is not None and made.file == "s":
        for first in range(made.first, made.first + made.count - 1, _PAIR):
            pair = registers.of_tuple("s", first, _PAIR)
            if pair & found == pair:
                yield first


def _constant(writer: Site, operand: Operand) -> "int | None":
    """The constant that an instruction moves into an operand of one register."""
    if not readers.moves(writer) or operand.count != 1 or len(writer.operands) != _PAIR:
        return None
    value = writer.operands[1].value
    is_constant = writer.operands[1].kind in ("immediate", "literal") and type(value) is int
    return value if is_constant and type(value) is int else None


def _registers(operand: Operand) -> int:
    return registers.of_tuple(operand.file, operand.first, operand.count)
