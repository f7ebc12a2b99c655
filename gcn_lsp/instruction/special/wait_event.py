"""The event of `s_wait_event`: `{ export_ready: 1 }`, or a number of 16 bits."""

from gcn_lsp.instruction.model import Problem
from gcn_lsp.instruction.values import Reading, Scope
from gcn_lsp.isa.waits import waitcnt
from gcn_lsp.syntax import nodes

_HIGHEST = 1


def read(node: nodes.Node, scope: Scope) -> Reading:
    """The 16 bits of the operand."""
    if not isinstance(node, nodes.Structure):
        return scope.ranged(node, 0, 0xFFFF, "the event")
    known = waitcnt.wait_event_field(scope.target.features)
    value: Reading = 0
    for index, field in enumerate(node.fields):
        if field.name != known:
            message = f"`{field.name}` is not a field; {scope.target.name} has {known}"
            return Problem("syntax-error", field.start, field.name_end, message)
        if index:
            return Problem("duplicate-modifier", field.start, field.name_end, f"`{field.name}` is given twice")
        value = scope.ranged(field.value, 0, _HIGHEST, known)
    return value
