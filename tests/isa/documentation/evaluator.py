"""Carries out an operation of the documentation: `run("D.f32 = S0.f32 + S1.f32", {"S0": Value("b", 0, 32), ...})`.

It knows the notation and nothing of instructions: what an entry says is taken literally, so that a test can compare it
with what the instruction has to do, or with AMD's manuals. Whatever it does not know raises `Unsupported`. An element
in a format of memory has components of 32 bits, which are not converted.
"""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache

from tests.isa.documentation import registers, values
from tests.isa.documentation.values import Unsupported, Value, integer, raw

_TOKEN = re.compile(
    r"(?:MODE|STATUS|STATE_PRIV|TRAPSTS)\.[A-Z_0-9]+|0x[0-9a-f]+"
    r"|\d+\.\d+|\d+|\.[a-z]+\d+|[A-Za-z_]\w*|\*\*|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>=?:;,()\[\]]"
)
_TYPE = re.compile(r"\.?(bf|fp|[uibf])(\d+)$")
_LEVELS = ("||", "&&", "|", "^", "&", "== !=", "< <= > >=", "<< >>", "+ -", "* / %")

PI = Fraction(0x3243F6A8885A308D313198A2E037, 1 << 108)

State = dict[str, Value]


def run(operation: str, state: Mapping[str, Value]) -> State:
    """The state after an operation."""
    machine = _Machine(dict(state), wraps="saturate(" not in operation)
    _block(machine, [line for line in operation.splitlines() if line.strip()])
    return machine.state


def _block(machine: "_Machine", lines: list[str]) -> None:
    taken = False
    while lines:
        indent = len(lines[0]) - len(lines[0].lstrip())
        line = lines.pop(0).strip()
        body = []
        while lines and len(lines[0]) - len(lines[0].lstrip()) > indent:
            body.append(lines.pop(0))
        if line.startswith("for "):
            head, rest = _head(line)
            for number in range(int(machine.value(head.split(" < ")[1]).number)):
                machine.state[head.split()[1]] = integer(number)
                _block(machine, [*([rest] if rest else ()), *body])
        elif line.startswith(("if ", "else")):
            head, rest = _head(line)
            taken = False if line.startswith("if ") else taken
            test = head.removeprefix("else").strip().removeprefix("if").strip()
            if not taken and (not test or values.truth(machine.value(test))):
                taken = True
                _block(machine, [rest] if rest else body)
        elif "; if " in line:
            first, _, rest = line.partition("; ")
            _block(machine, [first, rest])
        else:
            for statement in line.split(";"):
                machine.assign(statement.strip())


def _head(line: str) -> tuple[str, str]:
    depth = 0
    for place, sign in enumerate(line):
        depth += (sign in "([") - (sign in ")]")
        if sign == ":" and not depth and "?" not in line[:place]:
            return line[:place], line[place + 1 :].strip()
    raise Unsupported(line)


@cache
def _tokens(text: str) -> tuple[str, ...]:
    found = tuple(_TOKEN.findall(text))
    if "".join(found) != text.replace(" ", ""):
        raise Unsupported(text)
    return found


