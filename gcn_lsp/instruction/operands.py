"""Classifies written operands: registers, numbers, names, modifiers and helper calls.

The class of an operand does not depend on the instruction, except for a few that are written in parts but count as one:
cache policies (`glc slc`), the counts of `s_waitcnt`, formats of typed buffers, attributes.
"""

import struct
from bisect import bisect_right
from collections.abc import Callable, Hashable, Mapping
from typing import Any

import msgspec

from gcn_lsp import isa
from gcn_lsp.instruction import immediates, registers
from gcn_lsp.instruction.model import LineFix, Problem
from gcn_lsp.instruction.registers import BadRegister, RegisterNames, RegisterRef
from gcn_lsp.instruction.special import cache_policy, formats
from gcn_lsp.instruction.values import Reading, Scope
from gcn_lsp.isa import versions
from gcn_lsp.isa.modifiers import cache_policy as policies
from gcn_lsp.isa.operands import formats as format_table
from gcn_lsp.isa.operands.immediates import FLOAT_BITS
from gcn_lsp.patterns import regex
from gcn_lsp.syntax import expressions, nodes

REGISTER, NUMBER, EXPRESSION, NAME, MODIFIER, CALL, MERGED, UNKNOWN, BAD = range(9)
"""What an operand is. MERGED: several written parts that count as one. UNKNOWN: depends on a build-defined symbol."""

NEG, ABS, SEXT, LIT, LIT64 = 1, 2, 4, 8, 16
"""Source modifiers, as bits of `Argument.modifiers`."""
FLOAT_MODIFIERS = NEG | ABS
SOURCE_MODIFIERS = NEG | ABS | SEXT

CACHE, FORMAT, ATTRIBUTE, CHANNEL, WHOLE = "cache policy", "format", "attribute", "channel", "whole"
"""Names of MERGED operands."""
STRUCTURE = "{}"
"""The name of a call whose arguments have names: `{id: 1}` for `hwreg(1)`."""


class Argument(msgspec.Struct, frozen=True, gc=False):
    """A written operand.

    shape: equal for operands that every slot treats alike. value: of a number (a float's 64 bits if is_float).
    name: of a name, a modifier, a call or a merged operand. parts: the nodes of a merged operand.
    """

    kind: int
    node: nodes.Node
    shape: Hashable
    register: RegisterRef | None = None
    value: int = 0
    is_float: bool = False
    modifiers: int = 0
    name: str = ""
    parts: tuple[nodes.Node, ...] = ()
    problem: Problem | None = None


# Bounds between which every slot treats integers alike: inline constants, 8, 16 and 32 bits, signed and unsigned.
_BOUNDS = (
    -(1 << 31), -(1 << 23), -(1 << 20), -(1 << 16), -(1 << 15), -16, 0, 65, 256, 1 << 15, (1 << 16) - 16, 1 << 16,
    1 << 20, 1 << 23, 1 << 31, (1 << 32) - 16, 1 << 32,
)  # fmt: skip
_FLOAT_PATTERNS = frozenset(
    pattern if pattern < 1 << 63 else pattern - (1 << 64)  # symbols have signed values of 64 bits
    for patterns in FLOAT_BITS.values()
    for pattern in patterns
)
_SMALL_PATTERNS = frozenset(
    value - (1 << bits)
    for value, bits in ((pattern, 16 if pattern < 1 << 16 else 32) for pattern in _FLOAT_PATTERNS)
    if 0 <= value < 1 << bits and value >> (bits - 1) & 1
)
_PATTERNS = _FLOAT_PATTERNS | _SMALL_PATTERNS
_FUNCTIONS = expressions.FUNCTIONS
_LITERAL_CALLS = ("lit", "lit64")
_SOURCE_CALLS = {"neg": NEG, "abs": ABS, "sext": SEXT, "lit": LIT, "lit64": LIT64}
_REGISTER_FILES = frozenset(("v", "s", "a", "acc", "ttmp"))


def integer_shape(value: int, modifiers: int = 0) -> Hashable:
    """The shape of an integer operand."""
    if value in _PATTERNS:
        return ("i", value, modifiers)
    if not -(1 << 31) <= value < 1 << 32:
        return (bisect_right(_BOUNDS, value), modifiers, immediates.is_inline(value, False, immediates.LOW_HALF, True))
    return (bisect_right(_BOUNDS, value), modifiers)


