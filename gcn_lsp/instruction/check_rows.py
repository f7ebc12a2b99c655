"""Rows that say which forms need which checks: a condition on the form and its target, and the checks."""

from collections.abc import Callable, Iterable, Mapping

import msgspec

from gcn_lsp import isa
from gcn_lsp.instruction.bound import Check


class FormHere(msgspec.Struct, frozen=True):
    """A form on a target. names: of its operands; numbers: the plain numbers among these, with their classes."""

    form: isa.Form
    target: isa.Target
    names: frozenset[str]
    numbers: Mapping[str, str] = {}

    def has(self, *flags: str) -> bool:
        """Whether the form has one of the flags."""
        return not self.form.flags.isdisjoint(flags)

    def takes(self, *names: str) -> bool:
        """Whether the form has one of the operands."""
        return not self.names.isdisjoint(names)

    def is_for(self, *starts: str) -> bool:
        """Whether the mnemonic starts with one of these."""
        return self.form.mnemonic.startswith(starts)

    def is_named(self, *starts: str) -> bool:
        """Whether LLVM's record starts with one of these."""
        return self.form.name.startswith(starts)


Rows = tuple[tuple[Callable[[FormHere], bool], "tuple[Check, ...] | Callable[[FormHere], Iterable[Check]]"], ...]
"""Conditions, each with the checks that follow from it, or with a function that makes them for the form."""


def chosen(rows: Rows, here: FormHere) -> tuple[Check, ...]:
    """The checks of the rows that hold for a form, in the order of the rows."""
    found: list[Check] = []
    for needs, checks in rows:
        if needs(here):
            found += checks if isinstance(checks, tuple) else checks(here)
    return tuple(found)
