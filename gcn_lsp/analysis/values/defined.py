"""Finds which registers some path from a kernel's entry may have written; a read of any other was never set.

A part of a register counts as all of it, a write in some lanes as one in all. Called functions and unknown code may
write everything; an instruction that does not assemble what it names, if its result can be read. Control that goes to
an address in registers may arrive at every label.

Question: which registers may have been written on some path from the kernel's entry?
Direction: forward.
Lattice and join: sets of registers; the union.
May or must: may; a register that no path writes was never set.
Ignored: parts of registers, lanes, and which path was taken.
An instruction that adds to a register gives it no value, so a loop that only adds to it does not either.
"""

from collections.abc import Iterator
from functools import reduce
from operator import or_

from gcn_lsp import isa
from gcn_lsp.analysis import bounds
from gcn_lsp.analysis.control import solutions, straight
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine import registers, results
from gcn_lsp.analysis.machine.results import EVERYTHING, Result
from gcn_lsp.analysis.values import readers
from gcn_lsp.flow.kept import ByIdentity, latest
from gcn_lsp.instruction import assembler
from gcn_lsp.instruction.model import Instruction
from gcn_lsp.instruction.operands import OperandReader
from gcn_lsp.instruction.values import Scope
from gcn_lsp.isa.machine import control_flow, register_results, roles
from gcn_lsp.program.kernels import inputs
from gcn_lsp.program.kernels.resources import Resources
from gcn_lsp.program.program import Program
from gcn_lsp.syntax import nodes

# Only these have no value at the start; the hardware sets up the others, or their value depends on it.
_JUDGED = registers.ALL_ACCUMULATORS | registers.SGPRS | registers.SCC | registers.M0 | registers.vectors(EVERYTHING)

_CARRIED = _JUDGED & ~(registers.SCC | registers.VCC)  # those that an accumulator can be


def at_entry(target: isa.Target, resources: Resources) -> "int | None":
    """The registers with a value at a kernel's start; None if its descriptor does not say.

    User SGPRs for which the descriptor requests nothing may be what another loader sets. Where hardware wants 16 of
    them, they are only there to fill up.
    """
    if resources.user_sgprs is None or resources.values.get("system_vgpr_workitem_id") is None:
        return None
    found = EVERYTHING ^ _JUDGED
    given = resources.user_sgprs
    if target.needs_16_user_sgprs:
        requested = inputs.requested_user_sgprs(target, resources.values)
        given = given if requested is None else requested
    for each in resources.inputs:
        found |= registers.of_tuple(each.file, each.first, each.count)
    return found | registers.of_tuple("s", 0, given)


def sets_up_scratch(site: Site, missing: int, resources: Resources) -> bool:
    """Whether an instruction sets up scratch with the wave's offset, as compilers do where nothing uses it too."""
    held = [each for each in resources.inputs if each.title in inputs.OF_SCRATCH]
    if not held or resources.user_sgprs is None:
        return False
    ends = [each.first + each.count for each in resources.inputs if each.file == "s"]
    offset = registers.of_tuple("s", max(resources.user_sgprs, *ends), 1)
    places = (registers.of_tuple(each.file, each.first, each.count) for each in held)
    scratch = reduce(or_, places, registers.of_tuple("flat_scratch", 0, 2))
    return missing == offset and bool(site.effects.touches & scratch)


def opaque(program: Program, graph: Graph) -> frozenset[int]:
    """The nodes with data among the code, or with instructions of which nobody knows what they write."""
    unread = {node for node, _ in _unread(graph)}
    return straight.around(graph, unread) | results.with_data(program, graph)


_unread = in_segments(
    lambda segment, model: any(_written_by_unknown(site, model.target) < 0 for site in segment.sites) or None
)


def _written_by_unknown(site: Site, target: isa.Target) -> int:
    """The registers that an instruction with unknown effects may write; none for another one.

    If it does not assemble, these are the ones that it names and those after its result: the result may have another
    width. Everything if its mnemonic or its result cannot be read.
    """
    if site.effects.known:
        return registers.NONE
    instruction = site.item.instruction
    return EVERYTHING if instruction is None or instruction.form is not None else _named(instruction, target)


_BITS = 32  # of a register
_BESIDES = registers.SCC | registers.VCC | registers.M0  # what instructions write without naming it
_named_by: ByIdentity[int] = ByIdentity()


