"""The pattern of `ds_swizzle_b32`: `offset:0x8055` or `offset:swizzle(MODE, ...)`."""

from collections.abc import Sequence

from gcn_lsp.instruction.model import Problem
from gcn_lsp.instruction.values import Reading, Scope, name_of
from gcn_lsp.isa.operands import swizzle as table
from gcn_lsp.syntax import nodes

_RULE = "modifier-out-of-range"


def read(node: nodes.Node, scope: Scope) -> Reading:
    """The 16 bits of the pattern."""
    if not isinstance(node, nodes.Call) or node.name != "swizzle":
        return scope.ranged(node, 0, 0xFFFF, "the swizzle pattern", _RULE)
    known = table.modes(scope.target.features)
    word = node.arguments[0] if node.arguments else node
    name = name_of(word) if node.arguments else ""
    mode = known.get(name)
    if mode is None:
        why = f"{scope.target.name} has no {name}; " if name in table.all_modes() else ""
        return Problem(_RULE, word.start, word.end, f"{why}a swizzle mode is expected: " + ", ".join(known))
    written = node.arguments[1:]
    wanted = 1 if name == table.BITMASK_PERM else len(mode.arguments)
    if len(written) != wanted:
        return Problem(_RULE, node.start, node.end, f"{name} takes {wanted} values; got {len(written)}")
    if name == table.BITMASK_PERM:
        return _bitmask(written[0])
    values = _values(written, mode.arguments, scope)
    return table.value(name, values) if isinstance(values, list) else values


def _values(
    written: Sequence[nodes.Node], arguments: Sequence[table.Argument], scope: Scope
) -> "list[int] | Problem | None":
    found: list[int] = []
    for node, argument in zip(written, arguments, strict=True):
        high = found[0] - 1 if argument.below_first else argument.high
        value = scope.ranged(node, argument.low, high, f"the {argument.name}", _RULE)
        if not isinstance(value, int):
            return value
        if argument.power and value & (value - 1):
            return Problem(_RULE, node.start, node.end, f"the {argument.name} {value} is not a power of two")
        found.append(value)
    return found


def _bitmask(node: nodes.Node) -> Reading:
    code = table.mask_string(node.value.decode("latin-1")) if isinstance(node, nodes.String) else None
    if code is not None:
        return code
    expected = 'a string of five letters 0, 1, p or i is expected, as in "01pip"'
    return Problem(_RULE, node.start, node.end, expected)
