"""Parses the argument text of a statement: expressions with LLVM's precedences, and instruction operands.

Commas between instruction operands are optional in LLVM and are skipped. Nothing raises: text that is no operand
becomes a `nodes.Malformed` with what was expected, and parsing goes on after the next comma.
"""

import math
import re

from gcn_lsp.flow.kept import ByValue
from gcn_lsp.syntax import expressions, nodes

# The most frequent first. A word is no number with its point in front.
_TOKEN = re.compile(
    rb"""[ \t\f\v\0]*(?:
      (::|\|\||&&|<<|>>|==|!=|<>|<=|>=|[-+~!*/%&|^<>=()\[\]:,])                                  # 1 punctuation
    | ((?!\.[0-9])(?:[A-Za-z_.$?@]|\\[A-Za-z_@+.$]|\\\(\))(?:[A-Za-z0-9_.$?@\#]|\\[A-Za-z_@+.$]|\\\(\))*
       |(?:(?<=dim:)|(?<=dim:[ ]))[0-9][A-Za-z][A-Za-z0-9_]*)              # 2 word; dimensions start with digits
    | (0[xX][0-9a-fA-F]*(?:\.[0-9a-fA-F]*)?[pP][-+]?[0-9]+
       |(?:0|[1-9][0-9]*)\.[0-9]*(?:[eE][-+]?[0-9]*)?|[1-9][0-9]*[eE][-+]?[0-9]*
       |\.[0-9]+(?:[eE][-+]?[0-9]*)?)                                                            # 3 float
    | ([0-9]+)([bf])(?![A-Za-z0-9_])                                                             # 4, 5 local label
    | (0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)[uU]?[lL]?[lL]?           # 6 integer; what follows is a word of its own
    | ("(?:\\.|[^"\\])*")                                                                        # 7 string
    | (.)                                                                                        # 8 anything else
    )""",
    re.VERBOSE | re.DOTALL,
)
_PUNCTUATION, _WORD, _FLOAT, _LOCAL, _LOCAL_SIDE, _INTEGER, _STRING, _OTHER = range(1, 9)
_END = 0

# LLVM's table for GNU syntax (its AsmParser.cpp); a higher number binds tighter. All are left-associative.
_PRECEDENCE = {
    "||": 1, "&&": 2,
    "==": 3, "!=": 3, "<>": 3, "<": 3, "<=": 3, ">": 3, ">=": 3,
    "+": 4, "-": 4,
    "|": 5, "!": 5, "^": 5, "&": 5,
    "*": 6, "/": 6, "%": 6, "<<": 6, ">>": 6,
}  # fmt: skip

_LISTING = ("&", "|")  # stand between the parts of an operand, too: `vmcnt(0) & expcnt(1)`
_REGISTER_FILES = frozenset(("v", "s", "a", "acc", "ttmp"))
_ESCAPES = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"b": b"\b", b"f": b"\f", b'"': b'"', b"\\": b"\\"}
_STRING_LITERAL = re.compile(rb'"(?:\\.|[^"\\])*"', re.DOTALL)
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|[xX][0-9a-fA-F]+|.)", re.DOTALL)
# Deeper nesting than this is taken for junk; it keeps the recursion far from Python's limit.
_MAX_DEPTH = 100
# A chain of more operators than this is taken for junk too: its tree leans to one side and is as deep as it is long.
_MAX_OPERATORS = 400
# No line of a kernel comes near this many bytes of arguments.
_MAX_LENGTH = 1 << 16
# No value of the assembler has more digits; a longer number is out of any range, whatever it is exactly.
_MAX_DIGITS = 80

_REGISTER = re.compile(r"(?:v|s|a|acc|ttmp)[0-9]+")
_NO_OCTAL = re.compile(r"0[0-9]*[89]")

Token = tuple[int, int, int, str]


def parse(line: bytes, start: int, end: int) -> tuple[nodes.Node, ...]:
    """The instruction operands in bytes `start` to `end` of `line`."""
    if end - start > _MAX_LENGTH:
        return (nodes.Malformed(start, end, f"more than {_MAX_LENGTH} bytes of operands"),)
    parser = _Parser(line, start, end)
    found: list[nodes.Node] = []
    while parser.kind != _END:
        if parser.text == "," and parser.kind == _PUNCTUATION:
            if not found:
                found.append(nodes.Malformed(parser.start, parser.end, "an operand is missing before this comma"))
            parser.advance()
            if parser.text == ",":  # one after the last operand does no harm
                found.append(nodes.Malformed(parser.start, parser.end, "an operand is missing here"))
            continue
        found.append(parser.operand())
    return tuple(found)


