"""The operation of an instruction as a typed tree: `parse("D.f32 = S0.f32 + S1.f32")`, and `text` of it.

`notation` says what the words and signs mean. The tree keeps everything that the text says, parentheses and line breaks
included, so `text(parse(x)) == x`; who carries it out need not know how it was written.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

import msgspec

LEVELS = ("||", "&&", "|", "^", "&", "== !=", "< <= > >=", "<< >>", "+ -", "* / %")
"""The binary operators from the loosest to the tightest, those of equal rank together; all group to the left."""

_TOKEN = re.compile(
    r"\s*(?:\"[^\"]*\"|0x[0-9a-f]+|\d+\.\d+|\d+|\.(?:bf|fp|[uibfe])\d+(?:m\d+)?\b"
    r"|[A-Za-z_]\w*(?:\.[A-Z][A-Z_0-9]*)?|\*\*|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>=?:;,()\[\]])"
)
_TYPE = re.compile(r"(bf|fp|[uibfe])(\d+)(?:m0)?")
_LEVEL_OF = {sign: level for level, signs in enumerate(LEVELS) for sign in signs.split()}


class NotAnOperation(Exception):
    """The text is not in the notation; the message quotes what was not understood."""


class Type(msgspec.Struct, frozen=True):
    """How bits are read: `kind` is u, i, f, bf, fp, b or e (an exponent), `size` is in bits."""

    kind: str
    size: int

    def __str__(self) -> str:
        return f"{self.kind}{self.size}" + ("m0" if self.kind == "e" else "")


class Number(msgspec.Struct, frozen=True):
    """A number as written: decimal, `0x` hexadecimal, or with a fraction."""

    written: str

    @property
    def value(self) -> Fraction:
        """The exact value."""
        return Fraction(self.written) if "." in self.written else Fraction(int(self.written, 0))


class Text(msgspec.Struct, frozen=True):
    """A string in quotes, which says something that the notation has no word for."""

    content: str


class Name(msgspec.Struct, frozen=True):
    """An operand, a part of the state (`MODE.FP_ROUND` too), a constant, or a value of an earlier statement."""

    name: str


class Group(msgspec.Struct, frozen=True):
    """An expression in parentheses."""

    value: "Expression"


class As(msgspec.Struct, frozen=True):
    """The bits of a value read as a type: `x.u32`."""

    value: "Expression"
    type: Type


class At(msgspec.Struct, frozen=True):
    """A part of a value: bits `high` to `low`. Without `low`, it is one bit, element or register of `value`."""

    value: "Expression"
    high: "Expression"
    low: "Expression | None" = None


class Call(msgspec.Struct, frozen=True):
    """A function of `notation.FUNCTIONS`, or a conversion: then `function` is the type's name."""

    function: str
    arguments: tuple["Expression", ...]

    @property
    def converts_to(self) -> Type | None:
        """The type that it converts to; None for a function."""
        return type_of(self.function)


class Unary(msgspec.Struct, frozen=True):
    """`~x`, `-x` or `!x`."""

    sign: str
    value: "Expression"


class Binary(msgspec.Struct, frozen=True):
    """Two values with an operator of `LEVELS` or `**` between them."""

    sign: str
    left: "Expression"
    right: "Expression"


class Choice(msgspec.Struct, frozen=True):
    """`test ? first : second`."""

    test: "Expression"
    first: "Expression"
    second: "Expression"


Expression = Number | Text | Name | Group | As | At | Call | Unary | Binary | Choice


class Assign(msgspec.Struct, frozen=True):
    """A place (a `Name`, or `As` and `At` of one) takes a value."""

    place: Expression
    value: Expression


class Do(msgspec.Struct, frozen=True):
    """A function for what it does: `wait(vmcnt <= n)`."""

    call: Expression


class If(msgspec.Struct, frozen=True):
    """`if` with its body, each `else if` with its own, and at the end a body without a test for `else`."""

    branches: tuple[tuple["Expression | None", "Body"], ...]


class For(msgspec.Struct, frozen=True):
    """`for counter < count`: the body once for each number from 0 to count - 1."""

    counter: str
    count: Expression
    body: "Body"


Statement = Assign | Do | If | For


