"""Evaluates expressions as LLVM does: 64-bit two's complement, comparisons that yield -1, logical right shifts."""

import struct
from collections.abc import Callable
from enum import Enum
from functools import reduce
from operator import or_

from gcn_lsp.records import NamedTuple
from gcn_lsp.syntax import nodes

_MASK = (1 << 64) - 1
_SIGN = 1 << 63


class Address(NamedTuple):
    """A label's value: bytes from the start of a section. Differences within a section are numbers."""

    section: str
    offset: int


class Placed(nodes.Node, frozen=True, gc=False):
    """A known address: the value of `.` where an expression is written."""

    section: str
    offset: int


class Unresolved(NamedTuple):
    """No value: `names` are missing, or the expression has a build-defined symbol without a value (`unknown`).

    With neither, `message` gives the reason, such as a division by zero or a function that does not exist.
    """

    names: tuple[str, ...] = ()
    unknown: bool = False
    message: str = ""


class MissingSymbol(NamedTuple):
    """What a lookup returns for a name without a value here: `unknown` if only the build knows it.

    because: the names without a value that this one depends on.
    """

    unknown: bool
    because: tuple[str, ...] = ()


class Unknown(Enum):
    """The value of a symbol that only the build knows."""

    UNKNOWN = "unknown"


UNKNOWN = Unknown.UNKNOWN


Value = int | Address | Unresolved
Lookup = Callable[[str], "int | Address | MissingSymbol"]


# Separates the name of a section and the number of its part (`.subsection`) in an address.
PART = "\0"


def section_of(part: str) -> str:
    """The section of a part."""
    return part.partition(PART)[0]


def wrap(value: int) -> int:
    """`value` modulo 2**64 as a signed number."""
    value &= _MASK
    return value - (1 << 64) if value & _SIGN else value


def evaluate(node: nodes.Node, lookup: Lookup) -> Value:
    """The value of `node`; never raises. `lookup` gives the values of names."""
    kind = type(node)
    if kind is nodes.Integer:
        return wrap(node.value)  # type: ignore[attr-defined]
    if kind is nodes.Name:
        return _name(node.name, lookup)  # type: ignore[attr-defined]
    if kind is nodes.Binary:
        left = evaluate(node.left, lookup)  # type: ignore[attr-defined]
        right = evaluate(node.right, lookup)  # type: ignore[attr-defined]
        if type(left) is int and type(right) is int:
            return _binary(node.op, left, right)  # type: ignore[attr-defined]
        return _symbolic(node.op, left, right)  # type: ignore[attr-defined]
    if isinstance(node, nodes.Unary):
        value = evaluate(node.operand, lookup)
        return _unary(node.op, value) if type(value) is int else _no_number(value)
    if isinstance(node, nodes.LocalLabel):
        return _name(f"{node.number}{'f' if node.forward else 'b'}", lookup)
    if isinstance(node, nodes.Call):
        return _call(node, lookup)
    if isinstance(node, nodes.String):  # a name in quotes
        return _name(node.value.decode("utf-8", "surrogateescape"), lookup)
    if isinstance(node, Placed):
        return Address(node.section, node.offset)
    if isinstance(node, nodes.Float):  # LLVM takes the bits of the double
        return wrap(int.from_bytes(struct.pack("<d", node.value), "little"))
    if isinstance(node, nodes.Malformed):
        return Unresolved(message=node.message)
    return Unresolved(message="this is not a number")


def is_relative(node: nodes.Node, lookup: Lookup, section: str) -> bool:
    """Whether the linker can put `node` into a field of `section`: an address, or none, minus one in that section.

    The relocation (R_AMDGPU_REL32 and REL64) counts from the field, so the subtrahend's distance to it must be known.
    """
    terms = _terms(node, lookup)
    if terms is None:
        return False
    plus, minus = terms
    for address in tuple(plus):  # distances within a section are numbers
        other = next((each for each in minus if section_of(each.section) == section_of(address.section)), None)
        if other is not None:
            plus.remove(address)
            minus.remove(other)
    return len(plus) <= 1 and len(minus) <= 1 and all(section_of(each.section) == section_of(section) for each in minus)


