"""Integers of an operation while it is compiled: exact without a size, cut to their size where they have one."""

from collections.abc import Callable, Mapping

from gcn_lsp.machine.terms import (
    I32,
    I64,
    M32,
    M64,
    OBJECT,
    REAL,
    TRUTH,
    U32,
    U64,
    UNIFORM,
    WORDS,
    Compiler,
    Term,
    Untranslatable,
    bounds_of,
    cast,
    fits,
    interval,
    joined,
    modulo,
    number,
)

_RING = frozenset(("+", "-", "*"))
_WORD, _LONG = 32, 64


def is_constant(term: Term) -> bool:
    """Whether the value is known while compiling."""
    return term.how == UNIFORM and term.low == term.high


def truth(translator: Compiler, term: Term) -> Term:
    """Whether a value holds."""
    if term.is_float:
        return Term(f"({term.code} != 0)", TRUTH, "u", 1, 0, 1)
    if term.how == TRUTH:
        return term
    if is_constant(term):
        return number(int(term.low != 0), "u", 1)
    if term.how == UNIFORM:
        return Term(f"({term.code} != 0)", UNIFORM, "u", 1, 0, 1)
    if not term.is_integer:
        raise Untranslatable("a condition on a value without a type")
    return Term(f"({term.code} != 0)", TRUTH, "u", 1, 0, 1)


def negation(translator: Compiler, term: Term) -> Term:
    """The opposite of a truth value."""
    if is_constant(term):
        return number(1 - term.low, "u", 1)
    return term._replace(code=f"(not {term.code})" if term.how == UNIFORM else f"~{term.code}")


def both(translator: Compiler, sign: str, a: Term, b: Term) -> Term:
    """`&&` and `||`."""
    one, other = translator.keep(truth(translator, a)), translator.keep(truth(translator, b))
    for known, rest in ((one, other), (other, one)):
        if is_constant(known):
            return rest if known.low == (sign == "&&") else known
    if one.how == other.how == UNIFORM:
        word = "and" if sign == "&&" else "or"
        return translator.keep(Term(f"({one.code} {word} {other.code})", UNIFORM, "u", 1, 0, 1))
    return translator.keep(Term(f"({one.code} {sign[0]} {other.code})", TRUTH, "u", 1, 0, 1))


def complement(translator: Compiler, term: Term) -> Term:
    """`~x`."""
    kind = "i" if term.kind == "i" else "u"
    if not term.size:
        low, high = -term.high - 1, -term.low - 1
        if is_constant(term):
            return number(low)
        how = term.how if term.how in (UNIFORM, OBJECT) else I64 if fits(term.low, term.high, I64) else OBJECT
        return Term(f"(~{cast(term, how)})", how, "", 0, low, high)
    low, high = bounds_of(kind, term.size)
    if kind == "i" or (term.how, term.size) in ((U32, _WORD), (U64, _LONG)):
        return Term(f"(~{term.code})", term.how, kind, term.size, low, high)
    how = I64 if term.how == TRUTH else term.how
    return Term(f"(~{cast(term, how)} & {high})", how, kind, term.size, low, high)


def compared(translator: Compiler, sign: str, a: Term, b: Term) -> Term:
    """A comparison of integers."""
    how = joined(a, b)
    if how == UNIFORM:
        if is_constant(a) and is_constant(b):
            return number(int(_COMPARISONS[sign](a.low, b.low)), "u", 1)
        return translator.keep(Term(f"({a.code} {sign} {b.code})", UNIFORM, "u", 1, 0, 1))
    found = f"({cast(a, how)} {sign} {cast(b, how)})"
    if how == OBJECT:
        found += ".astype(bool)"
    return translator.keep(Term(found, TRUTH, "u", 1, 0, 1))


_COMPARISONS = {
    "==": int.__eq__, "!=": int.__ne__, "<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__,
}  # fmt: skip


