"""Compiles an operation to Python source over all lanes: `Translator(operands, lanes).source(body)`.

Each expression becomes a line that computes it for every lane; a value that all lanes share is a Python integer, and a
condition on such a value is a Python `if`. Where lanes differ both branches are computed, and a mask chooses.
"""

from collections.abc import Callable

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
    Number,
    Statement,
    Text,
    Type,
    Unary,
)
from gcn_lsp.isa.documentation.operation import expression as text_of
from gcn_lsp.machine import integers, loops
from gcn_lsp.machine.accesses import MEMORIES, Destination, atomic_reads, is_lane, is_lane_name, limits, operand_of
from gcn_lsp.machine.operands import Operands
from gcn_lsp.machine.terms import (
    FLOAT,
    FLOATS,
    I64,
    M32,
    OBJECT,
    POWER,
    REAL,
    TEXT,
    TRUTH,
    U32,
    U64,
    UNIFORM,
    WORDS,
    Term,
    Untranslatable,
    bounds_of,
    cast,
    number,
)
from gcn_lsp.machine.typed import Typed

_FILES = frozenset(("VGPR", "SGPR", "TTMP", "HWREG"))
_CONSTANTS = frozenset(("INF", "NAN", "MAX", "OVERFLOW", "UNDERFLOW"))
_COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
_ADDRESSES = {
    "BUFFER": "buffer", "FLAT": "flat", "GLOBAL": "global", "SCRATCH": "scratch", "SCALAR": "scalar",
}  # fmt: skip
_LANE_BITS = frozenset(("D", "SDST", "EXEC", "VCC"))
_FILLED = "parts of the destination"  # as a local name
_STATE = frozenset(("SCC", "M0", "PC", "EXEC", "VCC"))


