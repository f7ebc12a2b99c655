"""The few instructions of a segment that decide about LDS: accesses, waits, barriers, and what addresses are made of.

Question: which instructions of a segment change what is known of LDS, of the counters, or of the wanted registers?
Direction: forward, through one segment.
May or must: may; an instruction that may write a wanted register is one of them.
Ignored: values that do not reach an address of LDS or the condition of a branch.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_

from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.machine.effects import Model
from gcn_lsp.flow.kept import latest, once
from gcn_lsp.instruction.model import Operand
from gcn_lsp.isa.machine import barriers, control_flow, roles, word_operations
from gcn_lsp.isa.memory import lds_accesses
from gcn_lsp.isa.memory.lds_accesses import LdsAccess
from gcn_lsp.isa.waits import wait_events
from gcn_lsp.program.kernels import lds_usage
from gcn_lsp.records import NamedTuple


class Touch(NamedTuple):
    """An access of LDS by an instruction. address: the bit of the register with it. offsets: added to it, in bytes."""

    access: LdsAccess
    address: int
    offsets: tuple[int, ...]


class ComputedWord(NamedTuple):
    """A word that an instruction computes: into the register `to`, by a formula of `word_operations`."""

    to: int
    formula: tuple[str, ...]
    sources: tuple[tuple[str, "int | None", int], ...]  # name, register or None, constant

    @property
    def read(self) -> Iterator[int]:
        """The registers that it reads."""
        return (register for _, register, _ in self.sources if register is not None)


class Comparison(NamedTuple):
    """A comparison that a branch depends on: the relation, and its two sources as in `ComputedWord`."""

    relation: str
    sources: tuple[tuple[str, "int | None", int], ...]


class LdsStep(NamedTuple):
    """An instruction that counts. written: its registers among the wanted ones. counts: whether counters change.

    number: of the instruction in its segment, from 0. lanes: the comparison in whose lanes EXEC remains.
    """

    site: Site
    number: int
    written: int
    counts: bool
    touch: "Touch | None"
    operations: tuple[ComputedWord, ...]
    comparison: "Comparison | None"
    lanes: "Comparison | None" = None


@once
def accesses(segment: Segment) -> tuple[tuple[Site, Touch], ...]:
    """The accesses of LDS in a segment whose address is in a register."""
    return tuple((site, touch) for site in segment.sites if site.effects.events and (touch := _touch(site)) is not None)


Unread = tuple[tuple[Site, int], ...]  # reads of LDS with the registers that they write


def unread_after(segment: Segment, before: Unread) -> Unread:
    """The reads of LDS whose data nothing has read at the end of a segment. before: those at its start."""
    if before:
        used = _read_in(segment)
        before = tuple(each for each in before if not each[1] & used)
    return before + _left_unread(segment)


@once
def _read_in(segment: Segment) -> int:
    return reduce(or_, (site.effects.reads for site in segment.sites), 0)


@once
def _left_unread(segment: Segment) -> Unread:
    """The reads of LDS into registers that nothing in the segment reads after them, with the registers."""
    reads = {site for site, touch in accesses(segment) if touch.access.reads and not touch.access.writes}
    found, used = [], 0
    for site in reversed(segment.sites):
        if site in reads:
            data = site.effects.writes
            for event in site.effects.events:
                data |= event.writes
            if data and not data & used:
                found.append((site, data))
        used |= site.effects.reads
    return tuple(found)


def is_copy(site: Site) -> bool:
    """Whether an instruction copies between memory and LDS."""
    return any(event.kind in _COPIES for event in site.effects.events)


def _has_copy(segment: Segment, _: Model) -> "bool | None":
    return any(is_copy(site) for site in segment.sites if site.effects.events) or None


_COPIES = wait_events.LDS_FILLS | wait_events.LDS_COPIES
copies = in_segments(_has_copy)
"""The nodes of a program that copy between memory and LDS."""


def _has_access(segment: Segment, _: Model) -> "bool | None":
    return bool(accesses(segment)) or None


accesses_lds = in_segments(_has_access)
"""The nodes of a program that access LDS under an address in a register."""


def writers(graph: Graph) -> Iterator[Site]:
    """The instructions that may write to LDS, whatever their address."""
    for segment in graph.nodes:
        for site in segment.sites:
            form = site.item.instruction.form if site.item.instruction is not None else None
            if form is None or not form.may_store or site.effects.is_lane_exchange:
                continue
            if any(event.row in wait_events.LDS_WRITERS or event.kind in _COPIES for event in site.effects.events):
                yield site


def used_unwritten(graph: Graph, opaque: frozenset[int], entry: int) -> "Site | None":
    """The first instruction from a kernel's start that needs what is in LDS, if none writes there; else None.

    None also if control goes where nobody knows. A FLAT store may write to LDS.
    """
    nodes = sorted(graph.reached((entry,)))
    if not opaque.isdisjoint(nodes) or not graph.open_ends.isdisjoint(nodes):
        return None
    used: Site | None = None
    for node in nodes:
        segment = graph.nodes[node]
        if segment.flow in ("call", "jump"):
            return None
        for site, needs in _uses(segment):
            if not needs:
                return None
            used = used or site
    return used


@once
def _uses(segment: Segment) -> tuple[tuple[Site, bool], ...]:
    """The instructions of a segment that use LDS, and whether they need what is there; the others write."""
    found = []
    for site in segment.sites:
        form = site.item.instruction.form if site.item.instruction is not None else None
        if form is None or not site.effects.events or site.effects.is_lane_exchange:
            continue
        rows = {event.row for event in site.effects.events}
        if wait_events.LDS_ROW in rows and form.may_load and not _is_gds(site):
            found.append((site, not form.may_store or lds_accesses.adds(form.mnemonic)))
        elif form.may_store and (rows & wait_events.LDS_WRITERS or is_copy(site)):
            found.append((site, False))
    return tuple(found)


def _is_gds(site: Site) -> bool:
    return any(operand.slot == "gds" and operand.value for operand in site.operands)


uses_lds = in_segments(lambda segment, _: any(needs for _, needs in _uses(segment)) or None)
"""The nodes of a program that need what is in LDS."""


def _touch(site: Site) -> "Touch | None":
    instruction = site.item.instruction
    form = instruction.form if instruction is not None else None
    if instruction is None or form is None:
        return None
    events = site.effects.events
    access = lds_accesses.of(form, frozenset(event.row for event in events), frozenset(event.kind for event in events))
    if access is None:
        return None
    offsets = lds_usage.offsets(instruction, form)
    if access.base == "m0":
        return Touch(access, _bit(registers.M0), offsets)
    operand = next((each for each in instruction.operands if each.slot == access.slot), None)
    if operand is None or operand.kind != "register":
        return None
    if access.base == "descriptor":
        return Touch(access, _bit(registers.of_tuple(operand.file, operand.first + 1, 1)), (0,))
    return Touch(access, _bit(site.effects.slot(access.slot)), offsets)


def _bit(register: int) -> int:
    return (register & -register).bit_length() - 1


_LONG_MOVES = roles.mnemonics("move", file="s", bits=64)
_COMPUTING = word_operations.FORMULAS.keys() | _LONG_MOVES


@once
def _computing(segment: Segment) -> tuple[Site, ...]:
    """The instructions of a segment that may compute words."""
    return tuple(site for site in segment.sites if site.mnemonic in _COMPUTING or site.mnemonic.startswith(roles.HALF))


@once
def _asked_for(_: Segment) -> dict[Site, tuple[ComputedWord, ...]]:
    """The results of `_operations`; nobody asks about most instructions."""
    return {}


def _operations(segment: Segment, site: Site) -> tuple[ComputedWord, ...]:
    """The words that an instruction of a segment computes."""
    found = _asked_for(segment)
    known = found.get(site)
    if known is None:
        known = found[site] = tuple(computed(site))
    return known


def computed(site: Site) -> Iterator[ComputedWord]:
    """The words that an instruction computes."""
    name = site.mnemonic
    operands = site.operands
    if name.startswith(roles.HALF):
        names = [name, *(each.slot for each in operands if each.slot.startswith(roles.HALF))]
        for half, suffix in zip(names, "XY", strict=False):
            yield from _made(half, [each for each in operands if each.slot.endswith(suffix)], ("vdst",))
        return
    if name in _LONG_MOVES and operands[1].kind == "register":
        to, source = operands[:2]
        for word in range(2 if to.file == source.file == "s" else 0):
            yield ComputedWord(_register(to) + word, ("a",), (("a", _register(source) + word, 0),))
    elif _is_plain(site):
        yield from _made(name, operands, ("vdst", "sdst"))


def _is_plain(site: Site) -> bool:
    """Whether an instruction computes on whole registers of its own lane, without saturation."""
    form = site.item.instruction.form if site.item.instruction is not None else None
    is_clamped = any(each.slot == "clamp" for each in site.operands)
    return form is not None and form.variant in word_operations.PLAIN and not is_clamped


def _toggling(segment: Segment) -> "tuple[int, ...] | None":
    found = (each for site in segment.sites if "xor" in site.mnemonic for each in _operations(segment, site))
    return (
        tuple(
            number
            for each in found
            if each.formula[-1] == word_operations.XOR and any(source == each.to for _, source, _ in each.sources)
            for _, source, number in each.sources
            if source is None
        )
        or None
    )


toggles = in_segments(lambda segment, _: _toggling(segment))
"""The nodes that combine registers with numbers by XOR and write them back, with the numbers: buffers in turn."""


_SOURCES = ("src", "ssrc", "vsrc", "simm16")


def _made(name: str, operands: Sequence[Operand], results: tuple[str, ...]) -> Iterator[ComputedWord]:
    formula = word_operations.FORMULAS.get(name)
    if formula is None or not operands or not operands[0].slot.startswith(results):
        return
    to = _register(operands[0])
    sources = _sources(each for each in operands[1:] if each.slot.startswith(_SOURCES))
    if sources is not None and to >= 0:
        yield ComputedWord(to, formula, (*sources, ("d", to, 0)) if "d" in formula else sources)


def _sources(operands: "Iterator[Operand]") -> "tuple[tuple[str, int | None, int], ...] | None":
    found: list[tuple[str, int | None, int]] = []
    for name, operand in zip("abc", operands, strict=False):
        if type(operand.value) is int and operand.kind in ("immediate", "literal"):
            found.append((name, None, operand.value & 0xFFFF_FFFF))
        elif operand.kind == "register" and operand.count <= 1 and (register := _register(operand)) >= 0:
            found.append((name, register, 0))
        else:
            return None
    return tuple(found)


def _register(operand: Operand) -> int:
    """The bit of the first register of an operand; -1 for one without state."""
    return _bit(registers.of_tuple(operand.file, operand.first, 1))


@once
def condition(segment: Segment) -> "tuple[Site, Comparison] | None":
    """The comparison of two words that the branch at the end of a segment depends on."""
    if segment.flow != "conditional" or segment.sites[-1].mnemonic not in control_flow.SCC_BRANCHES:
        return None
    last = next((site for site in reversed(segment.sites) if site.effects.writes & registers.SCC), None)
    relation = word_operations.COMPARISONS.get(last.mnemonic) if last is not None else None
    if last is None or relation is None:
        return None
    sources = _sources(each for each in last.operands if each.slot.startswith(_SOURCES))
    return (last, Comparison(relation, sources)) if sources is not None and len(sources) == 2 else None


@once
def narrowed(segment: Segment) -> dict[Site, Comparison]:
    """The instructions of a segment that leave only the lanes of a comparison in EXEC, each with that.

    The comparison is in the segment too, and nothing in between writes what it compares or its result.
    """
    found: dict[Site, Comparison] = {}
    for site in segment.sites:
        if site.mnemonic in control_flow.LEAVES_LANES and site.effects.writes & registers.EXEC:
            compared = _compared_for(segment, site)
            if compared is not None:
                found[site] = compared
    return found


def _compared_for(segment: Segment, narrowing: Site) -> "Comparison | None":
    sources = [narrowing.effects.slot(name) for name in ("src0", "src1")]
    masks = [mask for mask in sources if mask and not mask & registers.EXEC]
    has_exec = narrowing.mnemonic not in control_flow.ANDS or any(mask & registers.EXEC for mask in sources)
    if len(masks) != 1 or not has_exec:
        return None
    written = registers.NONE
    for site in reversed(segment.sites[: narrowing.index]):
        if site.effects.writes & masks[0]:
            relation = word_operations.LANE_COMPARISONS.get(site.mnemonic)
            if relation is None or site.effects.writes & registers.SGPRS != masks[0] or site.effects.reads & written:
                return None
            compared = _sources(each for each in site.operands if each.slot.startswith(_SOURCES))
            is_whole = compared is not None and len(compared) == len("ab") and _is_plain(site)
            return Comparison(relation, compared) if compared is not None and is_whole else None
        written |= site.effects.writes
        if not site.effects.known:
            return None
    return None


def wanted(graph: Graph) -> int:
    """The registers from which addresses of LDS and the conditions of branches are computed, as a set.

    Those are among them that comparisons read whose lanes remain in EXEC, and those that keep the mask of before.
    """
    found = 0
    every = [(segment, site) for segment in graph.nodes for site in _computing(segment)]
    for segment in graph.nodes:
        for _, touch in accesses(segment):
            found |= 1 << touch.address
        compared = condition(segment)
        if compared is not None:
            for _, register, _ in compared[1].sources:
                found |= 1 << register if register is not None else 0
        for site, lanes in narrowed(segment).items():
            found |= site.effects.writes & registers.SGPRS
            for _, register, _ in lanes.sources:
                found |= 1 << register if register is not None else 0
    before = 0
    while found != before:
        before = found
        for segment, site in reversed(every):
            for operation in _operations(segment, site) if site.effects.writes & found else ():
                if found >> operation.to & 1:
                    for register in operation.read:
                        found |= 1 << register
    return registers.same(found)


@latest
def of_segment(
    segment: Segment, wanted_registers: int, behind_data: frozenset[Site] = frozenset()
) -> tuple[LdsStep, ...]:
    """The steps of a segment. behind_data: instructions with data before them, which are steps whatever they do."""
    touches = dict(accesses(segment))
    computing = frozenset(_computing(segment))
    compared = condition(segment)
    lanes = narrowed(segment)
    found = []
    for number, site in enumerate(segment.sites):
        effects = site.effects
        written = effects.writes & (wanted_registers | registers.EXEC)
        touch = touches.get(site)
        counts = bool(effects.events or effects.waits or effects.settles or effects.drains or effects.is_any_wait)
        comparison = compared[1] if compared is not None and compared[0] is site else None
        is_barrier = barriers.arrives(site.mnemonic) or barriers.completes(site.mnemonic)
        if (
            written
            or touch is not None
            or counts
            or comparison is not None
            or is_barrier
            or not effects.known
            or site in behind_data
        ):
            operations = _operations(segment, site) if written and site in computing else ()
            own = tuple(each for each in operations if written >> each.to & 1)
            found.append(LdsStep(site, number, written, counts, touch, own, comparison, lanes.get(site)))
    return tuple(found)