class _Machine:
    def __init__(self, state: State, *, wraps: bool = True) -> None:
        self.state = state
        self._wraps = wraps
        self._tokens: tuple[str, ...] = ()
        self._at = 0
        self._left = ("", 0)

    def assign(self, statement: str) -> None:
        place, equals, text = statement.partition(" = ")
        if not equals:
            raise Unsupported(statement)
        name, *rest = _tokens(place)
        if name in registers.FILES:
            self._write_register(name, tuple(rest), text)
            return
        if name in registers.MEMORIES:
            self._write_memory(tuple(rest), text)
            return
        old = self.state.get(name, Value("b", 0, 0))
        found = _TYPE.match(rest[0]) if rest else None
        kind, size = (found[1], int(found[2])) if found else ("", 0)
        self._left = (kind, size)
        value = self.value(text)
        if len(rest) <= bool(found):
            if not kind:
                if old.size and name in _OPERANDS:
                    value = Value("b", raw(value) & (1 << old.size) - 1, old.size)
                self.state[name] = value
                return
            made = _as_type(value, kind, size)
            if name in _OPERANDS:
                self.state[name] = Value("b", raw(made), max(old.size, size))
                self.state["kind of " + name] = Value(kind, 0, size)
            else:
                self.state[name] = made
            return
        self._tokens, self._at = tuple(rest[bool(found) :]), 0
        high, low = self._index()
        width = size or high - low + 1
        first = low * size if size else low
        bits = raw(_as_type(value, kind, size)) if kind else raw(value)
        mask = ((1 << width) - 1) << first
        self.state[name] = Value("b", raw(old) & ~mask | (bits << first) & mask, max(old.size, first + width))

    def _write_register(self, file: str, place: tuple[str, ...], text: str) -> None:
        value = self.value(text)
        self._tokens, self._at = place, 0
        index, size = self._register(file)
        registers.write(self.state, file, index, raw(value), size)

    def _write_memory(self, place: tuple[str, ...], text: str) -> None:
        self._tokens, self._at = place, 0
        if self._peek() == "[":
            address = self._index()[0] + self._index()[0] * _COMPONENT // 8
            registers.write_memory(self.state, address, raw(self.value(text)), _COMPONENT)
            return
        found, address = self._memory()
        self._left = (found[1], int(found[2]))
        value = _as_type(self.value(text), *self._left)
        registers.write_memory(self.state, address, raw(value), self._left[1])

    def _memory(self) -> "tuple[re.Match[str], int]":
        """The type and the address after the name of a memory."""
        found = _TYPE.match(self._next())
        if found is None:
            raise Unsupported("an element of a format")
        return found, self._index()[0]

    def _register(self, file: str) -> tuple[tuple[int, ...], int]:
        """The numbers of a register after the name of its file, and how many bits are meant."""
        index = tuple(self._index()[0] for _ in range(registers.FILES[file]))
        found = _TYPE.match(self._peek())
        if found is None or int(found[2]) <= 32:
            return index, 32
        self._next()
        return index, int(found[2])

    def value(self, text: str) -> Value:
        outer = self._tokens, self._at
        self._tokens, self._at = _tokens(text), 0
        found = self._choice()
        if self._at != len(self._tokens):
            raise Unsupported(text)
        self._tokens, self._at = outer
        return found

    def _next(self) -> str:
        self._at += 1
        if self._at > len(self._tokens):
            raise Unsupported("an expression that ends early")
        return self._tokens[self._at - 1]

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _choice(self) -> Value:
        test = self._binary(0)
        if self._peek() != "?":
            return test
        self._next()
        first = self._choice()
        self._next()
        second = self._choice()
        return first if values.truth(test) else second

    def _binary(self, level: int) -> Value:
        if level == len(_LEVELS):
            return self._unary()
        left = self._binary(level + 1)
        while self._peek() in _LEVELS[level].split():
            left = values.combined(self._next(), left, self._binary(level + 1), wraps=self._wraps)
        return left

    def _unary(self) -> Value:
        sign = self._peek()
        if sign in ("~", "-", "!"):
            self._next()
            value = self._unary()
            if sign == "!":
                return integer(int(not values.truth(value)))
            if sign == "~":
                return integer(~int(value.number), value.size, "i" if value.kind == "i" else "u")
            if value.kind == "r" and not value.number and self._left[0] in values.FLOATS:
                value = values.converted(value, *self._left)  # -0.0
            return values.negated(value)
        value = self._postfix()
        if self._peek() == "**":
            self._next()
            power = self._unary()
            return values.power(value, power)
        return value

    def _postfix(self) -> Value:
        token = self._next()
        if token == "(":
            value = self._choice()
            self._next()
        elif token[0].isdigit():
            value = Value("r", Fraction(token)) if "." in token else integer(int(token, 0))
        elif self._peek() == "(":
            value = self._call(token)
        elif token in ("INF", "NAN", "MAX", "OVERFLOW", "UNDERFLOW"):
            value = _constant(token, *(self._left if self._left[0] else self._nearest_type()))
        elif token == "PI":
            value = Value("r", PI)
        elif token in registers.FILES:
            value = registers.read(self.state, token, *self._register(token))
        elif token in registers.MEMORIES and self._peek() == "[":
            value = integer(self._index()[0])  # of an element, for `from_format`
        elif token in registers.MEMORIES:
            found, address = self._memory()
            size = int(found[2])
            value = values.reread(registers.read_memory(self.state, address, size), found[1], size)
        elif "." in token and token.partition(".")[0].isupper():
            value = registers.value(self.state, token)
        elif token in self.state:
            value = self.state[token]
        else:
            raise Unsupported(f"the name {token}")
        while self._peek()[:1] in (".", "[") and self._peek():
            value = self._part(value)
        return value

    def _nearest_type(self) -> tuple[str, int]:
        """The type of a constant in a condition: that of the float before it."""
        before = (_TYPE.match(token) for token in reversed(self._tokens[: self._at]))
        return next(((found[1], int(found[2])) for found in before if found and found[1] in values.FLOATS), ("", 0))

    def _part(self, value: Value) -> Value:
        found = _TYPE.match(self._peek())
        if found:
            self._next()
            kind, size = found[1], int(found[2])
            if self._peek() != "[" or size >= value.size:
                return values.reread(value, kind, size)
            low = self._index()[0]
            return values.reread(integer(raw(value) >> low * size, 0), kind, size)
        if self._peek()[0] == ".":
            raise Unsupported(self._peek())
        high, low = self._index()
        made = values.part(value, high, low)
        return Value("u", int(made.number))

    def _index(self) -> tuple[int, int]:
        self._next()
        high = low = int(self._choice().number)
        if self._peek() == ":":
            self._next()
            low = int(self._choice().number)
        self._next()
        return high, low

    def _call(self, name: str) -> Value:
        start = self._at
        self._next()
        given = [self._choice()]
        while self._peek() == ",":
            self._next()
            given.append(self._choice())
        self._next()
        found = _TYPE.match(name)
        if found:
            return _converted(given[0], found[1], int(found[2]))
        if name == "saturate":
            kind, size = self._left
            if values.is_float(given[0]):
                return values.converted(given[0], kind, size)
            low = -(1 << (size - 1)) if kind == "i" else 0
            return integer(max(low, min(int(given[0].number), low + (1 << size) - 1)))
        if name == "concat":
            return _concat(self._tokens[start : self._at], given)
        operand = self._tokens[start + 1]
        if name == "number":
            return self.state[f"number of {operand}"]
        if name == "mixed":
            return self._mixed(given[0], int(operand[1:]))
        if name == "signed_or_not":
            is_signed = raw(self.state["NEG"]) >> int(operand[1:]) & 1
            return integer(int(values.reread(given[0], "i" if is_signed else "u", given[0].size).number))
        if name in _TO_LEFT:
            return _TO_LEFT[name](*given, *self._left)
        if name in ("min", "max", "med3") and raw(self.state.get("MODE.IEEE", integer(0))):
            signalling = next((each for each in given if values.is_nan(each) and not values.is_quiet(each)), None)
            if signalling is not None:
                return values.quieted(signalling)
        if name == "from_format":
            address = int(given[0].number) + int(given[1].number) * _COMPONENT // 8
            return registers.read_memory(self.state, address, _COMPONENT)
        if name in _ADDRESSES:
            return integer(raw(self.state["address"]))
        known = _FUNCTIONS.get(name)
        if known is None:
            raise Unsupported(f"the function {name}")
        return known(*given)

    def _mixed(self, value: Value, place: int) -> Value:
        """A source of a mixed instruction as a float of 32 bits, as `OP_SEL_HI` and `OP_SEL` say.

        The kind of the halves, if it is not `f`, is that of `HALF` in the state.
        """
        if not raw(self.state["OP_SEL_HI"]) >> place & 1:
            return values.reread(value, "f", 32)
        half = raw(value) >> 16 * (raw(self.state["OP_SEL"]) >> place & 1)
        return values.converted(Value(self.state["HALF"].kind, half & 0xFFFF, 16), "f", 32)