def _terms(node: nodes.Node, lookup: Lookup) -> tuple[list[Address], list[Address]] | None:
    """The addresses that `node` adds and subtracts; None if it does anything else with them."""
    if isinstance(node, nodes.Binary) and node.op in ("+", "-"):
        left, right = _terms(node.left, lookup), _terms(node.right, lookup)
        if left is None or right is None:
            return None
        plus, minus = right if node.op == "+" else right[::-1]
        return left[0] + plus, left[1] + minus
    if isinstance(node, nodes.Unary) and node.op in ("+", "-"):
        terms = _terms(node.operand, lookup)
        if terms is None or node.op == "+":
            return terms
        return terms[::-1] if terms[1] or not terms[0] else None  # LLVM negates a difference, no address
    value = evaluate(node, lookup)
    if isinstance(value, Address):
        return [value], []
    return ([], []) if type(value) is int else None


def substitute(node: nodes.Node, replacement: "Callable[[str], nodes.Node | None]") -> nodes.Node:
    """`node` with names replaced by the results of `replacement`; the very same node if that has none."""
    if isinstance(node, nodes.Name):
        return replacement(node.name) or node
    if isinstance(node, nodes.Binary):
        left, right = substitute(node.left, replacement), substitute(node.right, replacement)
        if left is node.left and right is node.right:
            return node
        return nodes.Binary(node.start, node.end, node.op, left, right)
    if isinstance(node, nodes.Unary):
        operand = substitute(node.operand, replacement)
        return node if operand is node.operand else nodes.Unary(node.start, node.end, node.op, operand)
    if isinstance(node, nodes.Call):
        arguments = tuple(substitute(argument, replacement) for argument in node.arguments)
        if all(new is old for new, old in zip(arguments, node.arguments, strict=True)):
            return node
        return nodes.Call(node.start, node.end, node.name, arguments)
    return node


def names_in(node: nodes.Node) -> tuple[str, ...]:
    """The names in `node`, in order, each once."""
    found: dict[str, None] = {}
    _collect(node, found)
    return tuple(found)


def _collect(node: nodes.Node, found: dict[str, None]) -> None:
    # By exact type, frequent ones first: this runs for every operand of every distinct line.
    kind = type(node)
    if kind is nodes.Integer:
        return
    if kind is nodes.Name:
        found[node.name] = None  # type: ignore[attr-defined]
    elif kind is nodes.Binary:
        _collect(node.left, found)  # type: ignore[attr-defined]
        _collect(node.right, found)  # type: ignore[attr-defined]
    elif isinstance(node, nodes.Index):
        _collect(node.first, found)
        if node.last is not None:
            _collect(node.last, found)
    elif isinstance(node, nodes.Unary | nodes.Absolute):
        _collect(node.operand, found)
    elif isinstance(node, nodes.LocalLabel):
        found[f"{node.number}{'f' if node.forward else 'b'}"] = None
    elif isinstance(node, nodes.Call):
        if node.name in _TARGET_FUNCTIONS:
            found.update(dict.fromkeys(_VERSION))
        if node.name in FUNCTIONS:
            found[FORMER_FUNCTIONS] = None
        for argument in node.arguments:
            _collect(argument, found)
    elif isinstance(node, nodes.Bracket):
        for item in node.items:
            _collect(item, found)
    elif isinstance(node, nodes.Modifier):
        _collect(node.value, found)
    elif isinstance(node, nodes.Structure):
        for field in node.fields:
            _collect(field.value, found)


def _name(name: str, lookup: Lookup) -> Value:
    value = lookup(name)
    if type(value) is int or isinstance(value, Address):
        return value
    assert isinstance(value, MissingSymbol)
    # A symbol exists whose value only the build knows: the names that its value depends on are missing.
    return Unresolved(value.because if value.unknown else (name,), value.unknown)


def _no_number(value: Value) -> Unresolved:
    return value if isinstance(value, Unresolved) else Unresolved(message="an address is not a number here")


def _symbolic(op: str, left: Value, right: Value) -> Value:
    if isinstance(left, Unresolved) or isinstance(right, Unresolved):
        sides = [side for side in (left, right) if isinstance(side, Unresolved)]
        names = tuple(dict.fromkeys(name for side in sides for name in side.names))
        return Unresolved(names, any(side.unknown for side in sides), sides[0].message)
    if isinstance(left, Address) and isinstance(right, Address):
        return _of_addresses(op, left, right)
    if op == "+":
        if isinstance(left, Address) and type(right) is int:
            return Address(left.section, left.offset + right)
        if isinstance(right, Address) and type(left) is int:
            return Address(right.section, right.offset + left)
    if op == "-" and isinstance(left, Address) and type(right) is int:
        return Address(left.section, left.offset - right)
    return Unresolved(message="an address is not a number here")