_NUMBER_BITS = 32  # of a register number, which is never negative
_SPLIT_FORMATS = ("dfmt", "nfmt")


class OperandReader:
    """Classifies operands of one line."""

    __slots__ = ("names", "scope", "_strict")

    def __init__(self, names: RegisterNames, scope: Scope) -> None:
        self.names = names
        self.scope = scope
        self._strict = scope.target.has(versions.STRICT_LITERALS)

    def read_all(
        self, written: tuple[nodes.Node, ...], keywords: dict[str, int], first_place: int = 0
    ) -> list[Argument]:
        """The operands of a statement. keywords: bare words of the instruction with the first place of each.

        From that place on a keyword is never a register or a symbol: `a16` and `scc` are both.
        """
        found: list[Argument] = []
        ahead = 0  # `dfmt:` and `nfmt:` count as one operand of the form
        for node in written:
            if type(node) is nodes.Name:
                name: str = node.name
                place = keywords.get(name)
                if place is not None and first_place + len(found) - ahead >= place:
                    found.append(Argument(NAME, node, name, None, 0, False, 0, name))
                    continue
            elif isinstance(node, nodes.DualIssue):
                found.append(Argument(NAME, node, "::", None, 0, False, 0, "::"))
                found.append(Argument(NAME, node, node.name, None, 0, False, 0, node.name))
                continue
            elif type(node) is nodes.Binary:
                parts = self._split_register(node)
                if parts is not None:
                    found += [self.read(part) for part in parts]
                    continue
            argument = self.read(node)
            if argument.name in _SPLIT_FORMATS and found and found[-1].name in _SPLIT_FORMATS:
                ahead = 1
            found.append(argument)
        return found

    def _split_register(self, node: nodes.Binary) -> tuple[nodes.Node, nodes.Node] | None:
        """`v1 -2` without a comma is a register and a number, since an expression cannot start with a register."""
        rest: list[nodes.Binary] = []
        left: nodes.Node = node
        while isinstance(left, nodes.Binary):
            rest.append(left)
            left = left.left
        first = rest.pop()
        is_register = isinstance(left, nodes.Index) or (
            isinstance(left, nodes.Name) and isinstance(self.names.named(left.name), RegisterRef)
        )
        if not is_register or first.op not in ("-", "+"):
            return None
        right: nodes.Node = nodes.Unary(first.right.start, first.right.end, first.op, first.right)
        for binary in reversed(rest):
            right = nodes.Binary(right.start, binary.end, binary.op, right, binary.right)
        return left, right

    def read(self, node: nodes.Node) -> Argument:
        """The operand that `node` is."""
        reader = _READERS.get(type(node))
        return reader(self, node) if reader is not None else self._expression(node)

    def _name(self, node: Any) -> Argument:
        name: str = node.name
        found = self.names.named(name)
        if found is not None:
            return _register(node, found)
        if name in self.scope.symbols:
            value = self.scope.symbols[name]
            if value is None:
                return Argument(UNKNOWN, node, "?")
            return Argument(NUMBER, node, integer_shape(value), None, value, False, 0, name)
        return Argument(NAME, node, name, None, 0, False, 0, name)

    def _index(self, node: Any) -> Argument:
        if node.base not in _REGISTER_FILES:
            message = f"`{node.base}[...]` is not a register; tuples are v[..], s[..], a[..] and ttmp[..]"
            return _bad(node, "syntax-error", message)
        first = self.scope.plain(node.first)
        if first is None or first >> _NUMBER_BITS:
            number = self._register_number(node.first)
            if not isinstance(number, int):
                return _unread(node, number)
            first = number
        last = first
        if node.last is not None:
            reading = self.scope.plain(node.last)
            if reading is None or reading >> _NUMBER_BITS:
                number = self._register_number(node.last)
                if not isinstance(number, int):
                    return _unread(node, number)
                reading = number
            last = reading
        if last < first:
            return _bad(node, "syntax-error", f"the tuple ends at {last}, before its start {first}")
        found = self.names.numbered(node.base, first, last - first + 1)
        return _register(node, found)

    def _register_number(self, node: nodes.Node) -> Reading:
        value = self.scope.number(node, "a register number")
        if isinstance(value, int) and value >> _NUMBER_BITS:
            return Problem("register-out-of-range", node.start, node.end, f"the register number is {value}")
        return value

    def _integer(self, node: Any) -> Argument:
        value: int = node.value
        if value >> 63:
            if value >> 64:
                return _bad(node, "syntax-error", f"{value} does not fit in 64 bits")
            value -= 1 << 64
        return Argument(NUMBER, node, integer_shape(value), None, value)

    def _float(self, node: Any) -> Argument:
        return _float_argument(node, node.value)

    def _unary(self, node: Any) -> Argument:
        operand = node.operand
        if node.op == "-":
            kind = type(operand)
            if kind is nodes.Float:
                return _float_argument(node, -operand.value)
            if kind is nodes.Absolute or (kind is nodes.Call and operand.name == "abs"):
                return self._modified(node, operand, NEG)
            if (
                kind is nodes.Index
                or kind is nodes.Bracket
                or (kind is nodes.Name and self.names.named(operand.name) is not None)
            ):
                return self._modified(node, operand, NEG)
        return self._expression(node)

    def _absolute(self, node: Any) -> Argument:
        inner = node.operand
        # LLVM forgets `lit` between bars, though not in `abs(lit(1.0))`.
        if type(inner) is nodes.Call and inner.name in _LITERAL_CALLS and len(inner.arguments) == 1:
            inner = inner.arguments[0]
        return self._modified(node, inner, ABS)

    def _call(self, node: Any) -> Argument:
        bit = _SOURCE_CALLS.get(node.name)
        if bit is not None:
            if len(node.arguments) != 1:
                return _bad(node, "syntax-error", f"`{node.name}` takes one operand")
            return self._modified(node, node.arguments[0], bit)
        if node.name in _FUNCTIONS:
            return self._expression(node)
        return Argument(CALL, node, node.name + "(", None, 0, False, 0, node.name)

    def _structure(self, node: Any) -> Argument:
        return Argument(CALL, node, STRUCTURE, None, 0, False, 0, STRUCTURE)

    def _modified(self, node: nodes.Node, inner: nodes.Node, bit: int) -> Argument:
        """`inner` with a source modifier. Modifiers nest in one order only: neg, then abs, then lit."""
        argument = self.read(inner)
        if argument.kind in (BAD, UNKNOWN):
            return argument
        has = argument.modifiers
        if bit == SEXT:
            nests = not has
        elif bit >= LIT:
            nests = not has and argument.kind == NUMBER
        elif bit == ABS:
            nests = not has & (NEG | ABS | SEXT)
        else:
            nests = not has & (NEG | SEXT)
        if bit == ABS and isinstance(inner, nodes.Unary) and inner.op == "-" and argument.kind == REGISTER:
            nests = False
        if not nests:
            return _bad(node, "syntax-error", "source modifiers nest as neg(abs(operand)), each once")
        if argument.kind in (EXPRESSION, NAME):
            name = argument.name or "this expression"
            return _bad(
                inner, "undefined-symbol", f"`{name}` has no value at this line; a source modifier needs a number"
            )
        if argument.kind not in (REGISTER, NUMBER):
            return _bad(node, "wrong-operand-kind", "a source modifier applies to a register or a number")
        has |= bit
        if bit == LIT and not argument.is_float and not -(1 << 31) <= argument.value < 1 << 32 and self._strict:
            return _bad(node, "immediate-out-of-range", f"{number_text(argument)} has more than the 32 bits of `lit`")
        if argument.register is not None:
            return Argument(REGISTER, node, (argument.register.shape, has), argument.register, 0, False, has)
        if argument.is_float:
            return Argument(NUMBER, node, ("f", argument.value, has), None, argument.value, True, has)
        return Argument(NUMBER, node, ("i", argument.value, has), None, argument.value, False, has, argument.name)

    def _modifier(self, node: Any) -> Argument:
        return Argument(MODIFIER, node, node.name + ":", None, 0, False, 0, node.name)

    def _special_pair(self, node: Any, items: list[RegisterRef]) -> Argument:
        """The halves of a register with a name: `[vcc_lo, vcc_hi]`."""
        first, second = items[:2]
        whole = self.names.named(first.text.removesuffix("_lo")) if first.text.endswith("_lo") else None
        if len(items) == 2 and isinstance(whole, RegisterRef) and second.text == whole.text + "_hi":
            return _register(node, whole)
        return _bad(node.items[1], "wrong-operand-kind", f"`{second.text}` does not follow `{first.text}`")

    def _bracket(self, node: Any) -> Argument:
        """A tuple written register by register: `[s0, s1, s2, s3]`."""
        items: list[RegisterRef] = []
        for item in node.items:
            argument = self.read(item)
            if argument.kind in (BAD, UNKNOWN):
                return argument
            register = argument.register
            if register is None or argument.modifiers:
                return _bad(item, "wrong-operand-kind", "a list in brackets holds registers")
            if len(node.items) > 1 and register.count != 1:
                return _bad(item, "wrong-register-width", f"`{register.text}` is not a single register")
            items.append(register)
        if not items:
            return _bad(node, "syntax-error", "a register is expected between the brackets")
        if len(items) == 1:
            return _register(node, items[0])
        first = items[0]
        if first.is_special:
            return self._special_pair(node, items)
        if items[-1].file in ("vcc_lo", "vcc_hi") and first.file == "s":
            whole = self.names.ending_in_vcc(tuple([register.text for register in items]))
            if whole is not None:
                return _register(node, whole)
        for place, (item, register) in enumerate(zip(node.items, items, strict=True)):
            if register.file != first.file or register.first != first.first + place:
                wanted = registers.tuple_text(first.file, first.first + place, 1)
                message = f"the next register of the list must be `{wanted}`, not `{register.text}`"
                return _bad(item, "operand-conflict", message)
        return _register(node, self.names.numbered(first.file, first.first, len(items)))

    def _dual(self, node: Any) -> Argument:
        return Argument(NAME, node, "::", None, 0, False, 0, "::")

    def _malformed(self, node: Any) -> Argument:
        return _bad(node, "syntax-error", node.message)

    def _string(self, node: Any) -> Argument:
        return _bad(node, "wrong-operand-kind", "an instruction takes no string operand")

    def _expression(self, node: nodes.Node) -> Argument:
        value = self.scope.evaluate(node)
        if isinstance(value, int):
            return Argument(NUMBER, node, integer_shape(value), None, value)
        if isinstance(value, expressions.Unresolved):
            if value.unknown:
                return Argument(UNKNOWN, node, "?")
            if not value.names:
                return _bad(node, "syntax-error", value.message)
            register = next((name for name in value.names if self.names.named(name) is not None), None)
            if register is not None:
                return _bad(node, "wrong-operand-kind", f"`{register}` is a register; expressions take numbers only")
        return Argument(EXPRESSION, node, "expr")


