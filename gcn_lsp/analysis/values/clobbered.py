"""Finds conditions that are overwritten before anything reads them: a comparison, a carry, then a branch on the carry.

Only straight code is searched: the comparison, the side effect on SCC or VCC, and the branch or selection that reads
it, or what leaves its lanes in EXEC, follow one another with nothing leading in or out between them. Likewise the low
half of a sum of 64 bits in SGPRs, and the high half in the next register, which reads its carry; in VGPRs, whose carry
is in VCC or SGPRs, the sources of both are pairs of neighbours too, since compilers add into neighbours that are no
pair.

Question: is the result of a comparison, or a carry, overwritten before a reader that is meant for it?
Direction: forward from each comparison and low half without a reader, through straight code.
Lattice and join: none; paths do not join in straight code.
May or must: must; one path leads through the stretch.
Ignored: branches before the reader.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs, straight
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine import registers, results
from gcn_lsp.analysis.values import dead, liveness
from gcn_lsp.flow.kept import once, recent
from gcn_lsp.instruction.model import Operand
from gcn_lsp.isa.machine import comparisons, control_flow, roles
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple

_CONDITIONS = (registers.SCC, registers.VCC)


# Not the signed ones: their SCC is no carry, but whether the result is too large.
_LOW_HALVES = frozenset(
    name for name in roles.mnemonics("add", "subtract", file="s", bits=32) if not name.endswith("_i32")
)
_LOW_VECTOR_HALVES = roles.mnemonics("add", "subtract", file="v", bits=32)
# Those that ask for a carry. On gfx8 and older targets every addition of VGPRs writes one.
_ASKING = frozenset(name for name in _LOW_VECTOR_HALVES if "_co_" in name)
_HIGH_HALVES = roles.mnemonics("add carry", "subtract borrow", file="s")
_HIGH_VECTOR_HALVES = roles.mnemonics("add carry", "subtract borrow", file="v")


class Clobbered(NamedTuple):
    """A condition that nothing reads: its writer, the instruction that overwrites it, and the reader of that.

    condition: a set of registers. setting: a comparison, or the low half of a sum.
    """

    condition: int
    setting: Site
    overwriting: Site
    reader: Site

    @property
    def is_carry(self) -> bool:
        """Whether the condition is the carry of a sum."""
        return self.setting.mnemonic in _LOW_HALVES | _LOW_VECTOR_HALVES


@once
def conditions(program: Program) -> tuple[Clobbered, ...]:
    """The conditions of a program that are overwritten, in program order.

    Those that look like it in straight code are few, so liveness, which costs more, is mostly not asked for.
    """
    graph = graphs.of(program)
    candidates = tuple(_in_straight_code(graph)) if graph is not None else ()
    live = liveness.of(program) if candidates else None
    if live is None:
        return ()
    return tuple(
        each
        for node, each in candidates
        if node not in live.opaque and (each.is_carry or each.setting in dead.in_node(live, node))
    )


_FOLLOWED = 128  # settings that come into a segment; their ways through it are kept with it


class _Followed(NamedTuple):
    """A setting and what follows it so far: the overwriter, None before it, and the reader of that.

    is_over: whether what follows further cannot matter.
    """

    condition: int
    setting: Site
    overwriting: Site | None = None
    reader: Site | None = None
    is_over: bool = False


def _in_straight_code(graph: Graph) -> Iterator[tuple[int, Clobbered]]:
    for stretch in straight.stretches(graph):
        for number, node in enumerate(stretch):
            for each in _in_segment(graph.nodes[node]):
                found = _through(graph, each, stretch[number + 1 :])
                if found.overwriting is not None and found.reader is not None:
                    yield node, Clobbered(found.condition, found.setting, found.overwriting, found.reader)


def _through(graph: Graph, each: _Followed, nodes: straight.Stretch) -> _Followed:
    for node in nodes:
        if each.is_over:
            break
        each = _through_segment(graph.nodes[node], each)
    return each


@recent(_FOLLOWED)
def _through_segment(segment: Segment, each: _Followed) -> _Followed:
    return _after(each, segment, 0)


@once
def _in_segment(segment: Segment) -> tuple[_Followed, ...]:
    """The settings of a segment, each followed to its end, without those that are not overwritten for a reader."""
    found = []
    for site in segment.sites:
        condition = _condition_set(site)
        if condition:
            each = _after(_Followed(condition, site), segment, site.index + 1)
            if not each.is_over or each.reader is not None:
                found.append(each)
    return tuple(found)


def _condition_set(site: Site) -> int:
    """The registers of the condition that an instruction is there to set; none for others."""
    if site.mnemonic in _LOW_HALVES:
        return registers.SCC
    if site.mnemonic in _LOW_VECTOR_HALVES:
        return site.effects.writes & registers.SGPRS
    if not site.mnemonic.startswith(comparisons.STARTS):
        return registers.NONE
    return next((mask for mask in _CONDITIONS if not site.effects.writes & ~mask), registers.NONE)


def _after(each: _Followed, segment: Segment, first: int) -> _Followed:
    """A setting followed through the instructions of a segment, from number `first`."""
    condition, overwriting = each.condition, each.overwriting
    writes = each.setting.effects.writes & condition
    low_half = each.setting.effects.writes & ~condition
    for site, result in zip(segment.sites[first:], results.of_segment(segment)[first:], strict=True):
        if result.used & writes:
            is_lost = overwriting is not None and _is_meant(site, each.setting, overwriting, low_half)
            reader = site if is_lost else None
            return each._replace(overwriting=overwriting, reader=reader, is_over=True)
        if result.writes & low_half:  # another value, whose carry counts
            return each._replace(is_over=True)
        if result.writes & writes:
            is_lost = each.setting.mnemonic in _ASKING or bool(result.writes & ~condition)
            if overwriting is not None or not (result.is_computed and is_lost):
                return each._replace(is_over=True)
            overwriting = site
    return each._replace(overwriting=overwriting)


def _is_meant(reader: Site, setting: Site, overwriting: Site, low_half: int) -> bool:
    """Whether a reader of a condition asks for a comparison, or is the high half to the low half of a sum.

    Of scalar sums the second one may be meant, unless the sources of the first are pairs with those of the high half.
    """
    if setting.mnemonic in _LOW_VECTOR_HALVES:
        return reader.mnemonic in _HIGH_VECTOR_HALVES and _are_pairs(setting, reader)
    if low_half:
        is_high = reader.mnemonic in _HIGH_HALVES and reader.effects.writes & registers.SGPRS == low_half << 1
        return is_high and (overwriting.mnemonic not in _LOW_HALVES or _are_pairs(setting, reader))
    return (
        reader.effects.flow == "conditional"
        or reader.mnemonic.startswith(comparisons.SELECTIONS)
        or bool(reader.mnemonic in control_flow.LEAVES_LANES and reader.effects.writes & registers.EXEC)
    )


_SOURCES = ("src0", "src1")


def _are_pairs(low: Site, high: Site) -> bool:
    """Whether each register of a high half is the one after that of the low half, of one source at least."""
    first, second = (
        {each.slot: each for each in site.item.instruction.operands} if site.item.instruction is not None else {}
        for site in (low, high)
    )
    to = "vdst" if "vdst" in second else "sdst"
    if not all(name in first and name in second for name in (to, *_SOURCES)):
        return False
    registers_of = [name for name in _SOURCES if second[name].file]  # the others are constants, zero mostly
    return bool(registers_of) and all(_is_next(first[name], second[name]) for name in (to, *registers_of))


def _is_next(low: Operand, high: Operand) -> bool:
    return (low.file, low.first + 1) == (high.file, high.first)
