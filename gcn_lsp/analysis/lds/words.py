"""The 32-bit values of all work-items of a work-group: a sum of unknown values and of known ones, lane by lane.

`Word` is such a value: `terms` are unknown values, each with a factor; `lanes` is what is known, one number for all
work-items or one for each. Two words with the same terms differ by a known number in each work-item, which
decides whether two accesses of LDS meet. Words are interned: equal ones are one object, so results are kept by
identity.
"""

from collections.abc import Callable, Hashable, Iterator
from enum import IntEnum

from gcn_lsp.flow import interned
from gcn_lsp.flow.kept import ByValue
from gcn_lsp.isa.machine import word_operations as operations
from gcn_lsp.records import NamedTuple

_ALL = 0xFFFF_FFFF
_HALF = 32  # lanes whose bits are in one word
Lanes = int | tuple[int, ...]


class Sharing(IntEnum):
    """Who has one value in common."""

    WORK_GROUP = 0
    WAVE = 1
    LANE = 2


class Atom(NamedTuple):
    """An unknown value. key: what it is, equal for equal values. bits: those that may be one. scope: who shares it."""

    key: Hashable
    bits: int
    scope: Sharing


class Word:
    """A value in each work-item: the sum of `terms`, unknown values with factors, and of `lanes`; modulo 2^32."""

    __slots__ = ("__weakref__", "lanes", "terms")

    def __init__(self, terms: tuple[tuple[Atom, int], ...], lanes: Lanes) -> None:
        self.terms = terms
        self.lanes = lanes

    @property
    def constant(self) -> "int | None":
        """The value, if it is known and the same in all work-items."""
        return self.lanes if not self.terms and isinstance(self.lanes, int) else None

    @property
    def scope(self) -> Sharing:
        """The work-items that certainly have the same unknown part."""
        return max((atom.scope for atom, _ in self.terms), default=Sharing.WORK_GROUP)


# A word stays one object as long as something refers to it, however many others there were: the keys of other words do.
_words = interned.Table(Word)
_recent: ByValue[tuple[tuple[tuple[Atom, int], ...], Lanes], Word] = ByValue(1 << 14)
_results: ByValue[tuple[str, Word, Word], Word] = ByValue(1 << 14)


def of(lanes: Lanes, terms: tuple[tuple[Atom, int], ...] = ()) -> Word:
    """The word with these parts."""
    if isinstance(lanes, tuple) and lanes and lanes.count(lanes[0]) == len(lanes):
        lanes = lanes[0]
    key = (terms, lanes)
    known = _recent.get(key)
    return known if known is not None else _recent.keep(key, _words.state(terms, lanes))


def unknown(key: Hashable, scope: Sharing, bits: int = _ALL) -> Word:
    """A value of which only these bits may be one."""
    return of(0, ((Atom(key, bits, scope), 1),)) if bits else of(0)


def applied(operator: str, one: Word, other: Word) -> Word:
    """The result of an operator of `word_operations`."""
    key = (operator, one, other)
    known = _results.get(key)
    return known if known is not None else _results.keep(key, _APPLY[operator](one, other))


def evaluated(formula: tuple[str, ...], sources: dict[str, Word]) -> "Word | None":
    """The value of a formula of one lane; None if it needs a source that is not there."""
    stack: list[Word] = []
    for token in formula:
        if token in operations.OPERATORS:
            other, one = stack.pop(), stack.pop()
            stack.append(applied(token, one, other))
        elif token in sources:
            stack.append(sources[token])
        elif token[0].isdigit():
            stack.append(of(int(token, 0)))
        else:
            return None
    return stack.pop()


def of_first_lanes(word: Word, wave: int) -> Word:
    """The value in the first lane of each wave of `wave` lanes."""
    lanes = word.lanes
    if isinstance(lanes, tuple):
        lanes = tuple(lanes[number - number % wave] for number in range(len(lanes)))
    if word.scope is Sharing.LANE:
        return unknown((operations.FIRST_LANE, word), Sharing.WAVE, possible(word))
    return of(lanes, word.terms)


def differ_by_wave(word: Word, wave: int) -> bool:
    """Whether the value in the first lanes certainly differs between waves of `wave` lanes."""
    return isinstance(word.lanes, tuple) and len(set(word.lanes[::wave])) > 1


def lanes_below(sources: dict[str, Word], size: int, wave: int) -> "Word | None":
    """The number of a lane in its wave, of `v_mbcnt` of all lanes; its second half adds to the first.

    size, wave: of the work-group and its waves, in work-items. None if not all lanes are counted.
    """
    if sources["a"].constant != _ALL:
        return None
    if sources["b"].constant == 0:
        return of(tuple(min(number % wave, _HALF) for number in range(size)))
    return applied(operations.ADD, sources["b"], of(tuple(max(number % wave - _HALF, 0) for number in range(size))))


def atoms(word: Word) -> Iterator[Atom]:
    """The unknown values of which a word is made, those that others are computed from for these."""
    for atom, _ in word.terms:
        inner = [part for part in atom.key if isinstance(part, Word)] if isinstance(atom.key, tuple) else []
        if not inner:
            yield atom
        for part in inner:
            yield from atoms(part)


def possible(word: Word) -> int:
    """The bits that may be one in some work-item."""
    found = _any_bit(word.lanes)
    for atom, factor in word.terms:
        if factor & (factor - 1):
            return _ALL
        bits = atom.bits * factor & _ALL
        if bits & found:
            return _ALL
        found |= bits
    return found


