"""Finds addresses of 64 bits whose low half was added to, while the high half stayed without the carry.

A pair of SGPRs that one scalar load wrote is an address. The low half of the sum is an addition to its first register;
the high half is a copy of the second one into VGPRs, or the second one itself.

Question: which access uses such a low half with such a high half?
Direction: forward from each addition; to VGPRs in its segment, in SGPRs backward from the uses, by `values.reaching`.
May or must: must, that the two halves are of one address and that no addition with a carry is in between.
Ignored: whether the addition overflows. Pairs of SGPRs to whose high half a carry is added anywhere in the program.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.machine.arithmetic import Value
from gcn_lsp.analysis.machine.effects import Model
from gcn_lsp.analysis.values import reaching, symbolic
from gcn_lsp.flow.kept import once
from gcn_lsp.instruction.model import Operand
from gcn_lsp.isa.machine import roles
from gcn_lsp.isa.modifiers.cache_policy import SCALAR_FAMILIES
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple

_VECTOR_SUMS = roles.mnemonics("add", file="v", bits=32)
_VECTOR_MOVES = roles.mnemonics("move", file="v", bits=32)
_SUMS = roles.mnemonics("add", "accumulate", file="s", bits=32)
_CARRIES = roles.mnemonics("add carry", file="s")
_ADDRESSES = ("saddr", "sbase")
_VECTOR_ADDRESS = "vaddr"
_PAIR = 2


class MissingCarry(NamedTuple):
    """An addition to the low half of an address, the access with the sum, and the SGPR with the high half."""

    addition: Site
    access: Site
    high: int


def found(program: Program, graph: Graph) -> Iterator[MissingCarry]:
    """The additions of a program whose carry is missing in the high half."""
    for _, several in _in_vectors(graph):
        for each in several:
            first = each.high - 1
            if _is_loaded(symbolic.at(program, graph, each.addition, "s", first, _PAIR)):
                yield each
    sums = {site: site.operands[0].first for _, several in _sums(graph) for site in several}
    carried = {high for _, several in _carries(graph) for high in several} if sums else set()
    suspects = {low for low in sums.values() if low + 1 not in carried}
    told: set[Site] = set()
    for node, uses in _uses(graph) if suspects else ():
        for access, first in uses:
            for each in _in_scalars(program, graph, node, access, first) if first in suspects else ():
                if each.addition in sums and each.addition not in told:
                    told.add(each.addition)
                    yield each


def _is_loaded(value: "Value | None") -> bool:
    base = value.base if value is not None else None
    if not isinstance(base, symbolic.Result):
        return False
    form = base.site.item.instruction.form if base.site.item.instruction is not None else None
    return form is not None and form.family in SCALAR_FAMILIES


def _vectors_of_segment(segment: Segment, _: Model) -> tuple[MissingCarry, ...]:
    """The accesses of a segment with the sum of an SGPR in VGPRs, and with the next SGPR as it is behind that."""
    if not any(_added_scalar(site) is not None for site in segment.sites):
        return ()
    sums: dict[int, tuple[Site, int]] = {}  # by VGPR, with the SGPR that was added to
    copies: dict[int, int] = {}  # the SGPR that a VGPR is a copy of
    result = []
    for site in segment.sites:
        address = next((each for each in site.operands if each.slot == _VECTOR_ADDRESS), None)
        if address is not None and (address.file, address.count) == ("v", _PAIR):
            addition, low = sums.get(address.first, (None, -1))
            if addition is not None and copies.get(address.first + 1) == low + 1:
                result.append(MissingCarry(addition, site, low + 1))
        written = registers.vectors(site.effects.writes)
        scalars = site.effects.writes & registers.SGPRS
        if written or scalars or not site.effects.known:
            known = site.effects.known
            sums = {to: each for to, each in sums.items() if known and not written & _vector(to)}
            copies = {to: low for to, low in copies.items() if known and not written & _vector(to)}
        operands = site.operands
        if site.mnemonic in _VECTOR_MOVES and len(operands) == _PAIR and operands[1].file == "s":
            copies[operands[0].first] = operands[1].first
        elif (scalar := _added_scalar(site)) is not None:
            sums[operands[0].first] = (site, scalar)
    return tuple(result)


def _added_scalar(site: Site) -> int | None:
    """The SGPR that an instruction adds to a VGPR."""
    if site.mnemonic not in _VECTOR_SUMS:
        return None
    added = [each for each in site.operands[1:] if each.slot.startswith("src")]
    scalar = [each.first for each in added if each.file == "s"]
    return scalar[0] if len(scalar) == 1 and any(each.file == "v" for each in added) else None


_in_vectors = in_segments(_vectors_of_segment)


def _vector(number: int) -> int:
    return registers.of_tuple("v", number, 1)


def _sums_of_segment(segment: Segment, _: Model) -> tuple[Site, ...]:
    """The additions to an SGPR in place."""
    return tuple(site for site in segment.sites if site.mnemonic in _SUMS and _is_in_place(site.operands))


_sums = in_segments(_sums_of_segment)


# The SGPRs to which the instructions of a segment add a carry: a pair with one is not asked about, which costs most.
_carries = in_segments(
    lambda segment, _: tuple(site.operands[0].first for site in segment.sites if site.mnemonic in _CARRIES)
)


def _is_in_place(operands: tuple[Operand, ...]) -> bool:
    to, *sources = operands
    return to.file == "s" and (len(sources) == 1 or any((to.file, to.first) == (it.file, it.first) for it in sources))


@once
def _uses_in(segment: Segment) -> tuple[tuple[Site, int], ...]:
    """The accesses with an address in a pair of SGPRs, each with the first of these."""
    return tuple(
        (site, operand.first)
        for site in segment.sites
        if site.effects.events
        for operand in site.operands
        if operand.slot in _ADDRESSES and (operand.file, operand.count) == ("s", _PAIR)
    )


_uses = in_segments(lambda segment, _: _uses_in(segment))


def _in_scalars(program: Program, graph: Graph, node: int, access: Site, first: int) -> Iterator[MissingCarry]:
    low, high = (
        reaching.before(program, graph, node, access.index, registers.of_tuple("s", first + half, 1))
        for half in range(_PAIR)
    )
    if any(each.by_unknown or each.from_entry for each in (low, high)) or len(low.sites) == 1:
        return
    loads = [site for site in high.sites if site in low.sites and _loads_pair(site, first)]
    if loads and len(loads) == len(high.sites):
        yield from (MissingCarry(site, access, first + 1) for site in low.sites if site.mnemonic in _SUMS)


def _loads_pair(site: Site, first: int) -> bool:
    form = site.item.instruction.form if site.item.instruction is not None else None
    pair = registers.of_tuple("s", first, _PAIR)
    return form is not None and form.family in SCALAR_FAMILIES and not pair & ~site.effects.writes
