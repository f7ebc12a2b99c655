"""Finds writes of EXEC from registers that hold no mask of lanes: numbers, addresses, a mask of which half is lost.

Question: which instructions may have written the registers that EXEC is given lanes from, and can that be a mask?
Direction: backward, from each move to EXEC, and each `or` that gives it lanes.
Lattice and join: the last writers of `values.reaching`.
May or must: may for a mask that is overwritten: some path leads there. Must for the rest: nothing that may have written
one half is of the kind that writes the other, or the registers are used as an address while they hold the same.
Ignored: registers that hold what they held at the entry, or what a called function or unknown code wrote.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import arithmetic, registers
from gcn_lsp.analysis.values import inactive, preserved, reaching
from gcn_lsp.analysis.values.inactive import Overwritten
from gcn_lsp.flow.kept import latest
from gcn_lsp.instruction.model import Operand
from gcn_lsp.isa.machine import control_flow, roles
from gcn_lsp.isa.modifiers.cache_policy import SCALAR_FAMILIES
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple


class NoMask(NamedTuple):
    """Registers from which EXEC is written though they hold numbers, or an address: then `use` uses it as one.

    writers: what wrote them, in program order. kept: the only registers in which the program keeps masks; None for any
    other number of them.
    """

    restoring: Site
    operand: Operand
    writers: tuple[Site, ...]
    use: Site | None
    kept: str | None


_ARITHMETIC = roles.mnemonics(
    *("add", "add carry", "accumulate", "subtract", "subtract borrow", "scale", "absolute"), file="s", bits=32
)
_PRODUCTS = frozenset(name for name in roles.mnemonics("scale", file="s", bits=32) if name.startswith("s_mul"))
_ADDRESSES = ("saddr", "sbase")
_ALL_LANES = (0, 0xFFFFFFFF)  # a half of a constant mask


def gives_lanes(site: Site) -> bool:
    """Whether an instruction gives EXEC lanes from SGPRs."""
    gives = site.mnemonic in control_flow.GIVES_LANES or inactive.goes_over(site)
    return gives and source_of_lanes(site) is not None


def source_of_lanes(site: Site) -> "Operand | None":
    """The SGPRs from which an instruction gives lanes to all of EXEC."""
    sources = [each for each in site.operands[1:] if each.kind == "register" and each.file == "s"]
    is_half = site.operands[0].file == "exec_hi"
    return sources[0] if len(sources) == 1 and not is_half else None


class _Given(NamedTuple):
    """An instruction that gives lanes to EXEC from registers, and what may have written each of these."""

    site: Site
    source: Operand
    halves: tuple[int, ...]
    writers: tuple[tuple[Site, ...], ...]


def lost(program: Program, graph: Graph, opaque: frozenset[int]) -> Iterator[Overwritten]:
    """The saved masks of which an instruction overwrites a register before they are given back."""
    for given in _all_given(program, graph, opaque):
        found = _lost(program, graph, given, preserved.kept_by_calls(program, graph))
        if found is not None:
            yield found


def no_masks(program: Program, graph: Graph, opaque: frozenset[int]) -> Iterator[NoMask]:
    """The instructions that write EXEC from registers that hold no mask."""
    for given in _all_given(program, graph, opaque):
        if any(may_be_mask(site) for sites in given.writers for site in sites):
            continue
        use = _address(program, graph, given, preserved.kept_by_calls(program, graph))
        if use is not None or _are_numbers(given):
            sites = {id(site): site for each in given.writers for site in each}.values()
            in_order = tuple(sorted(sites, key=graph.order))
            yield NoMask(given.site, given.source, in_order, use, _kept(graph, given.source))


@latest
def _all_given(program: Program, graph: Graph, opaque: frozenset[int]) -> tuple[_Given, ...]:
    found = []
    bits = graph.model.target.wavefront_size
    for node, givings in inactive.exec_writers(graph, gives_lanes):
        for site in givings if node not in opaque else ():
            source = source_of_lanes(site)
            if source is None or source.count * _BITS != bits:
                continue
            kept = preserved.kept_by_calls(program, graph)
            halves = tuple(registers.of_tuple("s", source.first + number, 1) for number in range(source.count))
            writers = [reaching.before(program, graph, node, site.index, half, kept) for half in halves]
            if not any(each.by_unknown or each.from_entry or not each.sites for each in writers):
                found.append(_Given(site, source, halves, tuple(each.sites for each in writers)))
    return tuple(found)


_BITS = 32


def may_be_mask(site: Site) -> bool:
    """Whether an instruction is of a kind that makes masks of lanes: neither arithmetic nor a load."""
    return site.mnemonic not in _ARITHMETIC and not _is_load(site)


def _is_load(site: Site) -> bool:
    instruction = site.item.instruction
    return instruction is not None and instruction.form is not None and instruction.form.family in SCALAR_FAMILIES


def _lost(program: Program, graph: Graph, given: _Given, kept: int) -> "Overwritten | None":
    """The mask of which an instruction overwrites one register, while the other, or another path, still has it."""
    for half, sites in zip(given.halves, given.writers, strict=True):
        rest = [
            each for other, found in zip(given.halves, given.writers, strict=True) if other != half for each in found
        ]
        savings = [each for each in rest or sites if inactive.keeps(each)]
        if len(savings) < len(rest):
            continue
        for site in sites:
            node = graph.node_of(site.segment)
            is_alone = not any(site.effects.writes & other for other in given.halves if other != half)
            if node is None or not is_alone or not writes_number(site, half):
                continue
            before = reaching.before(program, graph, node, site.index, half, kept)
            saving = next((each for each in before.sites if each in savings), None)
            if saving is not None:
                return Overwritten(saving, site, given.site)
    return None


def writes_number(site: Site, half: int) -> bool:
    """Whether an instruction writes a number into a register: a sum, what it loads, a constant that is no mask."""
    constant = arithmetic.moved(site.item.instruction).get(half.bit_length() - 1)
    if constant is not None:
        return constant.word is not None and constant.word not in _ALL_LANES
    return site.mnemonic in _ARITHMETIC or _is_load(site)


def _are_numbers(given: _Given) -> bool:
    """Whether one register holds a product, or two are no halves of one value: a loaded one beside a computed one."""
    kinds = []
    for half, sites in zip(given.halves, given.writers, strict=True):
        if any(site.effects.writes & ~half & registers.SGPRS for site in sites):
            return False  # written together with others
        if all(map(_is_product, sites)):
            return True
        kinds.append({_is_load(site) for site in sites})
    return kinds in ([{True}, {False}], [{False}, {True}])


def _is_product(site: Site) -> bool:
    """Whether an instruction multiplies two registers: the product with a constant may be a pattern of lanes."""
    return site.mnemonic in _PRODUCTS and all(each.kind == "register" for each in site.operands[1:])


def _address(program: Program, graph: Graph, given: _Given, kept: int) -> "Site | None":
    """The first instruction that uses a pair as an address while it holds what the same instructions wrote."""
    if len(given.halves) == 1:
        return None
    pair = registers.of_tuple("s", given.source.first, given.source.count)
    wanted = {id(site) for sites in given.writers for site in sites}
    for node, segment in enumerate(graph.nodes):
        for site in segment.sites:
            if site.effects.reads & pair and any(site.effects.slot(name) == pair for name in _ADDRESSES):
                before = reaching.before(program, graph, node, site.index, pair, kept)
                if not before.from_entry and not before.by_unknown and {id(each) for each in before.sites} == wanted:
                    return site
    return None


def _kept(graph: Graph, source: Operand) -> "str | None":
    """The registers in which a program keeps its masks, if they are always the same and of the size of `source`."""
    masks = {
        site.operands[0].text
        for node, savings in _savings(graph)
        for site in savings
        if site.operands and site.operands[0].count == source.count
    }
    return masks.pop() if len(masks) == 1 else None


_savings = in_segments(lambda segment, _: tuple(filter(inactive.is_saving, segment.sites)))