def parse_expression(line: bytes, start: int, end: int) -> nodes.Node:
    """The one expression in bytes `start` to `end` of `line`; anything after it makes it a `Malformed`."""
    key = (line, start, end)
    node = _expressions.get(key)
    if node is None:
        node = _expressions.keep(key, _parse_expression(line, start, end))
    return node


_expressions: ByValue[tuple[bytes, int, int], nodes.Node] = ByValue(50_000)


def _parse_expression(line: bytes, start: int, end: int) -> nodes.Node:
    if end - start > _MAX_LENGTH:
        return nodes.Malformed(start, end, f"an expression of more than {_MAX_LENGTH} bytes")
    parser = _Parser(line, start, end)
    if parser.kind == _END:
        return nodes.Malformed(start, end, "an expression is missing here")
    node = parser.expression()
    if parser.kind != _END and not isinstance(node, nodes.Malformed):
        return nodes.Malformed(parser.start, end, f"unexpected `{parser.text}` after the expression")
    return node


def parse_expression_prefix(line: bytes, start: int, end: int) -> tuple[nodes.Node, int]:
    """The expression at byte `start` and where it ends: for places where blanks separate arguments."""
    parser = _Parser(line, start, end)
    if parser.kind == _END:
        return nodes.Malformed(start, end, "an expression is missing here"), end
    node = parser.expression()
    return node, parser.start if parser.kind != _END else end


def strings_in(text: bytes) -> list[bytes]:
    """The string literals that `text` consists of, quotes included; none when anything else is in it."""
    found = _STRING_LITERAL.findall(text)
    return found if not _STRING_LITERAL.sub(b"", text).strip() else []


def bad_escape(quoted: bytes) -> str:
    """What is wrong with an escape in a string literal, empty when nothing is."""
    for match in _ESCAPE.finditer(quoted[1:-1]):
        code: bytes = match.group(1)
        text = match.group().decode("utf-8", "replace")
        if code[:1].isdigit():
            if code[:1] in b"89":
                return f"`{text}` stands for no character"
            if int(code, 8) > 255:
                return f"`{text}` is beyond one byte, the largest is `\\377`"
        elif code in (b"x", b"X"):
            return f"`{text}` needs hexadecimal digits"
        elif len(code) == 1 and code not in _ESCAPES:
            return f"`{text}` stands for no character"
    return ""


def unescape(quoted: bytes) -> bytes:
    """The bytes that a string literal, its quotes included, stands for."""
    inner = quoted[1:-1]
    return _ESCAPE.sub(_escaped, inner) if b"\\" in inner else inner


def _escaped(match: re.Match[bytes]) -> bytes:
    code: bytes = match.group(1)
    if code[:1] in b"xX" and len(code) > 1:
        return bytes((int(code[1:], 16) & 0xFF,))
    if code[:1].isdigit():
        return bytes((int(code, 8) & 0xFF,)) if all(digit in b"01234567" for digit in code) else code
    return _ESCAPES.get(code, code)


def _in_utf8(text: str) -> str:
    return text.encode("latin-1").decode("utf-8", "surrogateescape")


