"""Reports what is wrong with operands that the grammar does not read, and where the operands around it begin and end.

It goes over the tokens of a broken tree with a stack of open brackets, and makes no nodes of correct operands: each is
a stretch of text that the grammar reads on its own.
"""

import msgspec

from gcn_lsp.patterns import regex
from gcn_lsp.syntax import expressions, nodes

WORD, INTEGER, FLOAT, ATOM, OTHER, END = range(6)

_OPERATORS = frozenset(
    ("||", "&&", "==", "!=", "<>", "<", "<=", ">", ">=", "+", "-", "|", "!", "^", "&", "*", "/", "%", "<<", ">>")
)
_SIGNS = frozenset("-+~!")
# These separate the parts of an operand such as `vmcnt(0) & expcnt(1)`.
LISTING = frozenset("&|")
# A name with brackets after a blank is a register only if it is one of these.
REGISTER_FILES = frozenset(("v", "s", "a", "acc", "ttmp"))
REGISTER = regex(r"(?:v|s|a|acc|ttmp)[0-9]+")
BEFORE_ABSOLUTE = regex(
    r"(?:(?:v|s|a|acc|ttmp)[0-9]+|(?:vcc|exec|flat_scratch|xnack_mask)(?:_lo|_hi)?|m0|null)(?:\.[lh])?"
)
"""Registers by name: a `|` after one of them begins the next operand, since no expression starts with a register."""
NO_OCTAL = regex(r"0[0-9]*[89]")
_CLOSERS = {
    "call": ")",
    "parentheses": ")",
    "list": "]",
    "index": "]",
    "range": "]",
    "absolute": "|",
    "structure": "}",
}
# Deeper nesting is junk; the limit keeps recursion over the nodes far from Python's.
_MAX_DEPTH = 100
# A chain of more operators is junk too: its tree leans to one side and is as deep as it is long.
_MAX_OPERATORS = 400


class Token(msgspec.Struct, frozen=True, gc=False):
    """A smallest piece of text: bytes `start` to `end` of the line, its kind, and its text."""

    kind: int
    start: int
    end: int
    text: str


class Stretch(msgspec.Struct, frozen=True, gc=False):
    """One operand without a flaw: bytes `start` to `end` of the line."""

    start: int
    end: int


Found = nodes.Malformed | nodes.DualIssue | Stretch


def operands(tokens: list[Token]) -> list[Found]:
    """The operands in `tokens`, the last of which is an END."""
    found: list[Found] = []
    index = 0
    while (token := tokens[index]).kind != END:
        if token.text == ",":
            following = tokens[index + 1]
            if not found:
                found.append(nodes.Malformed(token.start, token.end, "an operand is missing before this comma"))
            if following.text == ",":  # one after the last operand does no harm
                found.append(nodes.Malformed(following.start, following.end, "an operand is missing here"))
            index += 1
            continue
        if token.text == "::":
            operand, index = _second_instruction(tokens, index)
        else:
            operand, index = _Scan(tokens, index).operand(is_item=True)
        found.append(operand)
    return found


def expression(tokens: list[Token]) -> tuple[Found, Token]:
    """The expression at the start of `tokens`, and the token after it."""
    found, index = _Scan(tokens, 0).operand(is_item=False)
    return found, tokens[index]


def _second_instruction(tokens: list[Token], index: int) -> tuple[Found, int]:
    start, word = tokens[index].start, tokens[index + 1]
    if word.kind != WORD:
        return _malformed(tokens, index + 1, start, "a mnemonic is expected after `::`")
    return nodes.DualIssue(start, word.end, word.text, word.start), index + 2


def _malformed(tokens: list[Token], index: int, start: int, message: str) -> tuple[nodes.Malformed, int]:
    """The text from byte `start` to the next comma outside brackets after the token at `index`."""
    end = tokens[index].start
    depth = 0
    while tokens[index].kind != END and not (depth <= 0 and tokens[index].text == ","):
        depth += (tokens[index].text in ("(", "[")) - (tokens[index].text in (")", "]"))
        end = tokens[index].end
        index += 1
    return nodes.Malformed(start, max(end, start), message), index


