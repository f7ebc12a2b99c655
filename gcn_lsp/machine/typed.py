"""Values by their types while an operation is compiled: conversions, what two branches have in common, floats."""

from gcn_lsp.isa.documentation.operation import Type
from gcn_lsp.machine import integers
from gcn_lsp.machine.lines import EmittedLines
from gcn_lsp.machine.terms import (
    FLOAT,
    FLOATS,
    I64,
    M32,
    OBJECT,
    POWER,
    REAL,
    TRUTH,
    U32,
    U64,
    UNIFORM,
    WORDS,
    Term,
    Untranslatable,
    bounds_of,
    cast,
    fits,
    joined,
    number,
)


class Typed(EmittedLines):
    """Lines in which floats are calculated too. uses_floats: whether they are; is_approximate: see `Bound`."""

    def __init__(self) -> None:
        super().__init__()
        self.is_approximate = False
        self.uses_floats = False
        self._left = ("", 0)

    # Types

    @property
    def left(self) -> tuple[str, int]:
        """The kind and size of what is assigned to."""
        return self._left

    def arithmetic(self, kind: str, size: int) -> str:
        """The expression of the arithmetic of a format."""
        self.uses_floats = True
        return f"m.{kind}{size}"

    def _wider(self, *terms: Term) -> tuple[str, int]:
        floats = [(term.size, term.kind) for term in terms if term.is_float]
        return (max(floats)[1], max(floats)[0]) if floats else ("", 0)

    def as_float(self, term: Term, kind: str, size: int) -> str:
        """A number as a float of a type, rounded if it is of another."""
        arithmetic = self.arithmetic(kind, size)
        if term.is_float:
            if (term.kind, term.size) == (kind, size):
                return term.code
            return f"{arithmetic}.convert({self.arithmetic(term.kind, term.size)}.wide({term.code}))"
        if term.how == POWER:
            return f"{arithmetic}.convert(np.ldexp(np.ones(1), {term.code}))"
        if term.how == REAL:
            return f"real({arithmetic}, {term.code})"
        if term.is_integer:
            code = cast(term, I64) if term.how in (TRUTH, U32, "y") else term.code
            return f"{arithmetic}.from_integers({code})"
        raise Untranslatable("a number as a float")

    def as_type(self, term: Term, kind: Type) -> Term:
        """A value as what is assigned to a place of a type: numbers are rounded, bits are cut."""
        if term.how == WORDS:
            return term
        if kind.kind in FLOATS:
            if term.is_float or term.how in (REAL, POWER) or (not term.size and term.kind != "b"):
                return Term(self.named(self.as_float(term, kind.kind, kind.size)), FLOAT, kind.kind, kind.size)
            return self.reread(term, kind)
        if term.is_float:
            return self.reread(self.bits(term, term.size), kind)
        if not term.is_integer:
            raise Untranslatable("an exact number as an integer")
        return self.keep(integers.wrapped(self, term, kind.kind, kind.size))

    def bits(self, term: Term, size: int) -> Term:
        """The bits of a value as an integer without sign."""
        if term.is_float:
            if term.size == 32:
                return Term(f"{term.code}.view(U32)", U32, "b", 32, 0, M32)
            if term.size == 64:
                return Term(f"{term.code}.view(U64)", U64, "b", 64, 0, (1 << 64) - 1)
            code = f"{self.arithmetic(term.kind, term.size)}.encode({term.code})"
            return Term(self.named(code), I64, "b", term.size, 0, (1 << term.size) - 1)
        if term.how == WORDS:
            if term.size == 64:
                return Term(f"paired({term.code})", U64, "b", 64, 0, (1 << 64) - 1)
            return Term(f"object_of({term.code})", OBJECT, "b", term.size, 0, (1 << term.size) - 1)
        if not term.is_integer:
            raise Untranslatable("the bits of a number without a type")
        if not size:
            return term
        return self.keep(integers.wrapped(self, term, "b", size))

    def reread(self, term: Term, kind: Type) -> Term:
        """The low bits of a value read as a type."""
        if term.is_float and (term.kind, term.size) == (kind.kind, kind.size):
            return term
        if term.how == WORDS:
            if kind.kind == "b" and kind.size == term.size:
                return term
            term = self.bits(integers.words_part(self, term, 0, min(term.size, max(kind.size, 32))), 0)
        bits = self.bits(term, term.size) if term.is_float else term
        if kind.kind not in FLOATS:
            return integers.wrapped(self, bits, kind.kind, kind.size)
        low = integers.wrapped(self, bits, "b", kind.size)
        if low.how == UNIFORM or kind.size not in (32, 64):
            code = f"{self.arithmetic(kind.kind, kind.size)}.decode({low.code})"
        elif kind.size == 32:
            code = f"{cast(low, U32)}.view(F32)"
        else:
            code = f"{cast(low, U64)}.view(F64)"
        return Term(code, FLOAT, kind.kind, kind.size)

    # Branches

    def _alike(self, one: Term, other: Term) -> tuple[Term, tuple[str, str]]:
        """The type that holds both, and their expressions in it."""
        if one.how == WORDS or other.how == WORDS:
            return one, (one.code, other.code)
        if one.is_float or other.is_float or REAL in (one.how, other.how):
            kind, size = self._wider(one, other)
            if not kind:  # numbers without a type are of the type that they are assigned to
                kind, size = self._left if self._left[0] in FLOATS else ("f", 64)
            codes = (self.as_float(one, kind, size), self.as_float(other, kind, size))
            return Term("", FLOAT, kind, size), codes
        how = joined(one, other)
        low, high = min(one.low, other.low), max(one.high, other.high)
        same = one.size == other.size and (one.kind == other.kind or low >= 0)
        kind = one.kind if one.kind == other.kind else "b"
        made = Term("", how, kind if same else "", one.size if same else 0, low, high)
        return made, (self._array(one, how), self._array(other, how))

    def _array(self, term: Term, how: str) -> str:
        if how != UNIFORM and term.how == UNIFORM:
            return f"arr({cast(term, how)}, {how!r})"
        return cast(term, how)

    def chosen(self, condition: Term, one: Term, other: Term) -> Term:
        """`condition ? one : other`."""
        if condition.how == UNIFORM:
            made, codes = self._alike(one, other)
            return made._replace(code=f"({codes[0]} if {condition.code} else {codes[1]})")
        made, codes = self._lanes_alike(one, other)
        return made._replace(code=f"np.where({condition.code}, {codes[0]}, {codes[1]})")

    def _lanes_alike(self, one: Term, other: Term) -> tuple[Term, tuple[str, str]]:
        """As `_alike`, held as arrays."""
        made, codes = self._alike(one, other)
        if made.how != UNIFORM:
            return made, codes
        how = next(each for each in (I64, U64, OBJECT) if fits(made.low, made.high, each))
        return made._replace(how=how), (self._array(one, how), self._array(other, how))

    # Floats

    def _compared(self, sign: str, one: Term, other: Term) -> Term:
        kind, size = self._wider(one, other)
        codes = [f"{self.arithmetic(kind, size)}.source({self.as_float(each, kind, size)})" for each in (one, other)]
        return Term(self.named(f"{codes[0]} {sign} {codes[1]}"), TRUTH, "u", 1, 0, 1)

    def _calculated(self, sign: str, one: Term, other: Term) -> Term:
        if POWER in (one.how, other.how):
            return self._scaled(sign, one, other)
        kind, size = self._wider(one, other)
        if not kind:
            return Term(f"({_real(one)} {sign} {_real(other)})", REAL)
        name = {"+": "add", "-": "sub", "*": "mul", "/": "div"}.get(sign)
        if name is None:
            raise Untranslatable(f"{sign} of floats")
        self.is_approximate |= sign == "/"
        codes = (self.as_float(one, kind, size), self.as_float(other, kind, size))
        return Term(f"{self.arithmetic(kind, size)}.{name}({codes[0]}, {codes[1]})", FLOAT, kind, size)

    def _scaled(self, sign: str, one: Term, other: Term) -> Term:
        """A product with a power of 2, or a quotient."""
        value, power = (other, one) if one.how == POWER and sign == "*" else (one, other)
        if value.how in (REAL, UNIFORM) and power.how == POWER and isinstance(value.how, str):
            return Term(f"np.ldexp({_real(value)}, {power.code})", REAL)
        if sign not in "*/" or power.how != POWER or not value.is_float:
            raise Untranslatable(f"{sign} with a power of 2")
        powers = power.code if sign == "*" else f"-({power.code})"
        call = f"{self.arithmetic(value.kind, value.size)}.ldexp({value.code}, {powers})"
        return Term(call, FLOAT, value.kind, value.size)

    def _power(self, base: Term, exponent: Term) -> Term:
        if exponent.is_float:
            self.is_approximate = True
            call = f"{self.arithmetic(exponent.kind, exponent.size)}.function('exp2', {exponent.code})"
            return self.keep(Term(call, FLOAT, exponent.kind, exponent.size))
        if base.how == UNIFORM and integers.is_constant(base) and integers.is_constant(exponent) and exponent.low >= 0:
            return number(base.low**exponent.low)
        if base.code not in ("2", "2.0"):
            raise Untranslatable("a power of another base")
        return Term(cast(exponent, I64), POWER)

    def _of_floats(self, name: str, given: list[Term]) -> Term | None:
        """A function of floats; None if it is one of integers."""
        if name in ("round_to_nearest", "round_to_zero"):
            kind, size = self._left
            wide = f"{self.arithmetic(given[0].kind, given[0].size)}.wide({given[0].code})"
            rounding = 0 if name == "round_to_nearest" else 3
            return Term(f"{self.arithmetic(kind, size)}.convert({wide}, {rounding})", FLOAT, kind, size)
        if name == "stochastic":
            kind, size = self._left
            wide = f"{self.arithmetic(given[0].kind, given[0].size)}.wide({given[0].code})"
            bits = cast(given[1], I64)
            # Sixteen random bits are for a float that loses sixteen.
            bits = f"(({bits}) << 16)" if given[1].high <= 0xFFFF else bits
            return Term(f"{self.arithmetic(kind, size)}.random({wide}, {bits})", FLOAT, kind, size)
        if not any(each.is_float for each in given):
            return None
        kind, size = self._wider(*given)
        arithmetic = self.arithmetic(kind, size)
        if name == "saturate":
            return (
                Term(self.as_float(given[0], *self._left), FLOAT, *self._left)
                if self._left[0] in FLOATS
                else (self._saturated(given[0]))
            )
        if name in ("sin", "cos", "tanh", "log2"):
            self.is_approximate = True
            return Term(f"{arithmetic}.function({name!r}, {given[0].code})", FLOAT, kind, size)
        if name == "scaled":
            codes = f"{given[0].code}, {_real(given[1])}"
            return Term(f"output_scaled({arithmetic}, {codes})", FLOAT, kind, size)
        if name in ("floor", "ceil", "trunc", "rndne", "round"):
            return Term(f"{arithmetic}.whole({name!r}, {given[0].code})", FLOAT, kind, size)
        if name == "abs":
            return Term(f"np.abs({given[0].code})", FLOAT, kind, size)
        if name == "power":
            return Term(f"({arithmetic}.fields({given[0].code})[1] - {127})", POWER)
        if name in _FLOATS_TO_FLOATS:
            self.is_approximate |= name == "sqrt"
            codes = ", ".join(self.as_float(each, kind, size) for each in given)
            return Term(f"{arithmetic}.{name}({codes})", FLOAT, kind, size)
        made = _FLOATS_TO_INTEGERS.get(name)
        if made is None:
            raise Untranslatable(f"the function {name} of floats")
        template, how, low, high = made
        return Term(template.format(m=arithmetic, x=given[0].code), how, "", 0, low, high)

    def _saturated(self, value: Term) -> Term:
        """A float limited to the integers of the left side."""
        low, high = bounds_of(*self._left)
        code = f"{self.arithmetic(value.kind, value.size)}.to_integers({value.code}, {low}, {high})"
        return Term(code, I64, *self._left, low, high)


def _real(term: Term) -> str:
    return f"float({term.code})" if term.how == UNIFORM else term.code


_FLOATS_TO_FLOATS = frozenset(("min", "max", "minimum", "maximum", "med3", "fma", "sqrt", "frexp_mant"))
_FLOATS_TO_INTEGERS: dict[str, tuple[str, str, int, int]] = {
    "exponent": ("{m}.fields({x})[1]", I64, 0, 2047),
    "sign": ("np.signbit({x})", TRUTH, 0, 1),
    "is_nan": ("({x} != {x})", TRUTH, 0, 1),
    "is_denormal": ("{m}.is_denormal({x})", TRUTH, 0, 1),
    "class": ("{m}.classes({x})", I64, 0, 9),
    "frexp_exp": ("{m}.frexp_exp({x})", I64, -1100, 1100),
    "snorm16": ("{m}.normalized({x}, -1, 32767)", I64, -32767, 32767),
    "unorm16": ("{m}.normalized({x}, 0, 65535)", I64, 0, 65535),
}
