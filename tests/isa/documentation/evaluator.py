"""Carry out an operation on integers: `run("D.u32 = S0.u32 + S1.u32", {"S0": Bits(1, 32), ...})`.

It knows the part of the notation that operations on integers and bits use, and nothing of instructions: what an entry
says is taken literally, so that a test can compare it with what the instruction has to do.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple

_TOKEN = re.compile(
    r"0x[0-9a-f]+|\d+|\.[a-z]+\d+|[A-Za-z_]\w*|\*\*|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>=?:;,()\[\]]"
)
_TYPE = re.compile(r"\.?([uib])(\d+)")
_PRECEDENCE = ("||", "&&", "|", "^", "&", "== !=", "< <= > >=", "<< >>", "+ -", "* / %")


class Bits(NamedTuple):
    """An integer, and how it is held: size 0 for a number without a type, which does not wrap.

    width: how many bits it stands for if it is a range of bits, which has no type either.
    """

    number: int
    size: int = 0
    signed: bool = False
    width: int = 0


def typed(number: int, size: int, signed: bool) -> Bits:
    """`number` cut to `size` bits and read as signed or not."""
    if not size:
        return Bits(number)
    number &= (1 << size) - 1
    return Bits(number - (1 << size) if signed and number >> (size - 1) else number, size, signed)


def run(operation: str, state: Mapping[str, Bits]) -> dict[str, Bits]:
    """What the operation makes of the state; sources are read as they were before it."""
    machine = _Machine(dict(state))
    _block(machine, [line for line in operation.splitlines() if line.strip()])
    return machine.state


def _block(machine: "_Machine", lines: list[str]) -> None:
    """Lines of one indentation; what stands deeper belongs to the line before."""
    taken = False  # whether an `if` of this chain has held
    while lines:
        indent = len(lines[0]) - len(lines[0].lstrip())
        line = lines.pop(0).strip()
        body = []
        while lines and len(lines[0]) - len(lines[0].lstrip()) > indent:
            body.append(lines.pop(0))
        if line.startswith("for "):
            head, rest = _head(line)
            for number in range(int(head.split(" < ")[1])):
                machine.state[head.split()[1]] = Bits(number)
                _block(machine, [rest] if rest else list(body))
        elif line.startswith(("if ", "else")):
            head, rest = _head(line)
            taken = False if line.startswith("if ") else taken
            test = head.removeprefix("else").strip().removeprefix("if").strip()
            if not taken and (not test or machine.value(test).number):
                taken = True
                _block(machine, [rest] if rest else body)
        else:
            for statement in line.split(";"):
                machine.assign(statement.strip())


def _head(line: str) -> tuple[str, str]:
    """`if c: rest` taken apart at the colon that is no part of an expression."""
    depth = 0
    for place, sign in enumerate(line):
        depth += (sign in "([") - (sign in ")]")
        if sign == ":" and not depth and "?" not in line[:place]:
            return line[:place], line[place + 1 :].strip()
    raise ValueError(line)


@cache
def _tokens(text: str) -> tuple[str, ...]:
    found = tuple(_TOKEN.findall(text))
    assert "".join(found) == text.replace(" ", ""), text
    return found


class _Machine:
    """A state and the expression that is being read."""

    def __init__(self, state: dict[str, Bits]) -> None:
        self.state = state
        self._tokens: tuple[str, ...] = ()
        self._at = 0
        self._left = Bits(0)

    def assign(self, statement: str) -> None:
        """`D.u8[i] = value`, `D[7:4] = value`, `name = value`."""
        place, _, text = statement.partition(" = ")
        name, *rest = _tokens(place)
        old = self.state.get(name, Bits(0))
        kind = _TYPE.fullmatch(rest[0]) if rest else None
        size = int(kind[2]) if kind else old.size
        self._left = Bits(0, size, bool(kind) and kind[1] == "i")
        value = self.value(text)
        if len(rest) <= bool(kind):
            self.state[name] = Bits(typed(value.number, size, False).number, old.size or size) if size else value
            return
        self._tokens, self._at = tuple(rest[bool(kind) :]), 0
        high, low = self._index()
        count = size if kind else high - low + 1
        first = low * size if kind else low
        mask = ((1 << count) - 1) << first
        self.state[name] = typed(old.number & ~mask | (value.number << first) & mask, old.size, False)

    def value(self, text: str) -> Bits:
        """The value of an expression."""
        outer = self._tokens, self._at
        self._tokens, self._at = _tokens(text), 0
        found = self._choice()
        assert self._at == len(self._tokens), (text, self._tokens[self._at :])
        self._tokens, self._at = outer
        return found

    def _next(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1]

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _choice(self) -> Bits:
        test = self._binary(0)
        if self._peek() != "?":
            return test
        self._next()
        first = self._choice()
        assert self._next() == ":"
        second = self._choice()
        return first if test.number else second

    def _binary(self, level: int) -> Bits:
        if level == len(_PRECEDENCE):
            return self._unary()
        left = self._binary(level + 1)
        while self._peek() in _PRECEDENCE[level].split():
            left = _combined(self._next(), left, self._binary(level + 1))
        return left

    def _unary(self) -> Bits:
        sign = self._peek()
        if sign in ("~", "-", "!"):
            self._next()
            value = self._unary()
            if sign == "!":
                return Bits(int(not value.number))
            return typed(~value.number if sign == "~" else -value.number, value.size, value.signed)
        value = self._postfix()
        if self._peek() == "**":
            self._next()
            return Bits(value.number ** self._unary().number)
        return value

    def _postfix(self) -> Bits:
        token = self._next()
        if token == "(":
            value = self._choice()
            assert self._next() == ")"
        elif token[0].isdigit():
            return Bits(int(token, 0))
        elif self._peek() == "(":
            value = self._call(token)
        else:
            value = self.state[token]
        while self._peek()[:1] in (".", "[") and self._peek():
            value = self._part(value)
        return value

    def _part(self, value: Bits) -> Bits:
        """A reading `.u8`, an element of one `.u8[2]`, a bit `[3]`, or a range of bits `[7:0]`."""
        raw = value.number & ((1 << value.size) - 1) if value.size else value.number
        kind = _TYPE.fullmatch(self._peek())
        if kind:
            self._next()
            size, signed = int(kind[2]), kind[1] == "i"
            if self._peek() != "[" or size >= value.size:
                return typed(raw, size, signed)
            return typed(raw >> (self._index()[0] * size), size, signed)
        high, low = self._index()
        return Bits(raw >> low & ((1 << (high - low + 1)) - 1), width=high - low + 1)

    def _index(self) -> tuple[int, int]:
        assert self._next() == "["
        high = low = self._choice().number
        if self._peek() == ":":
            self._next()
            low = self._choice().number
        assert self._next() == "]"
        return high, low

    def _call(self, name: str) -> Bits:
        self._next()
        arguments = [self._choice()]
        while self._peek() == ",":
            self._next()
            arguments.append(self._choice())
        assert self._next() == ")"
        kind = _TYPE.fullmatch(name)
        if kind:
            return typed(arguments[0].number, int(kind[2]), kind[1] == "i")
        if name == "saturate":
            low = -(1 << (self._left.size - 1)) if self._left.signed else 0
            return Bits(max(low, min(arguments[0].number, low + (1 << self._left.size) - 1)))
        return _FUNCTIONS[name](*arguments)


def _combined(sign: str, a: Bits, b: Bits) -> Bits:
    result = _OPERATORS[sign](a.number, b.number)
    if sign in ("<<", ">>"):
        return typed(result, a.size, a.signed)
    if sign in ("==", "!=", "<", "<=", ">", ">=", "&&", "||"):
        return Bits(int(result))
    size = max(a.size, b.size)
    return typed(result, size, all(side.signed for side in (a, b) if side.size))


def _reversed(x: Bits) -> Bits:
    return Bits(int(f"{x.number & ((1 << x.size) - 1):0{x.size}b}"[::-1], 2), x.size)


def _leading(x: Bits, bit: Bits) -> Bits:
    digits = f"{x.number & ((1 << x.size) - 1):0{x.size}b}"
    return Bits(x.size - len(digits.lstrip(str(bit.number))))


def _find_first(x: Bits, bit: Bits) -> Bits:
    digits = f"{x.number & ((1 << x.size) - 1):0{x.size}b}"[::-1]
    return Bits(digits.find(str(bit.number)))


def _sext_from(x: Bits, count: Bits) -> Bits:
    return typed(x.number, count.number, True) if count.number else Bits(0)


def _differences(a: Bits, b: Bits, masked: bool = False) -> Bits:
    pairs = zip(a.number.to_bytes(4, "little"), b.number.to_bytes(4, "little"), strict=True)
    return Bits(sum(abs(x - y) for x, y in pairs if y or not masked), 32)


def _carry_out(a: Bits, b: Bits) -> Bits:
    return Bits((a.number + b.number) >> a.size & 1)


_FUNCTIONS: Mapping[str, Callable[..., Bits]] = {
    "abs": lambda x: typed(abs(x.number), x.size, x.signed),
    "min": lambda x, y: min(x, y, key=lambda side: side.number),
    "max": lambda x, y: max(x, y, key=lambda side: side.number),
    "med3": lambda x, y, z: sorted((x, y, z), key=lambda side: side.number)[1],
    "popcount": lambda x: Bits(bin(x.number & ((1 << x.size) - 1)).count("1") if x.size else bin(x.number).count("1")),
    "concat": lambda x, y: Bits(x.number << (y.size or y.width) | y.number, (x.size or x.width) + (y.size or y.width)),
    "sext": lambda x: Bits(x.number),
    "zext": lambda x: Bits(x.number),
    "reverse": _reversed,
    "leading": _leading,
    "find_first": _find_first,
    "sext_from": _sext_from,
    "sad": _differences,
    "msad": lambda a, b: _differences(a, b, masked=True),
    "carry_out": _carry_out,
}

_OPERATORS: Mapping[str, Callable[[int, int], int]] = {
    "+": int.__add__,
    "-": int.__sub__,
    "*": int.__mul__,
    "/": int.__floordiv__,
    "%": int.__mod__,
    "&": int.__and__,
    "|": int.__or__,
    "^": int.__xor__,
    "<<": int.__lshift__,
    ">>": int.__rshift__,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "&&": lambda a, b: int(bool(a) and bool(b)),
    "||": lambda a, b: int(bool(a) or bool(b)),
}
