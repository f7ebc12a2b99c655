"""The parts of a line of assembly: statements, operands and expressions, all position-free.

Positions (`start`, `end`) are byte columns in the statement's own line, so a node is valid wherever the same line
occurs. The meaning of names is not known here: `v0`, `glc` and `my_symbol` are all `Name`.
"""

import msgspec


class Node(msgspec.Struct, frozen=True, gc=False):
    """A node at bytes `start` to `end` (half-open) of a line."""

    start: int
    end: int


class Integer(Node, frozen=True, gc=False):
    """A number in any base, not negative (a sign is a `Unary`); may need more than 64 bits."""

    value: int


class Float(Node, frozen=True, gc=False):
    """A number with a fraction or an exponent."""

    value: float


class Name(Node, frozen=True, gc=False):
    """A register, a symbol, a keyword or a flag; `.` is the current location."""

    name: str


class LocalLabel(Node, frozen=True, gc=False):
    """`1b` or `1f`: the nearest label `number:` before or after."""

    number: int
    forward: bool


class String(Node, frozen=True, gc=False):
    """A quoted string with its escapes replaced."""

    value: bytes


class Unary(Node, frozen=True, gc=False):
    """`op` is one of `- + ~ !`."""

    op: str
    operand: Node


class Binary(Node, frozen=True, gc=False):
    """`op` is one of `+ - * / % << >> & | ^ ! && || == != <> < <= > >=` (`!` is or-not)."""

    op: str
    left: Node
    right: Node


class Call(Node, frozen=True, gc=False):
    """`name(args)`: `vmcnt(0)`, `hwreg(HW_REG_MODE, 0, 4)`, `neg(v0)`, `max(a, b)`."""

    name: str
    arguments: tuple[Node, ...]


class Absolute(Node, frozen=True, gc=False):
    """`|operand|`."""

    operand: Node


class Index(Node, frozen=True, gc=False):
    """`base[first]` or `base[first:last]`: a register or a register tuple. `last` is None in the short form."""

    base: str
    first: Node
    last: Node | None


class Bracket(Node, frozen=True, gc=False):
    """`[a, b, c]`: a register list or the value of a modifier such as `op_sel:[0,1]`."""

    items: tuple[Node, ...]


class Modifier(Node, frozen=True, gc=False):
    """`name:value`: `offset:16`, `op_sel:[0,1]`, `dst_sel:BYTE_0`. The name spans `start` to `name_end`."""

    name: str
    name_end: int
    value: Node


class Structure(Node, frozen=True, gc=False):
    """`{id: 1, offset: 0, size: 32}`: fields by name."""

    fields: tuple[Modifier, ...]


class DualIssue(Node, frozen=True, gc=False):
    """`:: mnemonic`: the operands after it belong to the second instruction of a VOPD pair."""

    name: str
    name_start: int


class Malformed(Node, frozen=True, gc=False):
    """Text that is not an operand; `message` says what was expected."""

    message: str
