"""Finds registers that still hold what the hardware put into them at a kernel's start, by `values.symbolic`."""

from collections.abc import Iterator

from gcn_lsp.analysis import bounds
from gcn_lsp.analysis.control import functions, graphs, kernels
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine.arithmetic import Value
from gcn_lsp.analysis.values import reaching, symbolic
from gcn_lsp.analysis.values.symbolic import EntryRegisters, Result
from gcn_lsp.flow.kept import once
from gcn_lsp.instruction.model import Operand
from gcn_lsp.isa.conditions import holds
from gcn_lsp.isa.kernels import calling_convention
from gcn_lsp.isa.kernels.calling_convention import EntryRegister
from gcn_lsp.program.kernels.inputs import Input
from gcn_lsp.program.kernels.resources import Resources
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple


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
            if _origin(program, graph, site, each) == Value(0, EntryRegisters(each.first)):
                yield Held(name, each, each.first, 0)


def _from_line(program: Program, line: int) -> "reaching.GraphSite | None":
    """The first instruction on a line of the main file, or on the lines after it."""
    lines = range(max(line, 0), min(line + bounds.LINES_TO_CODE, len(program.source.lines)))
    return next((found for each in lines if (found := reaching.on_line(program, each)) is not None), None)


def held_by_base(program: Program, graph: Graph, site: Site) -> tuple[Held, ...]:
    """The inputs in the base of a scalar load; empty if not known."""
    base = next((each for each in site.operands if each.slot == "sbase"), None)
    return held_at(program, graph, site, base) if base is not None else ()


def held_at(program: Program, graph: Graph, site: Site, operand: Operand, *, among: int = -1) -> tuple[Held, ...]:
    """The inputs that the registers of an operand of an instruction hold before it; empty if not known.

    among: the bits that have to be those of the input.
    """
    node = graph.node_of(site.segment)
    if node is None or operand.kind != "register" or operand.file not in _FILES:
        return ()
    origin = _origin(program, graph, site, operand)
    if origin is None or origin.mask & among != among or not isinstance(origin.base, EntryRegisters):
        return ()
    first, added = origin.base.first, origin.number
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
    value = symbolic.at(program, place.graph, place.site, "s", operand.first, operand.count)
    if value is None or not isinstance(value.base, Result):
        return None
    load, first = value.base
    form = load.item.instruction.form if load.item.instruction is not None else None
    is_load = form is not None and form.family in _SCALAR_LOADS
    return Loaded(place.graph, load, first, value.number) if is_load else None


_SCALAR_LOADS = ("SMEM", "SMRD")


def held_in_function(program: Program, line: int, operand: Operand) -> tuple[tuple[str, EntryRegister], ...]:
    """What registers still hold since the entry of a function, by LLVM's convention, with the name of the function."""
    place = reaching.on_line(program, line)
    if place is None or operand.kind != "register" or operand.file not in _FILES:
        return ()
    graph, node, site = place
    names = [each.name for each in functions.of(program, graph) if node in each.nodes]
    origin = _origin(program, graph, site, operand) if names else None
    if origin is None or origin.number or origin.mask != -1 or not isinstance(origin.base, EntryRegisters):
        return ()
    first, last = origin.base.first, origin.base.first + operand.count
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


def _origin(program: Program, graph: Graph, site: Site, operand: Operand | Input) -> "Value | None":
    """The value of registers before an instruction, if it is one that they had at the entry, with a sum or a mask."""
    value = symbolic.at(program, graph, site, operand.file, operand.first, operand.count)
    return value if value is not None and isinstance(value.base, EntryRegisters) else None
