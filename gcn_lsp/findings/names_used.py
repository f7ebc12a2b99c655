r"""The names that the text of a program mentions, for the rules about unused names.

Everything that may be a use counts: branches that are not taken, strings, metadata, and words that a macro puts
together from arguments (`vgpr\name`), which match every name of that shape. So a name called unused is unused.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import lru_cache

from gcn_lsp import isa
from gcn_lsp.flow.kept import ByTurns, latest, once
from gcn_lsp.instruction.memo import Assembler
from gcn_lsp.patterns import regex
from gcn_lsp.preproc.macros import Macro
from gcn_lsp.program.chunk import Chunk
from gcn_lsp.program.program import Program
from gcn_lsp.records import NamedTuple
from gcn_lsp.syntax.directives import SETTERS
from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.syntax.statement import Line, Statement, StatementKind
from gcn_lsp.text import Location

# A word may hold macro arguments (`\name`, `\@`, `\()`), so that the bodies of macros have words too.
_WORD = regex(
    rb"(?<![A-Za-z0-9_.$?@])"
    rb"(?:[A-Za-z_.$?@]|\\[A-Za-z_@+.$]|\\\(\))(?:[A-Za-z0-9_.$?@#]|\\[A-Za-z_@+.$]|\\\(\))*"
)
_ARGUMENT = regex(rb"\\\(\)|\\[@+]|\\[A-Za-z_.$][A-Za-z0-9_.$]*")
_NUMBERED = regex(r"(?:v|s|a|acc|ttmp)[0-9]+")
_NAME_BYTES = "[A-Za-z0-9_.$?@]*"


class Assignment(NamedTuple):
    """A symbol set on line `line` of the searched lines; its name's byte columns there."""

    name: str
    line: int
    start: int
    end: int


class Names(NamedTuple):
    r"""Names in some lines. used: mentioned outside their own definitions. shapes: patterns of words that macro
    arguments complete. assigned: symbols that are set; registers: those of them that are spelled like a register.
    altmacro: `.altmacro` is among the lines, so any word may be an argument."""

    used: frozenset[str]
    shapes: frozenset[str]
    assigned: tuple[Assignment, ...]
    registers: tuple[Assignment, ...]
    altmacro: bool


class Usage(NamedTuple):
    """The names that a whole program uses, its includes too."""

    used: frozenset[str]
    shapes: frozenset[str]

    def has(self, name: str) -> bool:
        """Whether some word may be a use of `name`."""
        return name in self.used or (bool(self.shapes) and _any_of(self.shapes).fullmatch(name) is not None)


@once
def of_program(program: Program) -> "Usage | None":
    """The names that a program uses; None if that is unknown: an include is missing, or nothing is assembled.

    A file that emits nothing exists to be included by others, which use what it defines.
    """
    if program.final_state.incomplete or not any(piece.size for chunk in program.chunks for piece in chunk.pieces):
        return None
    parts: list[ChunkNames | Names] = [group for _, group in groups(program)]
    parts += [_in_text(source.lines) for source in program.included.values()]
    if any(part.altmacro for part in parts):
        return None
    return Usage(frozenset().union(*(part.used for part in parts)), frozenset().union(*(part.shapes for part in parts)))


class ChunkNames(NamedTuple):
    """The names of some consecutive chunks, each with the number of its chunk among them.

    used, shapes, assigned, registers, altmacro: as in `Names`. macros: those defined in the main file and the lines of
    their headers. unreached, reached: branches, as in `Chunk`.
    """

    used: frozenset[str]
    shapes: frozenset[str]
    assigned: tuple[tuple[int, Assignment], ...]
    registers: tuple[tuple[int, Assignment], ...]
    altmacro: bool
    macros: tuple[tuple[int, Macro, int], ...]
    unreached: tuple[tuple[int, "Macro | str | None", int, int], ...]
    reached: frozenset[tuple["Macro | str | None", int]]


_GROUP_CHUNKS = 16


def groups(program: Program) -> Iterator[tuple[int, ChunkNames]]:
    """The chunks of a program in groups, each with the number of its first chunk; an edit changes only a few groups."""
    chunks = program.chunks
    for first in range(0, len(chunks), _GROUP_CHUNKS):
        yield first, _group(chunks[first], (program.assembler, tuple(chunks[first + 1 : first + _GROUP_CHUNKS])))


def assigned_above(program: Program, names: Container[str], line: int) -> dict[str, Location]:
    """The last assignment above a line of the main file to each of the names that has one there."""
    found: dict[str, Location] = {}
    for first, group in groups(program):
        for number, each in group.assigned:
            at = program.bases[first + number] + each.line
            if each.name in names and at < line:
                found[each.name] = Location(program.path, at, each.start, each.end)
    return found


