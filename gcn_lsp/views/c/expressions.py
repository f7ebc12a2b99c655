"""Evaluates expressions as C writes them; a subclass decides the values, their width, and the meaning of names.

The operators wait on a stack of their own, so that no depth of parentheses exhausts Python's.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, NoReturn, TypeVar

from gcn_lsp.syntax.expressions import quotient
from gcn_lsp.views.c.lex import Token, TokenKind, Wrong

_V = TypeVar("_V")

_PRECEDENCE = {
    b"*": 10, b"/": 10, b"%": 10, b"+": 9, b"-": 9, b"<<": 8, b">>": 8, b"<": 7, b">": 7, b"<=": 7, b">=": 7,
    b"==": 6, b"!=": 6, b"&": 5, b"^": 4, b"|": 3, b"&&": 2, b"||": 1,
}  # fmt: skip
"""The binary operators and their precedence; tighter ones have higher numbers."""
SHIFT = _PRECEDENCE[b"<<"]
_UNARY = 11
_OPEN, _CHOSEN = 0, -1  # in place of a precedence: `(` or `?`, and the `:` of a `?`


OPERATIONS: Mapping[bytes, Callable[[int, int], int]] = {
    b"*": lambda a, b: a * b,
    b"/": quotient,
    b"%": lambda a, b: a - quotient(a, b) * b,
    b"+": lambda a, b: a + b,
    b"-": lambda a, b: a - b,
    b"<<": lambda a, b: a << min(max(b, 0), 64),
    b">>": lambda a, b: a >> min(max(b, 0), 64),
    b"<": lambda a, b: int(a < b),
    b">": lambda a, b: int(a > b),
    b"<=": lambda a, b: int(a <= b),
    b">=": lambda a, b: int(a >= b),
    b"==": lambda a, b: int(a == b),
    b"!=": lambda a, b: int(a != b),
    b"&": lambda a, b: a & b,
    b"^": lambda a, b: a ^ b,
    b"|": lambda a, b: a | b,
    b"&&": lambda a, b: int(bool(a and b)),
    b"||": lambda a, b: int(bool(a or b)),
}
_PREFIXED: Mapping[bytes, Callable[[int], int]] = {
    b"-": lambda a: -a,
    b"+": lambda a: a,
    b"~": lambda a: ~a,
    b"!": lambda a: int(not a),
}


def prefixed(operator: bytes, value: int) -> int:
    """An exact number after a unary operator."""
    return _PREFIXED[operator](value)


def combined(operator: bytes, left: int, right: int) -> int | None:
    """Two exact numbers with a binary operator; None for a division by zero. Shifts end at 64 bits."""
    return None if operator in (b"/", b"%") and right == 0 else OPERATIONS[operator](left, right)


class Expression(Generic[_V]):
    """Reads an expression from tokens, from `at`."""

    def __init__(self, found: Sequence[Token]) -> None:
        self.found = found
        self.at = 0

    # The policy

    has_casts = False

    def primary(self, token: Token) -> _V:
        """The value that begins with a token, which is already taken. Raises Wrong."""
        raise NotImplementedError

    def cast(self, token: Token) -> bool:
        """Whether a cast begins with a token; the rest of it is then taken."""
        return False

    def indexed(self, value: _V) -> _V:
        """A value with the `[...]` after it."""
        return value

    def prefixed(self, operator: Token, value: _V) -> _V:
        """A value after a unary operator."""
        raise NotImplementedError

    def combined(self, operator: Token, left: _V, right: _V, start: int) -> _V:
        """Two values with a binary operator. start: the index of the first token of the left one."""
        raise NotImplementedError

    def chosen(self, condition: _V, first: _V, second: _V) -> _V:
        """The value of `condition ? first : second`."""
        raise NotImplementedError

    def missing(self, wanted: str) -> str:
        """The sentence for an expression that ends before `wanted`."""
        return "the expression ends too early"

    def misplaced(self, token: Token, wanted: str) -> str:
        """The sentence for a token in place of `wanted`."""
        return f"`{token.said}` is not part of an expression of whole numbers"

    # The tokens

    @property
    def text(self) -> bytes:
        """The next token's text; empty at the end."""
        return self.found[self.at].text if self.at < len(self.found) else b""

    def take(self, text: bytes) -> bool:
        """Take a token if it is this one."""
        if self.text != text:
            return False
        self.at += 1
        return True

    def need(self, text: bytes) -> None:
        """Take this token. Raises Wrong."""
        if not self.take(text):
            self.unexpected(f"`{text.decode()}`")

    def unexpected(self, wanted: str = "an operand") -> NoReturn:
        """Raises Wrong at the next token."""
        if self.at >= len(self.found):
            last = self.found[-1]
            raise Wrong(last.start, last.end, self.missing(wanted), last.line)
        token = self.found[self.at]
        raise Wrong(token.start, token.end, self.misplaced(token, wanted), token.line)

    # The expression

    def whole(self) -> _V:
        """The value of all tokens. Raises Wrong."""
        value = self.value()
        if self.at < len(self.found):
            self.unexpected("the end of the statement")
        return value

    def value(self, least: int = _OPEN) -> _V:
        """The value of the tokens as far as they are one. Raises Wrong.

        least: the precedence from which operators belong to it.
        """
        found = self.found
        values: list[_V] = []
        starts: list[int] = []  # the index of each value's first token
        waiting: list[tuple[int, int]] = []  # operators: precedence, index of the token
        while True:
            self._operand(values, starts, waiting)
            text = found[self.at].text if self.at < len(found) else b""
            while text == b")" and self._closed(values, starts, waiting):
                self.at += 1
                self._indices(values)
                text = self.text
            precedence = _PRECEDENCE.get(text, 0)
            if precedence and (precedence >= least or any(other == _OPEN for other, _ in waiting)):
                if waiting:
                    self._reduce(values, starts, waiting, precedence)
            elif text == b"?" and (not least or any(other == _OPEN for other, _ in waiting)):
                self._reduce(values, starts, waiting, 1)
                precedence = _OPEN
            elif text == b":" and self._divided(values, starts, waiting):
                precedence = _CHOSEN
            else:
                break
            waiting.append((precedence, self.at))
            self.at += 1
        if waiting:
            self._reduce(values, starts, waiting, _CHOSEN)
        if waiting:
            self.unexpected("`)`" if self.found[waiting[-1][1]].text == b"(" else "`:`")
        return values[0]

    def _operand(self, values: list[_V], starts: list[int], waiting: list[tuple[int, int]]) -> None:
        """Take a primary value, and the operators and parentheses before it."""
        found = self.found
        while True:
            if self.at >= len(found):
                self.unexpected()
            token = found[self.at]
            self.at += 1
            if token.kind is TokenKind.NUMBER:
                break
            if token.text in _PREFIXED:
                waiting.append((_UNARY, self.at - 1))
            elif self.has_casts and self.cast(token):
                continue
            elif token.text == b"(":
                waiting.append((_OPEN, self.at - 1))
            else:
                break
        starts.append(self.at - 1)
        values.append(self.primary(token))
        if self.at < len(found) and found[self.at].text == b"[":
            self._indices(values)

    def _indices(self, values: list[_V]) -> None:
        while self.text == b"[":
            at = self.at
            values[-1] = self.indexed(values[-1])
            if self.at == at:
                break

    def _reduce(self, values: list[_V], starts: list[int], waiting: list[tuple[int, int]], least: int) -> None:
        """Apply the operators that wait and bind at least this tight."""
        while waiting and waiting[-1][0] >= least and waiting[-1][0] != _OPEN:
            precedence, index = waiting.pop()
            operator = self.found[index]
            if precedence == _UNARY:
                values[-1] = self.prefixed(operator, values[-1])
                starts[-1] = index
                continue
            right = values.pop()
            starts.pop()
            if precedence == _CHOSEN:
                first = values.pop()
                starts.pop()
                values[-1] = self.chosen(values[-1], first, right)
            else:
                values[-1] = self.combined(operator, values[-1], right, starts[-1])

    def _closed(self, values: list[_V], starts: list[int], waiting: list[tuple[int, int]]) -> bool:
        """Whether a `(` waits, whose value is then known."""
        self._reduce(values, starts, waiting, _CHOSEN)
        if not waiting or self.found[waiting[-1][1]].text != b"(":
            return False
        starts[-1] = waiting.pop()[1]
        return True

    def _divided(self, values: list[_V], starts: list[int], waiting: list[tuple[int, int]]) -> bool:
        """Whether a `?` waits, whose first value is then known."""
        self._reduce(values, starts, waiting, _CHOSEN)
        if not waiting or self.found[waiting[-1][1]].text != b"?":
            return False
        waiting.pop()
        return True
