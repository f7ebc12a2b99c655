"""Where a register's value comes from: who wrote it last on each path, and what is in flight on it."""

from typing import TYPE_CHECKING

from gcn_lsp.analysis import graph as graphs
from gcn_lsp.analysis import reaching
from gcn_lsp.analysis.effects import of_operand
from gcn_lsp.asm.model import Operand
from gcn_lsp.ide import in_flight
from gcn_lsp.rules import sites

if TYPE_CHECKING:
    from gcn_lsp.asm.program import Program

_LISTED = 6  # writers that are named


def describe(program: "Program", line: int, operand: Operand) -> str:
    """The history of an operand's registers before the instruction on a line, as Markdown; empty for no register."""
    wanted = of_operand(operand) if operand.kind == "register" else 0
    graph = graphs.of(program)
    writers = reaching.writers_of(program, line, wanted) if wanted and graph is not None else None
    if writers is None or graph is None:
        return ""
    rows = [
        f"- line {sites.line_number(program, graph, site)}: `{site.item.statement.name}`"
        for site in writers.sites[:_LISTED]
    ]
    if len(writers.sites) > _LISTED:
        rows.append(f"- and {len(writers.sites) - _LISTED} more")
    if writers.from_entry:
        rows.append("- what it held when control came in")
    if writers.by_unknown:
        rows.append("- a function, or code that this file does not show")
    pending = in_flight.on_registers(program, line, wanted)
    return "\n".join(("Last written by:", "", *rows, *(("", "Still in flight:", "", *pending) if pending else ())))
