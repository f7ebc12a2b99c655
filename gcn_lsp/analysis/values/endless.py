"""Finds loops whose conditions cannot change: they run once, or never end.

Question: which loop is left only by branches whose condition is the same in every round?
Direction: backward, from a branch back to the head of its loop: what lies between is the loop.
May or must: must; no instruction of the loop writes what the conditions compare, or scalar instructions compute it from
what none writes, from constants, and from the kernel's arguments.
Ignored: loops whose branch back is not the one that may leave them, since ways out of persistent kernels look like it
(MIOpen's Winograd), unless an `s_branch` leads back and one scalar comparison, of registers that the loop does not
write, decides the only way out; loops that a call, a jump or unknown code is part of, loops with two heads, conditions
that are no comparison of registers or constants, and those on EXEC where the wave waits for the hardware to write it.
"""

from collections.abc import Callable, Iterator

from gcn_lsp.analysis import bounds
from gcn_lsp.analysis.control import loops, straight
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.loops import Loop
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine import registers, results
from gcn_lsp.analysis.machine.effects import Model
from gcn_lsp.analysis.values import kernel_inputs, preserved, reaching
from gcn_lsp.instruction.model import Operand
from gcn_lsp.isa.machine import control_flow
from gcn_lsp.isa.modifiers.cache_policy import SCALAR_FAMILIES
from gcn_lsp.program.kernels import inputs
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple


class Endless(NamedTuple):
    """A branch back to the head of a loop, and the comparison that it depends on; None if the loop has none.

    compared: the registers that the comparison reads, none if it has one result whatever they are; none without a
    comparison if no branch leaves the loop. computed: those that the loop writes, with the same value in each round.
    reset: the one instruction of the loop that sets such a register anew, after which others count it.
    """

    branch: Site
    comparison: Site | None
    compared: int
    computed: int = registers.NONE
    reset: Site | None = None


def found(program: Program, graph: Graph, opaque: frozenset[int]) -> Iterator[Endless]:
    """The loops of a program that cannot be left after the first round, or at all, by their branches back."""
    entries = frozenset(graph.entries)
    for node, loop, _ in _loops(graph):
        if not opaque.isdisjoint(loop.body) or any(each in entries for each in loop.body if each != loop.head):
            continue
        condition = _same_in_each_round(program, graph, loop.body, node)
        if condition is not None:
            yield condition
    for _, loop, condition in _jumps(graph):
        if opaque.isdisjoint(loop.body) and not any(each in entries for each in loop.body if each != loop.head):
            yield condition
    for node, loop, _ in _never_left(graph):
        if opaque.isdisjoint(loop.body):
            yield Endless(graph.nodes[node].sites[-1], None, registers.NONE)


def _branch_in(segment: Segment, _: Model) -> "Site | None":
    """The conditional branch that ends a segment, unless the segment itself changes the lanes that it depends on."""
    if segment.flow != "conditional" or segment.sites[-1].mnemonic not in registers.TESTED:
        return None
    if segment.sites[-1].mnemonic in control_flow.SCC_BRANCHES:
        return segment.sites[-1]
    written = registers.NONE
    for site in segment.sites:
        written |= site.effects.writes
    return segment.sites[-1] if _condition(segment.sites, written) is not None else None


_branches = in_segments(_branch_in)


_branches_back = in_segments(
    lambda segment, _: segment.sites[-1] if segment.flow == "branch" and segment.sites else None
)


def _may_be_the_same(graph: Graph, loop: Loop, node: int) -> bool:
    """Whether no register that the branch depends on is computed from itself alone in each round, as in most loops."""
    if len(graph.successors[node]) != len(("next", "target")):
        return False
    branch = graph.nodes[node].sites[-1]
    condition = registers.TESTED[branch.mnemonic]
    comparison = next((each for each in straight.back(graph, branch) if each.effects.writes & condition), None)
    if comparison is None or loop.body.issuperset(graph.successors[node]) or _has_one_result(comparison):
        return True
    wanted = comparison.effects.reads & registers.SGPRS
    written = again = registers.NONE
    steps = []
    for each in loop.body:
        for site in graph.nodes[each].sites:
            part = site.effects.writes & wanted
            if part:
                steps.append(site)
                written, again = written | part, again | (written & part)
    once = written & ~again
    return not any(site.effects.writes & site.effects.reads & once and _is_pure(site) for site in steps)


_loops = loops.in_loops(_branches, loops.closed_by, _may_be_the_same)