def combined(translator: Compiler, sign: str, a: Term, b: Term, *, wraps: bool = True) -> Term:
    """The result of an operator, cut to the wider size of the two where they have one."""
    is_shift = sign in ("<<", ">>")
    size = a.size if is_shift else max(a.size, b.size)
    kind = (a.kind if a.kind in ("u", "i") else "u") if is_shift else _kind(a, b)
    cuts = bool(size) and (wraps or sign not in _RING)
    if is_constant(a) and is_constant(b):
        exact = _OPERATORS[sign](a.low, b.low)
        low, high = bounds_of(kind, size) if cuts else (exact, exact)
        made = number(exact, kind if size else "", size)
        return made if low <= exact <= high else wrapped(translator, made, kind, size)
    low, high = interval(sign, a, b)
    least, most = bounds_of(kind, size) if cuts else (low, high)
    label = kind if size else ""
    how, ring = _array_for(sign, a, b, (low, high), kind, size if cuts else 0)
    code = _operation(sign, a, b, how, ring=ring)
    if ring:
        return wrapped(translator, Term(code, how, label, size, *_all_of(how)), kind, size)
    made = Term(code, how, label, size, low, high)
    return wrapped(translator, made, kind, size) if low < least or high > most else made


def _kind(a: Term, b: Term) -> str:
    return "i" if all(each.kind == "i" for each in (a, b) if each.size) else "u"


def _all_of(how: str) -> tuple[int, int]:
    return {U32: (0, M32), I32: bounds_of("i", _WORD), U64: (0, M64)}[how]


def _array_for(sign: str, a: Term, b: Term, bounds: tuple[int, int], kind: str, size: int) -> tuple[str, bool]:
    """How the operands and the result are held; whether the result is only right modulo the array's size."""
    if a.how == b.how == UNIFORM:
        return UNIFORM, False
    low, high = bounds
    least, most = min(a.low, b.low), max(a.high, b.high)
    hows = {each.how for each in (a, b)} - {UNIFORM}
    is_ring = sign in _RING or (sign == "<<" and b.low >= 0)
    for how, width, wrapped_kind in ((U32, _WORD, "u"), (I32, _WORD, "i")):
        fixed = (sign in _RING or (sign == "<<" and b.high < width and how == U32)) and (size, kind) == (
            width,
            wrapped_kind,
        )
        if hows == {how} and fits(least, most, how) and not (sign in ("<<", ">>") and b.high >= width):
            if fits(low, high, how):
                return how, False
            if fixed:
                return how, True
    if sign == "<<" and b.high > _LONG - 1:  # to the right, numpy leaves nothing of a number
        return OBJECT, False
    if fits(min(low, least), max(high, most), I64):
        return I64, False
    if fits(min(low, least), max(high, most), U64):
        return U64, False
    if is_ring and 0 < size <= _LONG and OBJECT not in hows:
        return U64, True
    return OBJECT, False


def _operation(sign: str, a: Term, b: Term, how: str, *, ring: bool) -> str:
    if how == UNIFORM:
        if sign == "/":
            return f"quotient({a.code}, {b.code})"
        return f"({a.code} {sign} {b.code})"
    if ring:
        one, other = modulo(a, how), (modulo(b, how) if sign != "<<" else cast(b, how))
    else:
        one, other = cast(a, how), cast(b, how)
    if how == OBJECT and a.how != OBJECT and b.how != OBJECT:
        one = f"objects({one})"
    elif how in (U32, U64, I64) and sign in ("<<", ">>") and UNIFORM in (a.how, b.how):
        name = {U32: "np.uint32", U64: "np.uint64", I64: "np.int64"}[how]
        one = f"{name}({one})" if a.how == UNIFORM else one
        other = f"{name}({other})" if b.how == UNIFORM else other
    if sign == "/":
        return f"quotient({one}, {other})"
    return f"({one} {sign} {other})"


