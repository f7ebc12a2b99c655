"""The values of SP3's expressions: numbers, registers, and names that the assembler knows."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import msgspec

from gcn_lsp.instruction.registers import tuple_text
from gcn_lsp.views.c import expressions, literals
from gcn_lsp.views.c.expressions import Expression
from gcn_lsp.views.c.lex import Token, TokenKind, Wrong


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
        return tuple_text(self.file, self.first, max(self.count, 1))


class WrittenName(msgspec.Struct, frozen=True):
    """What the assembler reads as it is: `HW_REG_STATUS`, `hwreg(HW_REG_MODE, 0, 4)`, a label, `0.5`."""

    text: str


Value: TypeAlias = "int | Registers | WrittenName"

_PAIRS = {file: (f"{file}_lo", f"{file}_hi") for file in ("exec", "vcc", "tma", "tba", "xnack_mask", "flat_scratch")}
_SINGLE = frozenset(("m0", "scc", "null", "vccz", "execz"))
_FILES = {"s": "s", "v": "v", "ttmp": "ttmp", "acc": "a", "a": "a"}


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


_MASK = (1 << 64) - 1
_DEPTH = 128  # of brackets and calls
_LONGEST = 1024  # characters of a name, which doubles with each `x = x & x`
# Functions of the assembler, which it reads itself.
_HELPERS = frozenset(("hwreg", "sendmsg", "vmcnt", "lgkmcnt", "expcnt", "vscnt", "attr"))

Call = Callable[[str, list["Value"], Token, int], "Value"]


class NoValue(Wrong):
    """A name without a value in place of a number: no mistake of the file, since its build may define it."""

    def __init__(self, start: int, end: int, name: str) -> None:
        message = (
            f"only the build can define `{name}`: lines that depend on it are not checked; "
            f"give a value with -D {name}=VALUE"
        )
        super().__init__(start, end, message, rule="build-defined-symbols")
        self.name = name


class ValueReader(Expression[Value]):
    """Reads expressions from the tokens of a statement, from `at`; both values of a `?` are evaluated.

    variables: by name. call: evaluates the call of a function. functions: their names. depth: of the calls and brackets
    around the statement.
    """

    def __init__(
        self,
        found: Sequence[Token],
        variables: Mapping[str, Value],
        functions: Mapping[str, object],
        call: Call,
        depth: int = 0,
    ) -> None:
        super().__init__(found)
        self._variables = variables
        self._functions = functions
        self._call = call
        self.depth = depth

    def missing(self, wanted: str) -> str:
        """The sentence for an expression that ends before `wanted`."""
        return f"{wanted} is missing after `{self.found[-1].said}`"

    def misplaced(self, token: Token, wanted: str) -> str:
        """The sentence for a token in place of `wanted`."""
        return f"`{token.said}` is in place of {wanted}"

    def number(self) -> int:
        """A whole number. Raises Wrong."""
        start = self.at
        value = self.value()
        if not isinstance(value, int):
            first, last = self.found[start], self.found[self.at - 1]
            raise _without_value(first.start, last.end, value) or Wrong(
                first.start, last.end, "this is no whole number"
            )
        return value

    def primary(self, token: Token) -> Value:
        """A number, a name or a list of registers. Raises Wrong."""
        self.depth += 1
        if self.depth > _DEPTH:
            self.unexpected()
        if token.text == b"[":
            value: Value = self._listed(token)
        elif token.kind is TokenKind.NUMBER:
            value = _number(token)
        elif token.kind is TokenKind.NAME:
            value = self._named(token)
        else:
            self.at -= 1
            self.unexpected()
        self.depth -= 1
        return value

    def prefixed(self, operator: Token, value: Value) -> Value:
        """A number, or a name with its sign. Raises Wrong."""
        if isinstance(value, int):
            return expressions.prefixed(operator.text, value)
        if operator.text == b"-":
            return WrittenName(f"-{value.text}")
        raise Wrong(operator.start, operator.end, f"`{operator.said}` takes a whole number")

    def combined(self, operator: Token, left: Value, right: Value, start: int) -> Value:
        """Numbers, registers at a distance, or names that LLVM combines. Raises Wrong."""
        if isinstance(left, int) and isinstance(right, int):
            result = expressions.combined(operator.text, left, right)
            if result is None:
                raise Wrong(operator.start, operator.end, "division by zero")
            return result if -(1 << 64) < result <= _MASK else result & _MASK
        if isinstance(left, Registers) and isinstance(right, int) and operator.text in (b"+", b"-"):
            return Registers(left.file, left.first + (right if operator.text == b"+" else -right), left.count)
        if operator.text in (b"==", b"!="):
            return int((left == right) == (operator.text == b"=="))
        if isinstance(left, WrittenName) and isinstance(right, WrittenName):
            return self._written(
                f"{left.text} {operator.said} {right.text}", self.found[start]
            )  # vmcnt(0) & lgkmcnt(0)
        first, end = self.found[start].start, self.found[self.at - 1].end
        missing = _without_value(first, end, left) or _without_value(first, end, right)
        raise missing or Wrong(first, end, f"`{operator.said}` takes whole numbers")

    def chosen(self, condition: Value, first: Value, second: Value) -> Value:
        """The value of `condition ? first : second`."""
        return first if condition else second

    def _written(self, text: str, first: Token) -> WrittenName:
        """A name made of others, from a token to the one before the next. Raises Wrong."""
        if len(text) > _LONGEST:
            message = f"this expands to more than {_LONGEST:,} characters"
            raise Wrong(first.start, self.found[self.at - 1].end, message, rule="expansion-limit")
        return WrittenName(text)

    def _named(self, token: Token) -> Value:
        name = token.said
        if self.text == b"(" and (name in _HELPERS or name in self._functions):
            self.at += 1
            values: list[Value] = []
            while not self.take(b")"):
                values.append(self.value())
                if self.text != b")":
                    self.need(b",")
            if name in self._functions:
                return self._call(name, values, token, self.depth)
            written = ", ".join(str(value) if isinstance(value, int) else value.text for value in values)
            return self._written(f"{name}({written})", token)
        if name in self._variables:
            return self._variables[name]
        if name in self._functions:
            return self._call(name, [], token, self.depth)
        found = register(name)
        return found if found is not None else WrittenName(_HARDWARE_REGISTERS.get(name, name))

    def _listed(self, token: Token) -> Registers:
        """`[ttmp2, ttmp3]`: registers side by side."""
        parts: list[Registers] = []
        while True:
            start = self.found[min(self.at, len(self.found) - 1)]
            value = self.value()
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

    def indexed(self, value: Value) -> Registers:
        """`s[4]`, `v[0:1]`, `s_rsrc[1]`: a register, or several, counted from one."""
        opening = self.found[self.at]
        self.at += 1
        self.depth += 1
        if self.depth > _DEPTH:
            self.unexpected()
        low = self.number()
        high = self.number() if self.take(b":") else None
        self.need(b"]")
        self.depth -= 1
        if not isinstance(value, Registers) or (high is not None and not low <= high < low + 64):
            raise Wrong(opening.start, self.found[self.at - 1].end, "this does not name registers")
        return Registers(value.file, value.first + low, 0 if high is None else high - low + 1)


def _without_value(start: int, end: int, value: Value) -> NoValue | None:
    """What is wrong with a name in place of a number; None for what is no name."""
    if isinstance(value, WrittenName) and value.text.isidentifier():
        return NoValue(start, end, value.text)
    return None


# Hardware registers that LLVM does not know on all targets or calls differently, by their numbers.
_HARDWARE_REGISTERS = {
    f"HW_REG_{prefix}SHADER_{name}": str(number)
    for prefix in ("", "SQ_")
    for number, name in enumerate(
        ("TBA_LO", "TBA_HI", "TMA_LO", "TMA_HI", "FLAT_SCRATCH_LO", "FLAT_SCRATCH_HI", "XNACK_MASK"), 16
    )
} | {"HW_REG_IB_STS2": "28"}


def _number(token: Token) -> Value:
    text = token.said.lower()
    whole = literals.number(token.text, octal=False)
    if whole is not None:
        return whole[0]
    try:
        float(text.rstrip("f"))
    except ValueError:
        raise Wrong(token.start, token.end, f"`{text}` is no number") from None
    return WrittenName(text.rstrip("f"))
