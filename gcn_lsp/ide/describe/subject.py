"""The mnemonic that a page or a hover is about, with everything that its parts ask of the tables, looked up once."""

import msgspec

from gcn_lsp import isa
from gcn_lsp.ide import mnemonics
from gcn_lsp.isa import documentation
from gcn_lsp.isa.documentation import documents, implicit
from gcn_lsp.isa.documentation.implicit import Implicit


class Subject(msgspec.Struct, frozen=True, eq=False):
    """A mnemonic on a target, or on no target that is known.

    form: the one form that is meant; None if that is not known. forms: those that the mnemonic may mean, () if the
    target does not have it. halves: the forms of pairs in which it is the second half, if it has no form of its own.
    entry: its documentation on the target.
    """

    mnemonic: str
    target: isa.Target | None
    form: isa.Form | None
    forms: tuple[isa.Form, ...]
    halves: tuple[isa.Form, ...]
    entry: "documentation.Entry | None"

    @property
    def known(self) -> tuple[isa.Form, ...]:
        """The forms that decide what is read and written implicitly."""
        return (self.form,) if self.form is not None else self.forms or self.halves

    @property
    def target_name(self) -> str:
        """The target's name; empty for none."""
        return self.target.name if self.target is not None else ""

    @property
    def reads(self) -> Implicit:
        """What it reads besides its operands."""
        return implicit.reads(self.entry, self.known, self.target_name)

    @property
    def writes(self) -> Implicit:
        """What it writes besides its operands."""
        return implicit.writes(self.entry, self.known, self.target_name)

    @property
    def sources(self) -> tuple[str, ...]:
        """The documents to read further; of a mnemonic that the target lacks, those of the oldest that has it."""
        if self.target is None or self.entry is None:
            return ()
        having = () if self.known else isa.targets_with(documentation.without_suffix(self.mnemonic))
        name = documentation.oldest(having) if having else self.target.name
        shortest = self.form or min(self.forms, key=lambda form: form.size, default=None)
        return documents.of_entry(self.entry, name, shortest.family if shortest is not None else "")


def of(mnemonic: str, target: isa.Target | None, form: isa.Form | None = None) -> Subject:
    """The subject of a mnemonic, with or without an encoding suffix."""
    forms = mnemonics.candidates(target, mnemonic) if target is not None else ()
    halves = mnemonics.as_second_half(target, mnemonic) if target is not None and not forms else ()
    return Subject(mnemonic, target, form, forms, halves, documentation.entry(mnemonic, target))