class Body(msgspec.Struct, frozen=True):
    """Lines of statements. is_inline: they are the rest of the line that rules them."""

    lines: tuple[tuple[Statement, ...], ...]
    is_inline: bool = False

    def __iter__(self) -> Iterator[Statement]:
        return (statement for line in self.lines for statement in line)


def type_of(name: str) -> Type | None:
    """The type of that name: `u32`, `bf16`, `e8m0`."""
    found = _TYPE.fullmatch(name)
    return None if found is None else Type(found[1], int(found[2]))


@lru_cache(maxsize=4096)
def parse(operation: str) -> Body:
    """The tree of an operation. Raises NotAnOperation for a text that is not in the notation."""
    lines = [line for line in operation.splitlines() if line.strip()]
    return _body(lines)


def _body(lines: list[str]) -> Body:
    """The lines of one indentation, with those that each of them rules; takes them from `lines`."""
    made: list[tuple[Statement, ...]] = []
    while lines:
        line = lines.pop(0)
        inner: list[str] = []
        while lines and _indentation(lines[0]) > _indentation(line):
            inner.append(lines.pop(0))
        made.append(_line(line.strip(), inner, made))
    return Body(tuple(made))


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def _line(line: str, inner: list[str], before: list[tuple[Statement, ...]]) -> tuple[Statement, ...]:
    """The statements of a line; `else` joins the `if` that ends the line before, which is taken from `before`."""
    if line.startswith("else"):
        if not before or not isinstance(before[-1][-1], If):
            raise NotAnOperation(line)
        *earlier, opened = before.pop()
        assert isinstance(opened, If)
        tokens = _Tokens(line)
        tokens.take("else")
        test = tokens.expression() if tokens.accept("if") else None
        return (*earlier, If((*opened.branches, (test, _ruled(tokens, inner)))))
    return _statements(_Tokens(line), inner)


def _statements(tokens: "_Tokens", inner: list[str]) -> tuple[Statement, ...]:
    made: list[Statement] = []
    while True:
        if tokens.accept("if"):
            test = tokens.expression()
            return (*made, If(((test, _ruled(tokens, inner)),)))
        if tokens.accept("for"):
            counter = tokens.next()
            tokens.take("<")
            return (*made, For(counter, tokens.expression(), _ruled(tokens, inner)))
        place = tokens.expression()
        made.append(Assign(place, tokens.expression()) if tokens.accept("=") else Do(place))
        if not tokens.accept(";"):
            break
    tokens.end()
    if inner:
        raise NotAnOperation(inner[0])
    return tuple(made)


def _ruled(tokens: "_Tokens", inner: list[str]) -> Body:
    """What an `if`, `else` or `for` rules: the rest of its line, or the lines below."""
    tokens.take(":")
    if tokens.is_at_end:
        return _body(inner)
    return Body((_statements(tokens, inner),), is_inline=True)


class _Tokens:
    """The tokens of a line, and the place in them."""

    def __init__(self, line: str) -> None:
        self._line = line
        self._tokens = list(_tokens(line))
        self._at = 0

    @property
    def is_at_end(self) -> bool:
        """Whether nothing follows."""
        return self._at == len(self._tokens)

    def _peek(self) -> str:
        return "" if self.is_at_end else self._tokens[self._at]

    def next(self) -> str:
        """The next token."""
        if self.is_at_end:
            raise NotAnOperation(self._line)
        self._at += 1
        return self._tokens[self._at - 1]

    def accept(self, token: str) -> bool:
        """Take the next token if it is this one."""
        is_next = self._peek() == token
        self._at += is_next
        return is_next

    def take(self, token: str) -> None:
        """Take the next token, which must be this one."""
        if not self.accept(token):
            raise NotAnOperation(f"{self._line}: {token!r} expected before {self._peek()!r}")

    def end(self) -> None:
        """Refuse what is left."""
        if not self.is_at_end:
            raise NotAnOperation(f"{self._line}: {self._peek()!r} is left")

    def expression(self) -> Expression:
        """The expression from here."""
        test = self._binary(0)
        if not self.accept("?"):
            return test
        first = self.expression()
        self.take(":")
        return Choice(test, first, self.expression())

    def _binary(self, level: int) -> Expression:
        if level == len(LEVELS):
            return self._unary()
        left = self._binary(level + 1)
        while _LEVEL_OF.get(self._peek()) == level:
            left = Binary(self.next(), left, self._binary(level + 1))
        return left

    def _unary(self) -> Expression:
        if self._peek() in ("~", "-", "!"):
            return Unary(self.next(), self._unary())
        base = self._postfix()
        return Binary("**", base, self._unary()) if self.accept("**") else base

    def _postfix(self) -> Expression:
        made = self._primary()
        while True:
            if self._peek()[:1] == ".":
                kind = type_of(self.next()[1:])
                assert kind is not None
                made = As(made, kind)
            elif self.accept("["):
                high = self.expression()
                low = self.expression() if self.accept(":") else None
                self.take("]")
                made = At(made, high, low)
            else:
                return made

    def _primary(self) -> Expression:
        token = self.next()
        if token == "(":
            value = self.expression()
            self.take(")")
            return Group(value)
        if token[0] == '"':
            return Text(token[1:-1])
        if token[0].isdigit():
            return Number(token)
        if not (token[0].isalpha() or token[0] == "_"):
            raise NotAnOperation(f"{self._line}: {token!r}")
        if not self.accept("("):
            return Name(token)
        given: list[Expression] = []
        while not self.accept(")"):
            if given:
                self.take(",")
            given.append(self.expression())
        return Call(token, tuple(given))


