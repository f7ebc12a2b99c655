"""Names of operands in place of registers still to be written, as completion inserts them: `s_load_b64 sdst, sbase`."""

from gcn_lsp import isa
from gcn_lsp.instruction import assembler
from gcn_lsp.syntax.statement import Statement


def problem(target: isa.Target, statement: Statement, name: str) -> str:
    """What is wrong with an operand that is only the name of one; empty for any other.

    The names of operands that may be numbers do not count: a symbol may be called `offset`.
    """
    if name not in assembler.register_names(target, statement.word):
        return ""
    return f"`{name}` is the name of an operand of {statement.word}, not a register"
