"""Macros during interpretation: the known ones, the lines that a call pastes, and the budget for pasted lines."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache

from gcn_lsp.flow.kept import ByTurns
from gcn_lsp.preproc import macros
from gcn_lsp.preproc.macros import ArgumentError, Macro, Substitution
from gcn_lsp.preproc.provenance import Frame
from gcn_lsp.preproc.state import State
from gcn_lsp.preproc.streamer import Reporter
from gcn_lsp.preproc.symbols import Symbols
from gcn_lsp.preproc.tracked import Tracked
from gcn_lsp.records import NamedTuple
from gcn_lsp.syntax.statement import Statement

# Expanded lines and steps of repetitions in one program, by default; real kernels need less than a tenth of it.
MAX_EXPANDED_LINES = 300_000


_LENGTH = 64  # characters of a line that counts once
_REFERENCES = 8  # in a line that counts once
_LONGEST = 1 << 20  # characters of a line that an expansion makes
_MOST = 1 << 24  # characters of all lines of an expansion
_KEPT = 4096  # characters of arguments whose results are kept


class Pasted(NamedTuple):
    """The lines of an expansion, and what they take of the budget."""

    lines: Sequence[bytes]
    cost: float


class Budget:
    """Counts expanded lines over a whole program.

    left: lines that may still be expanded, negative after more were requested. limit: of the whole program. spent:
    lines expanded here; infinite after more were requested than were left, so that nothing fits after that.
    """

    __slots__ = ("left", "limit", "spent")

    def __init__(self, lines: float = MAX_EXPANDED_LINES, limit: "float | None" = None) -> None:
        self.left = lines
        self.limit = lines if limit is None else limit
        self.spent: float = 0

    def take(self, lines: float) -> bool:
        """Use up so many lines; False when fewer are left."""
        self.left -= lines
        self.spent = math.inf if self.left < 0 else self.spent + lines
        return self.left >= 0


class Macros:
    """The macros of a chunk under interpretation, and the state of their calls.

    known: by name; None for one whose definition depends on the build. counter: calls so far (`\\@`); counter_read:
    something depends on it. counts: expansions so far of macros that use it (`\\+`). alternate: `.altmacro` is on.
    """

    def __init__(self, state: State, counter: int, symbols: Symbols, reporter: Reporter) -> None:
        self.known = Tracked(state.macros)
        self.counter = counter
        self.counter_read = False
        self.counts = state.counts
        self.alternate = state.altmacro
        self._symbols = symbols
        self._reporter = reporter

    def open(self, statement: Statement) -> None:
        """Check the header of a macro definition that begins here."""
        header = macros.parse_header(statement.rest)
        if isinstance(header, ArgumentError):
            start = min(statement.rest_start + header.start, statement.end)
            end = min(statement.rest_start + header.end, statement.end)
            if start == end:  # only the directive can be marked
                start, end = statement.start, statement.end
            self._reporter.problem("malformed-directive", start, end, header.message)

    def define(self, header: bytes, column: int, lines: tuple[bytes, ...]) -> None:
        """Define the macro of a definition that ends; the current line is its header, arguments start at `column`."""
        parsed = macros.parse_header(header)
        if isinstance(parsed, ArgumentError):
            return  # reported at the header
        name, parameters = parsed
        if self.known.get(name) is not None:
            end = column + len(name.encode())
            self._reporter.problem("duplicate-macro", column, end, f"macro `{name}` is already defined")
            return
        macro = self.known[name] = Macro(name, parameters, lines)
        if name in self.counts:
            self.counts = self.counts.delete(name)
        self._reporter.streamer.macro_defined(macro, self._reporter.written)

    def purge(self, statement: Statement) -> None:
        """Forget the macros that a `.purgem` names."""
        for name in (part.strip().decode("utf-8", "replace") for part in statement.rest.split(b",")):
            if name in self.known:
                del self.known[name]
            else:
                message = f"`.purgem` cannot remove `{name}`: no such macro is defined"
                self._reporter.problem("malformed-directive", statement.rest_start, statement.end, message)

    # Calls

    def arguments(
        self, statement: Statement, macro: Macro
    ) -> "tuple[tuple[bytes, ...], tuple[bytes, ...], ArgumentError | None]":
        """The names of a macro's parameters and their values in a call."""
        if not self.alternate:
            key = (statement, macro)
            known = _arguments.get(key) or _arguments.find(key)
            if known is None:
                values, problem = macros.parse_arguments(_call_text(statement, macro), macro)
                known = macros.parameter_names(macro), macros.replacements(macro, values), problem
                if len(statement.line) <= _KEPT:
                    _arguments.keep(key, known)
            return known
        # The arguments may contain expressions.
        values, problem = macros.parse_arguments(_call_text(statement, macro), macro, self._percent(statement))
        return macros.parameter_names(macro), macros.replacements(macro, values), problem

    def _percent(self, statement: Statement) -> macros.ExpressionValue:
        """Evaluates `%expression` arguments of a call under `.altmacro`."""

        def value(offset: int) -> "tuple[bytes, int] | None":
            found = self._symbols.prefix(statement, statement.rest_start + offset)
            return (str(found[0]).encode(), found[1] - statement.rest_start) if found is not None else None

        return value

    def call(self, macro: Macro, names: tuple[bytes, ...], values: tuple[bytes, ...]) -> Substitution:
        """What a call replaces in the macro's body; counts the call."""
        shows_counter = _shows(macro, b"\\@")
        self.counter_read = self.counter_read or shows_counter
        # Calls that do not use the counter share their lines.
        counter = self.counter if shows_counter else 0
        count = 0
        if _shows(macro, b"\\+"):
            count = self.counts.get(macro.name, 0)
            self.counts = self.counts.set(macro.name, count + 1)
        return Substitution(names, values, counter, self.alternate, count)


