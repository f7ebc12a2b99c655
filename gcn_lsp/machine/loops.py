"""Loops whose turns fill the parts of one register, or add to one sum: all are calculated at once, in rows of arrays.

for i < 4:
  s = S2.u8[i]
  if s <= 7: D.u8[i] = all.u8[s]
  else: D.u8[i] = 0
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from gcn_lsp.isa.documentation.operation import (
    As,
    Assign,
    At,
    Binary,
    Body,
    Call,
    Expression,
    For,
    If,
    Name,
    Statement,
    Type,
)
from gcn_lsp.machine.accesses import MEMORIES, statements
from gcn_lsp.machine.terms import FLOATS
from gcn_lsp.records import NamedTuple

_BITS = 32
_SMALL = 8  # bits: halves of packed operands have modifiers of their own


class Rows(NamedTuple):
    """A loop of this kind. name, type: of the destination's parts. places: the local names, which end with the loop."""

    name: str
    type: Type
    places: frozenset[str]


def rows(loop: For, turns: int) -> "Rows | None":
    """What a loop fills, if its turns can be calculated at once: each assigns its part and reads nothing of others."""
    found = {_part(each.place, loop.counter) for each in statements(loop.body) if isinstance(each, Assign)} - {None}
    if len(found) != 1:
        return None
    ((name, kind),) = ((each[0], each[1]) for each in found if each is not None)
    places = set()
    for statement in statements(loop.body):
        if isinstance(statement, Assign):
            if _part(statement.place, loop.counter) is None:
                if not isinstance(statement.place, Name):
                    return None
                places.add(statement.place.name)
        elif not isinstance(statement, If):
            return None
    is_small = kind.size * turns <= _BITS and kind.kind not in FLOATS
    if not is_small or not _always(loop.body, loop.counter) or not all(map(_is_plain, _read(loop.body, loop.counter))):
        return None
    read = {each.name for each in _read(loop.body, loop.counter) if isinstance(each, Name)}
    return None if name in read or read & MEMORIES.keys() else Rows(name, kind, frozenset(places))


def summand(loop: For) -> "tuple[Name, Expression] | None":
    """The name and the expression of a loop that only adds: `sum = sum + i32(S0.i8[i]) * i32(S1.i8[i])`."""
    match list(loop.body):
        case [Assign(Name(name) as total, Binary("+", Name(again), added))] if name == again:
            inner = list(_within(added))
            types = [each for each in inner if isinstance(each, Type) and each.size <= _SMALL]
            reads = {each.name for each in inner if isinstance(each, Name)}
            if types and all(map(_is_plain, inner)) and name not in reads and not reads & MEMORIES.keys():
                return total, added
    return None


def filling(loop: For, kind: Type, place: str) -> Body:
    """The body of a loop with a local name in place of the destination's parts."""
    return _renamed(loop.body, loop.counter, kind, place)


def _part(place: Any, counter: str) -> "tuple[str, Type] | None":
    """The name and type of `D.u8[i]`."""
    match place:
        case At(As(Name(name), kind), Name(index), None) if index == counter:
            return name, kind
    return None


def _always(body: Body, counter: str) -> bool:
    """Whether every way through a body assigns the part."""
    for statement in body:
        if isinstance(statement, Assign) and _part(statement.place, counter) is not None:
            return True
        if isinstance(statement, If):
            tests = [test for test, _ in statement.branches]
            if tests[-1] is None and all(_always(inner, counter) for _, inner in statement.branches):
                return True
    return False


def _read(body: Body, counter: str) -> Iterator[Any]:
    """All expressions of a body, those within others too, but for the places that it assigns."""
    for statement in statements(body):
        if isinstance(statement, Assign):
            yield from _within(statement.value)
        elif isinstance(statement, If):
            for test, _ in statement.branches:
                yield from _within(test)


def _within(value: Any) -> Iterator[Any]:
    if isinstance(value, msgspec.Struct):
        yield value
        for name in value.__struct_fields__:
            yield from _within(getattr(value, name))
    elif isinstance(value, tuple):
        for each in value:
            yield from _within(each)


def _is_plain(expression: Any) -> bool:
    """Whether an expression is of integers, lane by lane."""
    if isinstance(expression, Type):
        return expression.kind not in FLOATS
    return not isinstance(expression, Call) or expression.converts_to is not None


def _renamed(body: Body, counter: str, kind: Type, place: str) -> Body:
    def changed(statement: Statement) -> Statement:
        if isinstance(statement, Assign) and _part(statement.place, counter) is not None:
            return Assign(As(Name(place), kind), statement.value)
        if isinstance(statement, If):
            return If(tuple((test, _renamed(inner, counter, kind, place)) for test, inner in statement.branches))
        return statement

    return Body(tuple(tuple(map(changed, line)) for line in body.lines), body.is_inline)