_OPERATORS: Mapping[str, Callable[[int, int], int]] = {
    "+": int.__add__, "-": int.__sub__, "*": int.__mul__, "&": int.__and__, "|": int.__or__, "^": int.__xor__,
    "<<": int.__lshift__, ">>": int.__rshift__, "/": lambda a, b: int(a / b) if abs(a) < 1 << 52 else a // b,
    "%": lambda a, b: a % b if b else 0,
}  # fmt: skip


def wrapped(translator: Compiler, term: Term, kind: str, size: int) -> Term:
    """An integer cut to the size of a type; `b` and others count as unsigned."""
    low, high = bounds_of(kind, size)
    if low <= term.low and term.high <= high:
        return term._replace(kind=kind, size=size)
    if term.how == WORDS:
        raise Untranslatable("words as a number")
    mask = (1 << size) - 1
    if is_constant(term):
        value = term.low & mask
        return number(value - (1 << size) if value > high else value, kind, size)
    term = translator.keep(term)
    if term.how == UNIFORM:
        code = f"({term.code} & {mask})"
        if kind == "i":
            code = f"(({code} ^ {1 << (size - 1)}) - {1 << (size - 1)})"
        return Term(code, UNIFORM, kind, size, low, high)
    if size == _WORD:
        how = I32 if kind == "i" else U32
        return Term(modulo(term, how), how, kind, size, low, high)
    if size == _LONG:
        how = I64 if kind == "i" else U64
        return Term(modulo(term, how), how, kind, size, low, high)
    if size > _LONG:
        return Term(f"(objects({cast(term, OBJECT)}) & {mask})", OBJECT, kind, size, low, high)
    if kind != "i":
        narrow = term.how if term.how in (U32, U64, I64) else I64 if term.how != OBJECT else OBJECT
        if narrow == U32 and mask > M32:
            return term._replace(kind=kind, size=size)
        code = f"({cast(term, narrow)} & {mask})"
        if narrow == OBJECT:
            return Term(f"{code}.astype(I64)", I64, kind, size, low, high)
        return Term(code, narrow, kind, size, low, high)
    code = modulo(term, U64) if term.how == OBJECT else modulo(term, I64)
    if term.how == OBJECT:
        code = f"{code}.view(I64)"
    half = 1 << (size - 1)
    return Term(f"((({code}) & {mask} ^ {half}) - {half})", I64, kind, size, low, high)


def part(translator: Compiler, term: Term, low: Term, width: int) -> Term:
    """Bits of a value as a number without a type."""
    if term.how == WORDS and is_constant(low):
        return words_part(translator, term, low.low, width)
    if term.how == WORDS:
        term = translator.bits(term, term.size)
    if term.low < 0:
        term = wrapped(translator, term, "b", term.size or max(_LONG, (low.high + width)))
    plain = term._replace(kind="", size=0)
    moved = (
        plain if is_constant(low) and not low.low else combined(translator, ">>", plain, low._replace(kind="", size=0))
    )
    if moved.high >= 1 << width:
        moved = combined(translator, "&", translator.keep(moved), number((1 << width) - 1))
    return moved._replace(kind="", size=0)


def words_part(translator: Compiler, term: Term, low: int, width: int) -> Term:
    """Bits of words as a number without a type."""
    first, start = divmod(low, _WORD)
    last = (low + width - 1) // _WORD
    if first == last:
        word = Term(translator.named(f"{term.code}[{first}]"), U32, "", 0, 0, M32)
        return part(translator, word, number(start), width)
    if last - first == 1:
        pair = Term(f"paired({term.code}[{first}:{last + 1}])", U64, "", 0, 0, M64)
    else:
        pair = Term(
            f"object_of({term.code}[{first}:{last + 1}])", OBJECT, "", 0, 0, (1 << _WORD * (last - first + 1)) - 1
        )
    return part(translator, translator.keep(pair), number(start), width)


