"""Reads numbers where one is needed at once: in register indices, modifiers and helper functions.

The result is the number, a `Problem` at the text at fault, or None if only the build knows the value.
"""

import difflib
from collections.abc import Container, Iterable

from gcn_lsp import isa
from gcn_lsp.instruction.model import LineFix, Problem, Symbols
from gcn_lsp.syntax import expressions, nodes

Reading = int | Problem | None


_HALF = 1 << 63


class Scope:
    """The scope in which an operand is read: the target and the symbols known at this line."""

    __slots__ = ("target", "symbols")

    def __init__(self, target: isa.Target, symbols: Symbols) -> None:
        self.target = target
        self.symbols = symbols

    def lookup(self, name: str) -> "int | expressions.Address | expressions.MissingSymbol":
        """The value of a name, for `expressions.evaluate`."""
        if name in self.symbols:
            value = self.symbols[name]
            return expressions.MissingSymbol(True) if value is None else value
        return expressions.MissingSymbol(False)

    def evaluate(self, node: nodes.Node) -> expressions.Value:
        """The value of an expression."""
        return expressions.evaluate(node, self.lookup)

    def number(self, node: nodes.Node, what: str = "a number") -> Reading:
        """The number that `node` evaluates to; `what` names in the message what is expected."""
        plain = self.plain(node)
        if plain is not None:
            return plain
        value = self.evaluate(node)
        if isinstance(value, int):
            return value
        if isinstance(value, expressions.Unresolved):
            if value.unknown:
                return None
            if value.names:
                return Problem(
                    "undefined-symbol",
                    node.start,
                    node.end,
                    f"`{value.names[0]}` has no value at this line; {what} is needed here",
                )
            return Problem("syntax-error", node.start, node.end, f"{what} is expected here: {value.message}")
        return Problem("undefined-symbol", node.start, node.end, f"this is an address; {what} is needed here")

    def plain(self, node: nodes.Node) -> int | None:
        """The value of a number, a symbol or a sum of these, as in most operands; None for everything else."""
        kind = type(node)
        if kind is nodes.Integer:
            number: int = node.value  # type: ignore[attr-defined]
            return number if number < _HALF else None
        if kind is nodes.Name:
            return self.symbols.get(node.name)  # type: ignore[attr-defined]
        if kind is nodes.Binary and node.op == "+":  # type: ignore[attr-defined]
            left = self.plain(node.left)  # type: ignore[attr-defined]
            if left is None:
                return None
            # The right side is nearly always a number; reading it here saves a call, and operands have two or more.
            side = node.right  # type: ignore[attr-defined]
            right = side.value if type(side) is nodes.Integer and side.value < _HALF else self.plain(side)
            if right is None or not -_HALF <= left + right < _HALF:
                return None
            return left + right
        return None

    def ranged(self, node: nodes.Node, low: int, high: int, what: str, rule: str = "immediate-out-of-range") -> Reading:
        """A number from `low` to `high`; `what` names it in the message."""
        value = self.number(node, what)
        if isinstance(value, int) and not low <= value <= high:
            return Problem(rule, node.start, node.end, f"{what} is {value}; the range is {low} to {high}")
        return value

    def sixteen_bits(self, node: nodes.Node, what: str) -> Reading:
        """A number for the whole of a 16-bit field; `what` names in the message what is expected."""
        value = self.number(node, what)
        if isinstance(value, int) and not 0 <= value <= 0xFFFF:
            return Problem("immediate-out-of-range", node.start, node.end, f"{value} does not fit in 16 bits")
        return value

    def bare_word(self, node: nodes.Node, function: str, known: Container[str]) -> Problem | None:
        """What is wrong with a name that only an argument of `function` may be, unless a symbol is called so."""
        name = name_of(node)
        if name not in known or name in self.symbols:
            return None
        whole = f"{function}({name})"
        fix = LineFix(f"Change to `{whole}`", node.start, node.end, whole)
        message = f"`{name}` has a meaning only in `{function}(...)`, and no symbol has that name"
        return Problem("wrong-operand-kind", node.start, node.end, message, (fix,))


def name_of(node: nodes.Node) -> str:
    """The name if `node` is a bare name, else empty."""
    return node.name if isinstance(node, nodes.Name) else ""


def respelt(call: nodes.Call, known: Iterable[str]) -> tuple[LineFix, ...]:
    """The fix for a misspelt name before `(`: the known one most like it; none if no name is near."""
    near = difflib.get_close_matches(call.name, known, 1, _LEAST_LIKENESS) if len(call.name) < _LONG else []
    return tuple(LineFix(f"Change to `{name}`", call.start, call.start + len(call.name), name) for name in near)


_LEAST_LIKENESS = 0.8
_LONG = 64  # characters; no name that is known is half as long


def one_of(names: list[str]) -> str:
    """`a, b or c` for messages."""
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]