def _tokens(line: str) -> Iterator[str]:
    at = 0
    while at < len(line):
        found = _TOKEN.match(line, at)
        if found is None:
            raise NotAnOperation(f"{line}: {line[at:]!r}")
        yield found[0].strip()
        at = found.end()


def text(body: Body, indentation: int = 0) -> str:
    """The operation as the notation writes it."""
    return "\n".join(_lines(body, indentation))


def _lines(body: Body, indentation: int) -> Iterator[str]:
    for statements in body.lines:
        yield from (" " * indentation + line for line in _written(statements))


def _written(statements: tuple[Statement, ...]) -> list[str]:
    """The lines of the statements of one line: the first has them all, the others are what the last one rules."""
    *simple, last = statements
    lines = _ruling(last)
    return ["; ".join([*map(_simple, simple), lines[0]]), *lines[1:]]


def _simple(statement: Statement) -> str:
    if isinstance(statement, Assign):
        return f"{expression(statement.place)} = {expression(statement.value)}"
    assert isinstance(statement, Do)
    return expression(statement.call)


def _ruling(statement: Statement) -> list[str]:
    if isinstance(statement, If):
        lines: list[str] = []
        for number, (test, body) in enumerate(statement.branches):
            word = "else" if number else ""
            head = " ".join(filter(None, (word, f"if {expression(test)}" if test is not None else ""))) + ":"
            lines += _with_body(head, body)
        return lines
    if isinstance(statement, For):
        return _with_body(f"for {statement.counter} < {expression(statement.count)}:", statement.body)
    return [_simple(statement)]


def _with_body(head: str, body: Body) -> list[str]:
    if not body.is_inline:
        return [head, *_lines(body, 2)]
    first, *rest = _written(body.lines[0])
    return [f"{head} {first}", *rest]


def _range(high: Expression, low: Expression | None) -> str:
    if low is None:
        return expression(high)
    # Numbers and names are close together, as registers are written; blanks show where a longer expression ends.
    colon = " : " if Binary in (type(high), type(low)) else ":"
    return f"{expression(high)}{colon}{expression(low)}"


def expression(value: Expression) -> str:
    """An expression as the notation writes it."""
    match value:
        case Number(written):
            return written
        case Text(content):
            return f'"{content}"'
        case Name(name):
            return name
        case Group(inner):
            return f"({expression(inner)})"
        case As(inner, kind):
            return f"{expression(inner)}.{kind}"
        case At(inner, high, low):
            return f"{expression(inner)}[{_range(high, low)}]"
        case Call(function, arguments):
            return f"{function}({', '.join(map(expression, arguments))})"
        case Unary(sign, inner):
            return f"{sign}{expression(inner)}"
        case Binary(sign, left, right):
            return f"{expression(left)} {sign} {expression(right)}"
        case Choice(test, first, second):
            return f"{expression(test)} ? {expression(first)} : {expression(second)}"
