"""Data among the code, read as the hardware reads it: as instructions."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from gcn_lsp import isa
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.machine import results
from gcn_lsp.flow.kept import latest
from gcn_lsp.isa.operands.limits import LONGEST_CODE
from gcn_lsp.program.kernels import descriptor_blocks
from gcn_lsp.program.program import PlacedItem, Program
from gcn_lsp.records import NamedTuple

if TYPE_CHECKING:
    from gcn_lsp.instruction.decoding.decoder import Decoded


class Run(NamedTuple):
    """Data one after the other. node: the one of the graph from which control gets to them.

    numbers: of each item, its chunk and its index there.
    """

    node: int
    numbers: tuple[tuple[int, int], ...]
    items: tuple[PlacedItem, ...]


class Read(NamedTuple):
    """An instruction in data. item: the data with its first byte. code: its bytes; at most four if it is none."""

    item: PlacedItem
    code: bytes
    decoded: "Decoded | None"


@latest
def runs(program: Program, graph: Graph) -> tuple[Run, ...]:
    """The data that control gets to. A run ends before the first data whose bytes depend on an address.

    Where data have a branch by a number of dwords, what comes after them is all data that nothing else reaches.
    """
    return reached(program, graph) + _jumped_to(program, graph)


@latest
def unread_runs(program: Program, graph: Graph) -> tuple[Run, ...]:
    """The same without the data that are instructions of the graph, see `written_code`."""
    return _runs(program, graph, results.data_after(program, graph)) + _jumped_to(program, graph)


@latest
def reached(program: Program, graph: Graph) -> tuple[Run, ...]:
    """Those that control gets to without such a branch."""
    return _runs(program, graph, results.data_reached(program, graph))


@latest
def _jumped_to(program: Program, graph: Graph) -> tuple[Run, ...]:
    runs_reached = reached(program, graph)
    if program.target is None or not runs_reached:
        return ()
    read = read_each(program, runs_reached, program.target)
    if not any(each.decoded is not None and each.decoded.jump is not None for run in read for each in run):
        return ()
    known = set(results.data_reached(program, graph))
    return _runs(program, graph, (row for row in results.data_held(program, graph) if row not in known))


def _runs(program: Program, graph: Graph, data: Iterable[tuple[int, int, int]]) -> tuple[Run, ...]:
    """The runs among some data. A section is for code if its name says so or an instruction is in it."""
    rows = tuple(data)
    for_code = {node.section for node in graph.nodes if node.sites} if rows else set()  # most files have no such data
    found: list[Run] = []
    numbers: list[tuple[int, int]] = []
    items: list[PlacedItem] = []
    before, end, is_known = -1, -1, True
    for node, number, index in rows:
        item = program.placed(number, index)
        if not item.code or not (item.section in for_code or item.section.startswith(".text")):
            continue
        if item.item.statement.word == descriptor_blocks.ENDING:  # its bytes are known late, and nobody means to run it
            continue
        if node != before or item.offset != end:
            if items:
                found.append(Run(before, tuple(numbers), tuple(items)))
            numbers, items, is_known = [], [], True
        before, end = node, item.offset + len(item.code)
        is_known = is_known and not item.item.fixups
        if is_known:
            numbers.append((number, index))
            items.append(item)
    if items:
        found.append(Run(before, tuple(numbers), tuple(items)))
    return tuple(found)


@latest
def read_all(program: Program, graph: Graph, target: isa.Target) -> tuple[list[Read], ...]:
    """The instructions of every run."""
    return tuple(map(list, read_each(program, runs(program, graph), target)))


def read_each(program: Program, found: Sequence[Run], target: isa.Target) -> Iterator[Iterator[Read]]:
    """The instructions of some runs, each read when it is asked for."""
    sections = {name: program.section_bytes(name) for name in {run.items[0].section for run in found}}
    return (read(run, sections[run.items[0].section], target) for run in found)


_PART = 4096
"""Bytes that are read at once: who asks about random bytes mostly needs no more than the first instructions."""


def read(run: Run, section: bytes, target: isa.Target) -> Iterator[Read]:
    """The instructions that begin in a run of data. section: all bytes of the run's section."""
    from gcn_lsp.instruction.decoding.decoder import decoder_for  # late: few files have data among their code

    start, end = run.items[0].offset, run.items[-1].offset + len(run.items[-1].code)
    code = section[start : end + LONGEST_CODE]
    decoder = decoder_for(_as_hardware(target))
    at = number = 0
    while at < end - start:
        decoded, _ = decoder.read_part(code, at, min(at + _PART, end - start))
        for one in decoded:
            while start + at >= run.items[number].offset + len(run.items[number].code):
                number += 1
            size = one.size if one is not None else min(4, end - start - at)
            yield Read(run.items[number], code[at : at + size], one)
            at += size


def _as_hardware(target: isa.Target) -> isa.Target:
    """The target with halves of registers as operands: without them LLVM decodes less, and the hardware does not."""
    if target.has_fake16:
        return isa.load_target(target.name, f"{target.mattr},+real-true16".lstrip(","))
    return target