class Translator(Typed):
    """The source of one operation on one set of operands."""

    def __init__(self, operands: Operands, lanes: int, *, wraps: bool = True) -> None:
        super().__init__()
        self.operands = operands
        self.lanes = lanes
        self.is_scalar = operands.is_scalar
        self.computes_registers = False
        self._wraps = wraps
        self._nearest = ("", 0)
        self._mask = ""
        self._env: dict[str, Term] = {}
        self._addresses: dict[str, Term] = {}
        self._space = "global"
        self._loads: list[Expression] = []
        self._is_atomic = False

    def parts(self, body: Body) -> tuple[list[str], Callable[[], list[str]]]:
        """The lines that compute a body, and a function that gives those that write the results."""
        self._loads = list(atomic_reads(body))
        self._is_atomic = bool(self._loads)
        for statement in body:
            self._statement(statement)
        self.operands.keep_sources(self, self._env, self.views)
        lines, self._lines = self._lines, []

        def end() -> list[str]:
            self.operands.finish(self, self._env)
            return self._lines

        return lines, end

    @property
    def _active(self) -> str:
        return f"(am & {self._mask})" if self._mask else "am"

    # Statements

    def _statement(self, statement: Statement) -> None:
        match statement:
            case Assign(Call("concat", places), value):
                bits = self.keep(self.value(value))
                for place_number, place in enumerate(reversed(places)):
                    part = integers.part(self, bits, number(32 * place_number), 32)
                    self._assign_term(Destination(place), part)
            case Assign(place, value):
                self._assign(place, value)
            case If(branches):
                self._if(branches)
            case For(counter, count, inner):
                total = self.value(count)
                if not integers.is_constant(total):
                    raise Untranslatable(f"a loop to {text_of(count)}")
                if self._at_once(statement, total.low) or self._added_at_once(statement, total.low):
                    return
                outside = self._addresses
                for turn in range(total.low):
                    self._env[counter] = number(turn)
                    self._addresses = dict(outside)  # those of another turn are others
                    for each in inner:
                        self._statement(each)
            case Do(Call() as call):
                self._do(call)
            case _:
                raise Untranslatable("a statement")

    def _at_once(self, loop: For, turns: int) -> bool:
        """All turns of a loop in rows of arrays; whether it can be."""
        rows = loops.rows(loop, turns)
        if rows is None or self._mask or not self.operands.is_filled_in_parts(rows.name):
            return False
        first = f"{rows.name}#0"
        if first in self._env or rows.places & self._env.keys():
            return False
        outside = dict(self._env)
        self._env[loop.counter] = Term(self.named(f"rows({turns})"), U32, "", 0, 0, turns - 1)
        for statement in loops.filling(loop, rows.type, _FILLED):
            self._statement(statement)
        parts = self.bits(self._env[_FILLED], rows.type.size)
        self._env = outside
        width = rows.type.size * turns
        whole = Term(self.named(f"side_by_side({parts.code}, {rows.type.size}, {turns}, LANE)"), U32, "b", 32, 0, M32)
        if width < 32:
            old = self.operands.old(self, rows.name, 0, 32)
            whole = self.keep(integers.inserted(self, old, number(0), width, whole))
        self._env[first] = whole
        return True

    def _added_at_once(self, loop: For, turns: int) -> bool:
        """The sum of all turns of a loop, from rows of arrays; whether it can be."""
        found = loops.summand(loop)
        if found is None or self._mask or not self._wraps or self.operands.is_permuted or self.operands.suffix:
            return False
        name, added = found
        outside = self._env.get(loop.counter)
        self._env[loop.counter] = Term(self.named(f"rows({turns})"), U32, "", 0, 0, turns - 1)
        each = self.keep(self.value(added))
        del self._env[loop.counter]
        if outside is not None:
            self._env[loop.counter] = outside
        low, high = each.low * turns, each.high * turns
        least, most = bounds_of(each.kind, each.size) if each.size else (0, 0)
        if each.how == UNIFORM or not (least <= low and high <= most):
            return False
        whole = Term(self.named(f"{cast(each, I64)}.sum(axis=0)"), I64, each.kind, each.size, low, high)
        self._assign_term(Destination(name), self.keep(integers.combined(self, "+", self._named(name.name), whole)))
        return True

    def _if(self, branches: tuple[tuple[Expression | None, Body], ...]) -> None:
        if not branches:
            return
        (test, body), *rest = branches
        if test is None:
            for statement in body:
                self._statement(statement)
            return
        condition = self.keep(integers.truth(self, self.value(test)))
        if integers.is_constant(condition):
            self._if(((None, body),) if condition.low else tuple(rest))
            return
        before, outer = dict(self._env), self._mask
        is_uniform = condition.how == UNIFORM
        skips = is_uniform or not (self._is_atomic or self.operands.is_permuted)
        known, addresses = self._known, self._addresses
        sides: list[tuple[list[str], dict[str, Term]]] = []
        for is_first, chosen in ((True, ((None, body),)), (False, tuple(rest))):
            self._env, self._known = dict(before), dict(known)
            self._addresses = dict(addresses) if skips else addresses
            lines, self._lines = self._lines, []
            self._indentation += skips
            if not is_uniform:
                own = condition.code if is_first else f"~{condition.code}"
                self._mask = f"({outer} & {own})" if outer else own
            self._if(chosen)
            self._indentation -= skips
            sides.append((self._lines, self._env))
            self._lines = lines
        self._mask = outer
        self._known, self._addresses = {}, addresses
        (first_lines, first), (second_lines, second) = sides
        self._env = before
        names = [name for name in {**first, **second} if first.get(name) is not second.get(name)]
        if is_uniform:
            self._merge_blocks(condition.code, (first_lines, first), (second_lines, second), names)
        elif skips:
            self._merge_lanes(condition, (first_lines, first), (second_lines, second), names)
        else:
            self._lines += first_lines + second_lines
            for name in names:
                pair = self._both_sides(name, first, second)
                if pair is not None:
                    self._env[name] = self.keep(self.chosen(condition, *pair))

    def _both_sides(self, name: str, first: dict[str, Term], second: dict[str, Term]) -> tuple[Term, Term] | None:
        """The value of a name after either branch; None if it is a name of the operation that one branch alone has."""
        one, other = first.get(name), second.get(name)
        known = one if one is not None else other
        assert known is not None
        if one is None or other is None:
            old = self._initial(name, known)
            if old is None:
                self._env[name] = known
                return None
            return (known, old) if one is not None else (old, known)
        return one, other

    def _merge_lanes(
        self,
        condition: Term,
        first: tuple[list[str], dict[str, Term]],
        second: tuple[list[str], dict[str, Term]],
        names: list[str],
    ) -> None:
        """Both branches, each left out where no lane takes it."""
        pairs = {name: self._both_sides(name, first[1], second[1]) for name in names}
        count = self.named(f"some({condition.code})")
        for lines, test in ((first[0], count), (second[0], f"{count} < {condition.code}.size")):
            if lines:
                self._add(f"if {test}:")
                self._lines += lines
        for name, pair in pairs.items():
            if pair is None:
                continue
            made, (one, other) = self._lanes_alike(*pair)
            mixed = f"np.where({condition.code}, {one}, {other})"
            code = f"{one} if {count} == {condition.code}.size else {mixed} if {count} else {other}"
            result = self.named(code)
            if any(each.code.partition(".")[0] in self.views for each in pair):
                self.views.add(result)
            self._env[name] = made._replace(code=result)

    def _merge_blocks(
        self,
        condition: str,
        first: tuple[list[str], dict[str, Term]],
        second: tuple[list[str], dict[str, Term]],
        names: list[str],
    ) -> None:
        """A Python `if` whose branches leave each value under the same name and in the same form."""
        ends: tuple[list[str], list[str]] = ([], [])
        prefix = "    " * (self._indentation + 1)
        for name in names:
            pair = self._both_sides(name, first[1], second[1])
            if pair is None:
                continue
            made, codes = self._alike(*pair)
            result = self._fresh()
            for lines, code in zip(ends, codes, strict=True):
                lines.append(f"{prefix}{result} = {code}")
            self._env[name] = made._replace(code=result)
        self.emit(f"if {condition}:")
        self._lines += [*first[0], *ends[0]] or [prefix + "pass"]
        if second[0] or ends[1]:
            self.emit("else:")
            self._lines += [*second[0], *ends[1]]

    def _initial(self, name: str, like: Term) -> Term | None:
        """The value of a place that nothing has assigned yet; None for a name of the operation."""
        base, _, place = name.partition("#")
        if place:
            return self.operands.old(self, base, int(place), like.size)
        if name == "PC":  # where no branch goes
            return self._named("NEXT")
        if name in _STATE or "." in name:
            return self._named(name)
        if name.endswith("@lane"):
            return Term("False", UNIFORM, "u", 1, 0, 1)
        return None

    # Assignments

    def _assign(self, place: Expression, value: Expression) -> None:
        access = Destination(place)
        self._left = (access.type.kind, access.type.size) if access.type is not None else ("", 0)
        if access.name in MEMORIES:
            self._store(access, value)
            return
        self._assign_term(access, self._evaluated(value))

    def _assign_term(self, access: Destination, value: Term) -> None:
        name = access.name
        self._left = (access.type.kind, access.type.size) if access.type is not None else ("", 0)
        if name in _FILES:
            self._write_file(access, value)
        elif name in _LANE_BITS and is_lane(access):
            made = self.keep(integers.truth(self, value))
            old = self._env.get(name + "@lane")
            if self._mask and old is not None:
                made = self.keep(self.chosen(Term(self._mask, TRUTH), made, old))
            self._env[name + "@lane"] = made
        elif self.operands.is_destination(name):
            self._assign_operand(access, value)
        elif name in _STATE or "." in name:
            self._assign_state(access, value)
        else:
            if access.type is not None:
                value = self.as_type(value, access.type)
            if value.code in self.views:  # a register that the operation may write before it uses the value
                value = value._replace(code=f"{value.code}.copy()")
            self._env[name] = self.keep(value)

    def _assign_state(self, access: Destination, value: Term) -> None:
        if access.indices:
            old = self._named(access.name)
            part = access.indices[0]
            low, width = self._range(part)
            if not integers.is_constant(low):
                raise Untranslatable(f"bits of {access.name}")
            value = integers.inserted(self, old, low, width, value)
        if access.name == "SCC":
            value = integers.truth(self, value)
        self._env[access.name] = self.keep(value)

    def _assign_operand(self, access: Destination, value: Term) -> None:
        """A destination operand: whole values and whole registers replace, parts are put into what there is."""
        name, kind = access.name, access.type
        if not access.indices:
            made = self.as_type(value, kind) if kind is not None else value
            if self.operands.is_scalar_place(name):
                bits = self.bits(made, kind.size if kind is not None else self.operands.size(name))
                self._env[f"{name}#0"] = self.keep(bits)
            else:
                self._set_registers(name, 0, made, kind.size if kind is not None else 32)
            return
        if kind is not None:
            index = self.value(access.indices[0].high)
            made = self.as_type(value, kind)
            if integers.is_constant(index) and kind.size % 32 == 0 and not self.operands.is_scalar_place(name):
                self._set_registers(name, index.low * kind.size // 32, made, kind.size)
                return
            low, width = integers.scaled(self, index, kind.size), kind.size
            value = self.bits(made, width)
        else:
            low, width = self._range(access.indices[0])
        self._set_bits(name, low, width, value)

    def _set_registers(self, name: str, first: int, value: Term, size: int) -> None:
        if value.how == WORDS:
            for place in range(size // 32):
                self._env[f"{name}#{first + place}"] = Term(f"{value.code}[{place}]", U32, "b", 32, 0, M32)
            return
        self._env[f"{name}#{first}"] = self.keep(value._replace(size=size) if value.is_integer else value)

    def _set_bits(self, name: str, low: Term, width: int, value: Term) -> None:
        if self.operands.is_scalar_place(name):
            old = self._operand_bits(name)
            self._env[f"{name}#0"] = self.keep(integers.inserted(self, old, low, width, value))
            return
        if not integers.is_constant(low):
            old = self._dword(name, 0)
            self._env[f"{name}#0"] = self.keep(integers.inserted(self, old, low, width, value))
            return
        first, done = low.low + self.operands.first_bit(name), 0
        while done < width:
            place, start = divmod(first + done, 32)
            count = min(32 - start, width - done)
            piece = value if count == width else integers.part(self, value, number(done), count)
            old = self._dword(name, place)
            self._env[f"{name}#{place}"] = self.keep(integers.inserted(self, old, number(start), count, piece))
            done += count

    def _dword(self, name: str, place: int) -> Term:
        """A register of a destination as bits: what was assigned, or what is there."""
        known = self._env.get(f"{name}#{place}")
        if known is not None and known.size <= 32:
            bits = self.bits(known, 32)
            if known.size < 32:
                old = self.operands.old(self, name, place, 32)
                return self.keep(integers.inserted(self, old, number(0), known.size, bits))
            return bits
        wide = known or self._env.get(f"{name}#{place - 1}")
        if wide is not None and wide.size == 64:
            return integers.part(self, self.bits(wide, 64), number(0 if known else 32), 32)._replace(kind="b", size=32)
        return self.operands.old(self, name, place, 32)

    def _write_file(self, access: Destination, value: Term) -> None:
        size = max(32, access.type.size if access.type is not None else 0)
        if access.name == "HWREG":
            self.emit(f"set_hwreg(w, e, {self.value(access.indices[0].high).code}, {self.bits(value, 32).code})")
            return
        if access.name in ("SGPR", "TTMP"):
            index = self._computed(access.indices[0].high)
            if len(access.indices) > 1:  # bits of a trap register
                low, width = self._range(access.indices[1])
                old = self._read_file(access.name, (access.indices[0].high,), 32)
                value = integers.inserted(self, old, low, width, value)
            first = self._scalar_index(access.name, index)
            self.emit(f"write_scalars(w, {first}, {self.bits(value, size).code}, {size // 32})")
            return
        lane, register = self.value(access.indices[0].high), self._computed(access.indices[1].high)
        bits = self.keep(self.bits(value, 32))
        if bits.code in self.views:
            bits = bits._replace(code=self.named(f"{bits.code}.copy()"))
        if is_lane_name(access.indices[0].high):
            self.emit(f"put(w, {register.code}, {bits.code}, {self._active})")
        elif lane.how == UNIFORM:
            self.emit(f"put_lane(w, {register.code}, {lane.code} & {self.lanes - 1}, {bits.code})")
        else:
            self.emit(f"scatter(w, {register.code}, {cast(lane, I64)}, {bits.code}, {self._active})")

    def _computed(self, expression: Expression) -> Term:
        """The number of a register, which may be beyond the last one where the values of others decide it."""
        self.computes_registers |= not (isinstance(expression, Call) and expression.function == "number")
        return self.value(expression)

    def _scalar_index(self, file: str, index: Term) -> str:
        return f"{index.code} + {self.operands.ttmp_base}" if file == "TTMP" else index.code

    # Expressions

    def value(self, expression: Expression) -> Term:
        """The value of an expression, with a constant's type unknown again."""
        self._nearest = ("", 0)
        return self._evaluated(expression)

    def _evaluated(self, expression: Expression) -> Term:
        match expression:
            case Number():
                value = expression.value
                return Term(repr(float(value)), REAL) if "." in expression.written else number(int(value))
            case Text(content):
                return Term(repr(content), TEXT)
            case Group(value):
                return self._evaluated(value)
            case Name(name):
                return self._named(name)
            case As():
                return self._read_as(expression)
            case At():
                return self._part(expression)
            case Call():
                return self._call(expression)
            case Unary(sign, value):
                return self._unary(sign, self._evaluated(value))
            case Binary("**", left, right):
                return self._power(self._evaluated(left), self._evaluated(right))
            case Binary(sign, left, right):
                return self._binary(sign, left, right)
            case Choice(test, first, second):
                return self._choice(test, first, second)
        raise Untranslatable(text_of(expression))

    def _choice(self, test: Expression, first: Expression, second: Expression) -> Term:
        condition = self.keep(integers.truth(self, self._evaluated(test)))
        if integers.is_constant(condition):
            return self._evaluated(first if condition.low else second)
        one, other = self.keep(self._evaluated(first)), self.keep(self._evaluated(second))
        return self.keep(self.chosen(condition, one, other))

    def _binary(self, sign: str, left: Expression, right: Expression) -> Term:
        if sign in ("&&", "||"):
            return integers.both(self, sign, self._evaluated(left), self._evaluated(right))
        one = self.keep(self._evaluated(left))
        other = self.keep(self._evaluated(right))
        is_real = any(each.is_float or each.how in (REAL, POWER) for each in (one, other))
        if sign in _COMPARISONS:
            return self._compared(sign, one, other) if is_real else integers.compared(self, sign, one, other)
        if is_real:
            return self.keep(self._calculated(sign, one, other))
        return self.keep(integers.combined(self, sign, one, other, wraps=self._wraps))

    def _unary(self, sign: str, value: Term) -> Term:
        if sign == "!":
            return self.keep(integers.negation(self, integers.truth(self, value)))
        if sign == "~":
            return self.keep(integers.complement(self, value))
        if value.how == REAL:
            if self._left[0] in FLOATS and value.code in ("0.0", "0"):
                return Term(self.as_float(Term("-0.0", REAL), *self._left), FLOAT, *self._left)
            return value._replace(code=f"(-{value.code})")
        if value.is_float:
            return self.keep(value._replace(code=f"(-{value.code})"))
        return self.keep(integers.combined(self, "-", number(0, value.kind, value.size), value))

    def _named(self, name: str) -> Term:
        if name in self._env:
            return self._env[name]
        if name in _CONSTANTS:
            kind, size = self._left if self._left[0] in FLOATS else self._nearest
            if not kind:
                kind, size = "f", 64
            return Term(self.named(f"constant({self.arithmetic(kind, size)}, {name!r})"), FLOAT, kind, size)
        if name == "lane":
            return Term("LANE", U32, "", 0, 0, self.lanes - 1) if not self.is_scalar else number(0)
        if name == "lanes":
            return number(self.lanes)
        if name == "PI":
            return Term("np.pi", REAL)
        if name == "TWO_OVER_PI":
            return Term("two_over_pi()", UNIFORM, "", 0, 0, (1 << 1201) - 1)
        if name in ("CLOCK", "REALTIME"):
            code = f"e.clock(w, real={name == 'REALTIME'})"
            return Term(self.named(code), UNIFORM, "u", 64, 0, (1 << 64) - 1)
        state = self.operands.state(self, name)
        if state is not None:
            return state
        return self._operand_bits(name)

    def _operand_bits(self, name: str) -> Term:
        """All bits of an operand, with what was assigned to it."""
        known = self._env.get(f"{name}#0")
        if known is not None:
            return self.bits(known, known.size)
        return self.operands.read(self, name, None)

    def _read_as(self, expression: As) -> Term:
        kind = expression.type
        inner = expression.value
        if kind.kind in FLOATS:
            self._nearest = (kind.kind, kind.size)
        if isinstance(inner, Name) and inner.name not in self._env and self.operands.has(inner.name):
            known = self._env.get(f"{inner.name}#0")
            if known is not None:
                return self.keep(self.reread(known, kind))
            return self.keep(self.operands.read(self, inner.name, kind))
        register = self._register(inner, kind.size)
        return self.keep(self.reread(register if register is not None else self._evaluated(inner), kind))

    def _register(self, expression: Expression, size: int) -> Term | None:
        """The register that an expression names by its number."""
        indices: list[Expression] = []
        while isinstance(expression, At):
            indices.insert(0, expression.high)
            expression = expression.value
        if not isinstance(expression, Name) or expression.name not in _FILES:
            return None
        wanted = 2 if expression.name == "VGPR" else 1
        if len(indices) != wanted:
            return None
        return self._read_file(expression.name, tuple(indices), max(32, size))

    def _read_file(self, file: str, indices: tuple[Expression, ...], size: int) -> Term:
        if file == "HWREG":
            code = f"hwreg(w, e, {self.value(indices[0]).code})"
            return Term(self.named(code), UNIFORM, "b", 32, 0, M32)
        if file in ("SGPR", "TTMP"):
            index = self._scalar_index(file, self._computed(indices[0]))
            return Term(self.named(f"w.scalars({index}, {size // 32})"), UNIFORM, "b", size, 0, (1 << size) - 1)
        lane, register = self.value(indices[0]), self._computed(indices[1])
        row = self.operands.row(self, indices[1], register)
        if row is None:
            raise Untranslatable("registers of other lanes in a scalar register")
        if is_lane_name(indices[0]):
            name = self.named(row)
            self.views.add(name)
            return Term(name, U32, "b", 32, 0, M32)
        if lane.how == UNIFORM:
            return Term(self.named(f"int({row}[{lane.code} & {self.lanes - 1}])"), UNIFORM, "b", 32, 0, M32)
        return Term(self.named(f"{row}[{cast(lane, I64)} & {self.lanes - 1}]"), U32, "b", 32, 0, M32)

    def _part(self, expression: At) -> Term:
        register = self._register(expression, 32)
        if register is not None:
            return register
        inner = expression.value
        if isinstance(inner, Name):
            if inner.name in MEMORIES:
                return self.keep(self.value(expression.high))
            if inner.name in _LANE_BITS | {"S2", "S0", "S1"} and is_lane_name(expression.high):
                return self._lane_bit(inner.name)
        if isinstance(inner, As):
            kind = inner.type
            if isinstance(inner.value, Name) and inner.value.name in MEMORIES:
                return self._load(inner.value.name, kind, expression.high)
            if expression.low is None:
                element = self._element(inner, kind, expression.high)
                if element is not None:
                    return self.keep(element)
        bits = self._evaluated(inner)
        if bits.is_float:
            bits = self.bits(bits, bits.size)
        low, width = self._range(expression)
        return self.keep(integers.part(self, self.keep(bits), low, width))

    def _element(self, whole: As, kind: Type, index: Expression) -> Term | None:
        """An element of a type; None if the value has just that size, so that bits are meant."""
        place = self.value(index)
        if isinstance(whole.value, Name) and self.operands.has(whole.value.name):
            name = whole.value.name
            if f"{name}#0" in self._env or any(key.startswith(f"{name}#") for key in self._env):
                if integers.is_constant(place):
                    return self._assigned_element(name, kind, place.low)
            elif self.operands.size(name) >= kind.size:
                if kind.kind in FLOATS:
                    self._nearest = (kind.kind, kind.size)
                return self.operands.element(self, name, kind, place)
            else:
                return None
        bits = self._register(whole.value, max(32, kind.size))
        bits = bits if bits is not None else self._evaluated(whole.value)
        if bits.size <= kind.size:
            return None
        if kind.kind in FLOATS:
            self._nearest = (kind.kind, kind.size)
        bits = self.keep(bits if bits.how == WORDS else self.bits(bits, bits.size))
        low = integers.scaled(self, place, kind.size)
        return self.reread(integers.part(self, bits, low, kind.size)._replace(kind="b", size=kind.size), kind)

    def _assigned_element(self, name: str, kind: Type, place: int) -> Term:
        start = place * kind.size
        dword, low = divmod(start, 32)
        known = self._env.get(f"{name}#{dword}")
        if known is not None and known.size == kind.size and low == 0:
            return self.reread(known, kind)
        if kind.size == 64:
            return self.reread(self.operands.old(self, name, dword, 64), kind)
        bits = self._dword(name, dword)
        if low + kind.size > 32:
            raise Untranslatable("an element across registers of the result")
        return self.reread(integers.part(self, bits, number(low), kind.size)._replace(kind="b", size=kind.size), kind)

    def _lane_bit(self, name: str) -> Term:
        known = self._env.get(name + "@lane")
        if known is not None:
            return known
        if name in ("EXEC", "VCC"):
            mask = f"mask_of(w.{name.lower()}, {self.lanes})"
        else:
            mask = f"mask_of({self.operands.read(self, name, None).code} & {(1 << self.lanes) - 1}, {self.lanes})"
        return Term(self.named(mask), TRUTH, "u", 1, 0, 1)

    def _range(self, part: At) -> tuple[Term, int]:
        """The lowest bit of a part and its width."""
        if part.low is None:
            return self.keep(self.value(part.high)), 1
        low = self.keep(self.value(part.low))
        high = part.high
        if isinstance(high, Binary) and high.sign == "+" and isinstance(high.right, Number):
            inner = high.left.value if isinstance(high.left, Group) else high.left
            other = part.low.value if isinstance(part.low, Group) else part.low
            if inner == other:
                return low, int(high.right.value) + 1
        top = self.value(high)
        if not (integers.is_constant(low) and integers.is_constant(top)):
            raise Untranslatable(f"the range {text_of(part)}")
        return low, top.low - low.low + 1

    # Memory

    def _address(self, expression: Expression) -> Term:
        key = text_of(expression)
        known = self._addresses.get(key)
        if known is None:
            known = self._addresses[key] = self.keep(self.value(expression))
        return known

    def _begin_rounds(self) -> None:
        """Where an atomic's addresses meet, what follows happens in rounds of lanes that do not."""
        loads, self._loads = self._loads, []
        if not loads or self._space == "scalar" or self.is_scalar:
            return
        codes = [self._where(self._address(load)) for load in loads]
        if self._space == "scalar":
            return
        self.emit(f"for am in rounds(am, {', '.join(codes)}):")
        self._indentation += 1

    def _where(self, address: Term) -> str:
        return f"addresses({cast(address, U64) if address.how != UNIFORM else address.code}, {self.lanes})"

    def _load(self, memory: str, kind: Type, address: Expression) -> Term:
        self._address(address)
        self._begin_rounds()
        where = self._address(address)
        space = MEMORIES[memory] or self._space
        if space == "scalar":
            loaded = self.named(self.operands.scalar_load(where.code, kind.size // 8))
            bits = Term(loaded, UNIFORM, "b", kind.size, 0, (1 << kind.size) - 1)
            return self.keep(self.reread(bits, kind))
        size = kind.size // 8
        words = self.named(f"e.load(w, ACCESS, {space!r}, {self._where(where)}, {self._active}, {size})")
        if kind.size <= 32:
            return self.keep(self.reread(Term(f"{words}[0]", U32, "b", kind.size, 0, (1 << kind.size) - 1), kind))
        if kind.kind == "b" and not (self._is_atomic and kind.size == 64):
            return Term(words, WORDS, "b", kind.size)
        return self.keep(self.reread(Term(f"paired({words})", U64, "b", 64, 0, (1 << 64) - 1), kind))

    def _store(self, access: Destination, value: Expression) -> None:
        space = MEMORIES[access.name] or self._space
        address = self._address(access.indices[0].high) if access.indices else None
        if address is None:
            raise Untranslatable("a copy of memory")
        space = MEMORIES[access.name] or self._space
        if access.type is None and len(access.indices) == 2:
            component = self.value(access.indices[1].high)
            self._left = ("b", 0)
            made = self._evaluated(value)
            bits = self.bits(made, made.size or 32)
            self.emit(
                f"e.store_component(w, ACCESS, {self._where(address)}, {self._active}, {component.code}, "
                f"{made.size or 32}, words_of({bits.code}, {self.lanes}))"
            )
            return
        made = self._evaluated(value)
        kind = access.type or Type("b", 32)
        if made.how != WORDS:
            made = self.as_type(made, kind)
        if space == "scalar":
            self.emit(f"e.scalar_store(w, ACCESS, {address.code}, {kind.size // 8}, {self.bits(made, kind.size).code})")
            return
        if made.how == WORDS:
            data = made.code
        elif kind.size > 32:
            bits = self.bits(made, kind.size)
            code = bits.code if bits.how in (UNIFORM, OBJECT) else cast(bits, U64)
            data = f"words_of_wide({code}, {kind.size // 32}, {self.lanes})"
        else:
            data = f"words_of({self.bits(made, kind.size).code}, {self.lanes})[None]"
        self.emit(f"e.store(w, ACCESS, {space!r}, {self._where(address)}, {self._active}, {kind.size // 8}, {data})")

    # Functions

    def _call(self, call: Call) -> Term:
        kind = call.converts_to
        if kind is not None:
            return self.keep(self._converted(call.arguments[0], kind))
        if call.function in _ADDRESSES:
            self._space = _ADDRESSES[call.function]
            return self.keep(self.operands.address(self, call.function))
        special = _SPECIAL.get(call.function)
        if special is not None:
            return special(self, call)
        given = [self.keep(self._evaluated(each)) for each in call.arguments]
        made = self._of_floats(call.function, given)
        if made is None:
            made = integers.function(self, call.function, given)
        return self.keep(made)

    def _converted(self, expression: Expression, kind: Type) -> Term:
        value = self.keep(self._evaluated(expression))
        if kind.kind in FLOATS:
            self._nearest = (kind.kind, kind.size)
            return Term(self.as_float(value, kind.kind, kind.size), FLOAT, kind.kind, kind.size)
        if kind.kind == "b":
            return self.bits(value, kind.size)
        if value.is_float:
            low, high = bounds_of(kind.kind, kind.size)
            code = f"{self.arithmetic(value.kind, value.size)}.to_integers({value.code}, {low}, {high})"
            return Term(code, I64, kind.kind, kind.size, low, high)
        return integers.wrapped(self, value, kind.kind, kind.size)

    def _turns(self, call: Call) -> Term:
        """A sine or cosine of an angle in radians that is 2 * PI times a number of turns."""
        match call.arguments[0]:
            case Binary("*", Binary("*", Number("2"), Name("PI")), turns):
                value = self.keep(self._evaluated(turns))
                self.is_approximate = True
                code = f"{self.arithmetic(value.kind, value.size)}.function({call.function!r}, {value.code})"
                return self.keep(Term(code, FLOAT, value.kind, value.size))
        raise Untranslatable(text_of(call))

    def _number(self, call: Call) -> Term:
        return self.operands.number(operand_of(call))

    def _mixed(self, call: Call) -> Term:
        self._nearest = ("f", 32)
        return self.keep(self.operands.mixed(self, operand_of(call)))

    def _signed_or_not(self, call: Call) -> Term:
        value = self._evaluated(call.arguments[0])
        is_signed = self.operands.is_signed(operand_of(call))
        made = integers.wrapped(self, value, "i" if is_signed else "u", value.size)
        return self.keep(made._replace(kind="", size=0))

    def _concat(self, call: Call) -> Term:
        given = [self.keep(self.bits(each, each.size)) for each in map(self._evaluated, call.arguments)]
        sizes = []
        for argument, value in zip(call.arguments, given, strict=True):
            match argument:
                case At(_, Number() as high, Number() as low):
                    sizes.append(int(high.value - low.value) + 1)
                case _:
                    sizes.append(value.size)
        if not all(sizes):
            raise Untranslatable(text_of(call))
        return self.keep(integers.concatenated(self, given, sizes))

    def _from_format(self, call: Call) -> Term:
        argument = call.arguments[0]
        if not (isinstance(argument, At) and isinstance(argument.value, Name) and argument.value.name == "MEM"):
            raise Untranslatable(text_of(call))
        address = self._address(argument.high)
        component = self.value(call.arguments[1])
        bits = self._left[1] or 32
        code = f"e.load_component(w, ACCESS, {self._where(address)}, {self._active}, {component.code}, {bits})"
        return Term(self.named(code), U32, "b", bits, 0, (1 << bits) - 1)

    def _to_format(self, call: Call) -> Term:
        return self._evaluated(call.arguments[0])

    def _scale(self, call: Call) -> Term:
        """A scale of 8 bits from an operand and a place."""
        value, place = (self.keep(self._evaluated(each)) for each in call.arguments[:2])
        byte = integers.part(self, value, integers.scaled(self, place, 8), 8)
        return Term(f"({cast(byte, I64)} - 127)", POWER)

    def _selected(self, call: Call) -> Term:
        return integers.combined(self, "&", self._evaluated(call.arguments[0]), number(3))

    def _answer(self, call: Call) -> Term:
        what, values = self._told(call)
        size = self._left[1] or 32
        return Term(self.named(f"e.answer(w, {what}, {values})"), UNIFORM, "b", size, 0, (1 << size) - 1)

    # What is done

    def _do(self, call: Call) -> None:
        if call.function == "signal":
            what, values = self._told(call)
            self.emit(f"e.signal(w, {what}, {values})")
        elif call.function == "barrier":
            place = self._uniform(self.value(call.arguments[0])) if call.arguments else "-1"
            self.emit(f"e.barrier(w, {place})")
        elif call.function == "wait":
            self._wait(call.arguments)
        else:
            raise Untranslatable(text_of(call))

    def _told(self, call: Call) -> tuple[str, str]:
        """The text of a signal or an answer, and its values as a tuple."""
        values = [self._evaluated(each) for each in call.arguments]
        what = values.pop(0).code if values and values[0].how == TEXT else "''"
        codes = [self._uniform(value) for value in values]
        return what, f"({', '.join(codes)}{',' if codes else ''})"

    def _uniform(self, value: Term) -> str:
        if value.is_float:
            value = self.bits(value, value.size)
        return value.code if value.how == UNIFORM else f"first_of({self.bits(value, 0).code}, am)"

    def _wait(self, arguments: tuple[Expression, ...]) -> None:
        if isinstance(arguments[0], Choice) and isinstance(arguments[0].first, Text):
            test = integers.truth(self, self.value(arguments[0].test))
            clocks = self.value(arguments[0].second)
            self.emit(f"e.sleep(w, -1 if {test.code} else {clocks.code})")
            return
        if isinstance(arguments[0], Text):
            rest = [self.value(each).code for each in arguments[1:]]
            self.emit(f"e.wait(w, {{{arguments[0].content!r}: {rest[0] if rest else 0}}})")
            return
        found = list(limits(arguments[0]))
        if found:
            each = ", ".join(f"{name!r}: {self.value(limit).code}" for name, limit in found)
            self.emit(f"e.wait(w, {{{each}}})")
            return
        self.emit(f"e.sleep(w, {self._uniform(self.value(arguments[0]))})")


_SPECIAL: dict[str, Callable[[Translator, Call], Term]] = {
    "sin": Translator._turns,
    "cos": Translator._turns,
    "number": Translator._number,
    "mixed": Translator._mixed,
    "signed_or_not": Translator._signed_or_not,
    "concat": Translator._concat,
    "from_format": Translator._from_format,
    "to_format": Translator._to_format,
    "scale": Translator._scale,
    "selected": Translator._selected,
    "answer": Translator._answer,
}