_COMPONENT = 32  # bits
_ADDRESSES = frozenset(("BUFFER", "FLAT", "GLOBAL", "SCRATCH", "SCALAR"))
_OPERANDS = frozenset(("D", "SDST", "EXEC", "VCC", "SCC"))


def _constant(name: str, kind: str, size: int) -> Value:
    if kind not in values.FLOATS:
        if name != "INF":
            raise Unsupported(f"{name} without a type")
        kind, size = "f", 64
    top = values.infinity(kind, size, False)
    return {
        "INF": top, "NAN": values.nan(kind, size), "MAX": top._replace(number=raw(top) - 1), "OVERFLOW": top,
        "UNDERFLOW": Value(kind, 0, size),
    }[name]  # fmt: skip


def _as_type(value: Value, kind: str, size: int) -> Value:
    if kind in values.FLOATS:
        if value.kind in (*values.FLOATS, "r"):
            return values.converted(value, kind, size)
        return (
            Value(kind, raw(integer(int(value.number), size)), size)
            if value.size or value.kind == "b"
            else values.converted(value, kind, size)
        )
    if value.kind in values.FLOATS:
        return integer(raw(value), size, kind)
    if value.kind == "r":
        raise Unsupported("an exact number as an integer")
    return integer(int(value.number), size, kind)


