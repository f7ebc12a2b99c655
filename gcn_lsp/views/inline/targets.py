"""The targets that inline assembly is for: those that the build names, as far as the preprocessor lets them in."""

import msgspec

from gcn_lsp import isa
from gcn_lsp.program.candidates import LIKELY
from gcn_lsp.views.inline import conditions
from gcn_lsp.views.inline.statement import Statement

Target = tuple[str, str]  # its name and the features that are switched


class Targets(msgspec.Struct, frozen=True):
    """What the statements of a file are for: the targets that something names, or else those to choose from."""

    named: tuple[Target, ...] = ()
    candidates: tuple[str, ...] = LIKELY
    mattr: str = ""

    def of(self, statement: Statement) -> "tuple[tuple[Target, ...], bool]":
        """The targets for which a statement may be, and whether it is for all of them, not for one of them."""
        guard = statement.guard
        fitting = tuple(each for each in self.named if conditions.holds(guard, each[0]) is not False)
        if fitting:
            return fitting, True
        asks = conditions.names_targets(guard)
        if self.named and not asks:
            return (), True
        names = [*self.candidates, *LIKELY]
        if asks:
            names += isa.target_names()
        possible = dict.fromkeys(name for name in names if conditions.holds(guard, name) is not False)
        return tuple((name, self.mattr) for name in list(possible)[: len(LIKELY)]), False