class _Flaw(Exception):
    """An error at byte `start`: what was expected, and whether it extends to the end of the text."""

    def __init__(self, start: int, message: str, *, to_the_end: bool = False, short: bool = False) -> None:
        super().__init__(message)
        self.start = start
        self.message = message
        self.to_the_end = to_the_end
        self.short = short


class _Scan:
    """One operand, token by token.

    opened: the brackets that are open at the next token, each with the byte where it starts. is_item: the next token
    starts an operand, or an item of a list or call. may_be_list: it may be a `[`. is_led: only minus signs are between
    the start of the item and it. is_inner: only functions of expressions are called here. is_closed: no operator can
    follow the last value. is_operand: of an instruction, and not an expression of a directive.
    """

    def __init__(self, tokens: list[Token], index: int) -> None:
        self.tokens = tokens
        self.index = index
        self.first = tokens[index]
        self.opened: list[tuple[str, int]] = []
        self.signs = 0
        self.operators = 0
        self.is_item = self.may_be_list = self.is_led = self.is_closed = False
        self.is_inner = self.is_operand = False

    def operand(self, *, is_item: bool) -> tuple[Found, int]:
        self._expect_value(is_item=is_item)
        self.is_operand = is_item
        try:
            self._value()
            while self._goes_on():
                self._value()
        except _Flaw as flaw:
            if flaw.to_the_end:
                return nodes.Malformed(flaw.start, self.tokens[-1].end, flaw.message), len(self.tokens) - 1
            if flaw.short:
                at = self.tokens[self.index]
                return nodes.Malformed(flaw.start, max(at.start, flaw.start), flaw.message), self.index
            return _malformed(self.tokens, self.index, flaw.start, flaw.message)
        return Stretch(self.first.start, self.tokens[self.index - 1].end), self.index

    def _expect_value(self, *, is_item: bool, is_inner: bool = False) -> None:
        self.is_item = self.may_be_list = self.is_led = is_item
        self.is_inner = is_inner

    def _is_called(self, name: Token, bracket: Token) -> bool:
        if self.is_inner:
            return name.text in expressions.FUNCTIONS
        return bracket.start == name.end or REGISTER.fullmatch(name.text) is None

    def _open(self, kind: str, start: int, tokens: int, *, is_item: bool = False) -> None:
        self.opened.append((kind, start))
        self.index += tokens
        self._expect_value(is_item=is_item, is_inner=kind == "index")
        if len(self.opened) + self.signs > _MAX_DEPTH:
            raise _Flaw(self.tokens[self.index].start, f"nested more than {_MAX_DEPTH} deep")

    def _value(self) -> None:
        """Go past the next value, with the brackets that open before it."""
        while True:
            token, after = self.tokens[self.index : self.index + 2]
            text = token.text
            if self.opened and self.is_item and self._is_empty(token, after):
                return None
            if token.kind in (INTEGER, FLOAT, ATOM) or (token.kind == WORD and not self._opens_at_word(token, after)):
                return self._single(token)
            if text in _SIGNS:
                self._sign(token)
            elif token.kind != WORD:
                self._open_bracket(token)

    def _is_empty(self, token: Token, after: Token) -> bool:
        """Whether the innermost list, call or structure closes here without another item."""
        kind, start = self.opened[-1]
        before = self.tokens[self.index - 1].text
        if kind == "structure":
            if token.text == "}" and before == "{":
                return True
            if token.kind != WORD or after.text != ":":
                raise _Flaw(start, self._expected("a field such as `id: 1`"))
        elif kind in ("list", "call"):
            if token.kind == END:
                raise _Flaw(start, f"`{_CLOSERS[kind]}` is missing", to_the_end=True)
            if token.text == _CLOSERS[kind] and before == ",":
                raise _Flaw(start, f"an expression is missing before `{token.text}`")
            return token.text == _CLOSERS[kind]
        return False

    def _opens_at_word(self, token: Token, after: Token) -> bool:
        """Open the modifier, the index or the call that begins with a word, if one does."""
        if self.is_item and after.text == ":":
            self._open_modifier(token)
        elif after.text == "[" and (after.start == token.end or token.text in REGISTER_FILES):
            self._open("index", token.start, 2)
        elif after.text == "(" and self._is_called(token, after):
            self._open("call", token.start, 2, is_item=True)
        else:
            return False
        return True

    def _sign(self, token: Token) -> None:
        self.signs += 1
        self.index += 1
        is_led = self.is_led and token.text == "-"
        self.may_be_list = self.is_item and token.text == "-"
        self.is_item, self.is_led = False, is_led
        if len(self.opened) + self.signs > _MAX_DEPTH:
            raise _Flaw(token.start, f"nested more than {_MAX_DEPTH} deep")

    def _open_bracket(self, token: Token) -> None:
        text = token.text
        if text == "(":
            self._open("parentheses", token.start, 1)
        elif text == "|":
            self._open("absolute", token.start, 1)
            self.may_be_list = True
        elif text == "[" and self.may_be_list:
            self._open("list", token.start, 1, is_item=True)
        elif text == "{" and self.is_item:
            self._open("structure", token.start, 1, is_item=True)
        elif token.kind == END:
            raise _Flaw(token.start, "an expression is missing here", short=True)
        elif text == '"':
            raise _Flaw(token.start, 'the closing `"` is missing', to_the_end=True)
        else:
            raise _Flaw(token.start, f"unexpected `{text}`")

    def _open_modifier(self, name: Token) -> None:
        value = self.tokens[self.index + 2]
        if value.kind == END or value.text == ",":
            self.index += 2
            raise _Flaw(name.start, f"a value is expected after `{name.text}:`", short=True)
        if value.text == ":":
            self.index += 2
            raise _Flaw(value.start, "`::` between two instructions must not contain a blank")
        self._open("modifier", name.start, 2)
        self.may_be_list = True

    def _single(self, token: Token) -> None:
        """Go past a name, a number or a string."""
        self.index += 1
        if token.kind == INTEGER and NO_OCTAL.match(token.text):
            raise _Flaw(token.start, f"`{token.text}` starts with 0 but is not an octal number")
        after = self.tokens[self.index]
        if token.kind == FLOAT and after.start == token.end and after.text in ("+", "-"):
            raise _Flaw(token.start, f"a blank is needed between `{token.text}` and the sign")
        ends = after.text == "|" and self.is_operand and not self.opened and not self.operators
        self.is_closed = (token.kind == FLOAT and self.is_led) or (
            ends and BEFORE_ABSOLUTE.fullmatch(token.text) is not None
        )
        self.signs = 0

    def _goes_on(self) -> bool:
        """Go past an operator, a separator and closing brackets after a value; whether another value must follow."""
        while True:
            token = self.tokens[self.index]
            text = token.text
            kind, start = self.opened[-1] if self.opened else ("", 0)
            if text in _OPERATORS and token.kind == OTHER and not self.is_closed and kind != "absolute":
                self._operator()
                return True
            if not kind:
                return False
            if kind == "modifier":
                self.opened.pop()
                self.is_closed = True
            elif text == _CLOSERS[kind] and token.kind == OTHER:
                self.opened.pop()
                self.index += 1
                self.is_closed = kind not in ("call", "parentheses")
            else:
                self.index += self._separator(kind, start, text)
                return True

    def _operator(self) -> None:
        is_inner = self.tokens[self.index].text not in LISTING
        self.index += 1
        self.operators += 1
        if self.operators > _MAX_OPERATORS:
            raise _Flaw(self.first.start, f"more than {_MAX_OPERATORS} operators in one expression")
        self._expect_value(is_item=False, is_inner=is_inner)

    def _separator(self, kind: str, start: int, text: str) -> int:
        """The number of tokens between two values in a bracket of `kind`, which started at byte `start`."""
        if kind in ("list", "call", "structure"):
            if text == ",":
                self._expect_value(is_item=True)
                return 1
            closer = _CLOSERS[kind]
            if not text and kind != "structure":
                raise _Flaw(start, f"`{closer}` is missing")
            raise _Flaw(start, self._expected(f"`,` or `{closer}`"))
        if kind == "absolute":
            raise _Flaw(start, "the closing `|` is missing")
        if kind == "index" and text == ":":
            self.opened[-1] = ("range", start)
            self._expect_value(is_item=False, is_inner=True)
            return 1
        raise _Flaw(start, self._expected(f"`{_CLOSERS[kind]}`"))

    def _expected(self, what: str) -> str:
        text = self.tokens[self.index].text
        return f"expected {what} before `{text}`" if text else f"{what} is missing"
