"""Carries out the pseudo-code of a manual: `run(code, {"S0": Value(...), ...})`.

Whatever it does not know raises `Unsupported`.
"""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache

from tests.isa.documentation import registers, values
from tests.isa.documentation.values import Unsupported, Value, integer, raw

_TOKEN = re.compile(
    r"\d+'0x[0-9a-fA-F]+|\d+'-?\d+\.\d+|\d+'-?\d+U?|\d+'[UIFB]+|0x[0-9a-fA-F]+(?:U?LL|U|L)?|\d+\.\d+F?|\d+(?:U?LL|U|L|F)?|\.[a-z]+\d*\b"
    r"|[A-Za-z_]\w*|\*\*|<<|>>|<=|>=|==|!=|<>|&&|\|\||\+=|-=|&=|\|=|\^=|\+:|[-+*/%&|^~!<>=?:;,(){}\[\].]"
)
_TYPE = re.compile(r"\.(bf|fp|[uibf])(\d*)$")
_CAST = re.compile(r"(\d+)'(U|I|F|B|BF)$")
_LEVELS = ("||", "&&", "|", "^", "&", "== != <>", "< <= > >=", "<< >>", "+ -", "* / %")
_STEPS = 20_000

State = dict[str, Value]


def run(code: str, state: Mapping[str, Value], entries: "Mapping[str, str] | None" = None, wraps: bool = True) -> State:
    """The state after some pseudo-code.

    entries: the code of other instructions, which it may call by name. wraps: whether integers wrap at the size of
    their type before they are assigned; those of older manuals do not.
    """
    code = code.replace("VGPR[laneId][SRC0.u32]", "S0").replace("VGPR[laneId][VDST.u32]", "D0")
    code = re.sub(r"\bTADDR\.([XYZW])", r"ADDR + ChannelOffset\1()", code)
    code = re.sub(r"(VGPR\[[^]]*\])\[(S0|D0)\.u32\]", lambda m: f"{m[1]}[{_NUMBER_OF[m[2]]}.u32]", code)
    now = values.current_modes()
    machine = _Machine(_tokens(code), {"ROUND_MODE": integer(now.rounding, 2), **state}, entries or {}, wraps)
    with values.modes(now._replace(rounding=int(machine.state["ROUND_MODE"].number))):
        try:
            machine.block(("",))
        except (_Break, _Return):
            raise Unsupported("an end of a loop or a function outside") from None
    return machine.state


@cache
def _tokens(code: str) -> tuple[str, ...]:
    lines = [re.sub(r"//.*", "", line) for line in code.split("\n")]
    found: list[str] = []
    for line in lines:
        tokens = _TOKEN.findall(line)
        if "".join(tokens) != re.sub(r"\s", "", line):
            raise Unsupported(f"the text {line.strip()[:60]!r}")
        # A line goes on unless it ends a statement, as a word or a sign that needs more does.
        found += tokens
        if tokens and tokens[-1] not in _OPEN_ENDS:
            found.append("\n")
    return (*found, "")


_NUMBER_OF = {"S0": "SRC0", "D0": "VDST"}
_OPEN_ENDS = frozenset(("+", "-", "*", "/", "&&", "||", "|", "&", "^", "(", ",", "=", "?", ":", "==", "{", "then"))


class _Return(Exception):
    def __init__(self, value: Value) -> None:
        super().__init__()
        self.value = value


class _Break(Exception):
    pass


