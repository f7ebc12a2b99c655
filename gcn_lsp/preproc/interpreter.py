"""Interprets lines in order, as an assembler does, and keeps symbols, macros and conditionals.

One `Interpreter` runs over one chunk of the main file, from the `State` before it to the state after it.
"""

import math
import re
from collections.abc import Callable, Sequence
from enum import IntEnum

import msgspec

from gcn_lsp.patterns import regex
from gcn_lsp.preproc import blocks, macros
from gcn_lsp.preproc.blocks import Collector, unterminated
from gcn_lsp.preproc.calls import Budget, Macros, cost, expanded, macro_depth, open_files, pasted
from gcn_lsp.preproc.conditionals import Conditionals
from gcn_lsp.preproc.macros import ArgumentError, Macro, Substitution
from gcn_lsp.preproc.provenance import Frame, Written
from gcn_lsp.preproc.state import OpenBlock, State
from gcn_lsp.preproc.streamer import Reporter, Streamer
from gcn_lsp.preproc.symbols import Symbols
from gcn_lsp.syntax import operands
from gcn_lsp.syntax.directives import CONDITIONS, DIRECTIVES, SETTERS, BlockKind, Family, assigned_name, words
from gcn_lsp.syntax.expressions import UNKNOWN
from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.syntax.statement import Statement, StatementKind
from gcn_lsp.text import SourceText, character_end

IncludeResolver = Callable[[str, str], "SourceText | None"]

# LLVM's limit on nested macro calls (asm-macro-max-nesting-depth).
MAX_MACRO_DEPTH = 20
MAX_INCLUDE_DEPTH = 64
# LLVM has no limit; those of real kernels nest some ten deep.
MAX_CONDITIONAL_DEPTH = 1000
# Steps of a repetition that are interpreted when all of them are more than the limit.
_FIRST_STEPS = 100
# What may end a repetition before its count does.
_LEAVES = regex(rb"\.(?:exitm|end|abort|include)\b", re.IGNORECASE)

# The first lines of any chunk: those that nothing expands to are written at the same places in all chunks.
_TOP = tuple(Written(None, line, None, line) for line in range(256))


class Leaving(IntEnum):
    """How far interpretation skips; a greater value skips more."""

    NOTHING = 0
    MACRO = 1  # the innermost call or repetition: `.exitm`
    CALL = 2  # all expansions of the current line: they are nested too deep
    FILE = 3  # everything: `.end`


