"""Literals and the constant bus: how many scalar values and literals a vector instruction may read."""

from gcn_lsp.instruction import operands
from gcn_lsp.instruction.bound import Bound
from gcn_lsp.instruction.model import Problem
from gcn_lsp.isa import versions
from gcn_lsp.isa.operands import limits

_SOURCES = ("src0", "src1", "src2")
_BUS_REGISTERS = frozenset(("vcc", "vcc_lo", "vcc_hi", "m0", "flat_scratch"))


def scalar_literals(bound: Bound) -> Problem | None:
    """A scalar instruction holds one literal."""
    return _one_literal(bound, ("src0", "src1", "imm"))


def dual_literals(bound: Bound) -> Problem | None:
    """Both halves of a pair share one literal."""
    return _one_literal(bound, tuple(bound.types))


def _one_literal(bound: Bound, names: tuple[str, ...]) -> Problem | None:
    """All literals must be the same value: the encoding has room for one."""
    first: int | None = None
    count = 0
    is_whole = bound.types.get("imm") == "k64"  # then sources are compared by all their bits
    for name in names:
        if name in bound.symbols:
            count += 1
        elif name in bound.numbers:
            number = bound.numbers[name]
            value = number.counted if bound.types[name][:1] != "k" else number.code
            value = number.pattern if is_whole and value is not None else value
            if value is None or value == first:
                continue
            first = value if first is None else first
            count += 1
        else:
            continue
        if count > 1:
            which = f"the second is {_literal_text(bound, name)}"
            return bound.problem("too-many-literals", f"an instruction holds one literal; {which}", name)
    return None


def _literal_text(bound: Bound, name: str) -> str:
    if name in bound.symbols:
        return "a symbol"
    return operands.number_text(bound.arguments[name])


def vector_literals(bound: Bound) -> Problem | None:
    """VOP3 takes a literal on some targets only, and one."""
    mandatory = "imm" in bound.arguments
    names = (*_SOURCES, "imm") if mandatory else _SOURCES
    if not mandatory and not bound.target.has_vop3_literals:
        for name in names:
            number = bound.numbers.get(name)
            if name in bound.symbols or (number is not None and number.counted is not None):
                what = _literal_text(bound, name)
                return bound.problem(
                    "literal-not-allowed",
                    f"{what} is not an inline constant, and VOP3 takes no literal on {bound.target.name}",
                    name,
                )
    return _one_literal(bound, names)


def _limit(bound: Bound) -> int:
    """How many scalar values a VALU instruction may read."""
    target = bound.target
    one = limits.ONE_SCALAR_SHIFTS_OF_GFX1250 if target.reads_two_scalars_in_most_shifts else limits.ONE_SCALAR_SHIFTS
    return 2 if target.reads_two_scalars and bound.form.mnemonic not in one else 1


def long_literals(bound: Bound) -> Problem | None:
    """VOP3 has room for 32 bits of literal."""
    for name, number in bound.numbers.items():
        forced = bound.arguments[name].modifiers & (operands.LIT | operands.LIT64)
        if number.is_long and (not forced or bound.target.has(versions.STRICT_LITERALS)):
            message = f"{_literal_text(bound, name)} needs a literal of 64 bits; VOP3 has 32"
            return bound.problem("literal-not-allowed", message, name)
    return None


_DUAL_SOURCES = ("src0X", "vsrc1X", "vsrc2X", "src0Y", "vsrc1Y", "vsrc2Y")


def dual_constant_bus(bound: Bound) -> Problem | None:
    """The scalar values that both halves of a pair read."""
    return _bus_problem(bound, _DUAL_SOURCES)


def constant_bus(bound: Bound) -> Problem | None:
    """The scalar values that a vector instruction reads."""
    if bound.form.name.startswith("V_WRITELANE_B32") and bound.target.has_one_scalar_in_writelane:
        lane = bound.arguments["src1"].register
        if lane is not None and lane.text == "m0":
            return None  # the lane select does not go over the bus
    return _bus_problem(bound, _SOURCES)


def _bus_problem(bound: Bound, sources: tuple[str, ...]) -> Problem | None:
    used: list[str] = []
    literal_sizes: set[int] = set()
    last = ""
    implicit = next((name for name in bound.form.uses if name in _BUS_REGISTERS), None)
    if implicit is not None:
        used.append(implicit)
    if "imm" in bound.numbers:
        literal_sizes.add(4)
    for name in sources:
        argument = bound.arguments.get(name)
        if argument is None:
            continue
        register = argument.register
        if register is not None:
            if register.is_scalar and register.text != "null" and register.text not in used:
                used.append(register.text)
                last = name
            continue
        number = bound.numbers.get(name)
        if name in bound.symbols or (number is not None and number.literal is not None):
            literal_sizes.add(8 if bound.types[name].endswith("64") else 4)
            last = name
    count = len(used) + len(literal_sizes)
    limit = _limit(bound)
    if count <= limit:
        return None
    reads = [f"`{name}`" for name in used] + ["a literal"] * len(literal_sizes)
    scalars = "one scalar value" if limit == 1 else f"{limit} scalar values"
    return bound.problem(
        "constant-bus-limit",
        f"{bound.word} reads {' and '.join(reads)} over the constant bus; it may read {scalars}",
        last,
    )
