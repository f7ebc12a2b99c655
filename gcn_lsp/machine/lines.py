"""The lines of a compiled operation, and names for the values in them."""

import re

from gcn_lsp.machine.terms import UNIFORM, Term

_ASKS = re.compile(r"\be\.|\bhwreg\(")  # what may have another answer the next time


class EmittedLines:
    """Lines of Python as they are made. prefix: of the names. views: names of registers as they are, not copies."""

    def __init__(self) -> None:
        self.prefix = "t"
        self.views: set[str] = set()
        self._lines: list[str] = []
        self._indentation = 2
        self._count = 0
        self._known: dict[str, str] = {}

    def emit(self, line: str) -> None:
        """Adds a line that does something: values that were read before it may be others afterwards."""
        self._known.clear()
        self._add(line)

    def _add(self, line: str) -> None:
        self._lines.append("    " * self._indentation + line)

    def named(self, code: str) -> str:
        """A name for the value of an expression: that of an equal one, if nothing happened in between."""
        known = self._known.get(code)
        if known is not None:
            return known
        name = self._fresh()
        self._add(f"{name} = {code}")
        if not _ASKS.search(code):
            self._known[code] = name
        if ".view(" in code and code.partition(".")[0] in self.views:
            self.views.add(name)
        return name

    def _fresh(self) -> str:
        self._count += 1
        return f"{self.prefix}{self._count}"

    def keep(self, term: Term) -> Term:
        """The term with its code in a name."""
        if term.code.isidentifier() or (term.how == UNIFORM and term.low == term.high):
            return term
        return term._replace(code=self.named(term.code))
