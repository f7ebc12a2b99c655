"""Which lines of a file belong together: macros, conditions, repetitions, descriptors, metadata, comments.

Works on the written lines and copes with blocks that are not closed or not opened, as they are while somebody
types: a block that never ends is left out, an end without a beginning is ignored.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec

from gcn_lsp.ide.reading.lines import parsed_lines
from gcn_lsp.syntax.statement import Kind, Statement

if TYPE_CHECKING:
    from gcn_lsp.program.program import Program


class Block(msgspec.Struct, frozen=True, gc=False):
    """Lines `first` to `last` (both counted in) that belong together.

    kind: `macro`, `condition`, `repetition`, `descriptor`, `metadata`, `header`, `comment`. branches: the lines of
    `.else` and `.elseif` in it. name: what the opening directive names. start, end: that name's byte columns.
    """

    kind: str
    first: int
    last: int
    name: str = ""
    start: int = 0
    end: int = 0
    branches: tuple[int, ...] = ()


# The directive that opens a block, its kind, and the family of directives that close it.
_CONDITIONS = (
    *(".if", ".ifeq", ".ifne", ".ifge", ".ifgt", ".ifle", ".iflt", ".ifdef", ".ifndef", ".ifnotdef"),
    *(".ifb", ".ifnb", ".ifc", ".ifnc", ".ifeqs", ".ifnes"),
)
OPENERS: Mapping[str, str] = MappingProxyType(
    {
        ".macro": "macro",
        ".rept": "repetition",
        ".rep": "repetition",
        ".irp": "repetition",
        ".irpc": "repetition",
        ".amdhsa_kernel": "descriptor",
        ".amd_kernel_code_t": "header",
        ".amdgpu_metadata": "metadata",
        ".amd_amdgpu_hsa_metadata": "metadata",
        **dict.fromkeys(_CONDITIONS, "condition"),
    }
)
CLOSERS: Mapping[str, str] = MappingProxyType(
    {
        ".endm": "macro",
        ".endmacro": "macro",
        ".endr": "repetition",
        ".endrep": "repetition",
        ".endif": "condition",
        ".end_amdhsa_kernel": "descriptor",
        ".end_amd_kernel_code_t": "header",
        ".end_amdgpu_metadata": "metadata",
        ".end_amd_amdgpu_hsa_metadata": "metadata",
    }
)
_BRANCHES = frozenset((".else", ".elseif"))
_NAMED = frozenset(("macro", "descriptor"))


def blocks(program: "Program") -> tuple[Block, ...]:
    """Every closed block of the main file, in the order in which they end."""
    return tuple(_scan(program))


class _Open:
    """A block whose end was not seen yet."""

    __slots__ = ("kind", "line", "name", "start", "end", "branches")

    def __init__(self, kind: str, line: int, statement: Statement) -> None:
        self.kind = kind
        self.line = line
        self.name, self.start, self.end = _name_of(kind, statement)
        self.branches: list[int] = []


def _scan(program: "Program") -> Iterator[Block]:
    opened: list[_Open] = []
    comment: int | None = None
    number = -1
    for number, line in enumerate(parsed_lines(program)):
        statements = line.statements
        # A comment that goes on over several lines, or several lines with nothing but comments.
        if not statements and (line.comment_start is not None or line.comment_open):
            comment = number if comment is None else comment
            continue
        if comment is not None:
            if number - comment > 1:
                yield Block("comment", comment, number - 1)
            comment = None
        if not statements:
            continue
        statement = statements[-1]
        word = statement.word
        if word[:1] != "." or statement.kind is not Kind.COMMAND:
            continue
        kind = OPENERS.get(word)
        in_metadata = bool(opened) and opened[-1].kind == "metadata"
        if in_metadata and CLOSERS.get(word) != "metadata":
            continue
        if kind is not None:
            opened.append(_Open(kind, number, statement))
        elif word in CLOSERS:
            found = _close(opened, CLOSERS[word])
            if found is not None:
                branches = tuple(found.branches)
                yield Block(found.kind, found.line, number, found.name, found.start, found.end, branches)
        elif word in _BRANCHES and opened and opened[-1].kind == "condition":
            opened[-1].branches.append(number)
    if comment is not None and number > comment:
        yield Block("comment", comment, number)


def _close(opened: list[_Open], kind: str) -> _Open | None:
    """Take the innermost open block of `kind` and drop the unclosed ones inside it; only `.endm` leaves a macro."""
    for index in range(len(opened) - 1, -1, -1):
        if opened[index].kind == kind:
            found = opened[index]
            del opened[index:]
            return found
        if opened[index].kind == "macro":
            return None
    return None


def _name_of(kind: str, statement: Statement) -> tuple[str, int, int]:
    """The first word behind the directive, where the block is one that has a name."""
    rest = statement.rest
    stop = len(rest)
    if kind in _NAMED:
        stop = next((index for index, byte in enumerate(rest) if byte in b" \t,"), stop)
        start = statement.rest_start
        return rest[:stop].decode("utf-8", "replace"), start, start + stop
    return "", statement.name_start, statement.name_end