def _of_addresses(op: str, left: Address, right: Address) -> Value:
    if left.section != right.section:
        first, second = section_of(left.section), section_of(right.section)
        if first == second:  # their distance is known once all parts of the section are there
            return Unresolved()
        return Unresolved(message=f"`{first}` and `{second}` are different sections")
    if op == "+":
        return Unresolved(message="two addresses cannot be added")
    return _binary(op, left.offset, right.offset)


def _unary(op: str, value: int) -> int:
    if op == "-":
        return wrap(-value)
    if op == "~":
        return wrap(~value)
    if op == "!":
        return int(value == 0)
    return value


def _truth(value: bool) -> int:
    return -1 if value else 0


def _binary(op: str, left: int, right: int) -> Value:
    operation = _OPERATIONS.get(op)
    if operation is not None:
        return wrap(operation(left, right))
    if right == 0:
        return Unresolved(message="division by zero")
    whole = quotient(left, right)
    return wrap(whole if op == "/" else left - whole * right)


def quotient(left: int, right: int) -> int:
    """The quotient towards zero."""
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "&": lambda left, right: left & right,
    "|": lambda left, right: left | right,
    "^": lambda left, right: left ^ right,
    "!": lambda left, right: left | ~right,
    # LLVM's host processor counts shifts modulo 64.
    "<<": lambda left, right: left << (right & 63),
    ">>": lambda left, right: (left & _MASK) >> (right & 63),
    "&&": lambda left, right: int(bool(left and right)),
    "||": lambda left, right: int(bool(left or right)),
    "==": lambda left, right: _truth(left == right),
    "!=": lambda left, right: _truth(left != right),
    "<>": lambda left, right: _truth(left != right),
    "<": lambda left, right: _truth(left < right),
    "<=": lambda left, right: _truth(left <= right),
    ">": lambda left, right: _truth(left > right),
    ">=": lambda left, right: _truth(left >= right),
}


