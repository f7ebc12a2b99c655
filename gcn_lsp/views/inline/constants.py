"""Values of constant C expressions, as far as their text and the file's `#define` and `constexpr` say."""

from collections.abc import Callable
from typing import TypeAlias

from gcn_lsp.views.c import expressions, literals
from gcn_lsp.views.c.expressions import Expression
from gcn_lsp.views.c.lex import Token, TokenKind, Wrong, source_tokens

_TYPES = frozenset((
    b"unsigned", b"int", b"long", b"short", b"char", b"size_t",
    *(b"%sint%d_t" % (sign, bits) for sign in (b"", b"u") for bits in (8, 16, 32, 64)),
))  # fmt: skip
_LONGEST = 400
_LARGEST = 1 << 64

# A value is `number + name`, with an empty name for a number alone.
Linear: TypeAlias = tuple[int, str]
Lookup: TypeAlias = "Callable[[str], int | None]"


def evaluate(expression: str, lookup: Lookup = lambda name: None) -> Linear:
    """A constant as a number and what is added to it: the name of an unknown one, or the text of the expression."""
    text = " ".join(expression.split())
    if not text or len(text) > _LONGEST:
        return 0, text or "?"
    try:
        value = _Constant(source_tokens(expression.encode()), lookup).whole()
    except Wrong:
        return 0, text
    return value if abs(value[0]) < _LARGEST else (0, text)


class _Constant(Expression[Linear]):
    """Exact numbers: a constant that fits no type of C is not one of an instruction either."""

    has_casts = True

    def __init__(self, found: list[Token], lookup: Lookup) -> None:
        super().__init__(found)
        self._lookup = lookup

    def primary(self, token: Token) -> Linear:
        value: int | None = None
        if token.kind is TokenKind.NAME:
            name = token.said
            while self.text == b"::" and self.at + 1 < len(self.found):
                name += f"__{self.found[self.at + 1].said}"
                self.at += 2
            value = {"true": 1, "false": 0}.get(name, self._lookup(name))
            return (0, name) if value is None else (value, "")
        if token.kind is TokenKind.NUMBER:
            read = literals.number(token.text)
            value = read[0] if read is not None else None
        elif token.kind is TokenKind.STRING:
            value = literals.character(token.text)
        if value is None:
            self.at -= 1
            self.unexpected()
        return value, ""

    def cast(self, token: Token) -> bool:
        texts = [each.text for each in self.found[self.at : self.at + 2]]
        if token.text == b"(" and texts[:1] and texts[0] in _TYPES and texts[1:] == [b")"]:
            self.at += 2
            return True
        if token.text == b"static_cast" and texts[:1] == [b"<"]:
            while self.at < len(self.found) and not self.take(b">"):
                self.at += 1
            return True
        return False

    def prefixed(self, operator: Token, value: Linear) -> Linear:
        return expressions.prefixed(operator.text, _number(value, operator)), ""

    def combined(self, operator: Token, left: Linear, right: Linear, start: int) -> Linear:
        text = operator.text
        if text == b"+" and not (left[1] and right[1]):
            return left[0] + right[0], left[1] or right[1]
        if text == b"-" and not right[1]:
            return left[0] - right[0], left[1]
        first, second = _number(left, operator), _number(right, operator)
        result = expressions.combined(text, first, second)
        if result is None or (text in (b"<<", b">>") and not 0 <= second < 64):
            raise Wrong(operator.start, operator.end, "this has no value")
        return result, ""

    def chosen(self, condition: Linear, first: Linear, second: Linear) -> Linear:
        return first if _number(condition, self.found[0]) else second


def _number(value: Linear, where: Token) -> int:
    """The number. Raises Wrong for a name, whose value only the build knows."""
    if value[1]:
        raise Wrong(where.start, where.end, f"`{value[1]}` is not known")
    return value[0]
