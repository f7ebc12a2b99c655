"""The instructions that data among the code are, by the line on which they are written."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from gcn_lsp.analysis.control import data_as_code, graphs
from gcn_lsp.analysis.control.data_as_code import Read, Run
from gcn_lsp.flow.kept import latest

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program


def on_line(program: "Program", line: int) -> Sequence[Read]:
    """The instructions that begin in the data on a line of the main file, outside macros."""
    graph = graphs.of(program)
    return _by_line(program, graph).get(line, ()) if graph is not None else ()


def runs(program: "Program") -> "list[tuple[Run, list[Read]]]":
    """The runs of data that control gets to, with their instructions, if they have nothing else."""
    graph = graphs.of(program)
    if graph is None or program.target is None:
        return []
    found = zip(data_as_code.runs(program, graph), data_as_code.read_all(program, graph, program.target), strict=True)
    return [(run, read) for run, read in found if all(each.decoded is not None for each in read)]


@latest
def _by_line(program: "Program", graph: graphs.Graph) -> Mapping[int, Sequence[Read]]:
    found: dict[int, list[Read]] = {}
    if program.target is None:
        return found
    for run in data_as_code.read_all(program, graph, program.target):
        for read in run:
            if read.decoded is not None and read.item.where.path == program.path and not read.item.steps:
                found.setdefault(read.item.where.line, []).append(read)
    return found