@latest
def _group(first: Chunk, others: tuple[Assembler, tuple[Chunk, ...]]) -> ChunkNames:
    assembler, rest = others
    chunks = (first, *rest)
    names = [in_chunk(chunk, assembler) for chunk in chunks]
    numbered = list(enumerate(chunks))
    return ChunkNames(
        frozenset().union(*(each.used for each in names)),
        frozenset().union(*(each.shapes for each in names)),
        tuple((number, found) for number, each in enumerate(names) for found in each.assigned),
        tuple((number, found) for number, each in enumerate(names) for found in each.registers),
        any(each.altmacro for each in names),
        tuple(
            (number, macro, header)
            for number, chunk in numbered
            for macro, container, header, _ in chunk.definitions
            if container is None  # not in an include, nor made by another macro
        ),
        tuple((number, *branch) for number, chunk in numbered for branch in chunk.unreached),
        frozenset().union(*(chunk.reached for chunk in chunks)),
    )


@latest
def in_chunk(chunk: Chunk, assembler: Assembler) -> Names:
    """The names in a chunk."""
    # A changed symbol makes all later chunks anew, but their lines, and mostly what is code in them, stay the same.
    instructions = chunk.instructions()
    key = (assembler.target, chunk.lines, chunk.commented, chunk.raw, tuple(instructions))
    known = _BY_LINES.find(key)
    return known if known is not None else _BY_LINES.keep(key, _look_into(chunk, instructions, assembler))


_Key = tuple["isa.Target | None", tuple[bytes, ...], frozenset[int], frozenset[int], tuple[int, ...]]
_BY_LINES: ByTurns[_Key, Names] = ByTurns(1000)


def _look_into(chunk: Chunk, instructions: Mapping[int, Statement], assembler: Assembler) -> Names:
    """Instructions were searched for symbols when they were assembled; only the other lines are searched here."""
    used: set[str] = set()
    for statement in set(instructions.values()):
        used.update(assembler.names(statement))
    return _in_lines(_lines_of(chunk, instructions), used, assembler.target)


def _lines_of(chunk: Chunk, without: Container[int]) -> Iterator[tuple[int, Line]]:
    for number, text in enumerate(chunk.lines):
        if number in without or not text:
            continue
        if number in chunk.raw:
            # Not assembly: read as arguments, so that every word counts as a use.
            yield number, parse_line(b".metadata " + text.replace(b":", b" ").replace(b".kd", b" "))
        else:
            yield number, chunk.line(number)


@lru_cache(maxsize=64)
def _in_text(lines: tuple[bytes, ...]) -> Names:
    return _in_lines(enumerate(map(parse_line, lines)), set(), None)


def _in_lines(lines: Iterable[tuple[int, Line]], used: set[str], target: "isa.Target | None") -> Names:
    shapes: set[str] = set()
    assigned: list[Assignment] = []
    altmacro = False
    words: set[bytes] = set()
    for number, line in lines:
        for statement in line.statements:
            if statement.kind is StatementKind.LABEL:
                continue
            altmacro = altmacro or statement.word == ".altmacro"
            start, end = _defined(statement)
            if end > start and statement.word != ".macro":
                name = statement.line[start:end]
                if b"\\" not in name:
                    assigned.append(Assignment(name.decode("utf-8", "surrogateescape"), number, start, end))
            # The words before a name that is defined here belong to the directive.
            words.update(_WORD.findall(statement.line, max(end, statement.start), statement.end))
    for word in words:
        if b"\\" not in word:
            used.add(word.decode("utf-8", "surrogateescape"))
        elif shape := _shape(word):
            shapes.add(shape)
    registers = tuple(each for each in assigned if _is_register(each.name, target))
    return Names(frozenset(used), frozenset(shapes), tuple(assigned), registers, altmacro)


def _is_register(name: str, target: "isa.Target | None") -> bool:
    if _NUMBERED.fullmatch(name) is not None:
        return True
    return target is not None and name.islower() and name in target.registers


def _defined(statement: Statement) -> tuple[int, int]:
    """The columns of the name that a statement defines; empty for none."""
    if statement.kind is StatementKind.ASSIGNMENT:
        return statement.name_start, statement.name_end
    if statement.word in SETTERS or statement.word == ".macro":
        match = _WORD.match(statement.line, statement.rest_start, statement.end)
        if match is not None:
            return match.span()
    return 0, 0


def _shape(word: bytes) -> str:
    """The pattern of the names that `word` may become; empty for a lone argument, whose text is in the call."""
    parts = _ARGUMENT.split(word)
    if not any(parts) and len(parts) == 2:
        return ""
    return _NAME_BYTES.join(re.escape(part.decode("utf-8", "surrogateescape")) for part in parts)


@lru_cache(maxsize=64)
def _any_of(shapes: frozenset[str]) -> re.Pattern[str]:
    return re.compile("|".join(sorted(shapes)))