def _any_bit(lanes: Lanes) -> int:
    if isinstance(lanes, int):
        return lanes
    found = 0
    for each in lanes:
        found |= each
    return found


def _by_lane(one: Lanes, other: Lanes, operate: Callable[[int, int], int]) -> Lanes:
    if isinstance(one, int):
        if isinstance(other, int):
            return operate(one, other) & _ALL
        return tuple([operate(one, each) & _ALL for each in other])
    if isinstance(other, int):
        return tuple([operate(each, other) & _ALL for each in one])
    return tuple([operate(each, its) & _ALL for each, its in zip(one, other, strict=True)])


def _summed(one: Word, other: Word, sign: int) -> Word:
    lanes = _by_lane(one.lanes, other.lanes, lambda mine, its: mine + sign * its)
    if not one.terms and not other.terms:
        return of(lanes)
    factors = dict(one.terms)
    for atom, factor in other.terms:
        factors[atom] = factors.get(atom, 0) + sign * factor & _ALL
    return of(lanes, tuple(sorted(((atom, factor) for atom, factor in factors.items() if factor), key=_order)))


def _order(term: tuple[Atom, int]) -> tuple[int, int]:
    return hash(term[0]), term[1]


def _scaled(word: Word, factor: int) -> Word:
    terms = ((atom, its * factor & _ALL) for atom, its in word.terms)
    return of(_by_lane(word.lanes, factor, lambda one, other: one * other), tuple(term for term in terms if term[1]))


def _opaque(operator: str, one: Word, other: Word, bits: int = _ALL) -> Word:
    if not one.terms and not other.terms:
        return of(_by_lane(one.lanes, other.lanes, _OPERATE[operator]))
    return unknown((operator, one, other), max(map(_shared_by, (one, other))), bits)


def _shared_by(word: Word) -> Sharing:
    return word.scope if isinstance(word.lanes, int) else Sharing.LANE


def _multiplied(one: Word, other: Word) -> Word:
    for word, factor in ((one, other.constant), (other, one.constant)):
        if factor is not None:
            return _scaled(word, factor)
    return _opaque(operations.MULTIPLY, one, other)


def _parts(word: Word) -> "tuple[Word, Word] | None":
    """The known and the unknown part of a word that has both, if no bit is of both; None otherwise."""
    if not word.terms or word.lanes == 0:
        return None
    known, rest = of(word.lanes), of(0, word.terms)
    return (known, rest) if not possible(known) & possible(rest) else None


def _shifted_left(one: Word, other: Word) -> Word:
    count = other.constant
    return _scaled(one, 1 << count & _ALL) if count is not None else _opaque(operations.LEFT, one, other)


def _shifted_right(one: Word, other: Word) -> Word:
    count = other.constant
    if count == 0:
        return one
    parts = _parts(one) if count is not None else None
    if parts is not None:
        return _summed(_shifted_right(parts[0], other), _shifted_right(parts[1], other), 1)
    return _opaque(operations.RIGHT, one, other, _ALL if count is None else possible(one) >> count)


def _masked(one: Word, other: Word) -> Word:
    if other.constant is None:
        one, other = other, one
    mask = other.constant
    if mask is None:
        return _opaque(operations.AND, one, other, possible(one) & possible(other))
    # A part of the sum that is a multiple of more than the mask reaches does not change what the mask leaves.
    beyond = 1 << mask.bit_length()
    terms = tuple((atom, factor) for atom, factor in one.terms if factor % beyond) if mask != _ALL else one.terms
    if len(terms) != len(one.terms):
        one = of(one.lanes, terms)
    if not possible(one) & ~mask:
        return one
    parts = _parts(one)
    if parts is not None:
        return _summed(_masked(parts[0], other), _masked(parts[1], other), 1)
    return _opaque(operations.AND, one, other, possible(one) & mask)


def _either(one: Word, other: Word) -> Word:
    if not possible(one) & possible(other):
        return _summed(one, other, 1)
    return _opaque(operations.OR, one, other, possible(one) | possible(other))


def _exclusive(one: Word, other: Word) -> Word:
    if not possible(one) & possible(other):
        return _summed(one, other, 1)
    if one.constant is not None:
        one, other = other, one
    constant = other.constant
    if constant is not None and len(one.terms) == 1 and one.lanes == 0 and one.terms[0][1] == 1:
        match one.terms[0][0].key:
            case (operations.XOR, Word() as inner, Word() as before) if before.constant is not None:
                return applied(operations.XOR, inner, of(before.constant ^ constant))
    return _opaque(operations.XOR, one, other, possible(one) | possible(other))


_OPERATE: dict[str, Callable[[int, int], int]] = {
    operations.MULTIPLY: lambda one, other: one * other,
    operations.AND: lambda one, other: one & other,
    operations.OR: lambda one, other: one | other,
    operations.XOR: lambda one, other: one ^ other,
    operations.LEFT: lambda one, other: one << (other & 31),
    operations.RIGHT: lambda one, other: one >> (other & 31),
}
_APPLY: dict[str, Callable[[Word, Word], Word]] = {
    operations.ADD: lambda one, other: _summed(one, other, 1),
    operations.SUBTRACT: lambda one, other: _summed(one, other, -1),
    operations.MULTIPLY: _multiplied,
    operations.AND: _masked,
    operations.OR: _either,
    operations.XOR: _exclusive,
    operations.LEFT: _shifted_left,
    operations.RIGHT: _shifted_right,
}
