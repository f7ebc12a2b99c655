"""Where a file needs the symbols that only its build can define."""

from gcn_lsp.program.program import Program
from gcn_lsp.text import Location


def first_use(program: Program) -> Location:
    """The first place in the file that needs the value of one of the symbols; the file's start if no line does."""
    for number, chunk in enumerate(program.chunks):
        for use in chunk.unresolved:
            if use.name in program.build_defined:
                line = use.statement.line
                start = max(line.find(use.name.encode("utf-8", "surrogateescape"), use.statement.start), 0)
                end = start + len(use.name.encode("utf-8", "surrogateescape"))
                where, _ = program.locate(number, use.written, line, start, end)
                if where.path == program.path:
                    return where
                return program.steps(number, use.written.frame)[0].where  # the include that leads there
    return Location(program.path, 0, 0, 0)
