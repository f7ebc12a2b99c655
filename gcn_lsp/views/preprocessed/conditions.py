"""The expressions of `#if`: whole numbers of 64 bits, signed or unsigned, as C has them (6.10.1)."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from gcn_lsp.views.c import expressions, literals
from gcn_lsp.views.c.expressions import Expression
from gcn_lsp.views.c.lex import Kind, Token, Wrong
from gcn_lsp.views.c.macros import Budget, Macro, expand

_WIDTH = 64
_SIGN = 1 << (_WIDTH - 1)
_MASK = (1 << _WIDTH) - 1


def holds(
    found: Sequence[Token], macros: Mapping[bytes, Macro], budget: Budget, exists: Callable[[bytes], bool]
) -> bool:
    """Whether the condition is true. exists: whether a file that `__has_include` names is there. Raises Wrong."""
    made = expand(_without_defined(found, macros, exists), macros, budget)
    if not made:
        raise Wrong(0, 0, "`#if` takes an expression")
    value = _Condition(made).whole()
    if isinstance(value, Wrong):
        raise value
    return value != 0


def defined(found: Sequence[Token], index: int) -> tuple[Token, int]:
    """The name in the `defined NAME` or `defined(NAME)` at an index, and the index after it. Raises Wrong."""
    token = found[index]
    texts = [each.text for each in found[index + 1 : index + 4]]
    has_parenthesis = texts[:1] == [b"("]
    name = index + 1 + has_parenthesis
    if name >= len(found) or found[name].kind is not Kind.NAME:
        raise Wrong(token.start, token.end, "`defined` takes a name", token.line)
    if has_parenthesis and texts[2:] != [b")"]:
        raise Wrong(token.start, token.end, "`defined(` lacks a `)`", token.line)
    return found[name], name + 1 + has_parenthesis


def _without_defined(
    found: Sequence[Token], macros: Mapping[bytes, Macro], exists: Callable[[bytes], bool]
) -> list[Token]:
    """The tokens with `defined NAME`, `defined(NAME)` and `__has_include(...)` replaced by 1 or 0."""
    out: list[Token] = []
    index = 0
    while index < len(found):
        token = found[index]
        if token.text == b"defined":
            name, index = defined(found, index)
            out.append(_number(token, name.text in macros))
        elif token.text == b"__has_include" and index + 1 < len(found) and found[index + 1].text == b"(":
            end = index + 2
            while end < len(found) and found[end].text != b")":
                end += 1
            file = b"".join(each.text for each in found[index + 2 : end])
            out.append(_number(token, exists(file[1:-1])))
            index = end + 1
        else:
            out.append(token)
            index += 1
    return out


def _number(token: Token, value: bool) -> Token:
    return Token(Kind.NUMBER, b"1" if value else b"0", token.spaced, token.line, token.start, token.end)


class _Unsigned(int):
    """A number of type `uintmax_t`."""


_Value: TypeAlias = "int | Wrong"  # an error is a value, because C reports none in what it does not evaluate


class _Condition(Expression[_Value]):
    def primary(self, token: Token) -> _Value:
        if token.kind is Kind.NAME:
            return int(token.text == b"true")  # what is no macro counts as 0
        value: int | None = None
        if token.kind is Kind.NUMBER:
            read = literals.number(token.text)
            if read is None or read[0] > _MASK:
                raise Wrong(token.start, token.end, f"`{token.said}` is not a whole number", token.line)
            value = _Unsigned(read[0]) if read[1] or read[0] >= _SIGN else read[0]
        elif token.kind is Kind.STRING:
            value = literals.character(token.text)
        if value is None:
            self.at -= 1
            self.unexpected()
        return value

    def prefixed(self, operator: Token, value: _Value) -> _Value:
        if isinstance(value, Wrong):
            return value
        result = expressions.prefixed(operator.text, value)
        return result if operator.text == b"!" else _narrowed(result, isinstance(value, _Unsigned))

    def combined(self, operator: Token, left: _Value, right: _Value, start: int) -> _Value:
        text = operator.text
        if isinstance(left, Wrong):
            return left
        if text in (b"&&", b"||") and bool(left) is (text == b"||"):
            return int(text == b"||")
        if isinstance(right, Wrong):
            return right
        if text in (b"<<", b">>"):
            return _shifted(text, left, right)
        is_unsigned = isinstance(left, _Unsigned) or isinstance(right, _Unsigned)
        result = expressions.combined(text, _narrowed(left, is_unsigned), _narrowed(right, is_unsigned))
        if result is None:
            return Wrong(operator.start, operator.end, "division by zero", operator.line)
        return _narrowed(result, is_unsigned and text in _ARITHMETIC)

    def chosen(self, condition: _Value, first: _Value, second: _Value) -> _Value:
        if isinstance(condition, Wrong):
            return condition
        taken, other = (first, second) if condition else (second, first)
        if isinstance(taken, Wrong):
            return taken
        return _narrowed(taken, isinstance(taken, _Unsigned) or isinstance(other, _Unsigned))


_ARITHMETIC = frozenset((b"*", b"/", b"%", b"+", b"-", b"&", b"^", b"|"))
"""The operators whose result is unsigned if an operand is."""


def _shifted(operator: bytes, left: int, right: int) -> int:
    """A shift, as clang has one by a negative number or by 64 and more: 0 to the left, by 63 to the right."""
    is_beyond = not 0 <= right < _WIDTH
    if operator == b"<<":
        return _narrowed(0 if is_beyond else left << right, isinstance(left, _Unsigned))
    return _narrowed(left >> (_WIDTH - 1 if is_beyond else right), isinstance(left, _Unsigned))


def _narrowed(value: int, is_unsigned: bool) -> int:
    """A number of 64 bits."""
    return _Unsigned(value & _MASK) if is_unsigned else (value + _SIGN & _MASK) - _SIGN