def _converted(value: Value, kind: str, size: int) -> Value:
    if kind == "b":
        return integer(raw(value), size)
    return values.converted(value, kind, size)


def _concat(tokens: tuple[str, ...], given: list[Value]) -> Value:
    """The sizes are those of the types, or of the ranges, that end the arguments."""
    sizes: list[int] = []
    text = "".join(tokens)[1:-1]
    depth, argument = 0, ""
    for sign in text + ",":
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and not depth:
            bits = re.search(r"\[(\d+):(\d+)\]$", argument)
            sizes.append(int(bits[1]) - int(bits[2]) + 1 if bits else given[len(sizes)].size)
            argument = ""
        else:
            argument += sign
    if not all(sizes) or len(sizes) != len(given):
        raise Unsupported(f"concat{text}")
    number = 0
    for size, value in zip(sizes, given, strict=True):
        number = number << size | raw(value) & (1 << size) - 1
    return integer(number, sum(sizes))


def smaller(a: Value, b: Value) -> Value:
    """The smaller one; of a number and a NaN the number."""
    return _chosen(a, b, _less(b, a))


def larger(a: Value, b: Value) -> Value:
    """The larger one; of a number and a NaN the number."""
    return _chosen(a, b, _less(a, b))


def _less(a: Value, b: Value) -> bool:
    if values.is_nan_of(a) or values.is_nan_of(b):
        return False
    return values.below(a, b) if values.is_float(a) and values.is_float(b) else values.compared("<", a, b)


def _chosen(a: Value, b: Value, second: bool) -> Value:
    """`b` if asked for; of a number and a NaN the number."""
    if values.is_nan_of(a):
        return values.quieted(a) if values.is_nan_of(b) else b
    return a if values.is_nan_of(b) or not second else b


def _with_nan(choose: Callable[[Value, Value], Value]) -> Callable[[Value, Value], Value]:
    def chosen(a: Value, b: Value) -> Value:
        return next((values.quieted(each) for each in (a, b) if values.is_nan_of(each)), None) or choose(a, b)

    return chosen


minimum = _with_nan(smaller)
maximum = _with_nan(larger)


def _median(a: Value, b: Value, c: Value) -> Value:
    if any(map(values.is_nan_of, (a, b, c))):
        return smaller(smaller(a, b), c)
    first, second = (b, a) if _less(b, a) else (a, b)
    return second if _less(second, c) else c if _less(first, c) else first


def _leading(x: Value, bit: Value) -> Value:
    digits = f"{raw(x):0{x.size}b}"
    return integer(x.size - len(digits.lstrip(str(bit.number))))


def _find_first(x: Value, bit: Value) -> Value:
    return integer(f"{raw(x):0{x.size}b}"[::-1].find(str(bit.number)))


def _exponent_of(x: Value) -> Value:
    if values.is_nan(x) or values.is_infinite(x) or not values.exact(x):
        return integer(0)
    number, found = abs(values.exact(x)), 0
    while number >= 1:
        number, found = number / 2, found + 1
    while number < Fraction(1, 2):
        number, found = number * 2, found - 1
    return integer(found)


def _mantissa_of(x: Value) -> Value:
    if values.is_nan(x) or values.is_infinite(x) or not values.exact(x):
        return values.quieted(x)
    return values.rounded(values.exact(x) / Fraction(2) ** int(_exponent_of(x).number), x.kind, x.size)


