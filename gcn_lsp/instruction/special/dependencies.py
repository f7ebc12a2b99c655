"""`s_waitcnt_depctr`, `s_wait_alu` (`depctr_va_vdst(0)`), `s_delay_alu` (`instid0(VALU_DEP_1) | instskip(NEXT)`)."""

from collections.abc import Mapping, Sequence

from gcn_lsp.instruction.model import Problem
from gcn_lsp.instruction.special import waitcnt
from gcn_lsp.instruction.values import Reading, Scope, name_of, one_of, respelt
from gcn_lsp.isa.waits import waitcnt as table
from gcn_lsp.syntax import nodes

_LOWEST, _HIGHEST = -(1 << 15), (1 << 16) - 1


def read_counters(parts: Sequence[nodes.Node], scope: Scope) -> Reading:
    """The immediate for all operands of a wait for the arithmetic units; omitted fields do not wait."""
    calls: list[nodes.Node] = []
    for part in parts:
        waitcnt.split(part, calls)
    if not isinstance(calls[0], nodes.Call):
        if len(parts) > 1:
            message = "this takes one number or named counters"
            return Problem("wrong-operand-count", parts[1].start, parts[1].end, message)
        return scope.ranged(parts[0], _LOWEST, _HIGHEST, "the immediate")
    fields = table.depctr_fields(scope.target.features)
    immediate = sum(field.placed(field.maximum) for field in fields.values())
    seen: set[str] = set()
    for call in calls:
        if not isinstance(call, nodes.Call):
            return Problem("syntax-error", call.start, call.end, f"a counter is expected here: {_names(fields)}")
        field = fields.get(call.name)
        if field is None:
            message = f"`{call.name}` is not a counter of this instruction; it has {_names(fields)}"
            return Problem(
                "wrong-operand-kind", call.start, call.start + len(call.name), message, respelt(call, fields)
            )
        if call.name in seen:
            return Problem("duplicate-modifier", call.start, call.end, f"`{call.name}` is given twice")
        seen.add(call.name)
        if len(call.arguments) != 1:
            return Problem("syntax-error", call.start, call.end, f"`{call.name}` takes one number")
        value = scope.ranged(call.arguments[0], 0, field.maximum, call.name)
        if not isinstance(value, int):
            return value
        immediate = immediate & ~field.placed(field.maximum) | field.placed(value)
    return immediate


def read_delay(parts: Sequence[nodes.Node], scope: Scope) -> Reading:
    """The immediate of `s_delay_alu`; a field given twice gets the bits of both."""
    if len(parts) > 1:
        return Problem("wrong-operand-count", parts[1].start, parts[1].end, "the fields must be joined by `|`")
    calls: list[nodes.Node] = []
    _split(parts[0], calls)
    if not isinstance(calls[0], nodes.Call):
        return scope.number(parts[0], "the immediate")
    immediate = 0
    for call in calls:
        if not isinstance(call, nodes.Call) or call.name not in table.DELAY_FIELDS:
            message = f"a field is expected here: {_names(table.DELAY_FIELDS)}"
            return Problem("wrong-operand-kind", call.start, call.end, message)
        words = table.DELAY_SKIPS if call.name == "instskip" else table.DELAY_INSTRUCTIONS
        word = name_of(call.arguments[0]) if len(call.arguments) == 1 else ""

        number = words.get(word.upper())
        if number is None:
            place = call.arguments[0] if call.arguments else call
            return Problem("wrong-operand-kind", place.start, place.end, f"{call.name} takes {one_of(list(words))}")
        immediate |= table.DELAY_FIELDS[call.name].placed(number)
    return immediate


def _split(node: nodes.Node, found: list[nodes.Node]) -> None:
    if isinstance(node, nodes.Binary) and node.op == "|":
        _split(node.left, found)
        _split(node.right, found)
    else:
        found.append(node)


def _names(fields: Mapping[str, table.CounterField]) -> str:
    return one_of([f"`{name}`" for name in fields])