class _Machine:
    def __init__(self, tokens: tuple[str, ...], state: State, entries: Mapping[str, str], wraps: bool) -> None:
        self.tokens, self.state, self.entries, self.wraps = tokens, state, entries, wraps
        self.at = 0
        self.functions: dict[str, tuple[list[str], int]] = {}
        self.arrays: dict[str, dict[int, Value]] = {}
        self.array_types: dict[str, tuple[str, int]] = {}
        self.steps = 0
        self.in_braces = False

    # Statements

    def peek(self) -> str:
        return self.tokens[self.at]

    def next(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def accept(self, token: str) -> bool:
        if self.peek() == token:
            self.at += 1
            return True
        return False

    def expect(self, token: str) -> None:
        while token != "\n" and self.peek() == "\n":
            self.at += 1
        if self.next() != token:
            raise Unsupported(f"{self.tokens[self.at - 1]!r} where {token!r} is expected")

    def block(self, ends: tuple[str, ...]) -> None:
        while True:
            while self.peek() in (";", "\n"):
                self.at += 1
            if self.peek() in ends:
                return
            if self.peek() == "":
                raise Unsupported("the code ends early")
            self.steps += 1
            if self.steps > _STEPS:
                raise Unsupported("too many steps")
            self.statement()

    def skip(self, ends: tuple[str, ...]) -> None:
        depth = 0
        while self.peek():
            token = self.peek()
            if not depth and token in ends:
                return
            depth += (token in ("if", "for", "while", "(")) - (token in ("endif", "endfor", "endwhile", ")"))
            self.at += 1
        raise Unsupported("the code ends early")

    def statement(self) -> None:
        token = self.peek()
        if token == "declare":
            self.declare()
        elif token == "if":
            self.next()
            self.choose()
        elif token == "for":
            self.loop()
        elif token == "return":
            self.next()
            raise _Return(self.expression())
        elif token == "break":
            self.next()
            raise _Break
        elif token in ("while", "eval", "assert"):
            raise Unsupported(token)
        elif self.tokens[self.at + 1] == "=" and self.tokens[self.at + 2] == "lambda":
            self.define()
        else:
            self.assign()

    def declare(self) -> None:
        self.next()
        name = self.next()
        self.expect(":")
        cast = _CAST.match(self.next())
        if cast is None:
            raise Unsupported("a declaration")
        kind, size = cast[2].lower(), int(cast[1])
        if self.accept("["):
            self.expression()
            self.expect("]")
            self.arrays[name] = {}
            self.array_types[name] = (kind, size)
        elif name not in ("OFFSET0", "OFFSET1"):
            self.state[name] = Value(kind, 0, size)

    def choose(self) -> None:
        taken = False
        while True:
            is_true = False
            if taken:
                self.skip(("then",))
            else:
                is_true = values.truth(self.expression())
            self.expect("then")
            ends = ("elsif", "else", "endif")
            if is_true and not taken:
                taken = True
                self.block(ends)
            else:
                self.skip(ends)
            token = self.next()
            if token == "endif":
                return
            if token == "else":
                if taken:
                    self.skip(("endif",))
                else:
                    self.block(("endif",))
                self.next()
                return

    def loop(self) -> None:
        self.next()
        name = self.next()
        self.expect("in")
        first = self.binary(len(_LEVELS) - 2)
        self.expect(":")
        last = self.expression()
        self.expect("do")
        start = self.at
        for number in range(int(first.number), int(last.number) + 1):
            self.state[name] = integer(number)
            self.at = start
            try:
                self.block(("endfor",))
            except _Break:
                break
        self.at = start
        self.skip(("endfor",))
        self.next()

    def define(self) -> None:
        name = self.next()
        self.at += 2
        self.expect("(")
        names = []
        while not self.accept(")"):
            names.append(self.next())
            self.accept(",")
        while self.accept("\n"):
            pass
        self.expect("(")
        self.functions[name] = (names, self.at)
        self.skip((")",))
        self.next()

    def assign(self) -> Value:
        name = self.next()
        if name == "{":
            return self.assign_parts()
        if not re.match(r"[A-Za-z_]", name):
            raise Unsupported(f"a statement that begins with {name!r}")
        name = _NAMES.get(name, name)
        if name in registers.FILES:
            return self.assign_register(name)
        if name in registers.MEMORIES:
            return self.assign_memory()
        path: list[tuple[str, int, int]] = []
        while self.peek().startswith(".") or self.peek() == "[":
            found = _TYPE.match(self.peek())
            if found:
                self.next()
                path.append((found[1], _size(found), -1))
            elif self.peek() == "." and name in _FLAGS:
                while self.peek() not in (";", "\n"):
                    self.next()  # exceptions
                return integer(0)
            elif self.peek() == "." and name in _STATES:
                name = self.field(name)
            elif self.peek() == ".":
                raise Unsupported("a field of a state")
            else:
                if self.peek() != "[":
                    raise Unsupported(f"{name}{self.peek()}")
                high, low = self.index()
                path.append(("", high, low))
        token = self.next()
        if token not in ("=", "+=", "-=", "&=", "|=", "^="):
            raise Unsupported(f"a statement with {token!r}")
        value = self.assign() if token == "=" and self.is_chain() else self.expression()
        if token != "=":
            before = self.read(name, path)
            value = values.combined(token[0], before, value)
        self.write(name, path, value)
        return value

    def assign_parts(self) -> Value:
        """`{ D1.u1, D0.u64 } = x`: the last part takes the lowest bits."""
        parts: list[tuple[str, str, int]] = []
        while not self.accept("}"):
            name, found = self.next(), _TYPE.match(self.next())
            if found is None:
                raise Unsupported("a part without a type")
            parts.append((name, found[1], _size(found)))
            self.accept(",")
        self.expect("=")
        value = self.expression()
        number = raw(value)
        for name, kind, size in reversed(parts):
            self.write(name, [(kind, size, -1)], integer(number, size))
            number >>= size
        return value

    def assign_register(self, file: str) -> Value:
        index, size = self.register(file)
        place = self.index() if self.peek() == "[" else None
        if _TYPE.match(self.peek()):
            self.next()
        self.expect("=")
        value = self.expression()
        bits = raw(value)
        if place is not None:
            high, low = place
            mask = (1 << (high - low + 1)) - 1
            bits = raw(registers.read(self.state, file, index, size)) & ~(mask << low) | (bits & mask) << low
        registers.write(self.state, file, index, bits, size)
        return value

    def assign_memory(self) -> Value:
        address, kind, size = self.memory()
        sign = self.next()
        if sign not in ("=", "+=", "-=", "&=", "|=", "^="):
            raise Unsupported(f"a statement with {sign!r}")
        value = self.expression()
        if sign != "=":
            before = values.reread(registers.read_memory(self.state, address, size), kind, size)
            value = values.combined(sign[0], before, value)
        registers.write_memory(self.state, address, raw(as_type(value, kind, size)), size)
        return value

    def memory(self) -> tuple[int, str, int]:
        """The address and the type after the name of a memory."""
        address = self.index()[1]
        found = _TYPE.match(self.peek())
        if found is None:
            return address, "b", int(self.lookup("bits of memory").number)
        self.next()
        return address, found[1], _size(found)

    def register(self, file: str) -> tuple[tuple[int, ...], int]:
        """The numbers of a register after the name of its file, and how many bits are meant."""
        index = tuple(self.index()[1] for _ in range(registers.FILES[file]))
        found = _TYPE.match(self.peek())
        if found and int(found[2] or 32) >= 64:
            self.next()
            return index, int(found[2])
        return index, 32

    def field(self, state: str) -> str:
        """The name of a field after that of a register: `WAVE_MODE.gpr_idx_en` is `MODE.GPR_IDX_EN`."""
        self.next()
        return f"{state.removeprefix('WAVE_')}.{self.next().upper()}"

    def is_chain(self) -> bool:
        """Whether another assignment follows on the line: `a = b = c`."""
        end = next(at for at in range(self.at, len(self.tokens)) if self.tokens[at] in ("\n", ";", ""))
        return "=" in self.tokens[self.at : end]

    def read(self, name: str, path: list[tuple[str, int, int]]) -> Value:
        value = self.lookup(name)
        for kind, one, low in path:
            value = values.reread(value, kind, one) if kind else values.part(value, one, low)
        return value

    def write(self, name: str, path: list[tuple[str, int, int]], value: Value) -> None:
        if name == "ROUND_MODE":
            values.set_rounding(int(value.number))
        if name in self.arrays and path and not path[0][0]:
            kind, size = self.array_types[name]
            self.arrays[name][path[0][1]] = as_type(value, kind, size)
            return
        if name not in _OPERANDS and name not in self.state and not path:
            self.state[name] = value
            return
        old = self.state.get(name, Value("b", 0, 64))
        kinds = [each for each in path if each[0]]
        parts = [each for each in path if not each[0]]
        if not parts:
            kind, size = (kinds[-1][0], kinds[-1][1]) if kinds else (old.kind, old.size)
            if not kinds and value.size and name == "D0":
                kind, size = value.kind, value.size
            made = as_type(value, kind, size)
            if name in _OPERANDS:
                self.state[name] = Value("b", raw(made), old.size)
                self.state["kind of " + name] = Value(made.kind, 0, made.size)
            else:
                self.state[name] = made
            return
        _, high, low = parts[0]
        if len(parts) > 1 or (kinds and path[0][0] and kinds[0][1] not in (32, 64) and name not in _OPERANDS):
            raise Unsupported("a part of a part")
        width = high - low + 1
        if kinds and path[-1][0]:
            value = as_type(value, kinds[-1][0], kinds[-1][1])
        bits = raw(as_type(value, "b", width) if not values.is_float(value) else value) & (1 << width) - 1
        size = max(old.size, high + 1)
        number = raw(old) & ~(((1 << width) - 1) << low) | bits << low
        self.state[name] = Value("b" if old.kind in values.FLOATS else old.kind, number, size)._replace(kind="b")

    # Expressions

    def expression(self) -> Value:
        test = self.binary(0)
        if not self.accept("?"):
            return test
        first = self.expression()
        self.expect(":")
        second = self.expression()
        return first if values.truth(test) else second

    def binary(self, level: int) -> Value:
        if level == len(_LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.peek() in _LEVELS[level].split() or (
            self.peek() == "\n"
            and self.tokens[self.at + 1] in ("&&", "||")
            and self.tokens[self.at + 1] in _LEVELS[level].split()
        ):
            self.accept("\n")
            sign = self.next()
            if sign == "==" and self.accept("DENORM"):
                if _TYPE.match(self.peek()):
                    self.next()
                left = integer(int(values.is_denormal(left)), 1)
            else:
                left = values.combined(sign, left, self.binary(level + 1))
        return left

    def unary(self) -> Value:
        token = self.peek()
        if token in ("-", "+", "~", "!"):
            self.next()
            value = self.unary()
            if token == "!":
                return integer(int(not values.truth(value)), 1)
            if token == "~":
                return integer(~int(value.number), value.size, value.kind if value.kind in "ui" else "u")
            if token == "-" and value.kind == "r" and not value.number:
                return Value("f", 1 << 63, 64)  # -0.0
            return values.negated(value) if token == "-" else value
        value = self.postfix()
        if self.accept("**"):
            power = self.unary()
            return values.power(value, power)
        return value

    def postfix(self) -> Value:
        token = self.next()
        while token == "\n":
            token = self.next()
        if token == "(":
            value = self.expression()
            self.expect(")")
        elif token == "{":
            wraps, in_braces = self.wraps, self.in_braces
            self.wraps = self.in_braces = True
            value = self.expression()
            while self.accept(","):
                lower = self.expression()
                value = Value("u", raw(value) << lower.size | raw(lower), value.size + lower.size)
            self.expect("}")
            self.wraps, self.in_braces = wraps, in_braces
        elif _CAST.match(token):
            cast = _CAST.match(token)
            assert cast is not None
            if self.peek() != "(":
                raise Unsupported("a type")
            value = as_cast(self.arguments()[0], cast[2].lower(), int(cast[1]))
        elif token[0].isdigit():
            value = literal(token)
        elif self.peek() == "(":
            value = self.call(token)
        elif _NAMES.get(token, token) in registers.FILES:
            token = _NAMES.get(token, token)
            value = registers.read(self.state, token, *self.register(token))
        elif token in registers.MEMORIES:
            address, kind, size = self.memory()
            value = values.reread(registers.read_memory(self.state, address, size), kind, size)
        elif token in _STATES and self.peek() == ".":
            value = registers.value(self.state, self.field(token))
        elif token in self.arrays and self.peek() == "[":
            element = self.index()[1]
            if token == "S":
                self.arrays[token].setdefault(element, self.lookup(f"S{element}"))
            if element not in self.arrays[token]:
                raise Unsupported(f"the table {token}")
            value = self.arrays[token][element]
        else:
            value = self.lookup(_NAMES.get(token, token))
        while self.peek() == "[" or self.peek().startswith("."):
            found = _TYPE.match(self.peek())
            if found:
                self.next()
                if value.kind == "r":
                    value = values.converted(value, found[1], _size(found))
                elif token in ("INF", "NAN"):
                    make = values.nan if token == "NAN" else values.infinity
                    value = make(found[1], _size(found))
                elif self.peek() == "[" and value.kind == "b" and found[1] in ("u", "b"):
                    pass  # bits of an operand, which may be above those of the type
                elif value.kind == "i" and found[1] in ("i", "u") and value.size:
                    value = integer(int(value.number), _size(found, value.size), found[1])  # wider: with the sign
                else:
                    value = values.reread(value, found[1], _size(found, value.size))
            elif self.peek() == "[":
                high, low = self.index()
                value = values.part(value, high, low)
                if self.in_braces and high >= low:
                    value = value._replace(size=high - low + 1)
            else:
                raise Unsupported(f"a field {self.peek()}{self.tokens[self.at + 1]}")
        return value if self.wraps or values.is_float(value) else integer(int(value.number))

    def index(self) -> tuple[int, int]:
        self.expect("[")
        high = low = int(self.expression().number)
        if self.accept(":"):
            low = int(self.expression().number)
        elif self.accept("+:"):
            high = low + int(self.expression().number) - 1
        self.expect("]")
        return high, low

    def lookup(self, name: str) -> Value:
        if name in self.state:
            return self.state[name]
        if name in _ENVIRONMENT:
            return _ENVIRONMENT[name]
        if name in ("INF", "NAN"):
            return values.infinity("f", 64) if name == "INF" else values.nan("f", 64)
        same = next((each for each in self.state if each.lower() == name.lower()), "")
        if same:  # laneGroupBase, laneGroupbase
            return self.state[same]
        found = re.match(r"(OVERFLOW|UNDERFLOW)_F(\d+)$", name)
        if found:
            size = int(found[2])
            top = values.infinity("f", size, False)
            return top if found[1] == "OVERFLOW" else Value("f", 0, size)
        raise Unsupported(f"the name {name}")

    def arguments(self) -> list[Value]:
        self.expect("(")
        found: list[Value] = []
        while not self.accept(")"):
            if self.accept("\n"):
                continue
            found.append(self.expression())
            self.accept(",")
        return found

    def call(self, name: str) -> Value:
        given = self.arguments()
        if name in self.functions:
            return self.own(name, given)
        if re.fullmatch(r"Calc\w+Addr", name):  # the second operand of one in LDS is an offset, or 0
            offset = given[1].number if name == "CalcDsAddr" and len(given) > 1 else 0
            return integer(raw(self.state["address"]) + int(offset))
        known = _FUNCTIONS.get(name)
        if known is not None:
            return known(*given)
        if "_to_" in name:
            mode = self.state.get("ROUND_MODE")
            return between(name, given, to_zero=mode is not None and mode.number == _TOWARD_ZERO)
        if name.lower() in self.entries:
            name = name.lower()
            state = {f"S{place}": each for place, each in enumerate(given)}
            state["D0"] = Value("b", 0, 64)
            after = run(self.entries[name], state, {**self.entries, name: "unsupported()"}, self.wraps)
            kind = after.get("kind of D0")
            return values.reread(after["D0"], kind.kind, kind.size) if kind else after["D0"]._replace(size=32)
        standard = _STANDARD.get(re.sub(r"_[a-z]+\d+$", "", name))
        if standard is not None:
            return standard(*given)
        raise Unsupported(f"the function {name}")

    def own(self, name: str, given: list[Value]) -> Value:
        names, start = self.functions[name]
        at, outer = self.at, dict(self.state)
        self.state.update(zip(names, given, strict=True))
        self.at = start
        while self.peek() == "\n":
            self.next()
        try:
            if self.peek() not in ("if", "return", "declare") and self.tokens[self.at + 1] not in ("=", ".", "+="):
                return self.expression()
            self.block((")",))
        except _Return as found:
            return found.value
        finally:
            self.at = at
            for key in list(self.state):
                if key not in outer:
                    del self.state[key]
            self.state.update(outer)
        raise Unsupported("a function without a result")


_FLAGS = frozenset(("TRAPSTS", "WAVE_EXCP_FLAG_USER", "EXCP_FLAG_USER"))
_TOWARD_ZERO = 3
_ENVIRONMENT = {
    "VCCZ": integer(0, 1), "EXECZ": integer(0, 1), "NEG": integer(0, 3), "OPSEL": integer(0, 3),
    "OPSEL_HI": integer(7, 3), "ABS": integer(0, 3),
    "PI": Value("r", Fraction(0x3243F6A8885A308D313198A2E037, 1 << 108)),
    "ROUND_NEAREST_EVEN": integer(0, 2), "ROUND_TOWARD_ZERO": integer(_TOWARD_ZERO, 2), "ROUND_MODE": integer(0, 2),
    "SDWA_SRC0_SEL": integer(0, 3), **{f"BYTE{number}": integer(number, 3) for number in range(4)},
    "WORD0": integer(4, 3), "WORD1": integer(5, 3), "DX10_CLAMP": integer(0, 1),
    "MAX_FLOAT_F32": Value("f", 0x7F7F_FFFF, 32), "MAX_FLOAT_F64": Value("f", 0x7FEF_FFFF_FFFF_FFFF, 64),
}  # fmt: skip
_OPERANDS = frozenset(("D0", "D1", "VCC", "EXEC", "SCC", "M0", "PC", "RETURN_DATA", "VDATA", "SDATA"))
_STATES = frozenset(
    ("WAVE_MODE", "MODE", "WAVE_STATUS", "STATUS", "WAVE_STATE_PRIV", "STATE_PRIV", "WAVE_TRAP_CTRL", "INST")
)
_NAMES = {"HW_REGISTERS": "HWREG", "D": "D0", "VSKIP": "MODE.VSKIP"}


def _size(found: "re.Match[str]", of: int = 0) -> int:
    """The bits of a type as written; without a number those of a short value, or 32."""
    return int(found[2] or (of if _SHORTEST <= of < _REGISTER else _REGISTER))


_REGISTER = 32
_SHORTEST = 8


def literal(token: str) -> Value:
    """A number as written, with its type if it has one."""
    if "'" in token:
        bits, _, digits = token.partition("'")
        if "." in digits:
            return Value("r", Fraction(digits))  # of 16 bits it may be of either kind
        return integer(int(digits.rstrip("U"), 0), int(bits), "u" if digits.endswith("U") or "x" in digits else "i")
    if token.startswith("0x"):
        digits = token.rstrip("UL")
        return integer(int(digits, 16), 64 if token.endswith("LL") else 32 if token.endswith("U") else 0)
    if "." in token or token.endswith("F"):
        number = Fraction(token.rstrip("F"))
        return values.rounded(number, "f", 32) if token.endswith("F") else Value("r", number)
    digits = token.rstrip("UL")
    size = 64 if token.endswith("LL") else 32 if token.endswith("U") else 0
    return integer(int(digits), size, "u" if "U" in token else "i")


def as_type(value: Value, kind: str, size: int) -> Value:
    """A value as it is assigned: floats are rounded to floats, bits are cut."""
    if kind in values.FLOATS:
        return (
            values.converted(value, kind, size)
            if values.is_float(value)
            else Value(kind, raw(value) & (1 << size) - 1, size)
        )
    if value.kind in values.FLOATS:
        return integer(raw(value), size, kind)
    if value.kind == "r":
        raise Unsupported("an exact number as an integer")
    return integer(int(value.number), size, kind if kind in ("u", "i") else "u")


def as_cast(value: Value, kind: str, size: int) -> Value:
    """`32'F(x)` and the like: between floats by value, from bits as they are."""
    if kind in values.FLOATS and not values.is_float(value) and value.size in (0, size):
        return Value(kind, raw(integer(int(value.number), size)), size)
    return as_type(value, kind, size)


_NAMED = re.compile(r"([uif]|bf|fp)(\d+)_to_([uif]|bf|fp)(\d+)(_scale)?$")


def between(name: str, given: list[Value], *, to_zero: bool = False) -> Value:
    """`f32_to_i32(x)` and the like; `f32_to_fp8_scale(x, scale)` divides, its reverse multiplies."""
    value = given[0]
    norm = re.fullmatch(r"f(16|32)_to_([su])norm", name)
    if norm:
        return values.normalized(value, "i" if norm[2] == "s" else "u")
    found = _NAMED.match(name)
    if found is None:
        raise Unsupported(f"the function {name}")
    kind, size, to, narrow = str(found[1]), int(found[2]), str(found[3]), int(found[4])
    if values.is_float(value) != (kind in values.FLOATS):
        value = values.reread(value, kind, size)
    if found[5]:
        return values.scaled(value, given[1], to, narrow, down=narrow < size)
    if kind in ("u", "i") and to in ("u", "i") and narrow < size:
        low = -(1 << (narrow - 1)) if to == "i" else 0
        return integer(max(low, min(int(value.number), low + (1 << narrow) - 1)), narrow, to)
    if to in values.FLOATS and values.is_nan_of(value):
        return values.quieted(values.converted(value, to, narrow))
    return values.converted(value, to, narrow, to_zero)


def _signext_from(value: Value, count: Value) -> Value:
    width = raw(count) & 0x7F
    number = int(integer(raw(value), width, "i").number) if width else 0
    return integer(number, value.size, "i")


def _is_normal(x: Value) -> Value:
    return integer(int(bool(values.fields(x)[1]) and not values.is_nan(x) and not values.is_infinite(x)), 1)


def _mantissa(value: Value) -> Value:
    number = values.exact(value)
    if not number:
        return values.rounded(number, value.kind, value.size, values.is_negative(value))
    while abs(number) >= 1:
        number /= 2
    while abs(number) < Fraction(1, 2):
        number *= 2
    return values.rounded(number, value.kind, value.size)


def _is_even(value: Value) -> Value:
    if values.is_nan_of(value) or (value.kind in values.FLOATS and values.is_infinite(value)):
        return integer(1, 1)
    return integer(int(values.exact(value) % 2 == 0), 1)


def _extended(value: Value) -> Value:
    return value if value.kind in "ui" else integer(raw(value), value.size, "i")


def _approximated(name: str) -> Callable[[Value], Value]:
    return lambda x: values.approximated(name, x)


def _composed(size: int) -> Callable[[Value, Value, Value], Value]:
    """A float from its sign, its exponent and its fraction."""
    exponent, digits = {16: (5, 10), 32: (8, 23), 64: (11, 52)}[size]
    masks = (1, (1 << exponent) - 1, (1 << digits) - 1)
    return lambda *parts: Value(
        "f",
        sum(
            (int(part.number) & mask) << low
            for part, mask, low in zip(parts, masks, (size - 1, digits, 0), strict=True)
        ),
        size,
    )


def _always(number: int) -> Callable[[], Value]:
    return lambda: integer(number, 32)


def _as(kind: str, size: int) -> Callable[[Value], Value]:
    return lambda x: values.converted(x, kind, size)


def _differences(a: Value, b: Value, masked: bool = False) -> int:
    """The sum of the differences of four bytes; masked: of those that are not 0 in `b`."""
    pairs = zip(raw(a).to_bytes(4, "little"), raw(b).to_bytes(4, "little"), strict=True)
    return sum(abs(x - y) for x, y in pairs if y or not masked)


def _permuted(eight: int, selector: int) -> int:
    """A byte of eight, a sign of every second one, or a constant."""
    if selector >= 12:
        return 0 if selector == 12 else 0xFF
    if selector >= 8:
        return 0xFF * (eight >> 16 * (selector - 8) + 15 & 1)
    return eight >> 8 * selector & 0xFF


def _smaller(a: Value, b: Value) -> Value:
    """The smaller one; of a number and a NaN the number."""
    return _chosen(a, b, _less(b, a))


def _larger(a: Value, b: Value) -> Value:
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


_minimum = _with_nan(_smaller)
_maximum = _with_nan(_larger)


def _of_three(choose: Callable[[Value, Value], Value]) -> Callable[[Value, Value, Value], Value]:
    return lambda a, b, c: choose(choose(a, b), c)


# Instructions that others call and whose own code is missing in a manual, by the name without its type.
_STANDARD: Mapping[str, Callable[..., Value]] = {
    "v_min": _smaller, "v_max": _larger,
    "v_min_num": _smaller, "v_max_num": _larger,
    "v_min3": _of_three(_smaller), "v_max3": _of_three(_larger),
    "v_min3_num": _of_three(_smaller), "v_max3_num": _of_three(_larger),
    "v_minimum": _minimum, "v_maximum": _maximum,
    "v_minimum3": _of_three(_minimum), "v_maximum3": _of_three(_maximum),
    "v_add_nc": lambda a, b: values.combined("+", a, b),
}  # fmt: skip

_FUNCTIONS: Mapping[str, Callable[..., Value]] = {
    "abs": values.absolute,
    "fma": values.fused,
    "sqrt": values.square_root,
    "ldexp": lambda x, n: values.calculated("*", x, Value("r", Fraction(2) ** int(n.number))),
    "floor": lambda x: values.to_whole(x, "floor"),
    "trunc": lambda x: values.to_whole(x, "trunc"),
    "ceil": lambda x: values.to_whole(x, "ceil"),
    "fract": values.fraction_of,
    "exponent": lambda x: integer(values.fields(x)[1], 32, "i"),
    "sign": lambda x: integer(int(values.is_negative(x)), 1),
    "mantissa": _mantissa,
    "isNAN": lambda x: integer(int(values.is_nan(x)), 1),
    "isQuietNAN": lambda x: integer(int(values.is_quiet(x)), 1),
    "isSignalNAN": lambda x: integer(int(values.is_nan(x) and not values.is_quiet(x)), 1),
    "cvtToQuietNAN": values.quieted,
    "isEven": _is_even,
    "signext": _extended,
    "signext_from_bit": _signext_from,
    "signextFromBit": _signext_from,
    "bitCount": lambda x: integer(raw(x).bit_count(), 32),
    **{f"to_{kind}{size}": _as(kind, size) for kind, size in (("i", 32), ("u", 32), ("f", 32), ("f", 64))},
    "isINF": lambda x: integer(int(values.is_infinite(x)), 1),
    "isDENORM": lambda x: integer(int(values.is_denormal(x)), 1),
    "isNORM": _is_normal,
    "isPlusZero": lambda x: integer(int(not values.is_nan(x) and raw(x) == 0), 1),
    "isMinusZero": lambda x: integer(int(raw(x) == 1 << (x.size - 1)), 1),
    "SAD_U8": lambda a, b, c: integer(_differences(a, b) + int(c.number)),
    "MSAD_U8": lambda a, b, c: integer(_differences(a, b, masked=True) + int(c.number)),
    "byte_permute": lambda x, n: integer(_permuted(raw(x), int(n.number)), 8),
    "min": lambda a, b: a if values.compared("<", a, b) else b,
    "max": lambda a, b: a if values.compared(">", a, b) else b,
    "pow": values.power,
    "v_cvt_i16_f32": lambda x: values.converted(x, "i", 16),
    "v_cvt_u16_f32": lambda x: values.converted(x, "u", 16),
    **{name: _approximated(name) for name in ("sin", "cos", "log2")},
    "s_ff1_i32_b64": lambda x: integer((raw(x) & -raw(x)).bit_length() - 1, 32, "i"),
    "to_snorm": lambda x: values.normalized(x, "i"),
    "to_unorm": lambda x: values.normalized(x, "u"),
    "sat8": lambda x: integer(max(0, min(255, int(integer(int(x.number), 16, "i").number))), 8),
    "ABSDIFF": lambda x, y: integer(abs(int(x.number) - int(y.number)), max(x.size, y.size)),
    **{f"float{size}": _composed(size) for size in (16, 32, 64)},
    **dict.fromkeys(("HwRegWriteMask", "writeableBitMask"), lambda *_: integer(0xFFFF_FFFF, 32)),
    **{f"ChannelOffset{name}": _always(4 * place) for place, name in enumerate("XYZW")},
    **dict.fromkeys(("ConvertFromFormat", "ConvertToFormat"), lambda x: x),
    "LT_NEG_ZERO": lambda x, y: integer(int(values.below(x, y)), 1),
    "GT_NEG_ZERO": lambda x, y: integer(int(values.below(y, x)), 1),
}
