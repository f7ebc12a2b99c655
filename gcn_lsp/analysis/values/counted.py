"""Finds the counters of loops: the register that the branch out of a loop compares, and how each round changes it.

Question: on which register does a loop end, which instruction counts it, and while which relation does the loop go on?
Direction: backward, from a branch out of a loop to its comparison, and to the one instruction that counts.
May or must: must; the instruction counts once in each round, and nothing else in the loop writes the counter.
Ignored: counters in VGPRs, in two registers, or behind a copy, and steps that are no constants. For branches that are
taken where they should not be: loops that are also left elsewhere before the branch is reached again, for then it may
only leave out the rest of a round.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import loops, straight
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.loops import Loop
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.machine import arithmetic, registers
from gcn_lsp.analysis.machine.effects import Model, of_operand
from gcn_lsp.analysis.values import reaching
from gcn_lsp.flow.search import Search
from gcn_lsp.instruction.model import Operand
from gcn_lsp.isa.machine import control_flow, word_operations
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple


class Exit(NamedTuple):
    """A branch out of a loop that a counter decides.

    comparison: what sets the condition. question: of the counter and `other`, as in `control_flow.COMPARES`; the loop
    goes on while it `holds`, or does not. other: None for zero. step: the instruction that counts, by `change` in each
    round; None where it shifts, to the left (`is_up`) or to the right.
    """

    loop: Loop
    branch: Site
    comparison: Site
    counter: Operand
    other: "Operand | None"
    question: str
    holds: bool
    step: Site
    change: "int | None"
    is_up: bool


class Inverted(NamedTuple):
    """A branch whose loop ends at once, or goes on while the counter leaves its limit behind."""

    exit: Exit
    is_endless: bool


_MIRRORED = {"lt": "gt", "gt": "lt", "eq": "eq"}
_SHIFTS = {f"s_{name}_b32": name == "lshl" for name in ("lshl", "lshr")}
_FEWEST_ROUNDS = 1 << 12  # until a counter of 32 bits begins again, for a loop that nobody means so


def inverted(program: Program, graph: Graph, opaque: frozenset[int]) -> Iterator[Inverted]:
    """The branches out of loops that are taken where they should not be, as the way of their counters shows."""
    for _, loop, found in _suspects(graph):
        if not opaque.isdisjoint(loop.body) or _comes_back(graph, found):
            continue
        if found.question == "eq_32":
            yield Inverted(found, is_endless=False)
        elif found.question.endswith("i32") or (found.is_up and _is_far_from_the_end(program, graph, found)):
            yield Inverted(found, is_endless=True)


def exits(graph: Graph, loop: Loop) -> "list[Exit] | None":
    """What decides each way out of a loop; None if it is not always a counter, or if there is none."""
    found = []
    for node in loop.body:
        if not loop.body.issuperset(graph.successors[node]):
            one = of_branch(graph, loop, node)
            if one is None:
                return None
            found.append(one)
    return found or None


def is_followed(graph: Graph, opaque: frozenset[int], loop: Loop) -> bool:
    """Whether all that a loop does is known: no call, no jump, no data among its code."""
    return opaque.isdisjoint(loop.body) and not any(
        node in graph.open_ends
        or node in graph.fallen
        or any(not site.effects.known or site.effects.flow in ("call", "jump") for site in graph.nodes[node].sites)
        for node in loop.body
    )


def _branch_in(segment: Segment, _: Model) -> "bool | None":
    return True if segment.flow == "conditional" and segment.sites[-1].mnemonic in control_flow.SCC_BRANCHES else None


_branches = in_segments(_branch_in)


def of_branch(graph: Graph, loop: Loop, node: int) -> "Exit | None":
    """The counter that decides whether control leaves a loop at the end of a node."""
    ways = graph.successors[node]
    branch = graph.nodes[node].sites[-1] if graph.nodes[node].sites else None
    if branch is None or branch.mnemonic not in control_flow.SCC_BRANCHES or len(ways) != len(("next", "target")):
        return None
    stays = [way in loop.body for way in ways]
    if stays[0] == stays[1] or not loops.is_passed_in_each_round(graph, loop, node):
        return None
    on_set = control_flow.SCC_BRANCHES[branch.mnemonic] == stays[1]  # whether the loop goes on if SCC is set
    comparison = next((site for site in straight.back(graph, branch) if site.effects.writes & registers.SCC), None)
    if comparison is None:
        return None
    if comparison.mnemonic in _SHIFTS:  # SCC is whether the result is not zero
        return _counted(graph, loop, branch, comparison, comparison.operands[0], None, "eq_32", holds=not on_set)
    question, is_yes = control_flow.COMPARES.get(comparison.mnemonic, ("", False))
    if not question.endswith("32") or question.startswith("bit") or len(comparison.operands) < len(("one", "other")):
        return None
    one, other = comparison.operands[:2]
    holds = on_set == is_yes
    return _counted(graph, loop, branch, comparison, one, other, question, holds=holds) or _counted(
        graph, loop, branch, comparison, other, one, _MIRRORED[question[:2]] + question[2:], holds=holds
    )


def _counted(
    graph: Graph,
    loop: Loop,
    branch: Site,
    comparison: Site,
    counter: Operand,
    other: "Operand | None",
    question: str,
    *,
    holds: bool,
) -> "Exit | None":
    if counter.file != "s" or counter.count != 1 or (other is not None and other.kind == "register" and not other.file):
        return None
    register, limit = of_operand(counter), of_operand(other) if other is not None else registers.NONE
    step: Site | None = None
    for node in loop.body:
        for site in graph.nodes[node].sites:
            if site.effects.writes & limit:
                return None
            if site.effects.writes & register:
                if step is not None:
                    return None
                step = site
    node_of_step = graph.node_of(step.segment) if step is not None else None
    inner = loops.innermost(graph, node_of_step) if node_of_step is not None else None
    if step is None or node_of_step is None or inner is None or inner.head != loop.head:
        return None
    counts = _change(step, counter)
    if counts is None or not loops.is_passed_in_each_round(graph, loop, node_of_step):
        return None
    return Exit(loop, branch, comparison, counter, other, question, holds, step, *counts)


def _change(step: Site, counter: Operand) -> "tuple[int | None, bool] | None":
    """The constant by which an instruction counts a register, None if it shifts it, and whether that is up."""
    shift = _SHIFTS.get(step.mnemonic)
    formula = word_operations.FORMULAS.get(step.mnemonic, ())
    sources = step.operands[1:]
    same = [each.kind == "register" and (each.file, each.first) == (counter.file, counter.first) for each in sources]
    numbers = [each.value for each in sources if each.kind != "register" and type(each.value) is int]
    if len(numbers) != 1 or not numbers[0]:
        return None
    number = arithmetic.signed(numbers[0])
    if shift is not None:
        return (None, shift) if same[0] else None
    if formula == ("d", "a", "+") or (formula == ("a", "b", "+") and any(same)):
        return number, number > 0
    return (-number, number < 0) if formula == ("a", "b", "-") and same[0] else None


def _loop_of(graph: Graph, node: int) -> "Loop | None":
    inner = loops.innermost(graph, node)
    return loops.whole(graph, inner) if inner is not None else None


def _suspect(graph: Graph, loop: Loop, node: int) -> "Exit | None":
    """The counter of a loop that has to equal its limit for the loop to go on, or leaves its limit behind."""
    found = of_branch(graph, loop, node) if is_followed(graph, frozenset(), loop) else None
    if found is None or _may_end_on_the_way(graph, loop, node):
        return None
    if found.question == "eq_32":
        return found if found.holds else None
    return found if found.change is not None and _leaves_the_limit_behind(found) else None


_suspects = loops.in_loops(_branches, _loop_of, _suspect)


def _may_end_on_the_way(graph: Graph, loop: Loop, node: int) -> bool:
    """Whether a loop may be left after a branch that goes on with it, before that branch is reached again."""
    search = Search(after for after in graph.successors[node] if after in loop.body)
    for each in search:
        if each != node:
            if not loop.body.issuperset(graph.successors[each]):
                return True
            search.add(graph.successors[each])
    return False


def _comes_back(graph: Graph, found: Exit) -> bool:
    """Whether control comes back to a loop with the same counter, from outside: it is part of a larger loop."""
    counter = of_operand(found.counter)
    outside = [after for each in found.loop.body for after in graph.successors[each] if after not in found.loop.body]
    search = Search(outside)
    for each in search:
        if each in found.loop.body:
            return True
        if not any(site.effects.writes & counter for site in graph.nodes[each].sites):
            search.add(graph.successors[each])
    return False


def _leaves_the_limit_behind(found: Exit) -> bool:
    """Whether a loop goes on while its counter is above the limit and goes up, or below it and goes down."""
    is_above = found.question.startswith("gt") == found.holds
    return is_above == found.is_up


def _is_far_from_the_end(program: Program, graph: Graph, found: Exit) -> bool:
    """Whether a counter that goes up starts at a constant from which it does not soon reach the end of 32 bits."""
    register = of_operand(found.counter)
    writers = reaching.before(program, graph, found.loop.head, 0, register)
    first = register.bit_length() - 1
    if writers.from_entry or writers.by_unknown:
        return False
    starts = [arithmetic.moved(site.item.instruction).get(first) for site in writers.sites if site is not found.step]
    words = [each.word for each in starts if each is not None and each.word is not None]
    change = found.change or 1
    return (
        bool(starts) and len(words) == len(starts) and all((1 << 32) - word > _FEWEST_ROUNDS * change for word in words)
    )
