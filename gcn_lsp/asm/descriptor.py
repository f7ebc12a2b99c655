"""The fields of kernel descriptors: checks of one `.amdhsa_` line of an `.amdhsa_kernel` block."""

import difflib
from collections.abc import Iterator

from gcn_lsp import isa
from gcn_lsp.asm.model import Fix, Problem
from gcn_lsp.isa import descriptor
from gcn_lsp.syntax.statement import Statement


def field_problems(target: "isa.Target | None", statement: Statement, value: "int | None") -> Iterator[Problem]:
    """What is wrong with one field: its name, its presence on `target`, or its value (None: not known)."""
    name = statement.word.removeprefix(descriptor.PREFIX)
    start, end = statement.name_start, statement.name_end
    if name not in descriptor.all_names():
        near = difflib.get_close_matches(name, descriptor.all_names(), 1, 0.7)
        spelling = descriptor.PREFIX + near[0] if near else ""
        message = f"`{statement.name}` is no field of a kernel descriptor"
        if not near:
            yield Problem("descriptor-field", start, end, message)
            return
        fix = Fix(f"Change to `{spelling}`", start, end, spelling)
        yield Problem("descriptor-field", start, end, f"{message}; the nearest is `{spelling}`", (fix,))
        return
    if target is None:
        return
    field = descriptor.directives(target.features).get(name)
    if field is None:
        yield Problem("descriptor-field", start, end, f"{target.name} has no descriptor field `{statement.name}`")
    elif value is not None and not 0 <= value < 1 << field.width:
        largest = (1 << field.width) - 1
        yield Problem(
            "descriptor-field",
            statement.rest_start,
            statement.end,
            f"`{statement.name}` is {value}, but takes 0 to {largest}",
        )
