"""The stack of open conditionals: which branch of each `.if` is interpreted."""

from collections.abc import Sequence

import msgspec

from gcn_lsp.preproc import macros
from gcn_lsp.preproc.macros import Macro
from gcn_lsp.preproc.state import Branch, OpenConditional
from gcn_lsp.preproc.streamer import Reporter
from gcn_lsp.preproc.symbols import Symbols
from gcn_lsp.syntax.expressions import UNKNOWN, MissingSymbol
from gcn_lsp.syntax.statement import Statement

_COMPARISONS = {
    ".if": lambda value: value != 0,
    ".elseif": lambda value: value != 0,
    ".ifne": lambda value: value != 0,
    ".ifeq": lambda value: value == 0,
    ".ifge": lambda value: value >= 0,
    ".ifgt": lambda value: value > 0,
    ".ifle": lambda value: value <= 0,
    ".iflt": lambda value: value < 0,
}
_NOT_DEFINED = frozenset((".ifndef", ".ifnotdef"))
_STRINGS = frozenset((".ifc", ".ifnc", ".ifeqs", ".ifnes"))
_BLANK = frozenset((".ifb", ".ifnb"))

# A branch of a conditional: its container and the line of its directive.
Start = tuple["Macro | str | None", int]


class Conditionals:
    """The open conditionals, the outermost first.

    ignoring: the current lines are in a branch that is not interpreted. branches: the branches reached, and whether
    each may be interpreted. ends: the lines where those that end here do.
    """

    def __init__(self, open_before: tuple[OpenConditional, ...], symbols: Symbols, reporter: Reporter) -> None:
        self.open = list(open_before)
        self.ignoring = False
        self.branches: dict[Start, bool] = {}
        self.ends: dict[Start, int] = {}
        self._starts: list[Start | None] = [None] * len(self.open)
        self._symbols = symbols
        self._reporter = reporter
        self._follow()

    def is_unknown(self) -> bool:
        """Whether an open branch may or may not be assembled."""
        return any(condition.branch is Branch.UNKNOWN for condition in self.open)

    def is_possible(self) -> bool:
        """Whether what only the build knows decides alone about a line here, and it is no part of a definition."""
        return all(each.branch in (Branch.TAKEN, Branch.UNKNOWN) and not each.blocks for each in self.open)

    def is_pasted(self) -> bool:
        """Whether a branch that may or may not be assembled begins in a macro, whose arguments may exclude it."""
        return any(each.pasted for each in self.open)

    def block(self, change: int) -> None:
        """A block of lines opens (1) or closes (-1) in a branch that may or may not be assembled."""
        last = self.open[-1]
        self.open[-1] = msgspec.structs.replace(last, blocks=max(0, last.blocks + change))

    def is_default_of(self, name: str) -> bool:
        """Whether the current lines are only for when nothing has defined the symbol `name`."""
        return any(condition.absent == name for condition in self.open)

    def hide_code(self) -> None:
        """An instruction or a label is in the outermost branch that may or may not be assembled."""
        for index, condition in enumerate(self.open):
            if condition.branch is Branch.UNKNOWN:
                if not condition.hides_code:
                    self.open[index] = msgspec.structs.replace(condition, hides_code=True)
                return

    def open_unknown(self) -> None:
        """Open a branch that may or may not be assembled, which no directive opens."""
        self.open.append(OpenConditional(Branch.UNKNOWN))
        self._starts.append(None)
        self._follow()

    def cut(self, depth: int) -> None:
        """End all conditionals but the first `depth`."""
        del self.open[depth:]
        del self._starts[depth:]
        self._follow()

    def opened_by(self, depth: int, opener: str) -> None:
        """Note that `opener` leaves the conditionals beyond the first `depth` open: later lines may end them."""
        self.open[depth:] = [msgspec.structs.replace(condition, opener=opener) for condition in self.open[depth:]]

    def doubt(self) -> str:
        """The symbol whose absence led into the innermost branch, which is unknown from here; empty if none did."""
        absent = self.open[-1].absent if self.open else ""
        if absent:
            self.open[-1] = OpenConditional(Branch.UNKNOWN)
            self.ignoring = True
        return absent

    def _follow(self) -> None:
        self.ignoring = not _are_taken(self.open)

    # Directives

    def if_(self, statement: Statement) -> None:
        """Open a conditional."""
        self._starts.append(None)
        if self.ignoring:
            # In a branch that may be assembled, what is known of the condition says what may not be.
            branch = self._branch(statement, quiet=True) if self.is_possible() else Branch.SKIPPED
            self.open.append(OpenConditional(branch, pasted=branch is Branch.UNKNOWN and self._is_in_macro()))
            return
        branch = self._branch(statement)
        absent = _absent_symbol(statement) if branch is Branch.TAKEN else ""
        pasted = branch is Branch.UNKNOWN and self._is_in_macro()
        self.open.append(OpenConditional(branch, absent=absent, pasted=pasted))
        self._follow()
        self._note_start(branch)

    def elseif(self, statement: Statement) -> None:
        """Go to the next branch, if its condition holds."""
        if not self._may_continue(statement):
            return
        last = self.open[-1]
        is_inner = not _are_taken(self.open[:-1])
        branch = last.branch
        if branch is Branch.TAKEN:
            branch = Branch.DONE
        elif branch is Branch.WAITING:
            branch = self._branch(statement, quiet=is_inner)
        pasted = last.pasted or (branch is Branch.UNKNOWN and self._is_in_macro())
        self.open[-1] = OpenConditional(branch, hides_code=last.hides_code, pasted=pasted)
        self._follow()
        if not is_inner:
            self._note_start(branch)

    def else_(self, statement: Statement) -> None:
        """Go to the last branch."""
        self._reporter.expect_end(statement)
        if not self._may_continue(statement):
            return
        last = self.open[-1]
        branch = last.branch
        if branch is Branch.TAKEN:
            branch = Branch.DONE
        elif branch is Branch.WAITING:
            branch = Branch.TAKEN
        self.open[-1] = OpenConditional(branch, else_seen=True, hides_code=last.hides_code, pasted=last.pasted)
        self._follow()
        if _are_taken(self.open[:-1]):
            self._note_start(branch)

    def endif(self, statement: Statement) -> None:
        """Close the innermost conditional."""
        self._reporter.expect_end(statement)
        if not self.open:
            self._reporter.whole("stray-block-end", statement, "`.endif` ends nothing: no `.if` is open")
            return
        self._note_end()
        hides_code = self.open[-1].hides_code
        self.cut(len(self.open) - 1)
        if hides_code:
            self._reporter.streamer.unknown_code(statement, self._reporter.written)

    def _may_continue(self, statement: Statement) -> bool:
        if not self.open:
            self._reporter.whole("stray-block-end", statement, f"`{statement.word}` is outside of an `.if`")
            return False
        if self.open[-1].else_seen:
            message = f"`{statement.word}` comes after the `.else` of its `.if`"
            self._reporter.whole("stray-block-end", statement, message)
            return False
        return True

    def _note_start(self, branch: Branch) -> None:
        """Note that a branch of the innermost conditional starts here and the one before it ends."""
        self._note_end()
        if branch is not Branch.SKIPPED:
            written = self._reporter.written
            here = self._starts[-1] = (written.container, written.line)
            self.branches[here] = branch in (Branch.TAKEN, Branch.UNKNOWN) or self.branches.get(here, False)

    def _note_end(self) -> None:
        start, written = self._starts[-1], self._reporter.written
        if start is not None and start[0] is written.container:
            self.ends[start] = written.line
        self._starts[-1] = None

    # Conditions

    def _branch(self, statement: Statement, *, quiet: bool = False) -> Branch:
        """The branch after a condition. quiet: it may not be assembled, so that nothing is reported."""
        held = self._holds(statement, quiet=quiet)
        return Branch.UNKNOWN if held is None else Branch.TAKEN if held else Branch.WAITING

    def _is_in_macro(self) -> bool:
        frame = self._reporter.written.frame
        return frame is not None and any(step.kind == "macro" for step in frame.chain())

    def _holds(self, statement: Statement, *, quiet: bool) -> "bool | None":
        """True or False; None if it depends on the build, or is malformed (then it is reported, unless `quiet`)."""
        word = statement.word
        compare = _COMPARISONS.get(word)
        if compare is not None:
            evaluate = self._symbols.number if quiet else self._symbols.absolute
            value = evaluate(statement, statement.rest_start, statement.end)
            return None if value is None else compare(value)
        if word in _STRINGS:
            values, problem = _two_strings(statement)
            if problem:
                if not quiet:
                    self._reporter.whole("malformed-directive", statement, problem)
                return None
            return (values[0] == values[1]) == (word in (".ifc", ".ifeqs"))
        if word in _BLANK:
            return (not statement.rest.strip()) == (word == ".ifb")
        return self._may_be_defined(statement) if quiet else self._is_defined(statement)

    def _may_be_defined(self, statement: Statement) -> "bool | None":
        # A symbol without a value may have one from the build.
        has_value = self._symbols.values.get(_named(statement)) not in (None, UNKNOWN)
        return (statement.word not in _NOT_DEFINED) if has_value else None

    def _is_defined(self, statement: Statement) -> "bool | None":
        name = _named(statement)
        if not name:
            self._reporter.whole("malformed-directive", statement, f"`{statement.word}` takes the name of a symbol")
            return None
        if self._symbols.values.get(name) is UNKNOWN:
            return None
        return isinstance(self._symbols.lookup(name), MissingSymbol) == (statement.word in _NOT_DEFINED)


def _absent_symbol(statement: Statement) -> str:
    """The symbol whose absence makes the condition true; empty for other conditions."""
    return _named(statement) if statement.word in _NOT_DEFINED else ""


def _named(statement: Statement) -> str:
    return statement.rest.strip().decode("utf-8", "surrogateescape")


def _are_taken(conditions: Sequence[OpenConditional]) -> bool:
    return all(each.branch is Branch.TAKEN for each in conditions)


def _two_strings(statement: Statement) -> "tuple[tuple[bytes, bytes], str]":
    first, comma, second = statement.rest.partition(b",")
    if statement.word in (".ifeqs", ".ifnes"):
        first, second = first.strip(), second.strip()
        if not comma or not (first[:1] == b'"' == second[:1]):
            return (b"", b""), f"`{statement.word}` takes two strings in quotes"
        return (macros.unquote(first), macros.unquote(second)), ""
    if not comma:
        return (b"", b""), f"`{statement.word}` takes two texts separated by a comma"
    return (first.strip(), second.strip()), ""
