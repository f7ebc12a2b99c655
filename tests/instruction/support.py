"""Assembles one line for the tests of matching and encoding."""

from collections.abc import Mapping

from gcn_lsp import isa
from gcn_lsp.instruction import assembler
from gcn_lsp.instruction.model import Instruction
from gcn_lsp.syntax import lines
from gcn_lsp.syntax.statement import Statement, StatementKind


def statement_of(text: str) -> Statement:
    """The instruction statement in a line."""
    return next(found for found in lines.parse_line(text.encode()).statements if found.kind is StatementKind.COMMAND)


def assemble(text: str, cpu: str = "gfx900", symbols: Mapping[str, int | None] | None = None) -> Instruction:
    """What becomes of the line on `cpu`; a colon in it starts the features, as in `gfx900:+xnack`."""
    name, _, mattr = cpu.partition(":")
    return assembler.assemble(isa.load_target(name, mattr), statement_of(text), symbols or {})


def problem_of(text: str, cpu: str = "gfx900", symbols: Mapping[str, int | None] | None = None) -> tuple[str, str, str]:
    """The only problem of a line: its rule, the text that it is placed on, and its message."""
    (problem,) = assemble(text, cpu, symbols).problems
    return problem.rule, text.encode()[problem.start : problem.end].decode(), problem.message


def code_of(text: str, cpu: str = "gfx900", symbols: Mapping[str, int | None] | None = None) -> str:
    """The bytes of a line in hexadecimal; it must have no problem."""
    instruction = assemble(text, cpu, symbols)
    assert instruction.code, instruction.problems
    return instruction.code.hex()
