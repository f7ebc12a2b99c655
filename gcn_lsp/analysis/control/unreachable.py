"""Finds code that nothing reaches: no path from a place where control enters, and no name that others may use.

Control enters at kernels, functions, names visible to other files, and the first instruction of a section; also at
every label used anywhere but in a branch, since its address may be taken. If a kernel or function jumps to an address
in registers, none of its code counts as unreachable.

Question: which instructions does control never reach?
Direction: forward from every place where control may enter.
Lattice and join: sets of nodes; the union.
May or must: may be reached; the rest is reported.
Ignored: conditions of branches.
"""

from collections.abc import Iterable, Iterator

from gcn_lsp.analysis.control import kernels
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import results
from gcn_lsp.flow.kept import latest
from gcn_lsp.instruction.memo import Assembler
from gcn_lsp.isa.machine import roles
from gcn_lsp.program.chunk import Chunk
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple
from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.syntax.names import statement_names
from gcn_lsp.syntax.statement import Line
from gcn_lsp.text import SourceText

_BRANCHES = frozenset(("branch", "conditional"))


def runs(program: Program, graph: Graph) -> Iterator[tuple[int, ...]]:
    """Runs of consecutive nodes that control never reaches."""
    outside = _outside(program, graph)
    starts = _starts(graph, outside)
    reached = graph.reached(starts)
    if not any(segment.sites for node, segment in enumerate(graph.nodes) if node not in reached):
        return
    starts |= {
        node
        for node, segment in enumerate(graph.nodes)
        if node not in reached and any(_may_be_entered(program, graph, name) for name in segment.labels)
    }
    reached = graph.reached(starts)
    unknown = results.opaque(program, graph) | {node for node in graph.open_ends if _is_open(graph, node)}
    for extent in _extents(graph, outside):
        if not unknown.isdisjoint(extent):
            continue
        run: list[int] = []
        for node in extent:
            if run and (node in reached or node != run[-1] + 1):
                yield tuple(run)
                run = []
            if node not in reached:
                run.append(node)
        if run:
            yield tuple(run)


class UnreachedStores(NamedTuple):
    """A kernel that reaches none of its stores.

    first: the first instruction of the unreachable run in which `store`, the first of them, is. label: where the run
    begins; empty without one.
    """

    kernel: str
    first: Site
    store: Site
    label: str


@latest
def stores(program: Program, graph: Graph) -> tuple[UnreachedStores, ...]:
    """The kernels whose reachable code has no result, although code behind it stores."""
    with_store = [
        (run, site)
        for run in runs(program, graph)
        if (site := next((site for node in run for site in graph.nodes[node].sites if _has_result(site)), None))
    ]
    if not with_store:
        return ()
    found = []
    opaque = results.opaque(program, graph)
    by_node = {node: name for name, node in kernels.entries(program, graph).items()}
    outside = _outside(program, graph)
    for extent in _extents(graph, outside):
        kernel = by_node.get(extent[0])
        inside = next(((run, site) for run, site in with_store if run[0] in extent), None)
        if kernel is None or inside is None:
            continue
        reached = graph.reached((extent[0],))
        is_known = (
            opaque.isdisjoint(reached) and reached.isdisjoint(graph.open_ends) and reached.isdisjoint(graph.calls)
        )
        if is_known and not any(_has_result(site) for node in reached for site in graph.nodes[node].sites):
            run, store = inside
            first = next(site for node in run for site in graph.nodes[node].sites)
            labels = graph.nodes[run[0]].labels
            found.append(UnreachedStores(kernel, first, store, labels[-1] if labels else ""))
    return tuple(found)


_NOTICED = roles.mnemonics("send message", "trap")
_SCALAR = ("SOPP", "SOPK")  # of which LLVM says that they change memory if others must not pass them


def _has_result(site: Site) -> bool:
    """Whether anything but the wave and its LDS may notice that an instruction is executed."""
    instruction = site.item.instruction
    form = instruction.form if instruction is not None else None
    if instruction is None or form is None:
        return True
    is_lds = form.family == "DS" and not any(each.slot == "gds" and each.value for each in instruction.operands)
    writes = form.may_store and not is_lds and form.family not in _SCALAR
    return writes or "EXP_CNT" in form.counters or form.mnemonic in _NOTICED


def entered(program: Program, graph: Graph) -> frozenset[int]:
    """The nodes that control reaches from where it may enter."""
    return frozenset(graph.reached(_starts(graph, _outside(program, graph))))


def _outside(program: Program, graph: Graph) -> frozenset[str]:
    """The names at which control may enter from elsewhere."""
    return kernels.functions(program) | kernels.entries(program, graph).keys() | _declared(program)


def _declared(program: Program) -> frozenset[str]:
    return frozenset().union(*(chunk.declared for chunk in program.chunks if chunk.declared))


def _starts(graph: Graph, outside: frozenset[str]) -> set[int]:
    found: set[int] = set()
    sections: set[str] = set()
    for node, segment in enumerate(graph.nodes):
        if segment.section not in sections or not outside.isdisjoint(segment.labels):
            found.add(node)
            sections.add(segment.section)
    return found


def _is_open(graph: Graph, node: int) -> bool:
    """Whether control may go from a node to an unknown place of the same kernel."""
    segment = graph.nodes[node]
    return segment.flow == "jump" or segment.distance is not None


def _extents(graph: Graph, outside: frozenset[str]) -> Iterator[list[int]]:
    """The nodes from each externally visible label to the next of its section."""
    open_extents: dict[str, list[int]] = {}
    for node, segment in enumerate(graph.nodes):
        if segment.section in open_extents and not outside.isdisjoint(segment.labels):
            yield open_extents.pop(segment.section)
        open_extents.setdefault(segment.section, []).append(node)
    yield from open_extents.values()


def _may_be_entered(program: Program, graph: Graph, name: str) -> bool:
    """Whether something other than a branch may lead to a label: it is used elsewhere, or a macro made it."""
    label = program.layout.known.get(name)
    if label is None or label.chunk.items[label.item].written.frame is not None:
        return True
    for chunk in program.chunks:
        for line in _uses(chunk, program.assembler).get(name, ()):
            effects = [graph.model.of(item.instruction) for item in chunk.items_on(line) if item.kind == "instruction"]
            if not effects or not all(each.flow in _BRANCHES for each in effects):
                return True
    return any(name in _used(enumerate(_lines(source))) for source in program.included.values())


@latest
def _uses(chunk: Chunk, assembler: Assembler) -> dict[str, list[int]]:
    """The lines of a chunk that use each name, without the registers of instructions."""
    instructions = chunk.instructions()
    found = _used((number, chunk.line(number)) for number in range(len(chunk.lines)) if number not in instructions)
    for number, statement in instructions.items():
        for name in assembler.names(statement):
            found.setdefault(name, []).append(number)
    return found


def _lines(source: SourceText) -> Iterator[Line]:
    comment_open = False
    for text in source.lines:
        line = parse_line(text, comment_open)
        comment_open = line.comment_open
        yield line


def _used(lines: Iterable[tuple[int, Line]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number, line in lines:
        for statement in line.statements:
            for role, name, _, _ in statement_names(statement):
                if role == "use":
                    found.setdefault(name, []).append(number)
    return found