def inserted(translator: Compiler, old: Term, low: Term, width: int, value: Term) -> Term:
    """A value with `width` bits from bit `low` on replaced; as many bits as before."""
    size = old.size or _WORD
    mask = (1 << width) - 1
    old = translator.keep(old._replace(kind="", size=0))
    new = value if value.is_integer else translator.bits(value, value.size)
    new = translator.keep(wrapped(translator, new, "b", width)._replace(kind="", size=0))
    if is_constant(low):
        rest = combined(translator, "&", old, number(((1 << size) - 1) & ~(mask << low.low)))
    else:
        hole = translator.keep(combined(translator, "<<", number(mask), low))
        rest = combined(translator, "&", old, complement(translator, hole))
    moved = new if is_constant(low) and not low.low else combined(translator, "<<", new, low._replace(kind="", size=0))
    made = combined(translator, "|", translator.keep(rest), translator.keep(moved))
    return wrapped(translator, made, "b", size)


def scaled(translator: Compiler, index: Term, size: int) -> Term:
    """The bit at which an element of this size begins."""
    return translator.keep(combined(translator, "*", index._replace(kind="", size=0), number(size)))


def concatenated(translator: Compiler, given: list[Term], sizes: list[int]) -> Term:
    """Bits side by side, the last lowest."""
    made = number(0)
    for term, size in zip(given, sizes, strict=True):
        piece = wrapped(translator, term, "b", size)._replace(kind="", size=0)
        moved = made if is_constant(made) and not made.low else combined(translator, "<<", made, number(size))
        if is_constant(moved) and not moved.low:
            made = translator.keep(piece)
        else:
            made = translator.keep(combined(translator, "|", translator.keep(moved), translator.keep(piece)))
    return wrapped(translator, made, "u", sum(sizes))


def function(translator: Compiler, name: str, given: list[Term]) -> Term:
    """A function of integers."""
    made = _FUNCTIONS.get(name)
    if made is None or any(each.how == REAL for each in given):
        raise Untranslatable(f"the function {name}")
    return made(translator, *given)


def _absolute(translator: Compiler, x: Term) -> Term:
    if x.low >= 0:
        return x
    high = max(abs(x.low), abs(x.high))
    how = I64 if x.how == I32 else x.how
    made = Term(f"abs({cast(x, how)})", how, x.kind, x.size, 0, high)
    return wrapped(translator, made, x.kind, x.size) if x.size else made


def _extreme(name: str) -> Callable[[Compiler, Term, Term], Term]:
    def chosen(translator: Compiler, a: Term, b: Term) -> Term:
        how = joined(a, b)
        pick = min if name == "min" else max
        low, high = pick(a.low, b.low), pick(a.high, b.high)
        same = (a.kind, a.size) == (b.kind, b.size)
        kind, size = (a.kind, a.size) if same else ("", 0)
        if is_constant(a) and is_constant(b):
            return number(low, kind, size)
        if how == UNIFORM:
            return Term(f"{name}({a.code}, {b.code})", how, kind, size, low, high)
        return Term(f"np.{name}imum({cast(a, how)}, {cast(b, how)})", how, kind, size, low, high)

    return chosen


_smaller, _larger = _extreme("min"), _extreme("max")


def _median(translator: Compiler, a: Term, b: Term, c: Term) -> Term:
    first = translator.keep(_smaller(translator, a, b))
    last = translator.keep(_larger(translator, a, b))
    middle = translator.keep(_smaller(translator, last, c))
    return _larger(translator, first, middle)


def _popcount(translator: Compiler, x: Term) -> Term:
    x = wrapped(translator, x, "b", x.size) if x.size else x
    how = UNIFORM if x.how == UNIFORM else U32
    return Term(f"popcount({x.code})", how, "", 0, 0, x.size or max(x.high.bit_length(), 1))


def _reverse(translator: Compiler, x: Term) -> Term:
    size = x.size or max(x.high.bit_length(), 1)
    x = wrapped(translator, x, "b", size)
    how = UNIFORM if x.how == UNIFORM else U64
    found = Term(f"reversed_bits({x.code}, {size})", how, "u", size, 0, (1 << size) - 1)
    return found if how == UNIFORM or size > _WORD else found._replace(code=f"{found.code}.astype(U32)", how=U32)