class Interpreter:
    """Interpretation under way.

    incomplete: an include was not found, so its definitions are not known. commented: lines of the chunk that begin
    inside a block comment. raw: lines that are not assembly.
    """

    def __init__(
        self, state: State, streamer: Streamer, include: IncludeResolver, path: str, budget: Budget, counter: int = 0
    ) -> None:
        self._state = state
        self._streamer = streamer
        self._include = include
        self._path = path
        self._budget = budget
        self.reporter = Reporter(streamer)
        self.symbols = Symbols(state, self.reporter)
        self.macros = Macros(state, counter, self.symbols, self.reporter)
        self.conditionals = Conditionals(state.conditions, self.symbols, self.reporter)
        self._collector = Collector(state.block, state.comment_open) if state.block is not None else None
        self._comment_open = state.comment_open
        self._leaving = Leaving.FILE if state.ended else Leaving.NOTHING
        self.incomplete = state.incomplete
        self.commented: list[int] = []
        self.raw: list[int] = []
        self._tainting: set[tuple[Macro, Substitution]] = set()  # calls under way that may or may not be made

    def run_chunk(self, lines: Sequence[bytes]) -> State:
        """Interpret the lines of a chunk of the main file; return the state after them."""
        if self._leaving is not Leaving.FILE:
            self._run(lines, None, 0, None)
        return msgspec.structs.replace(
            self._state,
            symbols=self.symbols.values.finish(),
            macros=self.macros.known.finish(),
            conditions=tuple(self.conditionals.open),
            block=self._collector.open_block() if self._collector is not None else None,
            comment_open=self._comment_open,
            altmacro=self.macros.alternate,
            ended=self._leaving is Leaving.FILE,
            incomplete=self.incomplete,
            fixed=self.symbols.fixed,
            counts=self.macros.counts,
        )

    # Going through lines

    def _run(self, lines: Sequence[bytes], container: "Macro | str | None", first: int, frame: "Frame | None") -> None:
        streamer, reporter, conditionals, known = self._streamer, self.reporter, self.conditionals, self.macros.known
        outer = reporter.written
        top_line = outer.top_line
        at_top = frame is None
        for index, text in enumerate(lines):
            if at_top:
                top_line = index
                if self._comment_open:
                    self.commented.append(index)
            written = (
                _TOP[index] if at_top and index < len(_TOP) else Written(container, first + index, frame, top_line)
            )
            reporter.written = written
            if self._collector is None:
                line = parse_line(text, self._comment_open)
                self._comment_open = line.comment_open
                for statement in line.statements:
                    if conditionals.ignoring or statement.kind is not StatementKind.COMMAND:
                        self._other_statement(statement)
                    elif statement.name in known:
                        self._call(statement)
                    elif statement.word[0] != ".":
                        streamer.instruction(statement, written)
                    else:
                        self._directive(statement)
            else:
                self._collect(self._collector, text)
            if self._leaving:
                if at_top and self._leaving is not Leaving.FILE:
                    self._leaving = Leaving.NOTHING
                    continue
                break
        reporter.written = outer

    def _leave(self, what: Leaving) -> None:
        self._leaving = max(self._leaving, what)

    def _left_macro(self) -> None:
        """End a call or repetition, and with it the skipping of `.exitm`."""
        if self._leaving is Leaving.MACRO:
            self._leaving = Leaving.NOTHING

    def _other_statement(self, statement: Statement) -> None:
        if statement.kind is StatementKind.COMMAND:
            if statement.word in _CONDITIONALS:
                self._conditional(statement)
            elif self.conditionals.is_unknown():
                self._taint(statement)
        elif self.conditionals.ignoring:
            if statement.kind is not StatementKind.MALFORMED and self.conditionals.is_unknown():
                self.symbols.make(statement.name, UNKNOWN)
                if statement.kind is StatementKind.LABEL:
                    self.conditionals.hide_code()
        elif statement.kind is StatementKind.LABEL:
            self._streamer.label(statement, self.reporter.written)
        elif statement.kind is StatementKind.ASSIGNMENT:
            self._assignment(statement)
        else:
            end = min(statement.end, character_end(statement.line, statement.start))
            text = statement.line[statement.start : end].decode("utf-8", "replace")
            self.reporter.problem("syntax-error", statement.start, end, f"no statement starts with `{text}`")

    def _assignment(self, statement: Statement) -> None:
        if self._streamer.header_field(statement, self.reporter.written):
            return
        if statement.line[statement.rest_start - 2 : statement.rest_start] == b"==":
            sign = statement.rest_start - 2
            message = "`==` compares; a symbol is set with one `=`"
            self.reporter.problem("syntax-error", sign, sign + 2, message)
        self.symbols.assign(statement, statement.name, statement.rest_start, redefine=True)

    def _taint(self, statement: Statement) -> None:
        """Mark what a statement defines as unknown: it may or may not be assembled."""
        row = DIRECTIVES.get(statement.word)
        if row is not None and row.block in (BlockKind.MACRO, BlockKind.RAW):
            self.conditionals.block(1 if row.family is Family.OPENS else -1)
        if statement.word in SETTERS:
            name = assigned_name(statement)
            if name:
                self.symbols.make(name, UNKNOWN)
        elif statement.word == ".macro":
            header = macros.parse_header(statement.rest)
            if not isinstance(header, ArgumentError):
                self.macros.known[header[0]] = None
        elif statement.word[:1] != ".":
            if statement.name in self.macros.known:
                self._taint_call(statement)
            else:
                self.conditionals.hide_code()
                if self._may_be_judged(statement):
                    self._streamer.possible_instruction(statement, self.reporter.written)
        elif statement.word == ".include":
            self._include_file(statement)
        elif statement.name in self.macros.known:
            self._taint_call(statement)
        elif statement.word not in _DIRECTIVES and row is None and self._may_be_judged(statement):
            self._streamer.possible_directive(statement, self.reporter.written)

    def _may_be_judged(self, statement: Statement) -> bool:
        """Whether a line that only the build may leave out is wrong if it is wrong as it is here."""
        conditionals = self.conditionals
        if self.incomplete or b"\\" in statement.line or not conditionals.is_possible():
            return False
        container, line = self.reporter.written.container, self.reporter.written.line
        if isinstance(container, Macro):
            # The arguments of a call may exclude the line, unless the line contains none of them.
            return not conditionals.is_pasted() or statement.line == container.body[line]
        return not self.macros.alternate  # the name of a repetition may be in it

    def _taint_call(self, statement: Statement) -> None:
        """A call that may or may not be made: the macro's definitions are unknown from here."""
        macro = self.macros.known[statement.name]
        written = self.reporter.written
        if macro is None or macro_depth(written.frame) >= MAX_MACRO_DEPTH:
            self.conditionals.hide_code()
            return
        names, values, problem = self.macros.arguments(statement, macro)
        substitution = Substitution(names, values, 0, self.macros.alternate)
        frame = Frame("macro", macro.name, written, statement.start, statement.end, substitution)
        step = (macro, substitution)
        if problem is None and step not in self._tainting and self._budget.left >= 0:
            found = expanded(macro, substitution)
            if self._budget.take(found.cost + 1):
                self._tainting.add(step)  # a macro that calls itself ends by a condition that is unknown here
                self._expand(found.lines, macro, 0, frame)
                self._tainting.remove(step)

    def _hide(self, lines: Sequence[bytes], written: Written, frame: Frame, statement: "Statement | None") -> None:
        """Lines assembled an unknown number of times: their definitions are unknown from here."""
        if statement is None or not lines:
            return
        depth = len(self.conditionals.open)
        self.conditionals.open_unknown()
        if self._budget.take(cost(lines)):
            self._expand(lines, written.container, written.line + 1, frame)
        self.conditionals.cut(depth)
        self._streamer.unknown_code(statement, written)

    # Blocks of lines

    def _open_block(self, statement: Statement) -> None:
        if statement.word == ".macro":
            self.macros.open(statement)
        self._collector = blocks.opened(statement, self._comment_open)

    def _collect(self, collector: Collector, text: bytes) -> None:
        written = self.reporter.written
        is_open = collector.takes(text, self.reporter)
        self._comment_open = collector.comment_open
        if is_open:
            if collector.kind is BlockKind.RAW and written.frame is None:
                self.raw.append(written.top_line)
            return
        self._collector = None
        block, lines = collector.block, tuple(collector.lines)
        first = written.line - len(lines)
        if collector.kind is BlockKind.RAW:
            self._streamer.raw_block(block.word, lines, first, written)
            return
        self.reporter.written = msgspec.structs.replace(written, line=first - 1)
        if collector.kind is BlockKind.MACRO:
            self.macros.define(block.header, block.columns[0], lines)
        else:
            self._repeat(block, lines)
        self.reporter.written = written

    def _repeat(self, block: OpenBlock, lines: tuple[bytes, ...]) -> None:
        """Interpret the lines of a repetition, whose directive is in the current line."""
        written = self.reporter.written
        _, start, end = block.columns
        names = (block.header.split(b",", 1)[0].strip(),)
        statement = blocks.header_statement(block)
        kind = blocks.repetition(block.word)
        shows_counter = kind != "rept" and any(b"\\@" in line for line in lines)
        self.macros.counter_read = self.macros.counter_read or shows_counter
        is_plain = kind == "rept" and not any(b"\\" in line for line in lines)
        steps = blocks.steps(block, self.symbols, self.reporter)
        if steps is None:
            self._hide(lines, written, Frame(kind, "", written, start, end, None), statement)
            return
        as_written = pasted(lines, None)
        is_endless = len(steps) * (as_written.cost + 1) > self._budget.left and not any(map(_LEAVES.search, lines))
        for number, (step, value) in enumerate(steps):
            if not self._affords(math.inf if is_endless and number == _FIRST_STEPS else 0, start, end):
                break
            substitution = None if is_plain else Substitution((), (), None, False, number)
            if value is not None:
                counter = self.macros.counter if shows_counter else None
                substitution = Substitution(names, (value,), counter, self.macros.alternate, number)
            found = as_written if substitution is None else pasted(lines, substitution)
            if not self._affords(found.cost + 1, start, end):
                break
            frame = Frame(kind, step, written, start, end, substitution)
            if statement is not None:
                self._streamer.expansion(statement, frame, written)
            self._expand(found.lines, written.container, written.line + 1, frame)
            if self._leaving:
                break
        self._left_macro()  # `.exitm` leaves the repetition, not the macro around it

    def _affords(self, lines: float, start: int, end: int) -> bool:
        """Whether so many more lines may be expanded; reports the first time that they may not."""
        was_left = self._budget.left >= 0
        if self._budget.take(lines):
            return True
        if was_left:
            message = f"the program expands to more than {self._budget.limit:,} lines; the rest is not interpreted"
            self.reporter.problem("expansion-limit", start, end, message)
        return False

    def _expand(
        self, lines: Sequence[bytes], container: "Macro | str | None", first: int, frame: Frame, file: str = ""
    ) -> None:
        """Interpret pasted lines, or those of `file`, and end the conditionals and blocks that they leave open."""
        conditionals = self.conditionals
        depth = len(conditionals.open)
        comment_open, self._comment_open = self._comment_open, False
        self._run(lines, container, first, frame)
        self._comment_open = comment_open
        if self._collector is not None:
            message = unterminated(self._collector.block.word)
            self.reporter.problem("unterminated-block", frame.start, frame.end, message)
            self._collector = None
        if len(conditionals.open) > depth:
            if not self._leaving and not file and not conditionals.ignoring:
                # The rest of the conditional may be after the call.
                conditionals.opened_by(depth, frame.name if frame.kind == "macro" else f".{frame.kind}")
                return
            if not self._leaving:
                message = f"`{file}`: " * bool(file) + unterminated(".if")
                self.reporter.problem("unterminated-block", frame.start, frame.end, message)
            conditionals.cut(depth)

    # Macro calls and includes

    def _call(self, statement: Statement) -> None:
        macro = self.macros.known[statement.name]
        if macro is None:  # its definition depends on the build: nothing is claimed about the call
            self._streamer.unknown_code(statement, self.reporter.written)
            return
        names, values, problem = self.macros.arguments(statement, macro)
        written = self.reporter.written
        if problem is not None:
            start, end = statement.name_start, statement.name_end
            if problem.end > problem.start:
                start, end = statement.rest_start + problem.start, statement.rest_start + problem.end
            if problem.message:
                self.reporter.problem("macro-arguments", start, end, problem.message)
            return
        if macro_depth(written.frame) >= MAX_MACRO_DEPTH:
            message = f"macros nest more than {MAX_MACRO_DEPTH} deep in the call of `{macro.name}`"
            self.reporter.whole("expansion-limit", statement, message)
            self._leave(Leaving.CALL)  # recursion in several branches would never end
            return
        if not self._affords(0, statement.start, statement.end):
            return
        substitution = self.macros.call(macro, names, values)
        found = expanded(macro, substitution)
        if not self._affords(found.cost + 1, statement.start, statement.end):
            return
        frame = Frame("macro", macro.name, written, statement.start, statement.end, substitution)
        self._streamer.expansion(statement, frame, written)
        self.macros.counter += 1
        self._expand(found.lines, macro, 0, frame)
        self._left_macro()

    def _include_file(self, statement: Statement) -> None:
        name = _quoted(statement)
        start, end = statement.rest_start, statement.end
        reporter, written = self.reporter, self.reporter.written
        if name is None:
            reporter.problem("malformed-directive", start, end, "`.include` takes a file name in quotes")
            return
        files = [self._path, *open_files(written.frame)]
        source = self._include(files[-1], name)
        if source is None:
            self.incomplete = True
            self._streamer.unknown_code(statement, written)
            message = f"`{name}` is neither next to `{files[-1]}` nor in the include paths"
            reporter.problem("include-not-found", start, end, message)
        elif source.path in files:
            reporter.problem("include-cycle", start, end, f"`{name}` includes itself")
        elif written.frame is not None and len(written.frame.chain()) >= MAX_INCLUDE_DEPTH:
            reporter.problem("include-cycle", start, end, f"includes nest more than {MAX_INCLUDE_DEPTH} deep")
        elif self._affords(cost(source.lines), start, end):
            frame = Frame("include", source.path, written, statement.start, end)
            self._streamer.expansion(statement, frame, written)
            self._expand(source.lines, source.path, 0, frame, name)

    # Directives

    def _directive(self, statement: Statement) -> None:
        word = statement.word
        handler = _DIRECTIVES.get(word)
        if handler is not None:
            handler(self, statement)
        elif not self._streamer.directive(statement, self.reporter.written):
            self._streamer.unknown_code(statement, self.reporter.written)  # it may be a macro of another file
            if self.incomplete:
                return
            message = f"`{statement.name}` is neither a directive nor a macro"
            self.reporter.problem("unknown-directive", statement.name_start, statement.name_end, message)

    def _conditional(self, statement: Statement) -> None:
        _CONDITIONALS[statement.word](self.conditionals, statement)
        if len(self.conditionals.open) > MAX_CONDITIONAL_DEPTH:
            message = f"conditionals nest more than {MAX_CONDITIONAL_DEPTH:,} deep; the rest is not interpreted"
            self.reporter.whole("expansion-limit", statement, message)
            self._leave(Leaving.FILE)

    def _set(self, statement: Statement) -> None:
        self.symbols.set(statement)

    def _stray_end(self, statement: Statement) -> None:
        opener = DIRECTIVES[statement.word].other
        message = f"`{statement.word}` ends nothing: no `{opener}` is open"
        self.reporter.whole("stray-block-end", statement, message)

    def _exitm(self, statement: Statement) -> None:
        self.reporter.expect_end(statement)
        frame = self.reporter.written.frame
        if frame is None or frame.kind == "include":
            self.reporter.whole("stray-block-end", statement, "`.exitm` is outside of a macro")
        else:
            self._leave(Leaving.MACRO)

    def _purgem(self, statement: Statement) -> None:
        self.macros.purge(statement)

    def _error(self, statement: Statement) -> None:
        absent = self.conditionals.doubt()
        if absent:  # the file requires a symbol from the build: not a mistake in the file
            self.symbols.needs(absent, statement)
            self.symbols.make(absent, UNKNOWN)
            return
        text = _quoted(statement)
        if text is None:
            text = "`.err` is reached here" if statement.word == ".err" else "`.error` is reached here"
        self.reporter.whole("user-error", statement, text)

    def _warning(self, statement: Statement) -> None:
        self.reporter.whole("user-warning", statement, _quoted(statement) or "`.warning` is reached here")

    def _abort(self, statement: Statement) -> None:
        self.reporter.whole("user-error", statement, "`.abort` stops the assembly here")
        self._leave(Leaving.FILE)

    def _end(self, statement: Statement) -> None:
        del statement
        self._leave(Leaving.FILE)

    def _print(self, statement: Statement) -> None:
        """A message to the person who assembles; it changes nothing."""
        if _quoted(statement) is None:
            self.reporter.whole("malformed-directive", statement, "`.print` takes a string in quotes")

    def _altmacro_mode(self, statement: Statement) -> None:
        self.reporter.expect_end(statement)
        self.macros.alternate = statement.word == ".altmacro"