_READERS: dict[type, Callable[[OperandReader, Any], Argument]] = {
    nodes.Name: OperandReader._name,
    nodes.Index: OperandReader._index,
    nodes.Integer: OperandReader._integer,
    nodes.Float: OperandReader._float,
    nodes.Unary: OperandReader._unary,
    nodes.Absolute: OperandReader._absolute,
    nodes.Call: OperandReader._call,
    nodes.Modifier: OperandReader._modifier,
    nodes.Structure: OperandReader._structure,
    nodes.Bracket: OperandReader._bracket,
    nodes.DualIssue: OperandReader._dual,
    nodes.Malformed: OperandReader._malformed,
    nodes.String: OperandReader._string,
}


def _register(node: nodes.Node, found: RegisterRef | BadRegister) -> Argument:
    if type(found) is RegisterRef:
        return Argument(REGISTER, node, found.shape, found)
    assert isinstance(found, BadRegister)
    problem = Problem(found.rule, node.start, node.end, found.message)
    return Argument(BAD, node, "bad", None, 0, False, 0, "", (), problem)


def _unread(node: nodes.Node, reading: Problem | None) -> Argument:
    if reading is None:
        return Argument(UNKNOWN, node, "?")
    return Argument(BAD, node, "bad", None, 0, False, 0, "", (), reading)


