"""The values that assembling yields: problems, instructions, fixups. All immutable and position-free.

An `Instruction` depends on its statement and on the values of the symbols in it and on nothing else, so it is
shared by every place where the same line stands with the same values.
"""

from collections.abc import Mapping

import msgspec

from gcn_lsp import isa
from gcn_lsp.syntax import nodes
from gcn_lsp.syntax.statement import Statement


class Fix(msgspec.Struct, frozen=True, gc=False):
    """A certain repair: replace bytes `start` to `end` of the line by `new_text`; `title` names it."""

    title: str
    start: int
    end: int
    new_text: str


class Problem(msgspec.Struct, frozen=True, gc=False):
    """Something wrong at bytes `start` to `end` of the line. `rule` names a module of `gcn_lsp.rules`."""

    rule: str
    start: int
    end: int
    message: str
    fixes: tuple[Fix, ...] = ()


class Operand(msgspec.Struct, frozen=True):
    """An operand as it is here, after symbols were evaluated.

    slot: the name of the form's slot it fills (`vdst`, `src0`, `offset`, ...).
    node: what was written. kind: `register`, `immediate`, `literal`, `modifier`, `token`, `expression`.
    text: the operand as LLVM would print it: `v[4:7]`, `0x100`, `vmcnt(0)`.
    register: file (`v`, `s`, `a`, `ttmp`, or the special register's name), first index and count of dwords
    (for special registers `first` is their hardware number). value: of a constant, sign-extended.
    """

    slot: str
    node: nodes.Node
    kind: str
    text: str
    file: str = ""
    first: int = 0
    count: int = 0
    value: int | float | None = None


class Fixup(msgspec.Struct, frozen=True):
    """A field that waits for an address.

    kind: `branch` (simm16, in dwords from the end of the instruction), `literal32`, `literal64`, `pcrel32`, `data8` to
    `data128`, `uleb128`, `sleb128`.
    offset: bytes from the instruction's start to the field. expression: its value, when symbols have theirs. name: as
    which it is written, if that is all there is: the linker knows symbols by it.
    """

    kind: str
    offset: int
    expression: nodes.Node
    start: int
    end: int
    name: str = ""


class Instruction(msgspec.Struct, frozen=True, weakref=True):
    """What became of an instruction statement.

    form: the matched form, None when nothing matched. code: its bytes, fields of `fixups` zero; empty when it
    cannot be encoded. size: bytes it takes in the section (a guess by the candidates when not encodable).
    problems: at most one for each mistake; warnings may stand beside valid code. judged: False when an operand
    depends on a symbol whose value is unknown, so that nothing about it is claimed.
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
