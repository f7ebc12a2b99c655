"""Programs and effects for the tests of the analyses."""

from gcn_lsp import isa
from gcn_lsp.analysis.machine.effects import Effects, model_for
from gcn_lsp.analysis.values import pressure
from gcn_lsp.instruction import assembler
from gcn_lsp.program.program import Options, Program, build
from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.text import SourceText


def effects_of(target: str, text: str, mattr: str = "") -> Effects:
    """The effects of one instruction, which must be valid."""
    known = isa.load_target(target, mattr)
    instruction = assembler.assemble(known, parse_line(text.encode(), False).statements[0], {})
    assert not instruction.problems, instruction.problems
    return model_for(known).of(instruction)


def program(text: str, target: str = "gfx900", previous: "Program | None" = None, mattr: str = "") -> Program:
    """The program of a text."""
    return build(SourceText.from_bytes("k.s", text.encode()), Options(target, mattr), previous)


def pressure_at(program: Program, line: int) -> "pressure.Pressure | None":
    """The highest pressure at the instructions that a line of the main file leads to; None when there are none."""
    pressures = pressure.of(program)
    if pressures is None or not 0 <= line < len(program.source.lines):
        return None
    number = program.chunk_at(line)
    wanted = line - program.bases[number]
    graph = pressures.graph
    found = [
        each
        for node in graph.nodes_of_chunk(number)
        for site, each in zip(graph.nodes[node].sites, pressures.of_node(node), strict=True)
        if site.item.written.top_line == wanted
    ]
    return pressure.Pressure(*(max(values) for values in zip(*found, strict=True))) if found else None
