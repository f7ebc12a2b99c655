"""Symbols during interpretation: their values now, and the values of expressions over them."""

from gcn_lsp.preproc import macros
from gcn_lsp.preproc.state import RUNNING, Deferred, State, SymbolValue
from gcn_lsp.preproc.streamer import RegisterCount, Reporter
from gcn_lsp.preproc.tracked import Tracked
from gcn_lsp.syntax import expressions, nodes, operands
from gcn_lsp.syntax.directives import assigned_name
from gcn_lsp.syntax.expressions import UNKNOWN, MissingSymbol
from gcn_lsp.syntax.statement import Statement

# The longest chain of symbols set to one another before any has a value; a longer one is circular.
MAX_DEFERRED_DEPTH = 32
# The most values in the expression of such a symbol; no kernel has more.
MAX_DEFERRED_SIZE = 1000

_MISSING = MissingSymbol(False)
_MISSING_UNKNOWN = MissingSymbol(True)


class Symbols:
    """The symbols of a chunk under interpretation.

    values: the current ones. fixed: symbols that may not be set again (`.equiv`). register_count: gives the symbols
    that count the registers named by instructions. made: values that no statement assigned: the line of the chunk that
    led to each, the symbol, and the value.
    """

    def __init__(self, state: State, reporter: Reporter) -> None:
        self.values = Tracked(state.symbols)
        self.fixed = state.fixed
        self.register_count: RegisterCount | None = None
        self.made: list[tuple[int, str, SymbolValue]] = []
        self._reporter = reporter
        self._address = reporter.streamer.address
        self._deferred_depth = 0
        self._deferred_count = 0

    # Values

    def lookup(self, name: str) -> "int | expressions.Address | MissingSymbol":
        """The value of `name` now."""
        if name not in self.values:
            address = self._address(name)
            return _MISSING if address is None else address
        return self.lookup_symbol(name)

    def lookup_symbol(self, name: str) -> "int | expressions.Address | MissingSymbol":
        """The value of `name` now, if it is not a label: avoids dependence on addresses where none is needed."""
        value = self.values.get(name)
        if value is None:
            return _MISSING
        if type(value) is int:
            return value
        if isinstance(value, Deferred):
            return self._lookup_deferred(name, value)
        if value is RUNNING and self.register_count is not None:
            return self.register_count.registers_named(name)
        return _MISSING_UNKNOWN

    def _lookup_deferred(self, name: str, value: Deferred) -> "int | expressions.Address | MissingSymbol":
        """The value of a symbol whose expression had names without a value; fixed once it is known, as in LLVM."""
        if self._deferred_depth == 0:
            self._deferred_count = 0
        self._deferred_count += 1
        if self._deferred_depth >= MAX_DEFERRED_DEPTH or self._deferred_count > MAX_DEFERRED_SIZE:
            return _MISSING_UNKNOWN
        self._deferred_depth += 1
        result = self.evaluate(value.expression)
        self._deferred_depth -= 1
        if isinstance(result, expressions.Unresolved):
            return MissingSymbol(True, result.names)
        if type(result) is int:
            self.make(name, result)
        return result

    def evaluate(self, node: nodes.Node) -> expressions.Value:
        """The value of `node` now."""
        return expressions.evaluate(node, self.lookup)

    def bound(self, node: nodes.Node) -> nodes.Node:
        """`node` with the values of its names; names without one remain, for labels and later symbols."""
        return expressions.substitute(node, self._bound_name)

    def _bound_name(self, name: str) -> "nodes.Node | None":
        if name == ".":
            here = self._address(name)
            return None if here is None else expressions.Placed(0, 0, here.section, here.offset)
        value = self.values.get(name)
        if value is RUNNING:
            number = self.lookup_symbol(name)
            return nodes.Integer(0, 0, number) if type(number) is int else None
        if type(value) is int:
            return nodes.Integer(0, 0, value)
        return value.expression if isinstance(value, Deferred) else None

    def make(self, name: str, value: SymbolValue) -> None:
        """Change a symbol without a statement that assigns it."""
        self.values[name] = value
        self.made.append((self._reporter.written.top_line, name, value))

    def absolute(self, statement: Statement, start: int, end: int) -> "int | None":
        """The value of the expression in bytes `start` to `end`; None after reporting why it has none.

        An undefined symbol counts as defined by the build: the result is None, and the streamer gets its name.
        """
        node = statement.expression(start, end)
        if isinstance(node, nodes.Malformed):
            self._reporter.problem("invalid-expression", node.start, max(node.end, node.start), node.message)
            return None
        value = self.evaluate(node)
        if type(value) is int:
            return value
        self._report_unresolved(value, statement, node.start, max(end, node.end))
        return None

    def number(self, statement: Statement, start: int, end: int) -> "int | None":
        """The value of the expression in bytes `start` to `end` by numbers alone; None without a report if it has none.

        It asks for no address and settles no symbol, as it may not be evaluated at all.
        """
        node = statement.expression(start, end)
        if isinstance(node, nodes.Malformed):
            return None
        value = expressions.evaluate(node, self._number_of)
        return value if type(value) is int else None

    def _number_of(self, name: str) -> "int | MissingSymbol":
        value = self.values.get(name)
        return value if type(value) is int else _MISSING_UNKNOWN

    def prefix(self, statement: Statement, start: int) -> "tuple[int, int] | None":
        """The value of the expression at byte `start`, and its end; None after reporting why it has none."""
        node, end = operands.parse_expression_prefix(statement.line, start, statement.end)
        value = self.evaluate(node)
        if type(value) is int:
            return value, end
        self._report_unresolved(value, statement, node.start, max(node.end, node.start))
        return None

    def _report_unresolved(self, value: expressions.Value, statement: Statement, start: int, end: int) -> None:
        if isinstance(value, expressions.Unresolved):
            for name in value.names:
                self.needs(name, statement)
            if value.message:
                self._reporter.problem("invalid-expression", start, end, f"this has no value: {value.message}")
        else:
            self._reporter.problem("invalid-expression", start, end, "this is an address; a number is needed here")

    def needs(self, name: str, statement: Statement) -> None:
        """Note that interpretation depends on a symbol that only the build defines."""
        self._reporter.streamer.unknown_symbol(name, statement, self._reporter.written)

    # Assignments

    def set(self, statement: Statement) -> None:
        """Carry out a `.set` or a similar directive."""
        name = assigned_name(statement)
        comma = statement.line.find(b",", statement.rest_start, statement.end)
        is_name = macros.is_identifier(name.encode("utf-8", "surrogateescape")) or statement.rest[:1] == b'"'
        if not is_name or comma < 0:
            message = f"`{statement.word}` takes a name, a comma and a value"
            self._reporter.whole("malformed-directive", statement, message)
            return
        self.assign(statement, name, comma + 1, redefine=statement.word != ".equiv")

    def assign(self, statement: Statement, name: str, start: int, *, redefine: bool) -> None:
        """Set a symbol to the expression from byte `start` to the end of the statement."""
        reporter = self._reporter
        node = statement.expression(start, statement.end)
        if isinstance(node, nodes.Malformed):
            reporter.problem("invalid-expression", node.start, max(node.end, node.start), node.message)
            self.make(name, UNKNOWN)
            return
        if (not redefine or name in self.fixed) and name in self.values:
            at = max(statement.line.find(name.encode(), statement.start), statement.start)
            reporter.problem("symbol-redefined", at, at + len(name.encode()), f"`{name}` already has a value")
            return
        if not redefine:
            self.fixed |= {name}
        if name != ".":
            self._store(name, self.evaluate(node), node)
        reporter.streamer.assignment(statement, name, reporter.written)

    def _store(self, name: str, value: expressions.Value, node: nodes.Node) -> None:
        if type(value) is int:
            if self.register_count is not None and self.values.get(name) is RUNNING:
                self.register_count.set_registers_named(name, value)
            else:
                self.values[name] = value
            return
        if isinstance(value, expressions.Unresolved):
            if value.message:
                message = f"this has no value: {value.message}"
                self._reporter.problem("invalid-expression", node.start, node.end, message)
            elif not self._depends_on_build(node):
                self.values[name] = self._deferred(node)
                return
        elif not isinstance(value, int):
            self.values[name] = self._deferred(node)
            return
        self.make(name, UNKNOWN)

    def _deferred(self, node: nodes.Node) -> SymbolValue:
        values = [self.values.get(name) for name in expressions.names_in(node)]
        size = 1 + 2 * sum(value.size for value in values if isinstance(value, Deferred))
        return Deferred(self.bound(node), size) if size <= MAX_DEFERRED_SIZE else UNKNOWN

    def _depends_on_build(self, node: nodes.Node) -> bool:
        """Whether an expression contains a symbol that only the build knows."""
        return any(self.values.get(name) is UNKNOWN for name in expressions.names_in(self.bound(node)))