class _Parser:
    """Recursive descent over the tokens of one argument text; `kind`, `start`, `end`, `text` are the next token's."""

    __slots__ = ("_tokens", "_index", "_depth", "_first", "limit", "kind", "start", "end", "text")

    def __init__(self, line: bytes, start: int, end: int) -> None:
        tokens: list[Token] = []
        append = tokens.append
        text = line.decode("latin-1")  # a character a byte, so that columns are those of the line
        for match in _TOKEN.finditer(line, start, end):
            kind = match.lastindex
            if kind is None:
                continue
            if kind == _LOCAL_SIDE:
                at, stop = match.start(_LOCAL), match.end()
                append((_LOCAL, at, stop, text[at:stop]))
                continue
            at, stop = match.span(kind)
            append((kind, at, match.end() if kind == _INTEGER else stop, text[at:stop]))
        if not line.isascii():
            tokens = [(kind, at, stop, _in_utf8(word)) for kind, at, stop, word in tokens]
        tokens += ((_END, end, end, ""),) * 2  # so that looking one ahead needs no check
        self._tokens = tokens
        self._index = 0
        self._first = 0  # the index of the token that the operand, or a part of it, starts with
        self._depth = 0
        self.limit = end
        self.kind, self.start, self.end, self.text = tokens[0]

    def advance(self) -> None:
        if self.kind != _END:
            self._index += 1
            self.kind, self.start, self.end, self.text = self._tokens[self._index]

    def _peek(self) -> Token:
        return self._tokens[self._index + 1]

    def _malformed(self, start: int, message: str) -> nodes.Malformed:
        """Skip to the next comma outside brackets and report the text from `start` on."""
        end = self.start
        depth = 0
        while self.kind != _END and not (depth <= 0 and self.text == "," and self.kind == _PUNCTUATION):
            if self.kind == _PUNCTUATION:
                depth += (self.text in "([") - (self.text in ")]")
            end = self.end
            self.advance()
        return nodes.Malformed(start, max(end, start), message)

    def _expected(self, what: str) -> str:
        return f"expected {what} before `{self.text}`" if self.text else f"{what} is missing"

    def operand(self) -> nodes.Node:
        start = self.start
        kind = self.kind
        self._first = self._index
        if kind == _WORD:
            next_kind, next_start, _, next_text = self._peek()
            if next_kind == _PUNCTUATION:
                if next_text == ":":
                    return self._modifier()
                if next_text == "[" and (next_start == self.end or self.text in _REGISTER_FILES):
                    return self._index_operand()
        elif kind == _PUNCTUATION:
            text = self.text
            if text == "[":
                return self._bracket()
            if text == "|":
                return self._absolute()
            if text == "::":
                return self._dual_issue()
            if text == "-":
                next_kind, _, _, next_text = self._peek()
                if next_kind == _FLOAT:
                    return self._unary()
                if next_text in ("|", "["):
                    self.advance()
                    inner = self._absolute() if next_text == "|" else self._bracket()
                    return inner if isinstance(inner, nodes.Malformed) else nodes.Unary(start, inner.end, "-", inner)
        elif kind == _OTHER and self.text == "{":
            return self._structure()
        elif kind == _FLOAT:  # no expression starts with one
            return self._primary()
        return self.expression()

    def _dual_issue(self) -> nodes.Node:
        start = self.start
        self.advance()
        if self.kind != _WORD:
            return self._malformed(start, "a mnemonic is expected after `::`")
        node = nodes.DualIssue(start, self.end, self.text, self.start)
        self.advance()
        return node

    def _modifier(self) -> nodes.Node:
        start, name_end, name = self.start, self.end, self.text
        self.advance()
        self.advance()
        if self.kind == _END or self.text == ",":
            return nodes.Malformed(start, max(self.start, name_end), f"a value is expected after `{name}:`")
        if self.text == ":":
            return self._malformed(self.start, "`::` between two instructions is written without a blank")
        self._first = self._index
        value = self._bracket() if self.text == "[" else self.expression()
        if isinstance(value, nodes.Malformed):
            return value
        return nodes.Modifier(start, value.end, name, name_end, value)

    def _bracket(self) -> nodes.Node:
        start = self.start
        items: list[nodes.Node] = []
        self.advance()
        while self.text != "]" or self.kind != _PUNCTUATION:
            if self.kind == _END:
                return nodes.Malformed(start, self.limit, "`]` is missing")
            item = self.operand()
            if isinstance(item, nodes.Malformed):
                return item
            items.append(item)
            if self.text == ",":
                self.advance()
                if self.text == "]":
                    return self._malformed(start, "something is missing before `]`")
            elif self.text != "]":
                return self._malformed(
                    start, f"expected `,` or `]` before `{self.text}`" if self.text else "`]` is missing"
                )
        end = self.end
        self.advance()
        return nodes.Bracket(start, end, tuple(items))

    def _structure(self) -> nodes.Node:
        start = self.start
        fields: list[nodes.Modifier] = []
        self.advance()
        while self.text != "}" or fields:
            if self.kind != _WORD or self._peek()[3] != ":":
                return self._malformed(start, self._expected("a field such as `id: 1`"))
            field = self._modifier()
            if not isinstance(field, nodes.Modifier):
                return field
            fields.append(field)
            if self.text == "}":
                break
            if self.text != ",":
                return self._malformed(start, self._expected("`,` or `}`"))
            self.advance()
        end = self.end
        self.advance()
        return nodes.Structure(start, end, tuple(fields))

    def _absolute(self) -> nodes.Node:
        start = self.start
        self.advance()
        inner = self._bracket() if self.text == "[" else self._primary()
        if isinstance(inner, nodes.Malformed):
            return inner
        if self.text != "|":
            return self._malformed(start, "the closing `|` is missing")
        end = self.end
        self.advance()
        return nodes.Absolute(start, end, inner)

    def _index_operand(self) -> nodes.Node:
        start, base = self.start, self.text
        self.advance()
        self.advance()
        first = self.expression()
        if isinstance(first, nodes.Malformed):
            return first
        last: nodes.Node | None = None
        if self.text == ":":
            self.advance()
            last = self.expression()
            if isinstance(last, nodes.Malformed):
                return last
        if self.text != "]":
            return self._malformed(start, self._expected("`]`"))
        end = self.end
        self.advance()
        return nodes.Index(start, end, base, first, last)

    def expression(self, minimum: int = 1) -> nodes.Node:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            self._depth -= 1
            return self._malformed(self.start, f"nested more than {_MAX_DEPTH} deep")
        left = self._primary()
        operators = 0
        while self.kind == _PUNCTUATION and not isinstance(left, nodes.Malformed):
            precedence = _PRECEDENCE.get(self.text, 0)
            if precedence < minimum:
                break
            operators += 1
            if operators > _MAX_OPERATORS:
                left = self._malformed(left.start, f"more than {_MAX_OPERATORS} operators in one expression")
                break
            operator = self.text
            self.advance()
            if operator in _LISTING:
                self._first = self._index
            right = self.expression(precedence + 1)
            if isinstance(right, nodes.Malformed):
                left = right
            else:
                left = nodes.Binary(left.start, right.end, operator, left, right)
        self._depth -= 1
        return left

    def _primary(self) -> nodes.Node:
        kind, start, end, text = self.kind, self.start, self.end, self.text
        if kind == _WORD:
            next_kind, next_start, _, next_text = self._peek()
            if next_kind == _PUNCTUATION:
                if next_text == "(" and self._is_called(next_start):
                    return self._call()
                if next_text == "[" and next_start == end:
                    return self._index_operand()
            self.advance()
            return nodes.Name(start, end, text)
        if kind == _INTEGER:
            self.advance()
            if text[0] == "0" and _NO_OCTAL.match(text):
                return self._malformed(start, f"`{text}` starts with 0 as octal numbers do, and is none")
            return nodes.Integer(start, end, _integer(text))
        if kind == _FLOAT:
            self.advance()
            if self.start == end and self.text in ("+", "-"):
                return self._malformed(start, f"a sign follows `{text}` without a blank")
            return nodes.Float(start, end, _float(text))
        if kind == _LOCAL:
            self.advance()
            return nodes.LocalLabel(start, end, int(text[:-1]), text[-1] == "f")
        if kind == _STRING:
            self.advance()
            return nodes.String(start, end, unescape(text.encode("utf-8", "surrogateescape")))
        if kind == _PUNCTUATION:
            if text in ("-", "+", "~", "!"):
                return self._unary()
            if text == "(":
                return self._parenthesised()
            if text == "|":
                return self._absolute()
        if kind == _END:
            return nodes.Malformed(start, start, "an expression is missing here")
        return self._malformed(start, f"unexpected `{text}`")

    def _is_called(self, bracket: int) -> bool:
        """Whether the word is a function of what stands in brackets from column `bracket` on."""
        if self._index > self._first + 1:
            return self.text in expressions.FUNCTIONS  # no others are called inside an expression
        return bracket == self.end or _REGISTER.fullmatch(self.text) is None

    def _unary(self) -> nodes.Node:
        start, operator = self.start, self.text
        self.advance()
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            self._depth -= 1
            return self._malformed(start, f"nested more than {_MAX_DEPTH} deep")
        operand = self._primary()
        self._depth -= 1
        return operand if isinstance(operand, nodes.Malformed) else nodes.Unary(start, operand.end, operator, operand)

    def _parenthesised(self) -> nodes.Node:
        start = self.start
        self.advance()
        inner = self.expression()
        if isinstance(inner, nodes.Malformed):
            return inner
        if self.text != ")":
            return self._malformed(start, self._expected("`)`"))
        self.advance()
        return inner

    def _call(self) -> nodes.Node:
        start, name = self.start, self.text
        self.advance()
        self.advance()
        arguments: list[nodes.Node] = []
        while self.text != ")" or self.kind != _PUNCTUATION:
            if self.kind == _END:
                return nodes.Malformed(start, self.limit, "`)` is missing")
            argument = self.operand()
            if isinstance(argument, nodes.Malformed):
                return argument
            arguments.append(argument)
            if self.text == ",":
                self.advance()
                if self.text == ")":
                    return self._malformed(start, "something is missing before `)`")
            elif self.text != ")":
                return self._malformed(
                    start, f"expected `,` or `)` before `{self.text}`" if self.text else "`)` is missing"
                )
        end = self.end
        self.advance()
        return nodes.Call(start, end, name, tuple(arguments))


def _float(text: str) -> float:
    try:
        return float.fromhex(text) if text[:2] in ("0x", "0X") else float(text.rstrip("eE+-"))
    except OverflowError:
        return math.inf


def _integer(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        return 1 << 256
    text = text.rstrip("ULul")
    prefix = text[:2].lower()
    if prefix == "0x":
        return int(text[2:], 16)
    if prefix == "0b":
        return int(text[2:], 2)
    if len(text) > 1 and text[0] == "0" and all(digit in "01234567" for digit in text):
        return int(text, 8)
    return int(text)
