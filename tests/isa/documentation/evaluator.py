"""Carries out an operation of the documentation: `run("D.f32 = S0.f32 + S1.f32", {"S0": Value("b", 0, 32), ...})`.

It knows the notation and nothing of instructions: what an entry says is taken literally, so that a test can compare it
with what the instruction has to do, or with AMD's manuals. Whatever it does not know raises `Unsupported`. An element
in a format of memory has components of 32 bits, which are not converted.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from gcn_lsp.isa.documentation.operation import (
    As,
    Assign,
    At,
    Binary,
    Body,
    Call,
    Choice,
    Do,
    Expression,
    For,
    Group,
    If,
    Name,
    NotAnOperation,
    Number,
    Text,
    Type,
    Unary,
    parse,
)
from gcn_lsp.isa.documentation.operation import expression as text_of
from tests.isa.documentation import registers, values
from tests.isa.documentation.values import Unsupported, Value, integer, raw

PI = Fraction(0x3243F6A8885A308D313198A2E037, 1 << 108)

State = dict[str, Value]


def run(operation: str, state: Mapping[str, Value]) -> State:
    """The state after an operation."""
    machine = _Machine(dict(state), wraps="saturate(" not in operation)
    try:
        machine.run(parse(operation))
    except NotAnOperation as error:
        raise Unsupported(str(error)) from error
    return machine.state


class _Machine:
    def __init__(self, state: State, *, wraps: bool = True) -> None:
        self.state = state
        self._wraps = wraps
        self._left = ("", 0)
        self._nearest = ("", 0)  # the type of a constant in a condition: that of the float before it

    def run(self, body: Body) -> None:
        for statement in body:
            match statement:
                case Assign(Call("concat", places), value):
                    bits = raw(self._value(value))
                    for number, place in enumerate(reversed(places)):
                        self._assign(place, Number(str(bits >> 32 * number & 0xFFFFFFFF)))
                case Assign(place, value):
                    self._assign(place, value)
                case If(branches):
                    taken = next((body for test, body in branches if test is None or self._holds(test)), None)
                    if taken is not None:
                        self.run(taken)
                case For(counter, count, inner):
                    for number in range(int(self._value(count).number)):
                        self.state[counter] = integer(number)
                        self.run(inner)
                case Do(call):
                    raise Unsupported(text_of(call))

    def _holds(self, test: Expression) -> bool:
        return values.truth(self._value(test))

    def _assign(self, place: Expression, expression: Expression) -> None:
        access = _access(place)
        name = access.name
        if name in registers.FILES:
            index = tuple(self._number(each.high) for each in access.indices)
            size = max(32, access.type.size if access.type is not None else 0)
            registers.write(self.state, name, index, raw(self._value(expression)), size)
            return
        if name in registers.MEMORIES:
            self._write_memory(access, expression)
            return
        old = self.state.get(name, Value("b", 0, 0))
        kind, size = (access.type.kind, access.type.size) if access.type is not None else ("", 0)
        self._left = (kind, size)
        value = self._value(expression)
        if not access.indices:
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
        high, low = self._range(access.indices[0])
        width = size or high - low + 1
        first = low * size if size else low
        bits = raw(_as_type(value, kind, size)) if kind else raw(value)
        mask = ((1 << width) - 1) << first
        self.state[name] = Value("b", raw(old) & ~mask | (bits << first) & mask, max(old.size, first + width))

    def _write_memory(self, access: "_Access", expression: Expression) -> None:
        if access.type is None:
            address, component = (self._number(each.high) for each in access.indices)
            address += component * _COMPONENT // 8
            registers.write_memory(self.state, address, raw(self._value(expression)), _COMPONENT)
            return
        address = self._number(access.indices[0].high)
        self._left = (access.type.kind, access.type.size)
        registers.write_memory(self.state, address, raw(_as_type(self._value(expression), *self._left)), self._left[1])

    def _value(self, expression: Expression) -> Value:
        self._nearest = ("", 0)
        return self.evaluated(expression)

    def _number(self, expression: Expression) -> int:
        return int(self.evaluated(expression).number)

    def _range(self, part: At) -> tuple[int, int]:
        high = self._number(part.high)
        return high, high if part.low is None else self._number(part.low)

    def evaluated(self, expression: Expression) -> Value:
        match expression:
            case Number():
                return Value("r", expression.value) if "." in expression.written else integer(int(expression.value))
            case Group(value):
                return self.evaluated(value)
            case Name(name):
                return self._named(name)
            case As():
                return self._read_as(expression)
            case At():
                return self._part(expression)
            case Call():
                return self._call(expression)
            case Unary(sign, value):
                return self._unary(sign, self.evaluated(value))
            case Binary("**", left, right):
                return values.power(self.evaluated(left), self.evaluated(right))
            case Binary(sign, left, right):
                return values.combined(sign, self.evaluated(left), self.evaluated(right), wraps=self._wraps)
            case Choice(test, first, second):
                taken = values.truth(self.evaluated(test))
                return self.evaluated(first if taken else second)
        raise Unsupported(text_of(expression))

    def _unary(self, sign: str, value: Value) -> Value:
        if sign == "!":
            return integer(int(not values.truth(value)))
        if sign == "~":
            return integer(~int(value.number), value.size, "i" if value.kind == "i" else "u")
        if value.kind == "r" and not value.number and self._left[0] in values.FLOATS:
            value = values.converted(value, *self._left)  # -0.0
        return values.negated(value)

    def _named(self, name: str) -> Value:
        if name in ("INF", "NAN", "MAX", "OVERFLOW", "UNDERFLOW"):
            return _constant(name, *(self._left if self._left[0] else self._nearest))
        if name == "PI":
            return Value("r", PI)
        if "." in name:
            return registers.value(self.state, name)
        if name in self.state:
            return self.state[name]
        raise Unsupported(f"the name {name}")

    def _read_as(self, expression: As) -> Value:
        kind, size = expression.type.kind, expression.type.size
        value = self._register(expression.value, max(32, size))
        if value is None:
            value = self.evaluated(expression.value)
        self._note(expression.type)
        return values.reread(value, kind, size)

    def _note(self, type: Type) -> None:
        if type.kind in values.FLOATS:
            self._nearest = (type.kind, type.size)

    def _register(self, expression: Expression, size: int = 32) -> Value | None:
        """The register that `expression` names by number, with as many bits; None if it names none."""
        indices: list[Expression] = []
        while isinstance(expression, At):
            indices.insert(0, expression.high)
            expression = expression.value
        if not isinstance(expression, Name) or len(indices) != registers.FILES.get(expression.name):
            return None
        return registers.read(self.state, expression.name, tuple(map(self._number, indices)), size)

    def _part(self, expression: At) -> Value:
        register = self._register(expression)
        if register is not None:
            return register
        inner = expression.value
        if isinstance(inner, Name) and inner.name in registers.MEMORIES:
            return integer(self._number(expression.high))  # of an element, for `from_format`
        if isinstance(inner, As):
            kind, size = inner.type.kind, inner.type.size
            if isinstance(inner.value, Name) and inner.value.name in registers.MEMORIES:
                self._note(inner.type)
                address = self._number(expression.high)
                return values.reread(registers.read_memory(self.state, address, size), kind, size)
            whole = self._register(inner.value, max(32, size))
            if whole is None:
                whole = self.evaluated(inner.value)
            if size < whole.size:  # an element of that type
                self._note(inner.type)
                low = self._range(expression)[0]
                return values.reread(integer(raw(whole) >> low * size, 0), kind, size)
        value = self.evaluated(inner)
        return Value("u", int(values.part(value, *self._range(expression)).number))

    def _call(self, expression: Call) -> Value:
        name = expression.function
        if any(isinstance(each, Text) for each in expression.arguments):  # words, which only a reader understands
            raise Unsupported(f"the function {name}")
        given = [self.evaluated(each) for each in expression.arguments]
        if expression.converts_to is not None:
            self._note(expression.converts_to)
            return _converted(given[0], expression.converts_to.kind, expression.converts_to.size)
        if name == "saturate":
            kind, size = self._left
            if values.is_float(given[0]):
                return values.converted(given[0], kind, size)
            low = -(1 << (size - 1)) if kind == "i" else 0
            return integer(max(low, min(int(given[0].number), low + (1 << size) - 1)))
        if name == "concat":
            return _concat(expression, given)
        if name == "number":
            return self.state[f"number of {_operand(expression)}"]
        if name == "mixed":
            return self._mixed(given[0], int(_operand(expression)[1:]))
        if name == "signed_or_not":
            is_signed = raw(self.state["NEG"]) >> int(_operand(expression)[1:]) & 1
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


class _Access(NamedTuple):
    """A name with its indices, the outermost last, and the type among or after them."""

    name: str
    indices: tuple[At, ...]
    type: Type | None


def _access(expression: Expression) -> _Access:
    if isinstance(expression, Name):
        return _Access(expression.name, (), None)
    if isinstance(expression, As):
        inner = _access(expression.value)
        return inner._replace(type=expression.type)
    if isinstance(expression, At):
        inner = _access(expression.value)
        return inner._replace(indices=(*inner.indices, expression))
    raise Unsupported(f"an assignment to {text_of(expression)}")


def _operand(call: Call) -> str:
    """The operand that a function is about: the name that its first argument begins with."""
    first = call.arguments[0]
    while isinstance(first, As | At | Group):
        first = first.value
    assert isinstance(first, Name)
    return first.name


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


def _concat(call: Call, given: list[Value]) -> Value:
    """The sizes are those of the types, or of the ranges, that end the arguments."""
    sizes = []
    for argument, value in zip(call.arguments, given, strict=True):
        match argument:
            case At(_, Number() as high, Number() as low):
                sizes.append(int(high.value - low.value) + 1)
            case _:
                sizes.append(value.size)
    if not all(sizes):
        raise Unsupported(text_of(call))
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