def _bad(node: nodes.Node, rule: str, message: str, fixes: tuple[LineFix, ...] = ()) -> Argument:
    problem = Problem(rule, node.start, node.end, message, fixes)
    return Argument(BAD, node, "bad", None, 0, False, 0, "", (), problem)


def _float_argument(node: nodes.Node, value: float) -> Argument:
    bits = int.from_bytes(struct.pack("<d", value), "little")
    return Argument(NUMBER, node, ("f", bits), None, bits, True)


_PLAIN_LIMIT = 4096


def number_text(argument: Argument) -> str:
    """A number operand as messages show it."""
    if argument.is_float:
        return str(struct.unpack("<d", argument.value.to_bytes(8, "little"))[0])
    value = argument.value
    return str(value) if -_PLAIN_LIMIT < value < _PLAIN_LIMIT else f"{value:#x}"


# -- operands that are written in parts ---------------------------------------------------------------------------


def merge_cache_policy(
    arguments: list[Argument], scope: Scope, bits: Mapping[str, int], line: bytes = b""
) -> list[Argument]:
    """Merges consecutive policies into one operand, in any order, without commas between them in `line`."""
    merged: list[Argument] = []
    run: list[Argument] = []
    for argument in arguments:
        if argument.kind in _MAY_BE_POLICY and _is_policy(argument, bits, scope.target):
            comma = line.find(b",", run[-1].node.end, argument.node.start) if run else -1
            if comma >= 0:
                merged.append(_divided(argument.node, comma))
                run = []
            run.append(argument)
            continue
        if run:
            merged.append(_policy(run, scope, bits))
            run = []
        merged.append(argument)
    if run:
        merged.append(_policy(run, scope, bits))
    return merged


