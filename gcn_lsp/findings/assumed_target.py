"""What to say of a file whose target is assumed, and where."""

from gcn_lsp.flow.kept import once
from gcn_lsp.program.program import Program
from gcn_lsp.text import Location


def said(name: str) -> str:
    """The message for the assumed target `name`."""
    return f"the file names no target; {name} is assumed"


@once
def place(program: Program) -> Location:
    """The name of the first statement."""
    for number in range(len(program.source.lines)):
        for statement in program.line(number).statements[:1]:
            return Location(program.path, number, statement.name_start, statement.name_end)
    return Location(program.path, 0, 0, 0)