def _aligned(values: list[int]) -> int:
    value, step = values
    return -(-value // step) * step if step else value


def _extra_sgprs(values: list[int], version: "tuple[int, int, int]") -> int:
    """SGPRs that VCC, flat scratch and XNACK take at the end of the allocation (LLVM: getNumExtraSGPRs)."""
    uses_vcc, uses_flat_scratch, uses_xnack = values
    major, minor, _ = version
    extra = 2 if uses_vcc else 0
    if major >= 10:
        return extra
    if major < 8:
        return 4 if uses_flat_scratch else extra
    has_architected_flat_scratch = (major, minor) >= (9, 4)
    return 6 if uses_flat_scratch or has_architected_flat_scratch else 4 if uses_xnack else extra


def _total_vgprs(values: list[int], version: "tuple[int, int, int]") -> int:
    """VGPRs that a kernel allocates; from gfx90a, its AGPRs follow in the same file."""
    agprs, vgprs = (value & _MASK for value in values)
    is_unified = version == (9, 0, 10) or (version[0] == 9 and version[1] >= 4)
    return -(-vgprs // 4) * 4 + agprs if is_unified and agprs else max(vgprs, agprs)


_CACHE_LINE, _OLD_CACHE_LINE = 128, 64  # bytes of a line of the instruction cache: from gfx11, and before


def _prefetch_size(values: list[int], version: "tuple[int, int, int]") -> int:
    """Cache lines that this many bytes of code take, limited by the width of the descriptor's field.

    LLVM has this from version 23; Triton's kernels use it from gfx11.
    """
    line = _CACHE_LINE if version[0] >= 11 else _OLD_CACHE_LINE
    return min(-(-(values[0] & _MASK) // line), 63 if version[0] <= 11 else 255)


# The most SGPRs with which this many waves fit (LLVM: getOccupancyWithNumSGPRs): from gfx8, and before.
_SGPR_WAVES = ((80, 10), (88, 9), (100, 8))
_OLD_SGPR_WAVES = ((48, 10), (56, 9), (64, 8), (72, 7), (80, 6))
# LLVM's numbers of the generations in its `Generation` enumeration.
_VOLCANIC_ISLANDS, _GFX10 = 6, 8


FORMER_FUNCTIONS = ".amdgcn.former functions"
"""A symbol that no file can name: 1 if the functions are those of the assembler before `NewerFunctions`, a row of
`isa.versions`."""
_NEWER = frozenset(("min", "instprefsize"))
# Arguments, before and since: the SGPRs' total, granule and reserve stand in for the generation.
_FORMER_OCCUPANCY, _NEWER_OCCUPANCY = 7, 9


def _occupancy(values: list[int]) -> int:
    """Waves that fit on a SIMD."""
    if len(values) == _NEWER_OCCUPANCY:
        most, granule, total, waves, all_sgprs, step, reserve, sgprs, vgprs = (value & _MASK for value in values)
        taken = _aligned([sgprs, step]) + reserve
        if sgprs and taken and all_sgprs:
            waves = min(waves, max(1, min(all_sgprs // taken, most)))
        return _by_vgprs(waves, most, granule, total, vgprs)
    most, granule, total, generation, waves, sgprs, vgprs = (value & _MASK for value in values)
    if sgprs:
        if generation >= _GFX10:
            by_sgprs = most
        elif generation >= _VOLCANIC_ISLANDS:
            by_sgprs = next((count for limit, count in _SGPR_WAVES if sgprs <= limit), 7)
        else:
            by_sgprs = next((count for limit, count in _OLD_SGPR_WAVES if sgprs <= limit), 5)
        waves = min(waves, by_sgprs)
    return _by_vgprs(waves, most, granule, total, vgprs)


def _by_vgprs(waves: int, most: int, granule: int, total: int, vgprs: int) -> int:
    if vgprs:
        rounded = -(-vgprs // granule) * granule if granule else vgprs
        waves = min(waves, most if vgprs < granule else min(max(total // rounded, 1), most))
    return waves


# The functions of LLVM's AMDGPU expressions (AMDGPUMCExpr), with the number of arguments (0: one or more).
_FUNCTIONS: dict[str, tuple[int, Callable[[list[int]], int]]] = {
    "max": (0, max),
    "min": (0, min),
    "or": (0, lambda values: reduce(or_, values)),
    "alignto": (2, _aligned),
    "occupancy": (_NEWER_OCCUPANCY, _occupancy),
}
# Those that also depend on the target's version.
_TARGET_FUNCTIONS: dict[str, tuple[int, Callable[[list[int], tuple[int, int, int]], int]]] = {
    "extrasgprs": (3, _extra_sgprs),
    "totalnumvgprs": (2, _total_vgprs),
    "instprefsize": (1, _prefetch_size),
}
FUNCTIONS = frozenset((*_FUNCTIONS, *_TARGET_FUNCTIONS))
_VERSION = tuple(f".amdgcn.gfx_generation_{part}" for part in ("number", "minor", "stepping"))


def _version(lookup: Lookup) -> "tuple[int, int, int]":
    """The target's version, from its predefined symbols."""
    major, minor, stepping = (value if type(value) is int else 0 for value in map(lookup, _VERSION))
    return major, minor, stepping


def _call(node: nodes.Call, lookup: Lookup) -> Value:
    arity, _ = _FUNCTIONS.get(node.name) or _TARGET_FUNCTIONS.get(node.name) or (-1, None)
    if arity < 0:
        return Unresolved(message=f"`{node.name}` is not a function")
    is_former = lookup(FORMER_FUNCTIONS) == 1
    if is_former and node.name in _NEWER:
        return Unresolved(message=f"`{node.name}` is a function only from LLVM 23")
    if is_former and node.name == "occupancy":
        arity = _FORMER_OCCUPANCY
    # LLVM 22 drops arguments that are too many.
    arguments = node.arguments[:arity] if is_former and arity else node.arguments
    count = len(arguments)
    if not count or (arity and count != arity):
        takes = f"{arity} argument{'s' if arity > 1 else ''}" if arity else "arguments"
        return Unresolved(message=f"`{node.name}` takes {takes}; got {count}")
    values: list[int] = []
    for argument in arguments:
        value = evaluate(argument, lookup)
        if type(value) is not int:
            return _no_number(value)
        values.append(value)
    if node.name in _FUNCTIONS:
        return wrap(_FUNCTIONS[node.name][1](values))
    return wrap(_TARGET_FUNCTIONS[node.name][1](values, _version(lookup)))
