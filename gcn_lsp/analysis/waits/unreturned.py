"""Finds vector atomics that return nothing, but whose operand is read as if it were the result.

Code may use an operand again, so it has to show that it is not meant: it is a copy of an SGPR, or a constant, the wave
waits directly after the atomic, and the next to read it is `v_readfirstlane_b32`, which would only copy it back.

Question: what reads the operand of an atomic next, after a wait?
Direction: backward in straight code to the copy, forward to the wait and to the readers.
May or must: must, for the copy and the wait; every reader on a path has to be such an instruction.
Ignored: EXEC, and what other paths leave in the register.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import straight
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segment_questions import in_segments
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import registers, results
from gcn_lsp.analysis.values import readers
from gcn_lsp.analysis.values.scalar_memory import Unreturned
from gcn_lsp.analysis.waits import accesses
from gcn_lsp.isa.machine import roles
from gcn_lsp.program.program import Program


def found(program: Program, graph: Graph) -> Iterator[Unreturned]:
    """The vector atomics whose operand is read after a wait as if they returned a value."""
    for node, sites in _atomics(graph):
        for atomic in sites:
            data = next((each for each in atomic.operands if each.slot == "vdata"), None)
            if data is None or data.kind != "register" or data.count != 1 or not _is_waited_for(graph, node, atomic):
                continue
            operand = registers.of_tuple(data.file, data.first, data.count)
            if not _is_copy(graph, atomic, operand):
                continue
            after = readers.after(program, graph, node, atomic.index, operand)
            if after.sites and not after.by_unknown and all(map(_copies_back, after.sites)):
                yield Unreturned(atomic, after.sites[0], operand)


_atomics = in_segments(
    lambda segment, _: tuple(site for site in segment.sites if accesses.is_atomic(site) and not site.effects.writes)
)


def _is_waited_for(graph: Graph, node: int, atomic: Site) -> bool:
    """Whether the next instruction that is no computation waits for loads or stores."""
    for at in straight.containing(graph, node):
        for site in graph.nodes[at].sites[atomic.index + 1 if at == node else 0 :] if at >= node else ():
            if any(
                counter in (*accesses.LOADS, *accesses.STORES) and not count for counter, count in site.effects.waits
            ):
                return True
            if site.effects.events or not site.effects.known:
                return False
    return False


def _is_copy(graph: Graph, atomic: Site, operand: int) -> bool:
    """Whether a register holds the same in all lanes: an SGPR or a constant was moved there."""
    for site in straight.back(graph, atomic):
        if results.of_site(site).may_write & operand:
            return readers.moves(site) and all(each.file not in ("v", "a") for each in site.operands[1:])
    return False


def _copies_back(site: Site) -> bool:
    return site.mnemonic in _FIRST_LANE


_FIRST_LANE = roles.mnemonics("to scalar")
