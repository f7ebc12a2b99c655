"""The expressions of `#if`: whole numbers of 64 bits, signed or unsigned, as C has them (6.10.1)."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from gcn_lsp.records import NamedTuple
from gcn_lsp.views.c import expressions, literals
from gcn_lsp.views.c.expressions import Expression
from gcn_lsp.views.c.lex import Token, TokenKind, Wrong
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
    value = _IfExpression(made).whole()
    if isinstance(value, _Error):
        raise value.error
    return value != 0


def defined(found: Sequence[Token], index: int) -> tuple[Token, int]:
    """The name in the `defined NAME` or `defined(NAME)` at an index, and the index after it. Raises Wrong."""
    token = found[index]
    texts = [each.text for each in found[index + 1 : index + 4]]
    has_parenthesis = texts[:1] == [b"("]
    name = index + 1 + has_parenthesis
    if name >= len(found) or found[name].kind is not TokenKind.NAME:
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
    return Token(TokenKind.NUMBER, b"1" if value else b"0", token.spaced, token.line, token.start, token.end)


class _Unsigned(int):
    """A number of type `uintmax_t`."""


class _Error(NamedTuple):
    """A division by zero: a value, because C reports none in what it does not evaluate."""

    error: Wrong
    is_unsigned: bool


_Value: TypeAlias = "int | _Error"


class _IfExpression(Expression[_Value]):
    def primary(self, token: Token) -> _Value:
        if token.kind is TokenKind.NAME:
            return int(token.text == b"true")  # what is no macro counts as 0
        value: int | None = None
        if token.kind is TokenKind.NUMBER:
            read = literals.number(token.text)
            if read is None or read[0] > _MASK:
                raise Wrong(token.start, token.end, f"`{token.said}` is not a whole number", token.line)
            value = _Unsigned(read[0]) if read[1] or read[0] >= _SIGN else read[0]
        elif token.kind is TokenKind.STRING:
            value = literals.character(token.text)
        if value is None:
            self.at -= 1
            self.unexpected()
        return value

    def prefixed(self, operator: Token, value: _Value) -> _Value:
        is_unsigned = _is_unsigned(value) and operator.text != b"!"
        if isinstance(value, _Error):
            return _Error(value.error, is_unsigned)
        return _narrowed(expressions.prefixed(operator.text, value), is_unsigned)

    def combined(self, operator: Token, left: _Value, right: _Value, start: int) -> _Value:
        text = operator.text
        if type(left) is int and type(right) is int and text in _TRUTHS:
            return _TRUTHS[text](left, right)
        if text in (b"&&", b"||") and not isinstance(left, _Error) and bool(left) is (text == b"||"):
            return int(text == b"||")
        is_shift = text in (b"<<", b">>")
        is_unsigned = _is_unsigned(left) or (not is_shift and _is_unsigned(right))
        for side in (left, right):
            if isinstance(side, _Error):
                return _Error(side.error, is_unsigned and text not in _TRUTHS)
        assert isinstance(left, int)
        assert isinstance(right, int)
        if is_shift:
            return _narrowed(_shifted(text, left, right), is_unsigned)
        if is_unsigned:
            left, right = _narrowed(left, True), _narrowed(right, True)
        result = expressions.combined(text, left, right)
        if result is None:
            return _Error(Wrong(operator.start, operator.end, "division by zero", operator.line), is_unsigned)
        return _narrowed(result, is_unsigned and text not in _TRUTHS)

    def chosen(self, condition: _Value, first: _Value, second: _Value) -> _Value:
        is_unsigned = _is_unsigned(first) or _is_unsigned(second)
        taken = condition if isinstance(condition, _Error) else first if condition else second
        return _Error(taken.error, is_unsigned) if isinstance(taken, _Error) else _narrowed(taken, is_unsigned)


# The operators whose result is 0 or 1, which is signed.
_TRUTHS = {text: expressions.OPERATIONS[text] for text in (b"<", b">", b"<=", b">=", b"==", b"!=", b"&&", b"||")}


def _shifted(operator: bytes, left: int, right: int) -> int:
    """A shift as clang has it by a negative number, by 64 or more: 0 to the left; by at most 63 to the right, where
    only the low 32 bits of the number count.
    """
    if operator == b"<<":
        return left << right if 0 <= right < _WIDTH else 0
    return left >> min(right & 0xFFFFFFFF, _WIDTH - 1)


def _is_unsigned(value: _Value) -> bool:
    return value.is_unsigned if isinstance(value, _Error) else isinstance(value, _Unsigned)


def _narrowed(value: int, is_unsigned: bool) -> int:
    """A number of 64 bits."""
    return _Unsigned(value & _MASK) if is_unsigned else (value + _SIGN & _MASK) - _SIGN
