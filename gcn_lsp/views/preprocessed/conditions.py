"""The expressions of `#if`: whole numbers of 64 bits, with C's operators and precedence."""

from collections.abc import Callable, Mapping, Sequence

from gcn_lsp.views.preprocessed.macros import Budget, Macro, Wrong, expand
from gcn_lsp.views.preprocessed.tokens import Kind, Token

PRECEDENCE = {
    b"*": 10, b"/": 10, b"%": 10, b"+": 9, b"-": 9, b"<<": 8, b">>": 8, b"<": 7, b">": 7, b"<=": 7, b">=": 7,
    b"==": 6, b"!=": 6, b"&": 5, b"^": 4, b"|": 3, b"&&": 2, b"||": 1,
}  # fmt: skip
"""The binary operators: what binds tighter has the higher number."""
_SIGN = 1 << 63


def holds(
    found: Sequence[Token], macros: Mapping[bytes, Macro], budget: Budget, exists: Callable[[bytes], bool]
) -> bool:
    """Whether the condition is true. exists: whether a file that `__has_include` names is there. Raises Wrong."""
    reader = _Reader(expand(_without_defined(found, macros, exists), macros, budget))
    if not reader.left():
        raise Wrong(0, 0, "`#if` takes an expression")
    value = reader.ternary(True)
    if reader.left():
        reader.unexpected()
    return value != 0


def _without_defined(
    found: Sequence[Token], macros: Mapping[bytes, Macro], exists: Callable[[bytes], bool]
) -> list[Token]:
    """The tokens with `defined NAME`, `defined(NAME)` and `__has_include(...)` replaced by 1 or 0."""
    out: list[Token] = []
    index = 0
    while index < len(found):
        token = found[index]
        if token.text == b"defined":
            at = index + 2 if index + 1 < len(found) and found[index + 1].text == b"(" else index + 1
            if at >= len(found) or found[at].kind is not Kind.NAME:
                raise Wrong(token.start, token.end, "`defined` takes a name", token.line)
            if at == index + 2 and (at + 1 >= len(found) or found[at + 1].text != b")"):
                raise Wrong(token.start, token.end, "`defined(` lacks a `)`", token.line)
            out.append(_number(token, found[at].text in macros))
            index = at + (2 if at == index + 2 else 1)
        elif token.text == b"__has_include" and index + 1 < len(found) and found[index + 1].text == b"(":
            end = index + 2
            while end < len(found) and found[end].text != b")":
                end += 1
            name = b"".join(each.text for each in found[index + 2 : end])
            out.append(_number(token, exists(name[1:-1])))
            index = end + 1
        else:
            out.append(token)
            index += 1
    return out


def _number(token: Token, value: bool) -> Token:
    return Token(Kind.NUMBER, b"1" if value else b"0", token.spaced, token.line, token.start, token.end)


class _Reader:
    """Reads an expression by precedence; `live` is false where C does not evaluate."""

    def __init__(self, found: Sequence[Token]) -> None:
        self._found = found
        self._at = 0
        self._depth = 0

    def left(self) -> bool:
        return self._at < len(self._found)

    def unexpected(self) -> None:
        if not self.left():
            last = self._found[-1]
            raise Wrong(last.start, last.end, "the expression ends too early", last.line)
        token = self._found[self._at]
        text = token.text.decode("utf-8", "replace")
        raise Wrong(token.start, token.end, f"`{text}` is not part of an expression of whole numbers", token.line)

    def ternary(self, live: bool) -> int:
        condition = self._binary(1, live)
        if not self._take(b"?"):
            return condition
        chosen = self.ternary(live and condition != 0)
        if not self._take(b":"):
            self.unexpected()
        other = self.ternary(live and condition == 0)
        return chosen if condition else other

    def _binary(self, least: int, live: bool) -> int:
        value = self._unary(live)
        while self.left() and PRECEDENCE.get(self._found[self._at].text, 0) >= least:
            operator = self._found[self._at]
            self._at += 1
            needed = live
            if operator.text == b"&&":
                needed = live and value != 0
            elif operator.text == b"||":
                needed = live and value == 0
            other = self._binary(PRECEDENCE[operator.text] + 1, needed)
            value = self._result(operator, value, other, live)
        return value

    def _result(self, operator: Token, a: int, b: int, live: bool) -> int:
        text = operator.text
        if text in (b"/", b"%"):
            if b == 0:
                if live:
                    raise Wrong(operator.start, operator.end, "division by zero", operator.line)
                return 0
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return _wrapped(quotient if text == b"/" else a - quotient * b)
        if text in (b"<<", b">>"):
            b = min(max(b, 0), 64)
            return _wrapped(a << b if text == b"<<" else a >> b)
        return _wrapped(OPERATIONS[text](a, b))

    def _unary(self, live: bool) -> int:
        self._depth += 1
        if self._depth > 200 or not self.left():
            self.unexpected()
        token = self._found[self._at]
        self._at += 1
        if token.text == b"(":
            value = self.ternary(live)
            if not self._take(b")"):
                self.unexpected()
        elif token.text in (b"-", b"+", b"~", b"!"):
            inner = self._unary(live)
            value = {b"-": -inner, b"+": inner, b"~": ~inner, b"!": int(not inner)}[token.text]
        elif token.kind is Kind.NAME:
            value = int(token.text == b"true")  # what is no macro counts as 0
        elif token.kind is Kind.NUMBER:
            value = self._integer(token)
        elif token.kind is Kind.STRING and token.text[:1] == b"'":
            value = ord(token.text[1:-1].decode("unicode_escape", "replace")[:1] or "\0")
        else:
            self._at -= 1
            self.unexpected()
        self._depth -= 1
        return _wrapped(value)

    def _integer(self, token: Token) -> int:
        digits = token.text.rstrip(b"uUlL").decode("ascii", "replace").lower().replace("'", "")
        is_octal = len(digits) > 1 and digits.isdigit() and digits[0] == "0"
        try:
            return int(digits, 8 if is_octal else 0)
        except ValueError:
            text = token.text.decode("utf-8", "replace")
            raise Wrong(token.start, token.end, f"`{text}` is not a whole number", token.line) from None

    def _take(self, text: bytes) -> bool:
        if self.left() and self._found[self._at].text == text:
            self._at += 1
            return True
        return False


OPERATIONS: Mapping[bytes, Callable[[int, int], int]] = {
    b"*": lambda a, b: a * b,
    b"+": lambda a, b: a + b,
    b"-": lambda a, b: a - b,
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
"""The operators that are the same whatever their operands: without division and shifts."""


def _wrapped(value: int) -> int:
    return (value + _SIGN) % (2 * _SIGN) - _SIGN
