"""The beginnings of kernels in the control flow graph, and what control reaches from there."""

from collections.abc import Iterator

from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.flow.kept import latest
from gcn_lsp.program.kernels import header_blocks, kernel_usage
from gcn_lsp.program.program import Program

_SPLIT_MODE = "tg_split"


@latest
def entries(program: Program, graph: Graph) -> dict[str, int]:
    """The node of each kernel by its label: of those with a descriptor, and of those with a header in the code."""
    found: dict[str, int] = {}
    for block in program.kernel_blocks:
        node = graph.by_label.get(block.name)
        if node is not None:
            found[block.name] = node
    for name, node in filter(None, headers(program, graph)):
        found.setdefault(name, node)
    return found


@latest
def starts(program: Program, graph: Graph) -> frozenset[int]:
    """The nodes where the hardware starts waves, and the labels before them that the end of a chunk cuts off."""
    found = set(entries(program, graph).values())
    for node in range(len(graph.nodes) - 1, -1, -1):
        if not graph.nodes[node].sites and not found.isdisjoint(graph.successors[node]):
            found.add(node)
    return frozenset(found)


@latest
def split(program: Program, graph: Graph) -> frozenset[int]:
    """The nodes of kernels whose descriptor asks for thread-group split mode, in which a wave has no LDS."""
    return frozenset(
        graph.by_label[block.name]
        for block in program.kernel_blocks
        if block.name in graph.by_label and dict(program.written_fields(block)).get(_SPLIT_MODE)
    )


def headers(program: Program, graph: Graph) -> Iterator[tuple[str, int] | None]:
    """The label and node of each kernel with a header in the code, in order; None for a header without a label.

    The header is between the label and the first instruction.
    """
    for number, chunk in enumerate(program.chunks):
        if not chunk.headers:
            continue
        for index in [index for index, item in enumerate(chunk.items) if item.statement.word == header_blocks.ENDING]:
            section = chunk.pieces[chunk.items[index].piece].section
            before = [
                node
                for node, segment in enumerate(graph.nodes)
                if (graph.chunks[node], segment.first) <= (number, index) and segment.section == section
            ]
            labels = graph.nodes[before[-1]].labels if before else ()
            yield (labels[-1], before[-1]) if labels else None


def functions(program: Program) -> frozenset[str]:
    """The labels that `.type` declares as functions, including kernels."""
    groups = kernel_usage.groups_of(program.chunks)
    return frozenset().union(*(group.functions for group in groups if group.functions))


def ends(program: Program) -> dict[str, str]:
    """The labels that end functions and kernels, by name, as far as `.size` names one."""
    return dict(pair for group in kernel_usage.groups_of(program.chunks) for pair in group.ends)
