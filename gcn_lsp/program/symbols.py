"""Where names are defined and used in the written text: labels, assigned symbols, macros."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from gcn_lsp.flow.kept import once
from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.syntax.statement import Kind, Line, Statement
from gcn_lsp.text import Location, SourceText

if TYPE_CHECKING:
    from gcn_lsp.program.chunk import Chunk
    from gcn_lsp.program.program import Program

_NAME = re.compile(rb'"(?:\\.|[^"\\])*"|(?<![\w.$?@\\])([A-Za-z_.$?@][A-Za-z0-9_.$?@]*|[0-9]+[bf](?![\w]))')
_ASSIGNS = frozenset((".set", ".equ", ".equiv"))


class Symbol(msgspec.Struct, frozen=True):
    """A name and its places. kind: `label`, `variable`, `defsym`, `predefined` or `macro`."""

    name: str
    kind: str
    definitions: tuple[Location, ...]
    references: tuple[Location, ...]


class _Mention(NamedTuple):
    """A name in a chunk's lines. role: `label`, `assignment`, `macro`, `word` (a command word) or `use`."""

    name: str
    role: str
    line: int
    start: int
    end: int


class SymbolIndex:
    """All names of a program; built when first asked for, from what each chunk remembers of its own lines."""

    def __init__(self, program: "Program") -> None:
        self._program = program

    @cached_property
    def _mentions(self) -> "dict[str, list[tuple[str, Location]]]":
        found: dict[str, list[tuple[str, Location]]] = {}
        program = self._program
        for number, chunk in enumerate(program.chunks):
            base = program.bases[number]
            for mention in _in_chunk(chunk):
                where = Location(program.path, base + mention.line, mention.start, mention.end)
                found.setdefault(mention.name, []).append((mention.role, where))
        for source in program.included.values():
            for mention in _included_mentions(source):
                where = Location(source.path, mention.line, mention.start, mention.end)
                found.setdefault(mention.name, []).append((mention.role, where))
        return found

    @cached_property
    def symbols(self) -> Mapping[str, Symbol]:
        """Labels, assigned symbols, and those of the command line and the target."""
        program = self._program
        found: dict[str, Symbol] = {}
        variables = program.final_state.symbols
        for name, places in self._mentions.items():
            definitions = tuple(where for role, where in places if role in ("label", "assignment"))
            known = bool(definitions) or name in variables
            if known:
                kind = _kind(name, {role for role, _ in places}, program)
                uses = tuple(where for role, where in places if role == "use")
                found[name] = Symbol(name, kind, definitions, uses)
        for name in variables:
            if name not in found:
                kind = "defsym" if name in program.options.defines else "predefined"
                found[name] = Symbol(name, kind, (), ())
        return found

    @cached_property
    def macros(self) -> Mapping[str, Symbol]:
        """Macros by name, with their calls."""
        found: dict[str, Symbol] = {}
        for name, places in self._mentions.items():
            definitions = tuple(where for role, where in places if role == "macro")
            if definitions:
                uses = tuple(where for role, where in places if role == "word")
                found[name] = Symbol(name, "macro", definitions, uses)
        return found


@once
def _in_chunk(chunk: "Chunk") -> tuple[_Mention, ...]:
    return tuple(_mentions(chunk.line(index) for index in range(len(chunk.lines))))


def _kind(name: str, roles: set[str], program: "Program") -> str:
    if "label" in roles:
        return "label"
    if "assignment" in roles:
        return "variable"
    return "defsym" if name in program.options.defines else "predefined"


def _included_mentions(source: SourceText) -> Iterator[_Mention]:
    def lines() -> Iterator[Line]:
        comment_open = False
        for text in source.lines:
            line = parse_line(text, comment_open)
            comment_open = line.comment_open
            yield line

    return _mentions(lines())


def _mentions(lines: Iterable[Line]) -> Iterator[_Mention]:
    for number, line in enumerate(lines):
        for statement in line.statements:
            for role, name, start, end in statement_names(statement):
                yield _Mention(name, role, number, start, end)


def statement_names(statement: Statement) -> Iterator[tuple[str, str, int, int]]:
    """The names in a statement with their roles and columns."""
    kind = statement.kind
    defines = ""
    if kind is Kind.LABEL:
        yield "label", statement.name, statement.name_start, statement.name_end
        return
    if kind is Kind.ASSIGNMENT:
        yield "assignment", statement.name, statement.name_start, statement.name_end
    elif kind is Kind.COMMAND:
        if statement.word == ".macro":
            defines = "macro"
        elif statement.word in _ASSIGNS:
            defines = "assignment"
        else:
            yield "word", statement.name, statement.name_start, statement.name_end
    for match in _NAME.finditer(statement.line, statement.rest_start, statement.end):
        if match.group(1) is None:
            continue
        name = match.group(1).decode("utf-8", "surrogateescape")
        yield defines or "use", name, match.start(1), match.end(1)
        defines = ""
        if statement.word == ".macro":
            return
