"""Evaluates expressions as LLVM does: 64-bit two's complement, comparisons that yield -1, logical right shifts."""

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import NamedTuple

from gcn_lsp.syntax import nodes

_MASK = (1 << 64) - 1
_SIGN = 1 << 63


class Address(NamedTuple):
    """A label's value: bytes from the start of a section. Differences within a section are numbers."""

    section: str
    offset: int


class Unresolved(NamedTuple):
    """No number: `names` are missing, or `unknown` says that a build-defined symbol without a value is in it.

    With neither, `message` says why there is no value (a division by zero, a function that does not exist).
    """

    names: tuple[str, ...] = ()
    unknown: bool = False
    message: str = ""


class Missing(NamedTuple):
    """What a lookup returns for a name that has no value here: `unknown` if only the build knows it.

    because: the names without a value that its own value depends on.
    """

    unknown: bool
    because: tuple[str, ...] = ()


Value = int | Address | Unresolved
Lookup = Callable[[str], "int | Address | Missing"]


def wrap(value: int) -> int:
    """`value` modulo 2**64 as a signed number."""
    value &= _MASK
    return value - (1 << 64) if value & _SIGN else value


def evaluate(node: nodes.Node, lookup: Lookup) -> Value:
    """The value of `node`; never raises. `lookup` says what names stand for."""
    kind = type(node)
    if kind is nodes.Integer:
        return wrap(node.value)  # type: ignore[attr-defined]
    if kind is nodes.Name:
        return _name(node.name, lookup)  # type: ignore[attr-defined]
    if kind is nodes.Binary:
        left = evaluate(node.left, lookup)  # type: ignore[attr-defined]
        right = evaluate(node.right, lookup)  # type: ignore[attr-defined]
        if type(left) is int and type(right) is int:
            return _binary(node.op, left, right)  # type: ignore[attr-defined]
        return _symbolic(node.op, left, right)  # type: ignore[attr-defined]
    if isinstance(node, nodes.Unary):
        value = evaluate(node.operand, lookup)
        return _unary(node.op, value) if type(value) is int else _no_number(value)
    if isinstance(node, nodes.LocalLabel):
        return _name(f"{node.number}{'f' if node.forward else 'b'}", lookup)
    if isinstance(node, nodes.Call):
        return _call(node, lookup)
    if isinstance(node, nodes.Malformed):
        return Unresolved(message=node.message)
    return Unresolved(message="this is no number")


def names_in(node: nodes.Node) -> tuple[str, ...]:
    """The names that stand in `node`, in order, each once."""
    found: dict[str, None] = {}
    _collect(node, found)
    return tuple(found)


def _collect(node: nodes.Node, found: dict[str, None]) -> None:
    # By exact type, the frequent ones first: this runs over every operand of every distinct line.
    kind = type(node)
    if kind is nodes.Integer:
        return
    if kind is nodes.Name:
        found[node.name] = None  # type: ignore[attr-defined]
    elif kind is nodes.Binary:
        _collect(node.left, found)  # type: ignore[attr-defined]
        _collect(node.right, found)  # type: ignore[attr-defined]
    elif isinstance(node, nodes.Index):
        _collect(node.first, found)
        if node.last is not None:
            _collect(node.last, found)
    elif isinstance(node, nodes.Unary | nodes.Absolute):
        _collect(node.operand, found)
    elif isinstance(node, nodes.LocalLabel):
        found[f"{node.number}{'f' if node.forward else 'b'}"] = None
    elif isinstance(node, nodes.Call):
        for argument in node.arguments:
            _collect(argument, found)
    elif isinstance(node, nodes.Bracket):
        for item in node.items:
            _collect(item, found)
    elif isinstance(node, nodes.Modifier):
        _collect(node.value, found)


def _name(name: str, lookup: Lookup) -> Value:
    value = lookup(name)
    if type(value) is int or isinstance(value, Address):
        return value
    assert isinstance(value, Missing)
    # A symbol whose value only the build knows is there: what is missing is what its value depends on.
    return Unresolved(value.because if value.unknown else (name,), value.unknown)


def _no_number(value: Value) -> Unresolved:
    return value if isinstance(value, Unresolved) else Unresolved(message="an address is no number here")


def _symbolic(op: str, left: Value, right: Value) -> Value:
    if isinstance(left, Unresolved) or isinstance(right, Unresolved):
        sides = [side for side in (left, right) if isinstance(side, Unresolved)]
        names = tuple(dict.fromkeys(name for side in sides for name in side.names))
        return Unresolved(names, any(side.unknown for side in sides), sides[0].message)
    if isinstance(left, Address) and isinstance(right, Address):
        if left.section != right.section:
            return Unresolved(message=f"`{left.section}` and `{right.section}` are different sections")
        if op == "+":
            return Unresolved(message="two addresses cannot be added")
        return _binary(op, left.offset, right.offset)
    if op == "+":
        if isinstance(left, Address) and type(right) is int:
            return Address(left.section, left.offset + right)
        if isinstance(right, Address) and type(left) is int:
            return Address(right.section, right.offset + left)
    if op == "-" and isinstance(left, Address) and type(right) is int:
        return Address(left.section, left.offset - right)
    return Unresolved(message="an address is no number here")


def _unary(op: str, value: int) -> int:
    if op == "-":
        return wrap(-value)
    if op == "~":
        return wrap(~value)
    if op == "!":
        return int(value == 0)
    return value


def _truth(value: bool) -> int:
    return -1 if value else 0


def _binary(op: str, left: int, right: int) -> Value:
    operation = _OPERATIONS.get(op)
    if operation is not None:
        return wrap(operation(left, right))
    if right == 0:
        return Unresolved(message="division by zero")
    quotient = abs(left) // abs(right)
    if (left < 0) != (right < 0):
        quotient = -quotient
    return wrap(quotient if op == "/" else left - quotient * right)


_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "&": lambda left, right: left & right,
    "|": lambda left, right: left | right,
    "^": lambda left, right: left ^ right,
    "!": lambda left, right: left | ~right,
    "<<": lambda left, right: left << right if 0 <= right < 64 else 0,
    ">>": lambda left, right: (left & _MASK) >> right if 0 <= right < 64 else 0,
    "&&": lambda left, right: int(bool(left and right)),
    "||": lambda left, right: int(bool(left or right)),
    "==": lambda left, right: _truth(left == right),
    "!=": lambda left, right: _truth(left != right),
    "<>": lambda left, right: _truth(left != right),
    "<": lambda left, right: _truth(left < right),
    "<=": lambda left, right: _truth(left <= right),
    ">": lambda left, right: _truth(left > right),
    ">=": lambda left, right: _truth(left >= right),
}

# The functions that LLVM's AMDGPU expressions have (AMDGPUMCExpr) and that need nothing of the target.
_FUNCTIONS: dict[str, Callable[[list[int]], int]] = {
    "max": max,
    "min": min,
    "or": lambda values: reduce(or_, values),
    "alignto": lambda values: -(-values[0] // values[1]) * values[1] if len(values) == 2 and values[1] else values[0],
}


def _call(node: nodes.Call, lookup: Lookup) -> Value:
    function = _FUNCTIONS.get(node.name)
    if function is None:
        return Unresolved(message=f"`{node.name}` is no function")
    values: list[int] = []
    for argument in node.arguments:
        value = evaluate(argument, lookup)
        if type(value) is not int:
            return _no_number(value)
        values.append(value)
    return wrap(function(values)) if values else Unresolved(message=f"`{node.name}` takes arguments")