def _find_first(translator: Compiler, x: Term, bit: Term) -> Term:
    size = x.size or _LONG
    x = wrapped(translator, x, "b", size)
    how = UNIFORM if x.how == UNIFORM else I64
    return Term(f"find_first({x.code}, {bit.code}, {size})", how, "", 0, -1, size - 1)


def _leading(translator: Compiler, x: Term, bit: Term) -> Term:
    x = wrapped(translator, x, "b", x.size)
    how = UNIFORM if x.how == bit.how == UNIFORM else I64
    return Term(f"leading({x.code}, {bit.code}, {x.size})", how, "", 0, 0, x.size)


def _rank(translator: Compiler, mask: Term, c: Term) -> Term:
    below = combined(translator, "-", combined(translator, "<<", number(1), c), number(1))
    return _popcount(translator, combined(translator, "&", mask, translator.keep(below)))


def _sign_extended(translator: Compiler, x: Term) -> Term:
    size = x.size or max(x.high.bit_length(), 1)
    return wrapped(translator, x, "i", size)._replace(kind="", size=0)


def _zero_extended(translator: Compiler, x: Term) -> Term:
    return x._replace(kind="", size=0)


def _sign_extended_from(translator: Compiler, x: Term, n: Term) -> Term:
    how = UNIFORM if x.how == n.how == UNIFORM else I64
    x = wrapped(translator, x, "i", _LONG)
    code = f"sext_from({x.code if x.how == UNIFORM else cast(x, I64)}, {n.code if n.how == UNIFORM else cast(n, I64)})"
    return Term(code, how, "", 0, -(1 << 63), (1 << 63) - 1)


def _saturated(translator: Compiler, x: Term) -> Term:
    kind, size = translator.left
    low, high = bounds_of(kind, size)
    if low <= x.low and x.high <= high:
        return x
    if x.how == UNIFORM:
        return Term(f"max({low}, min({high}, {x.code}))", UNIFORM, "", 0, low, high)
    bottom, top = max(low, x.low), min(high, x.high)
    if x.how == OBJECT:
        return Term(f"np.minimum(np.maximum({x.code}, {bottom}), {top})", OBJECT, "", 0, bottom, top)
    return Term(f"np.clip({x.code}, {bottom}, {top})", x.how, "", 0, bottom, top)


def _differences(name: str) -> Callable[[Compiler, Term, Term], Term]:
    def made(translator: Compiler, a: Term, b: Term) -> Term:
        how = UNIFORM if a.how == b.how == UNIFORM else I64
        return Term(f"{name}({a.code}, {b.code})", how, "u", _WORD, 0, 4 * 255)

    return made


def _carry(translator: Compiler, a: Term, b: Term) -> Term:
    a, b = translator.keep(a), translator.keep(b)
    if a.size != _LONG or UNIFORM in (a.how, b.how) or OBJECT in (a.how, b.how):
        plain = [each._replace(kind="", size=0) for each in (a, b)]
        total = translator.keep(combined(translator, "+", *plain))
        total = translator.keep(total if total.low >= 0 else wrapped(translator, total, "b", a.size + 1))
        return part(translator, total, number(a.size), 1)
    code = f"(({modulo(a, U64)} + {modulo(b, U64)}) < {modulo(a, U64)})"
    for each in (a, b):
        if each.low < 0:
            code = f"({code} ^ ({each.code} < 0))"
    return Term(code, TRUTH, "u", 1, 0, 1)


_FUNCTIONS: Mapping[str, Callable[..., Term]] = {
    "abs": _absolute, "min": _smaller, "max": _larger, "med3": _median, "popcount": _popcount, "reverse": _reverse,
    "find_first": _find_first, "leading": _leading, "rank": _rank, "sext": _sign_extended, "zext": _zero_extended,
    "sext_from": _sign_extended_from, "saturate": _saturated, "sad": _differences("sad"),
    "msad": _differences("msad"), "carry_out": _carry,
}  # fmt: skip