def _class(x: Value) -> Value:
    negative = values.is_negative(x)
    if values.is_nan(x):
        return integer(int(values.is_quiet(x)))
    if values.is_infinite(x):
        return integer(2 if negative else 9)
    _, exponent, fraction = values.fields(x)
    if exponent:
        return integer(3 if negative else 8)
    return integer((4 if negative else 7) if fraction else (5 if negative else 6))


def _differences(a: Value, b: Value, masked: bool = False) -> Value:
    pairs = zip(raw(a).to_bytes(4, "little"), raw(b).to_bytes(4, "little"), strict=True)
    return integer(sum(abs(x - y) for x, y in pairs if y or not masked), 32)


def _stochastic(value: Value, random: Value, kind: str, size: int) -> Value:
    if (kind, size) != ("bf", 16) or value.size != 32:
        raise Unsupported("a rounding by chance")
    return Value(kind, raw(value) + int(random.number) >> 16 & 0xFFFF, size)


def _scaled(value: Value, factor: Value) -> Value:
    """A product, and 0.0 in place of a denormal one and of -0.0."""
    found = values.calculated("*", value, factor)
    return found if values.fields(found)[1] else found._replace(number=0)


def _power(value: Value) -> Value:
    """2 to the power of the exponent field."""
    return Value("r", Fraction(2) ** (values.fields(value)[1] - 127))


def _to_nearest(value: Value, kind: str, size: int) -> Value:
    with values.modes(values.current_modes()._replace(rounding=values.NEAREST)):
        return values.converted(value, kind, size)


_TO_LEFT: Mapping[str, Callable[..., Value]] = {
    "round_to_nearest": _to_nearest,
    "round_to_zero": lambda x, kind, size: values.converted(x, kind, size, to_zero=True),
    "stochastic": _stochastic,
}

_FUNCTIONS: Mapping[str, Callable[..., Value]] = {
    "to_format": lambda x, _: x,
    "abs": lambda x: values.absolute(x) if values.is_float(x) else integer(abs(int(x.number)), x.size, x.kind),
    "min": smaller,
    "max": larger,
    "minimum": minimum,
    "maximum": maximum,
    "med3": _median,
    "fma": values.fused,
    "sqrt": values.square_root,
    "fract": values.fraction_of,
    "floor": lambda x: values.to_whole(x, "floor"),
    "ceil": lambda x: values.to_whole(x, "ceil"),
    "trunc": lambda x: values.to_whole(x, "trunc"),
    "rndne": lambda x: values.to_whole(x, "rndne"),
    "round": lambda x: values.to_whole(x, "rndne"),
    "exponent": lambda x: integer(values.fields(x)[1]),
    "sign": lambda x: integer(int(values.is_negative(x))),
    "is_nan": lambda x: integer(int(values.is_nan(x))),
    "frexp_exp": _exponent_of,
    "frexp_mant": _mantissa_of,
    "class": _class,
    "sin": lambda x: values.approximated("sin", x),
    "cos": lambda x: values.approximated("cos", x),
    "tanh": lambda x: values.approximated("tanh", x),
    "log2": lambda x: values.approximated("log2", x),
    "snorm16": lambda x: values.normalized(x, "i"),
    "unorm16": lambda x: values.normalized(x, "u"),
    "is_denormal": lambda x: integer(int(values.is_denormal(x))),
    "power": _power,
    "scaled": _scaled,
    "scale": lambda x, place: Value("r", Fraction(2) ** ((raw(x) >> 8 * int(place.number) & 0xFF) - 127)),
    "selected": lambda x: integer(raw(x) & 3),
    "popcount": lambda x: integer(raw(x).bit_count()),
    "reverse": lambda x: integer(int(f"{raw(x):0{x.size}b}"[::-1], 2), x.size),
    "leading": _leading,
    "find_first": _find_first,
    "sext": lambda x: integer(int(values.reread(x, "i", x.size).number if x.size else x.number)),
    "zext": lambda x: integer(int(x.number)),
    "sext_from": lambda x, n: integer(integer(int(x.number), int(n.number), "i").number) if n.number else integer(0),  # type: ignore[arg-type]
    "sad": _differences,
    "msad": lambda a, b: _differences(a, b, masked=True),
    "carry_out": lambda a, b: integer((int(a.number) + int(b.number)) >> a.size & 1),
}
