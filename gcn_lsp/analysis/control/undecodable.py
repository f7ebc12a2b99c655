"""Data that control runs into, although no instruction of the target has these bytes."""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from gcn_lsp import isa
from gcn_lsp.analysis.control import unreachable
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.machine import results
from gcn_lsp.instruction.decoding.decoder import LONGEST, Decoder, decoder_for
from gcn_lsp.isa.machine import control_flow
from gcn_lsp.isa.operands import unlisted_encodings
from gcn_lsp.program.program import PlacedItem, Program

_GOES_ON = frozenset(("next", "conditional"))
_LEAVING = "isBarrier"  # LLVM's flag of instructions after which control does not go on
_LEAVES = control_flow.STOPS | control_flow.FLOWS.keys()  # others after which it may not


class Found(NamedTuple):
    """item: the data. word: its bytes that are no instruction, at most four."""

    item: PlacedItem
    word: bytes


def found(program: Program, graph: Graph, target: isa.Target) -> Iterator[Found]:
    """The first such bytes of each run of data among the code."""
    runs = [run for run in _runs(program, graph) if run]
    if not runs:
        return
    decoder = decoder_for(_as_hardware(target))
    code: dict[str, bytes] = {}
    for run in runs:
        section = run[0].section
        if section not in code:
            code[section] = program.section_bytes(section)
        place = _undecodable(decoder, code[section], run)
        if place is not None:
            yield place


def _as_hardware(target: isa.Target) -> isa.Target:
    """The target with halves of registers as operands: without them LLVM decodes less, and the hardware does not."""
    if target.has_fake16:
        return isa.load_target(target.name, f"{target.mattr},+real-true16".lstrip(","))
    return target


def _runs(program: Program, graph: Graph) -> Iterator[list[PlacedItem]]:
    """Data that control gets to from an instruction that it reaches, as far as their values are known."""
    data = [row for row in results.data_after(program, graph) if _goes_on(program, graph, *row)]
    if not data:
        return
    entered = unreachable.entered(program, graph)
    for node, rows in groupby(data, key=lambda row: row[0]):
        if node in entered:
            yield _known([program.placed(number, index) for _, number, index in rows])


def _goes_on(program: Program, graph: Graph, node: int, number: int, index: int) -> bool:
    """Whether control that is in a node gets to the data, unless it stops."""
    segment = graph.nodes[node]
    if not segment.sites:
        return _is_before_code(graph, node)
    last = segment.sites[-1]
    if any(item is last.item for item in program.chunks[number].items[index:]):
        return True  # the data is before the last instruction
    return segment.flow in _GOES_ON and last.mnemonic not in control_flow.STOPS


def _is_before_code(graph: Graph, node: int) -> bool:
    """Whether instructions follow a node that has none: labels at the end of a chunk, or of the section's code."""
    while not graph.nodes[node].sites:
        (node,) = graph.successors[node] or (-1,)
        if node < 0:
            return False
    return True


def _known(items: list[PlacedItem]) -> list[PlacedItem]:
    """Data one after the other, up to the first whose bytes depend on addresses."""
    run: list[PlacedItem] = []
    for item in items:
        if item.item.fixups or (run and item.offset != run[-1].offset + len(run[-1].code)):
            break
        if item.code:
            run.append(item)
    return run


def _undecodable(decoder: Decoder, code: bytes, run: list[PlacedItem]) -> Found | None:
    at, end = run[0].offset, run[-1].offset + len(run[-1].code)
    for decoded in decoder.read_all(code[at : end + LONGEST]):
        if at >= end:
            return None
        if decoded is None:
            word = code[at : at + 4]
            if unlisted_encodings.size(int.from_bytes(word, "little"), decoder.target.features):
                return None
            return Found(next(each for each in reversed(run) if each.offset <= at), word)
        if _LEAVING in decoded.form.flags or decoded.form.mnemonic in _LEAVES:
            return None
        at += decoded.size
    return None
