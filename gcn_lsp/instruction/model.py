"""The results of assembling: instructions, problems, fixups. All are immutable and position-free.

An `Instruction` depends only on its statement and on the values of the symbols in it, so all places with the same line
and the same values share it.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

from gcn_lsp import isa
from gcn_lsp.syntax import nodes
from gcn_lsp.syntax.statement import Statement
from gcn_lsp.text import Text, rendered


class LineFix(msgspec.Struct, frozen=True, gc=False):
    """A fix: replace bytes `start` to `end` of the line by `new_text`; `title` is imperative.

    is_certain: nothing else can be meant, and the result is the same.
    """

    title: str
    start: int
    end: int
    new_text: str
    is_certain: bool = True


class Problem(msgspec.Struct, frozen=True, gc=False):
    """A mistake at bytes `start` to `end` of the line. `rule` is the name of a rule."""

    rule: str
    start: int
    end: int
    said: Text
    fixes: tuple[LineFix, ...] = ()

    @property
    def message(self) -> str:
        """The message as people read it."""
        return rendered(self.said, "")


OperandForm = Literal["register", "immediate", "literal", "modifier", "token", "expression"]
FixupKind = Literal[
    "branch", "literal32", "literal64", "pcrel32", "data8", "data16", "data32", "data64", "data128", "uleb128",
    "sleb128",
]  # fmt: skip


class Operand(msgspec.Struct, frozen=True, gc=False):
    """An operand with its symbols evaluated.

    slot: the name of its slot in the form (`vdst`, `src0`, `offset`, ...).
    node: its syntax.
    text: the operand as LLVM would print it: `v[4:7]`, `0x100`, `vmcnt(0)`.
    register: file (`v`, `s`, `a`, `ttmp`, or the special register's name), first index and count of dwords
    (for special registers `first` is their hardware number). value: of a constant, sign-extended.
    """

    slot: str
    node: nodes.Node
    kind: OperandForm
    text: str
    file: str = ""
    first: int = 0
    count: int = 0
    value: int | float | None = None


class Fixup(msgspec.Struct, frozen=True, gc=False):
    """A field that waits for an address.

    kind: `branch` is simm16, in dwords from the end of the instruction.
    offset: bytes from the instruction's start to the field. expression: its value, once symbols have theirs. name: the
    symbol's name as written, if the expression is just that: the linker knows symbols by it.
    """

    kind: FixupKind
    offset: int
    expression: nodes.Node
    start: int
    end: int
    name: str = ""


class Instruction(msgspec.Struct, frozen=True, weakref=True):
    """An assembled instruction statement.

    form: the matched form; None if nothing matched. code: its bytes, with the fields of `fixups` zero; empty if it
    cannot be encoded. size: bytes in the section (an estimate from the candidates if it cannot be encoded).
    problems: at most one for each mistake; warnings may come with valid code. judged: False if an operand depends on a
    symbol with an unknown value, so that nothing is reported.
    """

    statement: Statement
    form: "isa.Form | None"
    operands: tuple[Operand, ...]
    code: bytes
    size: int
    fixups: tuple[Fixup, ...] = ()
    problems: tuple[Problem, ...] = ()
    judged: bool = True


Symbols = Mapping[str, "int | None"]