_MAY_BE_POLICY = frozenset((NAME, MODIFIER))


def _divided(node: nodes.Node, comma: int) -> Argument:
    message = "cache policies are one operand, without commas between them"
    fix = LineFix("Remove the comma", comma, comma + 1, "")
    return _bad(node, "syntax-error", message, (fix,))


def _is_policy(argument: Argument, bits: Mapping[str, int], target: isa.Target) -> bool:
    if argument.kind == NAME:
        return bool(cache_policy.flag(argument.name, bits)[0])
    return argument.kind == MODIFIER and argument.name in policies.HINT_WORDS and target.has_temporal_hints


def _policy(run: list[Argument], scope: Scope, bits: Mapping[str, int]) -> Argument:
    seen: set[str] = set()
    value = 0
    problem: Problem | None = None
    for argument in run:
        node = argument.node
        if isinstance(node, nodes.Modifier):
            key = node.name
            reading = cache_policy.read_word(node, scope)
            if not isinstance(reading, int):
                return _unread(node, reading)
            value |= reading
        else:
            bit, enabled = cache_policy.flag(argument.name, bits)
            key = str(bit)
            problem = problem or cache_policy.unavailable(node, argument.name, bit, enabled, scope.target)
            value |= bit if enabled else 0
        if key in seen and problem is None:
            problem = Problem("duplicate-modifier", node.start, node.end, f"`{argument.name}` is given twice")
        seen.add(key)
    node = nodes.Node(run[0].node.start, run[-1].node.end)
    parts = tuple(argument.node for argument in run)
    if problem is not None:
        return Argument(BAD, node, "bad", None, 0, False, 0, CACHE, parts, problem)
    return Argument(MERGED, node, (CACHE, value), None, value, False, 0, CACHE, parts)


_TRAILING_COMMA = regex(rb"[ \t]*(,)")


def merge_whole(arguments: tuple[nodes.Node, ...], line: bytes = b"") -> list[Argument]:
    """All operands as one: the counts of `s_waitcnt`. line: their text, if no comma may follow."""
    if not arguments:
        return []
    comma = _TRAILING_COMMA.match(line, arguments[-1].end) if isinstance(arguments[-1], nodes.Call) else None
    if comma is not None:
        fix = LineFix("Remove the comma", comma.start(1), comma.end(), "")
        place = nodes.Node(comma.start(1), comma.end())
        return [_bad(place, "syntax-error", "another count is expected after this comma", (fix,))]
    node = nodes.Node(arguments[0].start, arguments[-1].end)
    return [Argument(MERGED, node, WHOLE, None, 0, False, 0, WHOLE, arguments)]


_FORMAT_PLACE = 3  # after the data, the address and the resource


