"""Follows what the hardware puts into registers at a kernel's start: which of them still hold it.

A register is followed through moves, and an address in a pair of SGPRs through additions of constants too; anything
else ends it. Functions leave the registers that LLVM's calling convention preserves.

Question: which input of its kernel does a register hold before an instruction, and what has been added?
Direction: backward, from one place.
Lattice and join: the last writers of `values.reaching`; more than one of them ends the search.
May or must: must; every path to the place has to agree.
Ignored: EXEC.
"""

from collections.abc import Iterator
from typing import NamedTuple

from gcn_lsp.analysis.control import functions, kernels
from gcn_lsp.analysis.control import graph as graphs
from gcn_lsp.analysis.control.graph import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import registers
from gcn_lsp.analysis.values import preserved, reaching
from gcn_lsp.analysis.values.reaching import Writers
from gcn_lsp.flow.kept import once
from gcn_lsp.instruction.model import Operand
from gcn_lsp.isa.conditions import holds
from gcn_lsp.isa.kernels import calling_convention
from gcn_lsp.isa.kernels.calling_convention import Place
from gcn_lsp.isa.machine import roles
from gcn_lsp.program.kernels.kernel import Input, Resources
from gcn_lsp.program.program import Program


class Loaded(NamedTuple):
    """A scalar load whose result registers hold. first: of them as it wrote them; added: to an address, in bytes."""

    graph: Graph
    load: Site
    first: int
    added: int


class Held(NamedTuple):
    """An input that registers hold, in a kernel. first: of them at the start; added: to an address, in bytes."""

    kernel: str
    input: Input
    first: int
    added: int


_PRELOAD_OFFSET = "user_sgpr_kernarg_preload_offset"
_FILES = ("s", "v", "ttmp")
_STEPS = 16  # moves and additions that an address is followed through
_PAIR = 2
_SUMS: "tuple[roles.Verb, roles.Verb]" = ("move", "add")
_WHOLE_MOVES, _WHOLE_ADDITIONS = (roles.mnemonics(verb, file="s", bits=64) for verb in _SUMS)
_HALF_MOVES, _LOW_ADDITIONS = (roles.mnemonics(verb, file="s", bits=32) for verb in _SUMS)
_HIGH_ADDITIONS = roles.mnemonics("add carry")


def held(program: Program, line: int, operand: Operand) -> tuple[Held, ...]:
    """The inputs that the registers of an operand hold before the first instruction of a line; empty if not known."""
    place = reaching.on_line(program, line)
    return held_at(program, place.graph, place.site, operand) if place is not None else ()


def available(program: Program, line: int) -> Iterator[Held]:
    """The inputs that registers still hold, where they were at the start, before a line of the main file."""
    place = _from_line(program, line)
    if place is None:
        return
    graph, node, site = place
    for name, resources in kernels_of(program, node):
        for each in resources.inputs:
            if _origin(program, graph, node, site.index, each.file, each.first, each.count) == (each.first, 0):
                yield Held(name, each, each.first, 0)


def _from_line(program: Program, line: int) -> "reaching.Place | None":
    """The first instruction on a line of the main file, or on the lines after it in its chunk."""
    last = len(program.source.lines)
    number = program.chunk_at(line) if 0 <= line < last else None
    while number is not None and line < last and program.chunk_at(line) == number:
        found = reaching.on_line(program, line)
        if found is not None:
            return found
        line += 1
    return None


def held_at(program: Program, graph: Graph, site: Site, operand: Operand) -> tuple[Held, ...]:
    """The inputs that the registers of an operand of an instruction hold before it; empty if not known."""
    node = graph.node_of(site.segment)
    if node is None or operand.kind != "register" or operand.file not in _FILES:
        return ()
    origin = _origin(program, graph, node, site.index, operand.file, operand.first, operand.count)
    if origin is None:
        return ()
    first, added = origin
    last = first + operand.count
    return tuple(
        Held(name, each, first, added)
        for name, resources in kernels_of(program, node)
        for each in resources.inputs
        if each.file == operand.file and each.first < last and first < each.first + each.count
    )


def loaded(program: Program, line: int, operand: Operand) -> "Loaded | None":
    """The scalar load whose result the registers of an operand hold before the first instruction of a line."""
    place = reaching.on_line(program, line)
    if place is None or operand.kind != "register" or operand.file != "s":
        return None
    graph, node, site = place
    found = _source_of(program, graph, node, site.index, "s", operand.first, operand.count)
    if found is None:
        return None
    writers, first, added = found
    form = writers.sites[0].item.instruction.form if writers.sites and writers.sites[0].item.instruction else None
    is_load = len(writers.sites) == 1 and not writers.from_entry and form is not None and form.family in _SCALAR_LOADS
    return Loaded(graph, writers.sites[0], first, added) if is_load else None


_SCALAR_LOADS = ("SMEM", "SMRD")


def held_in_function(program: Program, line: int, operand: Operand) -> tuple[tuple[str, Place], ...]:
    """What registers still hold since the entry of a function, by LLVM's convention, with the name of the function."""
    place = reaching.on_line(program, line)
    if place is None or operand.kind != "register" or operand.file not in _FILES:
        return ()
    graph, node, site = place
    names = [each.name for each in functions.of(program, graph) if node in each.nodes]
    origin = _origin(program, graph, node, site.index, operand.file, operand.first, operand.count) if names else None
    if origin is None or origin[1]:
        return ()
    first, last = origin[0], origin[0] + operand.count
    features = graph.model.target.features
    return tuple(
        (name, each)
        for name in names
        for each in calling_convention.AT_ENTRY
        if (each.file == operand.file and each.first < last and first < each.first + each.dwords)
        and holds(each.condition, features)
    )


