"""Programs and effects for the tests of the analyses."""

from gcn_lsp import isa
from gcn_lsp.analysis.effects import Effects, model_for
from gcn_lsp.asm import assembler
from gcn_lsp.asm.program import Options, Program, build
from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.text import SourceText


def effects_of(target: str, text: str, mattr: str = "") -> Effects:
    """The effects of one instruction, which has to be right."""
    known = isa.load_target(target, mattr)
    instruction = assembler.assemble(known, parse_line(text.encode(), False).statements[0], {})
    assert not instruction.problems, instruction.problems
    return model_for(known).of(instruction)


def program(text: str, target: str = "gfx900", previous: "Program | None" = None, mattr: str = "") -> Program:
    """The program of a text."""
    return build(SourceText.from_bytes("k.s", text.encode()), Options(target, mattr), previous)