def _only_way_out(graph: Graph, loop: Loop, _: int) -> "Endless | None":
    """The branch that alone may leave a loop, if it depends on SGPRs that nothing in the loop writes."""
    ends = [node for node in loop.body if not loop.body.issuperset(graph.successors[node])]
    if len(ends) != 1 or any(node in graph.open_ends or node in graph.fallen for node in loop.body):
        return None
    branch = graph.nodes[ends[0]].sites[-1] if graph.nodes[ends[0]].sites else None
    if branch is None or branch.mnemonic not in control_flow.SCC_BRANCHES:
        return None
    comparison = next((each for each in straight.back(graph, branch) if each.effects.writes & registers.SCC), None)
    if comparison is None or comparison.mnemonic not in control_flow.COMPARES or _has_one_result(comparison):
        return None
    compared, works = comparison.effects.reads, False
    if not compared or compared & ~registers.SGPRS or graph.node_of(comparison.segment) not in loop.body:
        return None
    for node in loop.body:
        for site in graph.nodes[node].sites:
            is_other = site.mnemonic in control_flow.STOPS or site.mnemonic in control_flow.AWAITS_HARDWARE
            if is_other or not site.effects.known or site.effects.flow in _LEAVING or site.effects.writes & compared:
                return None
            works = works or bool(site.effects.writes & ~registers.SCC)
    return Endless(branch, comparison, compared) if works else None


_jumps = loops.in_loops(_branches_back, loops.closed_by, _only_way_out)


def _is_never_left(graph: Graph, loop: Loop, _: int) -> bool:
    """Whether nothing in a loop leads out of it, and it works: a wave that shall hang for a debugger only waits."""
    works = False
    for node in loop.body:
        if node in graph.open_ends or node in graph.fallen or not loop.body.issuperset(graph.successors[node]):
            return False
        for site in graph.nodes[node].sites:
            if not site.effects.known or site.effects.flow in _LEAVING or site.mnemonic in control_flow.STOPS:
                return False
            works = works or bool(site.effects.writes)
    return works


_LEAVING = ("call", "jump", "end")
_never_left = loops.in_loops(_branches_back, loops.round_of, _is_never_left)


_IsSame = Callable[[Site, int], bool]


class _Condition(NamedTuple):
    comparison: Site | None
    compared: int
    computed: int = registers.NONE


def _condition(
    sites: "list[Site]", written: int, awaited: int = registers.NONE, is_same: "_IsSame | None" = None
) -> "_Condition | None":
    """The condition of the branch at the end of some instructions; None if it may change.

    written: the registers that the loop writes. awaited: those that the hardware may write while the loop waits.
    is_same: whether registers hold the same before an instruction in each round.
    """
    condition = registers.TESTED[sites[-1].mnemonic]
    place = next((place for place in range(len(sites) - 2, -1, -1) if sites[place].effects.writes & condition), None)
    if place is None:
        return None if (written | awaited) & condition else _Condition(None, condition)
    writer = sites[place]
    if not control_flow.COMPARISONS.fullmatch(writer.mnemonic):
        return None
    compared = registers.NONE if _has_one_result(writer) else writer.effects.reads
    if not writer.effects.known or any(map(_is_outside, writer.operands)):
        return None
    if compared & (written | awaited):
        varying = _varying(sites[:place], written | awaited)
        if writer.mnemonic not in control_flow.COMPARES:  # a vector comparison reads EXEC, but does not wait for it
            varying &= written | ~awaited
        if compared & varying and (is_same is None or not is_same(writer, compared & varying)):
            return None
    return _Condition(writer, compared, registers.within(compared, written))


def _varying(sites: "list[Site]", written: int) -> int:
    """The registers of `written` that may differ from round to round after some instructions of the loop in a row."""
    varying = written
    for site in sites:
        result = results.of_site(site)
        alike = result.replaced if _is_pure(site) and not result.used & varying else registers.NONE
        varying = registers.within(varying | result.may_write, ~alike)
    return varying


def _is_pure(site: Site) -> bool:
    """Whether the results of a scalar instruction follow from the registers that it reads."""
    instruction = site.item.instruction
    if instruction is None or instruction.form is None or "SALU" not in instruction.form.flags:
        return False
    return results.of_site(site).is_computed and not any(map(_is_outside, site.operands))


_BIT = "bit_"  # the question for a bit that the other operand chooses


