"""The values of SP3's expressions: numbers, registers, and names that the assembler knows."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import msgspec

from gcn_lsp.views.preprocessed.conditions import OPERATIONS, PRECEDENCE
from gcn_lsp.views.preprocessed.tokens import Kind, Token


class Registers(msgspec.Struct, frozen=True):
    """Consecutive registers of a file. count: 0 for one register whose width the instruction decides."""

    file: str
    first: int
    count: int = 0

    def widened(self, dwords: int) -> "Registers":
        """The registers that an operand of `dwords` dwords takes."""
        return self if self.count else Registers(self.file, self.first, dwords)

    @property
    def text(self) -> str:
        """As the assembler writes it."""
        last = self.first + max(self.count, 1) - 1
        halves = _PAIRS.get(self.file)
        if halves is not None:
            return self.file if last > self.first else halves[self.first % 2]
        if self.file in _SINGLE:
            return self.file
        return f"{self.file}[{self.first}:{last}]" if last > self.first else f"{self.file}{self.first}"


class Name(msgspec.Struct, frozen=True):
    """What the assembler reads as it is: `HW_REG_STATUS`, `hwreg(HW_REG_MODE, 0, 4)`, a label, `0.5`."""

    text: str


Value: TypeAlias = "int | Registers | Name"

_PAIRS = {file: (f"{file}_lo", f"{file}_hi") for file in ("exec", "vcc", "tma", "tba", "xnack_mask", "flat_scratch")}
_SINGLE = frozenset(("m0", "scc", "null", "vccz", "execz"))
_FILES = {"s": "s", "v": "v", "ttmp": "ttmp", "acc": "a", "a": "a"}


class Wrong(Exception):
    """A part of a statement that SP3 would reject: columns, the rule that reports it, and a sentence."""

    def __init__(self, start: int, end: int, message: str, rule: str = "syntax-error") -> None:
        super().__init__(message)
        self.start, self.end, self.message, self.rule = start, end, message, rule


def register(name: str) -> Registers | None:
    """The register of a name: `s4`, `ttmp11`, `exec_lo`, `vcc`; a file alone, as in `v[3]`, is its first one."""
    if name in _SINGLE:
        return Registers(name, 0, 1)
    for file, (low, high) in _PAIRS.items():
        if name in (file, low, high):
            return Registers(file, int(name == high))
    letters = name.rstrip("0123456789")
    if letters in _FILES and len(name) - len(letters) < 6:
        return Registers(_FILES[letters], int(name[len(letters) :] or 0))
    return None


_OPERATIONS: dict[bytes, Callable[[int, int], int]] = {
    **OPERATIONS,
    b"/": lambda a, b: _quotient(a, b) if b else 0,
    b"%": lambda a, b: a - _quotient(a, b) * b if b else 0,
    b"<<": lambda a, b: a << min(max(b, 0), 64),
    b">>": lambda a, b: a >> min(max(b, 0), 64),
}


def _quotient(a: int, b: int) -> int:
    """The quotient towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


_MASK = (1 << 64) - 1
# Functions of the assembler, which it reads itself.
_HELPERS = frozenset(("hwreg", "sendmsg", "vmcnt", "lgkmcnt", "expcnt", "vscnt", "attr"))

Call = Callable[[str, list["Value"], Token], "Value"]