def _quoted(statement: Statement) -> "str | None":
    text = statement.rest.strip()
    if len(text) >= 2 and text[:1] == b'"' == text[-1:]:
        return operands.unescape(text).decode("utf-8", "replace")
    return None


_CONDITIONALS: dict[str, Callable[[Conditionals, Statement], None]] = {
    **dict.fromkeys(CONDITIONS, Conditionals.if_),
    ".elseif": Conditionals.elseif,
    ".else": Conditionals.else_,
    ".endif": Conditionals.endif,
}

# Blocks whose lines are collected; the streamer knows the others.
_COLLECTED = (BlockKind.MACRO, BlockKind.REPETITION, BlockKind.RAW)

_DIRECTIVES: dict[str, Callable[[Interpreter, Statement], None]] = {
    **dict.fromkeys(_CONDITIONALS, Interpreter._conditional),
    **{word: Interpreter._open_block for kind in _COLLECTED for word in words(Family.OPENS, kind)},
    **{word: Interpreter._stray_end for kind in _COLLECTED for word in words(Family.CLOSES, kind)},
    **dict.fromkeys(SETTERS, Interpreter._set),
    ".exitm": Interpreter._exitm,
    ".purgem": Interpreter._purgem,
    ".include": Interpreter._include_file,
    ".error": Interpreter._error,
    ".err": Interpreter._error,
    ".warning": Interpreter._warning,
    ".print": Interpreter._print,
    ".abort": Interpreter._abort,
    ".end": Interpreter._end,
    ".altmacro": Interpreter._altmacro_mode,
    ".noaltmacro": Interpreter._altmacro_mode,
}