def _has_one_result(comparison: Site) -> bool:
    """Whether a scalar comparison of integers is of one register with itself, or with a limit: no `x` is below 0."""
    question, _ = control_flow.COMPARES.get(comparison.mnemonic, (_BIT, False))
    if question.startswith(_BIT):
        return False
    pair = comparison.operands[:2]
    one, other = ((each.kind, each.file, each.first, each.count) for each in pair)
    if one[0] == "register" and one == other:
        return True
    limits = zip(pair, control_flow.NEVER.get(question, ()), strict=False)  # those of equality have none
    return any(type(each.value) is int and each.value % (1 << 32) == limit for each, limit in limits)


def _is_outside(operand: Operand) -> bool:
    """Whether an operand is no register of the wave, and no constant: `src_lds_direct` reads LDS, others the time."""
    return operand.kind == "register" and operand.file.startswith("src_")


class _Rounds:
    """What the rounds of a loop compute again and again."""

    def __init__(self, program: Program, graph: Graph, body: frozenset[int]) -> None:
        self._program = program
        self._graph = graph
        self._body = body
        self._open: set[tuple[int, int]] = set()

    def is_same(self, site: Site, wanted: int) -> bool:
        """Whether SGPRs hold the same before an instruction in each round, whatever other instructions do."""
        node = self._graph.node_of(site.segment)
        if node is None or wanted & ~registers.SGPRS:
            return False
        while wanted:
            register = wanted & -wanted
            wanted ^= register
            key = (id(site), register)
            if key in self._open or len(self._open) > bounds.STEPS:
                return False  # it depends on the round before
            self._open.add(key)
            try:
                if not self._is_same(node, site, register):
                    return False
            finally:
                self._open.discard(key)
        return True

    def _is_same(self, node: int, site: Site, register: int) -> bool:
        kept = preserved.kept_by_calls(self._program, self._graph)
        writers = reaching.before(self._program, self._graph, node, site.index, register, kept)
        inside = [each for each in writers.sites if self._graph.node_of(each.segment) in self._body]
        if writers.by_unknown:
            return False
        if not inside:
            return True
        if len(inside) < len(writers.sites) or writers.from_entry or len(inside) > 1:
            return False
        (writer,) = inside
        if _is_pure(writer):
            return self.is_same(writer, writer.effects.reads)
        return self._loads_an_argument(writer)

    def _loads_an_argument(self, site: Site) -> bool:
        """Whether an instruction loads an argument of the kernel, which nothing changes while it runs."""
        form = site.item.instruction.form if site.item.instruction is not None else None
        if form is None or form.family not in SCALAR_FAMILIES or not site.effects.writes:
            return False
        base, *others = [
            each for each in site.operands if each.kind == "register" and each.slot not in ("sdst", "sdata")
        ]
        held = kernel_inputs.held_at(self._program, self._graph, site, base)
        return bool(held) and not others and all(each.input.title == inputs.KERNARG_POINTER for each in held)


def _same_in_each_round(program: Program, graph: Graph, body: frozenset[int], last: int) -> "Endless | None":
    written = awaited = registers.NONE
    for node in body:
        for site in graph.nodes[node].sites:
            if not site.effects.known or site.effects.flow in ("call", "jump"):
                return None
            written |= site.effects.writes
            if site.mnemonic in control_flow.AWAITS_HARDWARE:
                awaited = registers.EXEC
    found: Endless | None = None
    rounds = _Rounds(program, graph, body)
    for node in sorted(body):
        if node in graph.open_ends or node in graph.fallen:
            return None
        if body.issuperset(graph.successors[node]):
            continue
        branch = graph.nodes[node].sites[-1] if graph.nodes[node].sites else None
        if branch is None or branch.mnemonic not in registers.TESTED:
            return None
        before = list(straight.back(graph, branch))[::-1]
        condition = _condition([*before, branch], written, awaited, rounds.is_same)
        if condition is None:
            return None
        if node == last:
            found = Endless(branch, *condition, _reset(graph, body, condition.computed))
    return found


def _reset(graph: Graph, body: frozenset[int], computed: int) -> "Site | None":
    """The one instruction of a loop that sets a register to what is no count of it, while others count it."""
    writers = [site for node in body for site in graph.nodes[node].sites if site.effects.writes & computed]
    counting = [site for site in writers if site.effects.writes & site.effects.reads & computed]
    others = [site for site in writers if site not in counting]
    return others[0] if counting and len(others) == 1 else None