class Reader:
    """Reads expressions from the tokens of a statement, from `at` on.

    variables: by name. call: evaluates the call of a function. functions: their names.
    """

    def __init__(
        self, found: Sequence[Token], variables: Mapping[str, Value], functions: Mapping[str, object], call: Call
    ) -> None:
        self.found = found
        self.at = 0
        self._variables = variables
        self._functions = functions
        self._call = call
        self._depth = 0

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

    def unexpected(self, wanted: str = "an operand") -> None:
        """Raises Wrong at the next token."""
        if self.at >= len(self.found):
            last = self.found[-1]
            raise Wrong(last.start, last.end, f"{wanted} is missing after `{_said(last)}`")
        token = self.found[self.at]
        raise Wrong(token.start, token.end, f"`{_said(token)}` is in place of {wanted}")

    def number(self) -> int:
        """A whole number. Raises Wrong."""
        start = self.at
        value = self.expression()
        if not isinstance(value, int):
            first, last = self.found[start], self.found[self.at - 1]
            raise Wrong(first.start, last.end, "this is no whole number")
        return value

    def expression(self, least: int = 1) -> Value:
        """A value. Raises Wrong."""
        start = self.at
        value = self._unary()
        while PRECEDENCE.get(self.text, 0) >= least:
            operator = self.found[self.at]
            self.at += 1
            other = self.expression(PRECEDENCE[operator.text] + 1)
            value = self._result(operator, value, other, start)
        if least == 1 and self.take(b"?"):
            chosen = self.expression()
            self.need(b":")
            other = self.expression()
            value = chosen if value else other
        return value

    def _result(self, operator: Token, left: Value, right: Value, start: int) -> Value:
        if isinstance(left, int) and isinstance(right, int):
            if operator.text in (b"/", b"%") and right == 0:
                raise Wrong(operator.start, operator.end, "division by zero")
            result = _OPERATIONS[operator.text](left, right)
            return result if -(1 << 64) < result <= _MASK else result & _MASK
        if isinstance(left, Registers) and isinstance(right, int) and operator.text in (b"+", b"-"):
            return Registers(left.file, left.first + (right if operator.text == b"+" else -right), left.count)
        if operator.text in (b"==", b"!="):
            return int((left == right) == (operator.text == b"=="))
        if isinstance(left, Name) and isinstance(right, Name):
            return Name(f"{left.text} {operator.text.decode()} {right.text}")  # vmcnt(0) & lgkmcnt(0)
        first, last = self.found[start], self.found[self.at - 1]
        raise Wrong(first.start, last.end, f"`{_said(operator)}` takes whole numbers")

    def _unary(self) -> Value:
        self._depth += 1
        if self._depth > 200 or self.at >= len(self.found):
            self.unexpected()
        token = self.found[self.at]
        self.at += 1
        value = self._primary(token)
        while self.text == b"[":
            value = self._indexed(value)
        self._depth -= 1
        return value

    def _primary(self, token: Token) -> Value:
        text = token.text
        if text == b"(":
            value = self.expression()
            self.need(b")")
            return value
        if text == b"[":
            return self._listed(token)
        if text in (b"-", b"+", b"~", b"!"):
            inner = self._unary()
            if isinstance(inner, int):
                return {b"-": -inner, b"+": inner, b"~": ~inner, b"!": int(not inner)}[text]
            if text == b"-" and isinstance(inner, (Name, Registers)):
                return Name(f"-{inner.text}")
            raise Wrong(token.start, token.end, f"`{_said(token)}` takes a whole number")
        if token.kind is Kind.NUMBER:
            return _number(token)
        if token.kind is Kind.NAME:
            return self._named(token)
        self.at -= 1
        self.unexpected()
        raise AssertionError("unexpected raises")

    def _named(self, token: Token) -> Value:
        name = _said(token)
        if self.text == b"(" and (name in _HELPERS or name in self._functions):
            self.at += 1
            values: list[Value] = []
            while not self.take(b")"):
                values.append(self.expression())
                if self.text != b")":
                    self.need(b",")
            if name in self._functions:
                return self._call(name, values, token)
            written = ", ".join(str(value) if isinstance(value, int) else value.text for value in values)
            return Name(f"{name}({written})")
        if name in self._variables:
            return self._variables[name]
        if name in self._functions:
            return self._call(name, [], token)
        found = register(name)
        return found if found is not None else Name(_HARDWARE_REGISTERS.get(name, name))

    def _listed(self, token: Token) -> Registers:
        """`[ttmp2, ttmp3]`: registers side by side."""
        parts: list[Registers] = []
        while True:
            start = self.found[min(self.at, len(self.found) - 1)]
            value = self.expression()
            if not isinstance(value, Registers):
                raise Wrong(start.start, self.found[self.at - 1].end, "a list in brackets holds registers")
            parts.append(value)
            if not self.take(b","):
                break
        self.need(b"]")
        first = parts[0]
        for number, part in enumerate(parts):
            if (part.file, part.first) != (first.file, first.first + number):
                end = self.found[self.at - 1].end
                raise Wrong(token.start, end, f"`{part.text}` does not follow `{parts[number - 1].text}`")
        return Registers(first.file, first.first, len(parts))

    def _indexed(self, value: Value) -> Registers:
        """`s[4]`, `v[0:1]`, `s_rsrc[1]`: a register, or several, counted from one."""
        opening = self.found[self.at]
        self.at += 1
        low = self.number()
        high = self.number() if self.take(b":") else None
        self.need(b"]")
        if not isinstance(value, Registers) or (high is not None and not low <= high < low + 64):
            raise Wrong(opening.start, self.found[self.at - 1].end, "this does not name registers")
        return Registers(value.file, value.first + low, 0 if high is None else high - low + 1)


# Hardware registers that LLVM does not know on all targets or calls differently, by their numbers.
_HARDWARE_REGISTERS = {
    f"HW_REG_{prefix}SHADER_{name}": str(number)
    for prefix in ("", "SQ_")
    for number, name in enumerate(
        ("TBA_LO", "TBA_HI", "TMA_LO", "TMA_HI", "FLAT_SCRATCH_LO", "FLAT_SCRATCH_HI", "XNACK_MASK"), 16
    )
} | {"HW_REG_IB_STS2": "28"}


def _number(token: Token) -> Value:
    text = _said(token).lower()
    try:
        return int(text.rstrip("ul"), 0 if text[:2] in ("0x", "0b") else 10)
    except ValueError:
        pass
    try:
        float(text.rstrip("f"))
    except ValueError:
        raise Wrong(token.start, token.end, f"`{text}` is no number") from None
    return Name(text.rstrip("f"))


def _said(token: Token) -> str:
    return token.text.decode("utf-8", "replace")
