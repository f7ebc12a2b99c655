"""The targets of an operation's assignments and its accesses, read from it before it is compiled."""

from collections.abc import Iterator

from gcn_lsp.isa.documentation.operation import (
    As,
    Assign,
    At,
    Binary,
    Body,
    Call,
    Choice,
    Expression,
    For,
    Group,
    If,
    Name,
    Statement,
    Type,
    Unary,
)
from gcn_lsp.isa.documentation.operation import expression as text_of
from gcn_lsp.machine.terms import Untranslatable

MEMORIES = {"MEM": "", "LDS": "lds", "GDS": "gds"}
"""The names of memories, and their spaces where the instruction does not say which."""
_COUNTERS_END = "cnt"


class Destination:
    """A name with its indices, the outermost last, and the type among or after them."""

    def __init__(self, place: Expression) -> None:
        self.indices: list[At] = []
        self.type: Type | None = None
        while not isinstance(place, Name):
            if isinstance(place, As):
                self.type = place.type
            elif isinstance(place, At):
                self.indices.insert(0, place)
            else:
                raise Untranslatable(f"an assignment to {text_of(place)}")
            place = place.value
        self.name = place.name


def limits(condition: Expression) -> Iterator[tuple[str, Expression]]:
    """The counters of a condition and their limits."""
    match condition:
        case Binary("&&", left, right):
            yield from limits(left)
            yield from limits(right)
        case Binary("<=", Name(name), limit) if name.endswith(_COUNTERS_END):
            yield name, limit


def is_lane(access: Destination) -> bool:
    """Whether an assignment is to the lane's bit of a mask."""
    return access.type is None and len(access.indices) == 1 and is_lane_name(access.indices[0].high)


def is_lane_name(expression: Expression) -> bool:
    """Whether an index is the number of the lane."""
    return isinstance(expression, Name) and expression.name == "lane"


def operand_of(call: Call) -> str:
    """The operand that a function is about."""
    first = call.arguments[0]
    while isinstance(first, As | At | Group):
        first = first.value
    assert isinstance(first, Name)
    return first.name


def atomic_reads(body: Body) -> Iterator[Expression]:
    """The addresses that an operation reads, if it writes the same memory; each once."""
    read: dict[str, tuple[str, Expression]] = {}
    written: set[str] = set()
    for statement in statements(body):
        if isinstance(statement, Assign):
            written.update(name for name, _ in _accesses(statement.place))
            for name, address in _accesses(statement.value):
                read.setdefault(text_of(address), (name, address))
    yield from (address for name, address in read.values() if name in written)


def statements(body: Body) -> Iterator[Statement]:
    """All statements of a body, those within others after these."""
    for statement in body:
        yield statement
        if isinstance(statement, If):
            for _, inner in statement.branches:
                yield from statements(inner)
        elif isinstance(statement, For):
            yield from statements(statement.body)


def _accesses(expression: Expression) -> Iterator[tuple[str, Expression]]:
    match expression:
        case At(As(Name(name)), high) if name in MEMORIES:
            yield name, high
        case At(Name(name), high) if name in MEMORIES:
            yield name, high
        case As(value) | Group(value) | Unary(_, value):
            yield from _accesses(value)
        case At(value, high, low):
            for each in (value, high, low):
                if each is not None:
                    yield from _accesses(each)
        case Call(_, arguments):
            for each in arguments:
                yield from _accesses(each)
        case Binary(_, left, right):
            yield from _accesses(left)
            yield from _accesses(right)
        case Choice(test, first, second):
            for each in (test, first, second):
                yield from _accesses(each)