def merge_format(arguments: list[Argument], scope: Scope) -> list[Argument]:
    """Merges `dfmt:`/`nfmt:` before soffset or `format:` after it into one operand before soffset; adds the default."""
    if len(arguments) < _FORMAT_PLACE or any(argument.kind == BAD for argument in arguments[:_FORMAT_PLACE]):
        return arguments
    before, rest = arguments[:_FORMAT_PLACE], arguments[_FORMAT_PLACE:]
    if format_table.is_unified(scope.target.features):
        if rest and rest[0].kind == MODIFIER and rest[0].name == "format":
            first = rest[0].node
            assert isinstance(first, nodes.Modifier)
            return [*before, _format(first, (first,), formats.read_number(first.value, scope)), *rest[1:]]
        return _late_format(before, rest, scope)
    split: list[nodes.Modifier] = []
    while rest and len(split) < 2 and rest[0].kind == MODIFIER and rest[0].name in _SPLIT_FORMATS:
        node = rest[0].node
        assert isinstance(node, nodes.Modifier)
        if split and split[0].name == node.name:
            break
        split.append(node)
        rest = rest[1:]
    if split:
        place = nodes.Node(split[0].start, split[-1].end)
        return [*before, _format(place, tuple(split), formats.read_split(tuple(split), scope)), *rest]
    return _late_format(before, rest, scope)


def _late_format(before: list[Argument], rest: list[Argument], scope: Scope) -> list[Argument]:
    """`format:` after soffset, or the default."""
    if len(rest) > 1 and rest[1].kind == MODIFIER and rest[1].name == "format":
        node = rest[1].node
        assert isinstance(node, nodes.Modifier)
        return [*before, _format(node, (node,), formats.read(node.value, scope)), rest[0], *rest[2:]]
    end = before[-1].node.end
    return [*before, _format(nodes.Node(end, end), (), format_table.DEFAULT), *rest]


def _format(node: nodes.Node, parts: tuple[nodes.Node, ...], reading: Reading) -> Argument:
    if isinstance(reading, int):
        return Argument(MERGED, node, FORMAT, None, reading, False, 0, FORMAT, parts)
    return _unread(node, reading)


_ADDRESS_PLACE = 1  # after the data


def has_address_list(written: tuple[nodes.Node, ...]) -> bool:
    """Whether the addresses of an image instruction are listed in brackets."""
    if len(written) <= _ADDRESS_PLACE:
        return False
    node = written[_ADDRESS_PLACE]
    return isinstance(node, nodes.Bracket) and len(node.items) > 1


def read_address_list(
    written: tuple[nodes.Node, ...], reader: OperandReader, keywords: dict[str, int]
) -> list[Argument]:
    """The operands of an image instruction with separate addresses: each address is an operand."""
    node = written[_ADDRESS_PLACE]
    assert isinstance(node, nodes.Bracket)
    opening, closing = nodes.Node(node.start, node.start + 1), nodes.Node(node.end - 1, node.end)
    before = [
        *reader.read_all(written[:_ADDRESS_PLACE], keywords),
        Argument(NAME, opening, "[", None, 0, False, 0, "["),
        *(reader.read(item) for item in node.items),
        Argument(NAME, closing, "]", None, 0, False, 0, "]"),
    ]
    return before + reader.read_all(written[_ADDRESS_PLACE + 1 :], keywords, len(before))


_CHANNELS = {".x": 0, ".y": 1, ".z": 2, ".w": 3}
_LAST_ATTRIBUTE = 32


def split_attribute(argument: Argument) -> list[Argument]:
    """`attr3.x` as attribute 3 and channel 0; other operands stay as they are."""
    name = argument.name
    if argument.kind != NAME or not name.startswith("attr"):
        return [argument]
    node = argument.node
    channel = _CHANNELS.get(name[-2:])
    if channel is None:
        return [
            _bad(
                node,
                "wrong-operand-kind",
                f"`{name}` has no channel; an attribute is attr0.x to attr{_LAST_ATTRIBUTE}.w",
            )
        ]
    number = name[4:-2]
    if not number.isdigit() or int(number) > _LAST_ATTRIBUTE:
        message = f"`{name}` is not an attribute; the range is attr0 to attr{_LAST_ATTRIBUTE}"
        return [_bad(node, "immediate-out-of-range", message)]
    return [
        Argument(MERGED, node, ATTRIBUTE, None, int(number), False, 0, ATTRIBUTE, (node,)),
        Argument(MERGED, nodes.Node(node.end - 2, node.end), CHANNEL, None, channel, False, 0, CHANNEL, (node,)),
    ]
