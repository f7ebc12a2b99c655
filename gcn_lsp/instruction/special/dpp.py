"""The DPP control: `quad_perm:[0,1,2,3]`, `row_shl:1`, `row_mirror`, ... as the bits of `dpp_ctrl`; also `dpp8`."""

from gcn_lsp.instruction.model import Problem
from gcn_lsp.instruction.values import Reading, Scope
from gcn_lsp.isa.modifiers import dpp as table
from gcn_lsp.syntax import nodes


def read(node: nodes.Node, scope: Scope) -> Reading:
    """The control's code."""
    if isinstance(node, nodes.Name):
        return table.CONTROLS[node.name].base
    assert isinstance(node, nodes.Modifier)
    if node.name == table.QUAD_PERM:
        return _lanes(node, scope, table.QUAD_LANES, table.QUAD_BITS)
    value = scope.number(node.value, f"the value of {node.name}")
    if not isinstance(value, int):
        return value
    control = table.CONTROLS[node.name]
    code = control.code(value)
    if code is not None:
        return code
    message = f"{node.name} is {value}; it must be {_allowed(control)}"
    return Problem("modifier-out-of-range", node.value.start, node.value.end, message)


def _allowed(control: table.Control) -> str:
    if control.codes:
        return " or ".join(str(value) for value, _ in control.codes)
    return f"from {control.low} to {control.high}" if control.low != control.high else str(control.low)


def read_dpp8(node: nodes.Node, scope: Scope) -> Reading:
    """The 24 bits of `dpp8:[0,1,2,3,4,5,6,7]`."""
    assert isinstance(node, nodes.Modifier)
    return _lanes(node, scope, table.DPP8_LANES, table.DPP8_BITS)


def _lanes(node: nodes.Modifier, scope: Scope, count: int, bits: int) -> Reading:
    items = node.value.items if isinstance(node.value, nodes.Bracket) else ()
    if len(items) != count:
        return Problem(
            "modifier-out-of-range", node.value.start, node.value.end, f"{node.name} takes {count} lanes in brackets"
        )
    code = 0
    for index, item in enumerate(items):
        lane = scope.ranged(item, 0, (1 << bits) - 1, "the lane", "modifier-out-of-range")
        if not isinstance(lane, int):
            return lane
        code |= lane << index * bits
    return code