def kernels_of(program: Program, node: int) -> Iterator[tuple[str, Resources]]:
    """The kernels with a descriptor from whose start control reaches a node without a call, with their resources."""
    for name, nodes in _reached(program).items():
        if node in nodes:
            block = next((block for block in program.kernel_blocks if block.name == name and block.is_closed), None)
            judgement = program.judgement(block) if block is not None else None
            if judgement is not None:
                yield name, judgement.resources


def preload_offset(program: Program, name: str) -> int:
    """The number of dwords of a kernel's arguments before those that are preloaded."""
    block = next((block for block in program.kernel_blocks if block.name == name), None)
    return dict(program.written_fields(block)).get(_PRELOAD_OFFSET) or 0 if block is not None else 0


@once
def _reached(program: Program) -> dict[str, set[int]]:
    """The nodes that control reaches from the start of each kernel."""
    graph = graphs.of(program)
    if graph is None:
        return {}
    return {name: graph.reached((entry,)) for name, entry in kernels.entries(program, graph).items()}


def _origin(
    program: Program, graph: Graph, node: int, index: int, file: str, first: int, count: int
) -> "tuple[int, int] | None":
    """The first of the registers that held at the entry what some hold at a place, and what has been added since."""
    found = _source_of(program, graph, node, index, file, first, count)
    if found is None:
        return None
    writers, origin, added = found
    return (origin, added) if writers.from_entry and not writers.sites else None


def _source_of(
    program: Program, graph: Graph, node: int, index: int, file: str, first: int, count: int
) -> "tuple[Writers, int, int] | None":
    """The writers of what registers hold at a place, behind copies and additions.

    With them the first of the registers that they wrote, and what has been added since.
    """
    added, kept = 0, preserved.kept_by_calls(program, graph)
    for _ in range(_STEPS):
        writers = reaching.before(program, graph, node, index, registers.of_tuple(file, first, count), kept)
        if writers.by_unknown:
            return None
        if not writers.sites or writers.from_entry:
            return writers, first, added
        step = _copied(writers.sites, file, first, count)
        if step is None and (file, count) == ("s", _PAIR):
            step = _step(writers.sites, first)
        if step is None:
            return writers, first, added
        site, first, more = step
        found = graph.node_of(site.segment)
        if found is None:
            return None
        node, index, added = found, site.index, added + more
    return None


def _copied(sites: tuple[Site, ...], file: str, first: int, count: int) -> "tuple[Site, int, int] | None":
    """The instruction that copied one register from another of its file, that, and 0."""
    if count != 1 or len(sites) != 1 or sites[0].mnemonic not in _COPIES:
        return None
    operands = sites[0].operands
    written = [(each.file, each.first, each.count) for each in operands[:2]]
    if len(operands) != len(written) or written[0] != (file, first, 1) or written[1][::2] != (file, 1):
        return None
    return sites[0], written[1][1], 0


_COPIES = roles.mnemonics("move", file="s", bits=32) | roles.mnemonics("move", file="v", bits=32)


def _step(sites: tuple[Site, ...], first: int) -> "tuple[Site, int, int] | None":
    """The instruction that made the address in a pair, the pair that it made it from, and the number that it added."""
    if len(sites) == 1 and sites[0].mnemonic in _WHOLE_MOVES:
        copied = _source(sites[0], first, _PAIR)
        return (sites[0], copied[0], 0) if copied is not None and not copied[1] else None
    if len(sites) == 1 and sites[0].mnemonic in _WHOLE_ADDITIONS:
        summed = _source(sites[0], first, _PAIR)
        return (sites[0], *summed) if summed is not None else None
    if len(sites) != _PAIR:
        return None
    lows = [(site, found) for site in sites if (found := _source(site, first, 1)) is not None]
    highs = [(site, found) for site in sites if (found := _source(site, first + 1, 1)) is not None]
    if len(lows) != 1 or len(highs) != 1:
        return None
    (low, (source, number)), (high, (upper, carried)) = lows[0], highs[0]
    is_move = low.mnemonic in _HALF_MOVES and high.mnemonic in _HALF_MOVES
    is_addition = low.mnemonic in _LOW_ADDITIONS and high.mnemonic in _HIGH_ADDITIONS
    if upper != source + 1 or carried or not (is_move or is_addition) or low.segment is not high.segment:
        return None
    return min(low, high, key=lambda site: site.index), source, number


def _source(site: Site, first: int, count: int) -> "tuple[int, int] | None":
    """The SGPRs that an instruction combines with a constant into `count` of them from `first`, and the constant."""
    operands = site.operands
    if not operands or (operands[0].file, operands[0].first, operands[0].count) != ("s", first, count):
        return None
    sources = operands[1:]
    tuples = [each.first for each in sources if each.file == "s" and each.count == count]
    numbers = [each.value for each in sources if each.kind in ("immediate", "literal") and type(each.value) is int]
    if len(tuples) != 1 or len(tuples) + len(numbers) != len(sources):
        return None
    return tuples[0], sum(number for number in numbers if type(number) is int)