def _named(instruction: Instruction, target: isa.Target) -> int:
    known = _named_by.get(id(instruction))
    return known.result if known is not None else _named_by.keep(instruction, _find_named(instruction, target))


def _find_named(instruction: Instruction, target: isa.Target) -> int:
    statement = instruction.statement
    context = assembler.context_of(target)
    forms = [each.form for each in context.candidates(statement.word).matchers] if instruction.judged else []
    leaves = roles.WRITES_PC | control_flow.FLOWS.keys() | register_results.INDIRECT_WRITES
    if not forms or any(form.mnemonic in leaves for form in forms):
        return EVERYTHING
    classes = [slot.kind.registers for form in forms for slot in form.slots[:1] if slot.kind is not None]
    widest = max((each.bits // _BITS for each in classes if each is not None), default=1)
    reader = OperandReader(context.names, Scope(target, {}))
    arguments = [reader.read(node) for node in statement.operands]
    found = _BESIDES
    for number, (argument, node) in enumerate(zip(arguments, statement.operands, strict=True)):
        register = argument.register
        if register is not None:
            count = max(register.count, widest if not number and not register.is_special else 1)
            found |= registers.of_tuple(register.file, register.first, count)
        elif not number or type(node) is nodes.Index:
            return EVERYTHING
    return found if arguments else EVERYTHING


def unset_reads(
    graph: Graph, opaque: frozenset[int], entry: int, at_start: int, *, is_compiled: bool = False
) -> Iterator[tuple[Site, int]]:
    """Reachable instructions of a kernel that read what no path to them has written, with these registers.

    entry: the kernel's node; at_start: the registers with a value there. Each register is reported once. is_compiled:
    whether a compiler wrote the kernel. Moves are no reads there: it moves what has no value on a path that needs none.
    """
    reported = registers.NONE
    target = graph.model.target
    features = target.features

    def pass_through(segment: "Segment | None", state: int) -> tuple[int, bool]:
        if segment is None:
            return EVERYTHING, False
        read, written = _exposed(segment, target)
        after = EVERYTHING if segment.flow == "call" else registers.union(state, written)
        return after, bool(read & ~state)

    known: list[Segment | None] = list(graph.nodes)
    for node in opaque:
        known[node] = None
    found = solutions.of(
        graph,
        (unset_reads, entry),
        {entry: at_start},
        pass_through,
        registers.union,
        values=known,
        jumps_to_labels=True,
    )
    for node, is_suspect in enumerate(found.results):
        if not is_suspect:
            continue
        state, segment = found.before[node], graph.nodes[node]
        assert state is not None, "what has a result was reached"
        for site, result in zip(segment.sites, results.of_segment(segment), strict=True):
            is_copy = is_compiled and readers.moves(site)
            missing = _used(site, result, features) & ~state & ~reported if not is_copy else registers.NONE
            if missing:
                missing &= _judged_reads(site, state)
            if missing and _copies_a_tuple(segment, site, state):
                missing = registers.NONE
            if missing:
                reported |= missing
                yield site, missing
            state |= _given(site, result, target)


@latest
def _exposed(segment: Segment, target: isa.Target) -> tuple[int, int]:
    """The registers that a segment reads before it writes them, and all that it writes."""
    read = written = registers.NONE
    for site, result in zip(segment.sites, results.of_segment(segment), strict=True):
        read |= _used(site, result, target.features) & ~written
        written |= _given(site, result, target)
    return read & _JUDGED, written


def _given(site: Site, result: Result, target: isa.Target) -> int:
    """The whole registers that an instruction gives a value, whatever they held before.

    An accumulator that is read and written has one after the instruction only if it had one before: that another round
    of a loop wrote it is no help to the first; so with a register that is shifted to the left. Masks of lanes, shifts
    with bits that come in, and choices between two values may never use the part that has none.
    """
    if not site.effects.known:
        return _written_by_unknown(site, target)
    written = _whole(result.may_write)
    carried = result.used & result.writes & _CARRIED
    if result.used < 0 or not carried:
        return written
    if not register_results.accumulates(site.mnemonic) and not register_results.shifts_left(site.mnemonic):
        return written
    return written & ~registers.whole(carried & _same_tuple(site))


def _same_tuple(site: Site) -> int:
    """The registers of operands that are also the result, and of results that the instruction reads without naming
    them; of a tuple that only overlaps with the result, the rest may not matter."""
    effects = site.effects
    results_of = {mask for name, mask in effects.slots if name in effects.defined}
    sources = [mask for name, mask in effects.slots if name not in effects.defined]
    same = tied = registers.NONE
    for mask in sources:
        same |= mask if mask in results_of else registers.NONE
        tied |= mask
    return same | registers.within(effects.reads & effects.writes, ~tied)


def _used(site: Site, result: Result, features: frozenset[str]) -> int:
    """The registers whose value an instruction needs; M0 only if the hardware is known to need it.

    Instructions that do not assemble are not judged: they have a finding of their own.
    """
    if not site.effects.known:
        return registers.NONE
    if result.used & registers.M0 and not _needs_m0(site, features):
        return result.used & ~registers.M0
    return result.used


def _needs_m0(site: Site, features: frozenset[str]) -> bool:
    instruction = site.item.instruction
    return (
        instruction is not None
        and instruction.form is not None
        and register_results.needs_m0(instruction.form, features)
    )


def _whole(writes: int) -> int:
    """The whole registers that are written in part; an infinite set is returned as it is."""
    return registers.whole(writes) if writes >= 0 else writes


def _copies_a_tuple(segment: Segment, site: Site, written: int) -> bool:
    """Whether a move of a pair is one of a run that copies a tuple with some written registers, or one of VGPRs."""
    distance = _distance(site)
    if distance is None:
        return False
    first = last = site.index
    while first and _distance(segment.sites[first - 1]) == distance:
        first -= 1
    while last + 1 < len(segment.sites) and _distance(segment.sites[last + 1]) == distance:
        last += 1
    run = segment.sites[first : last + 1]
    if any(each.effects.reads & _JUDGED & written for each in run):
        return len(run) >= bounds.FEWEST_PARTS
    return len(run) >= bounds.FEWEST_OF_NONE and distance[:2] == ("v", "v")


def _distance(site: Site) -> "tuple[str, str, int] | None":
    """The files of a move of a pair and the distance of their numbers; None if it is not a move."""
    instruction = site.item.instruction
    if instruction is None or instruction.form is None:
        return None
    if instruction.form.mnemonic not in register_results.MOVES_PAIRS:
        return None
    to, source = instruction.operands[0], instruction.operands[1]
    return (to.file, source.file, to.first - source.first) if source.file else None


def _judged_reads(site: Site, written: int) -> int:
    """The registers that an instruction reads and that should have a value.

    A partly written operand of a calculation is not judged: the result may not need the rest, as the low half of a sum
    does not need the high halves. What is shifted to the left is, if something uses the high half of the result.
    """
    instruction = site.item.instruction
    if instruction is None or instruction.form is None:
        return registers.NONE
    form = instruction.form
    if form.mnemonic in register_results.PUTS_AWAY:
        return registers.NONE
    sources = [operand for operand in instruction.operands if operand.slot.startswith("src")]
    if form.mnemonic in register_results.SELF_CLEARING and len(sources) > 1:
        first, *others = ((operand.file, operand.first, operand.count, operand.value) for operand in sources)
        if all(other == first for other in others):
            return registers.NONE
    judged = site.effects.reads & _JUDGED
    if form.mnemonic in register_results.INDIRECT_SOURCES:
        return judged & registers.M0
    needs_all = register_results.is_in_all_lanes(form)  # every element of a matrix has its own register
    if not needs_all and ("VALU" in form.flags or "SALU" in form.flags):
        for name, mask in site.effects.slots:
            if name not in site.effects.defined and mask & written and not _needs_high_half(site, name):
                judged &= ~mask
    return judged


def _needs_high_half(site: Site, name: str) -> bool:
    """Whether an operand is shifted to the left by a few bits, and the next to touch the high half of the result
    calculates with it. Behind the end of a segment nobody knows."""
    if not register_results.shifts_left(site.mnemonic):
        return False
    result, *sources = site.operands
    amount = next((each for each in sources if each.slot != name), None)
    shifted = next((each for each in sources if each.slot == name), None)
    if amount is None or amount.value is None or not 0 <= amount.value < _BITS or shifted is None or shifted.count < 2:
        return False
    high = registers.of_tuple(result.file, result.first + 1, 1)
    for later in site.segment.sites[site.index + 1 :]:
        if later.effects.reads & high:
            return later.effects.known and not readers.moves(later)
        if later.effects.writes & high or later.effects.flow == "call":
            return False
    return False
