"""The text that the assembler reads: with calls, repetitions, includes and conditionals expanded and symbols replaced.

The result assembles to the same bytes as the file. It comes from interpreting the requested lines again, with a
streamer that records each statement, so nothing is kept for it and a call in a large file costs little.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal

import msgspec

from gcn_lsp.ide.derived import Derived
from gcn_lsp.ide.reading import cursors, scope, values
from gcn_lsp.preproc.calls import Budget
from gcn_lsp.program.builder import Builder, replay
from gcn_lsp.syntax.directives import CONDITIONS, DIRECTIVES, Family, words
from gcn_lsp.syntax.expressions import Address, MissingSymbol
from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.syntax.statement import Statement, StatementKind

if TYPE_CHECKING:
    from gcn_lsp.instruction.model import Instruction
    from gcn_lsp.preproc.macros import Macro
    from gcn_lsp.preproc.provenance import Frame, Written
    from gcn_lsp.preproc.streamer import Streamer
    from gcn_lsp.program.program import Program


class Style(msgspec.Struct, frozen=True):
    """What the text shows. values: numbers in place of symbols; origins: a comment on each line from an expansion."""

    values: bool = True
    origins: bool = True


FULL = Style()


LineKind = Literal["instruction", "label", "assignment", "directive", "raw", "note"]


class ExpandedLine(msgspec.Struct, frozen=True):
    """A line of the expansion: its text, the lines of the main file that lead to it, the steps between.

    first, line: the lines of the call, repetition or include that leads here; a repetition is interpreted at the line
    that ends it. kind: `raw` is not assembly, `note` a comment of ours. size: bytes of an instruction.
    """

    kind: LineKind
    text: str
    first: int
    line: int
    frame: "Frame | None"
    size: int = 0


_ORIGIN_COLUMN = 64  # at most
_GAP = 4  # between the longest line and the comments; instructions are indented


def expand(program: "Program", first: int = 0, last: int | None = None, style: Style = FULL) -> str:
    """The expansion of lines `first` to `last` of the main file (inclusive; None: the last one), as lines of text."""
    return derived(program, first, last, style).text


def derived(program: "Program", first: int = 0, last: int | None = None, style: Style = FULL) -> Derived:
    """The same with the line of the main file that each line is from."""
    last = len(program.source.lines) - 1 if last is None else last
    found = tuple(lines_of(program, first, last, with_values=style.values))
    widest = max((len(line.text) for line in found if line.frame is not None and line.kind not in _AS_IT_IS), default=0)
    column = min(widest + _GAP, _ORIGIN_COLUMN)
    return Derived(tuple(_written(line, style, column) for line in found), tuple(line.line for line in found))


def lines_of(
    program: "Program",
    first: int,
    last: int,
    *,
    with_values: bool = True,
) -> Iterator[ExpandedLine]:
    """The lines of the expansion of lines `first` to `last`.

    A repetition belongs to all its lines, from its opening to its closing directive.
    """
    number = program.chunk_at(first)
    while number < len(program.chunks):
        base = program.bases[number]
        if base > last and program.chunks[number].before.block is None:
            return
        yield from (
            line for line in _chunk_lines(program, number, with_values) if first <= line.line and line.first <= last
        )
        number += 1


def nothing_said(program: "Program", line: int) -> str:
    """The reason that a line expands to nothing, as a sentence."""
    body = scope.macro_at(program, line)
    if body is not None and line < len(program.source.lines):
        return f"line {line + 1} is in macro `{body.macro.name}`, which is not called here"
    return f"line {line + 1} assembles to nothing"


def _chunk_lines(program: "Program", number: int, with_values: bool) -> list[ExpandedLine]:
    chunk = program.chunks[number]
    earlier = program.chunks[:number]
    spent = sum(other.changed.lines for other in earlier)
    recorders: list[_Recorder] = []

    def watch(builder: Builder) -> "Streamer":
        recorders.append(_Recorder(builder, program, program.bases[number], with_values))
        return recorders[0]

    replay(
        chunk,
        program.assembler,
        program.path,
        Budget(program.options.expansion_limit - spent),
        sum(other.changed.calls for other in earlier),
        watch,
    )
    return recorders[0].lines


# Directives with expressions only as arguments; those of other directives are left as written.
_EXPRESSIONS = (Family.INTEGERS, Family.SPACE, Family.ALIGNMENT)
_WITH_EXPRESSIONS = frozenset((".fill", ".org")).union(*map(words, _EXPRESSIONS))


class _Recorder:
    """A streamer that records the statements which it passes to another one."""

    def __init__(self, builder: Builder, program: "Program", base: int, with_values: bool) -> None:
        self._streamer = builder
        self._assembler = program.assembler
        self._base = base
        self._with_values = with_values
        self.lines: list[ExpandedLine] = []

    def _add(self, kind: LineKind, text: str, written: "Written", size: int = 0) -> None:
        line = self._base + written.top_line
        frame = written.frame
        outermost = frame
        while outermost is not None and outermost.parent is not None:
            outermost = outermost.parent
        first = line if outermost is None else self._base + outermost.written.line
        self.lines.append(ExpandedLine(kind, text, first, line, frame, size))

    def instruction(self, statement: Statement, written: "Written") -> None:
        self._streamer.instruction(statement, written)
        made = self._assembler.instruction(statement, self._streamer.symbols.lookup_symbol)
        self._add("instruction", self._instruction_text(statement, made), written, made.size)

    def _is_register(self, name: str) -> bool:
        return cursors.is_register_name(name, self._assembler.target)

    def _instruction_text(self, statement: Statement, made: "Instruction") -> str:
        as_written = _text(statement)
        if not self._with_values:
            return as_written
        names = self._assembler.names(statement)
        lookup = self._streamer.symbols.lookup_symbol
        replacements = values.in_instruction(statement, _only(names, lookup), self._is_register)
        if not replacements:
            return as_written
        text = values.apply(statement.line, statement.start, statement.end, replacements)
        statements = parse_line(text.encode("utf-8", "surrogateescape")).statements
        if len(statements) != 1:
            return as_written
        # If the number would not be read like the symbol with that value, the symbol remains.
        again = self._assembler.instruction(statements[0], lookup)
        same = again.code == made.code and len(again.fixups) == len(made.fixups)
        return text if same else as_written

    def directive(self, statement: Statement, written: "Written") -> bool:
        known = self._streamer.directive(statement, written)
        if known:
            text = _text(statement)
            if statement.word in _WITH_EXPRESSIONS or statement.word.startswith(".amdhsa_"):
                text = self._with_numbers(statement, statement.start)
            self._add("directive", text, written)
        return known

    def _with_numbers(self, statement: Statement, start: int, but: str = "") -> str:
        """The statement from `start` with numbers for the symbols in its arguments, except the symbol `but`."""
        if not self._with_values:
            return values.apply(statement.line, start, statement.end, ())
        lookup = _without(but, self._streamer.symbols.lookup_symbol)
        return values.apply(statement.line, start, statement.end, values.in_arguments(statement, lookup))

    def label(self, statement: Statement, written: "Written") -> None:
        self._streamer.label(statement, written)
        name = statement.line[statement.name_start : statement.name_end]
        self._add("label", name.decode("utf-8", "surrogateescape") + ":", written)

    def assignment(self, statement: Statement, name: str, written: "Written") -> None:
        self._streamer.assignment(statement, name, written)
        value = self._streamer.symbols.values.get(name)
        text = _text(statement)
        if self._with_values and type(value) is int and name != ".":
            text = _assignment(statement) + values.number(value)
        elif self._with_values:
            text = self._with_numbers(statement, statement.start, but=name)
        self._add("assignment", text, written)

    def header_field(self, statement: Statement, written: "Written") -> bool:
        is_field = self._streamer.header_field(statement, written)
        if is_field:
            self._add("directive", self._with_numbers(statement, statement.start), written)
        return is_field

    def macro_defined(self, macro: "Macro", written: "Written") -> None:
        self._streamer.macro_defined(macro, written)

    def expansion(self, statement: Statement, frame: "Frame", written: "Written") -> None:
        self._streamer.expansion(statement, frame, written)

    def unknown_code(self, statement: Statement, written: "Written") -> None:
        self._streamer.unknown_code(statement, written)

    def possible_instruction(self, statement: Statement, written: "Written") -> None:
        self._streamer.possible_instruction(statement, written)

    def possible_directive(self, statement: Statement, written: "Written") -> None:
        self._streamer.possible_directive(statement, written)

    def raw_block(self, word: str, lines: tuple[bytes, ...], first_line: int, written: "Written") -> None:
        self._streamer.raw_block(word, lines, first_line, written)
        self._add("directive", word, written)
        for line in lines:
            self._add("raw", line.decode("utf-8", "surrogateescape"), written)
        self._add("directive", DIRECTIVES[word].other, written)

    def problem(self, rule: str, start: int, end: int, message: str, written: "Written") -> None:
        self._streamer.problem(rule, start, end, message, written)

    def unknown_symbol(self, name: str, statement: Statement, written: "Written") -> None:
        self._streamer.unknown_symbol(name, statement, written)
        if statement.word in CONDITIONS or statement.word == ".elseif":
            text = f"// {_text(statement)}: only the build knows `{name}`, so neither branch is shown"
            self._add("note", text, written)

    def address(self, name: str) -> "Address | None":
        return self._streamer.address(name)


_Lookup = Callable[[str], "int | Address | MissingSymbol"]


def _only(names: tuple[str, ...], lookup: _Lookup) -> _Lookup:
    return lambda name: lookup(name) if name in names else MissingSymbol(False)


def _without(name: str, lookup: _Lookup) -> _Lookup:
    return lambda other: lookup(other) if other != name else MissingSymbol(False)


def _text(statement: Statement) -> str:
    return statement.line[statement.start : statement.end].decode("utf-8", "surrogateescape")


def _assignment(statement: Statement) -> str:
    """An assignment up to its value."""
    line = statement.line
    start = statement.rest_start
    if statement.kind is StatementKind.COMMAND:
        start = line.find(b",", statement.rest_start, statement.end) + 1
    return line[statement.start : start].decode("utf-8", "surrogateescape").rstrip() + " "


def _written(line: ExpandedLine, style: Style, column: int) -> str:
    """The line as shown: indented by its kind, with a comment that gives its origin at or after a column."""
    if line.kind in _AS_IT_IS:
        return line.text
    text = f"  {line.text}" if line.kind == "instruction" else line.text
    if not style.origins or line.frame is None:
        return text
    return f"{text:<{column}} // {origin(line)}"


_AS_IT_IS = frozenset(("raw", "note"))


_STEPS = {
    "macro": "macro {}",
    "include": "file {}",
    "rept": "repetition {}",
    "irp": "repetition with {}",
    "irpc": "repetition with {}",
}


def origin(line: ExpandedLine) -> str:
    """`from line 12, macro LOAD, repetition 2`: the outermost step first."""
    steps = []
    frame = line.frame
    while frame is not None:
        name = frame.name.replace("\\", "/").rpartition("/")[2] if frame.kind == "include" else frame.name
        steps.append(_STEPS[frame.kind].format(name))
        frame = frame.parent
    return ", ".join((f"from line {line.first + 1}", *reversed(steps)))