@lru_cache(maxsize=4096)
def _shows(macro: Macro, sign: bytes) -> bool:
    """Whether the lines of a call depend on how many calls of any macro (`\\@`) or this one (`\\+`) came before it."""
    return any(sign in line for line in macro.body)


_FEW_CALLS, _MANY_CALLS = 500, 20_000

# Most calls in a kernel occur many times.
_arguments: ByTurns[tuple[Statement, Macro], tuple[tuple[bytes, ...], tuple[bytes, ...], ArgumentError | None]] = (
    ByTurns(_FEW_CALLS)
)
_expanded: ByTurns[tuple[Macro, Substitution], Pasted] = ByTurns(_FEW_CALLS)


@contextmanager
def reading_whole_text() -> Iterator[None]:
    """Meanwhile all calls are kept, and afterwards there is room for as many."""
    with _arguments.whole(_MANY_CALLS), _expanded.whole(_MANY_CALLS):
        yield


def expanded(macro: Macro, substitution: Substitution) -> Pasted:
    """What a call pastes."""
    key = (macro, substitution)
    known = _expanded.get(key) or _expanded.find(key)
    if known is None:
        known = pasted(macro.body, substitution)
        if sum(map(len, substitution.values)) <= _KEPT:
            _expanded.keep(key, known)
    return known


def pasted(lines: Sequence[bytes], substitution: Substitution | None) -> Pasted:
    """Lines with their references replaced; none, at an infinite cost, if they would become too long."""
    if substitution is not None:
        if _is_too_long(lines, substitution):
            return Pasted((), math.inf)
        made = [macros.substitute(line, substitution) for line in lines]
        return Pasted(tuple(made), max(cost(made), sum(line.count(b"\\") for line in lines) // _REFERENCES))
    return Pasted(lines, cost(lines))


def cost(lines: Sequence[bytes]) -> int:
    """What lines take of the budget: a long one counts as several."""
    return sum(1 + len(line) // _LENGTH for line in lines)


def _is_too_long(lines: Sequence[bytes], substitution: Substitution) -> bool:
    longest = max(map(len, substitution.values), default=0)
    # Of bare words, which are references under `.altmacro`, there is at most one for two characters.
    references = [len(line) // 2 + 1 if substitution.alternate else line.count(b"\\") for line in lines]
    if sum(map(len, lines)) + sum(references) * longest <= _LONGEST:
        return False
    total = 0
    for line in lines:
        length = macros.length_of(line, substitution, _LONGEST)
        total += length
        if length > _LONGEST or total > _MOST:
            return True
    return False


def _call_text(statement: Statement, macro: Macro) -> bytes:
    """The arguments of a call; blanks at their end belong to a vararg."""
    if macro.parameters and macro.parameters[-1].vararg:
        return statement.line[statement.rest_start :]
    return statement.rest


def macro_depth(frame: "Frame | None") -> int:
    """The number of macro calls and repetitions that lead to a frame, itself included."""
    return sum(step.kind != "include" for step in frame.chain()) if frame is not None else 0


def open_files(frame: "Frame | None") -> list[str]:
    """The included files that lead to a frame, the outermost first."""
    return [step.name for step in frame.chain() if step.kind == "include"] if frame is not None else []
