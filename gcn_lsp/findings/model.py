"""A finding: rule, severity, place, message, related places and fixes."""

from enum import Enum

import msgspec

from gcn_lsp.text import Location, Text, TextEdit, rendered


class Severity(Enum):
    """error: does not assemble, or the result is undefined; warning: likely a bug; information: odd but legal;
    hint: could be simpler."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"

    @property
    def rank(self) -> int:
        """0 for the worst."""
        return list(Severity).index(self)


class Related(msgspec.Struct, frozen=True, gc=False):
    """A place that explains a finding, and how. is_step: the place is a call, a repetition or an include around it."""

    where: Location
    message: str
    is_step: bool = False


class Fix(msgspec.Struct, frozen=True, gc=False):
    """A fix of a finding: all edits together. is_certain: nothing else can be meant."""

    title: str
    edits: tuple[TextEdit, ...]
    is_certain: bool = True


class Finding(msgspec.Struct, frozen=True, gc=False):
    """One mistake: its rule, severity, place, message with the values in it, related places and fixes.

    said: the message with the places in it as values. unnecessary: the text can be removed, so editors show it faded.
    last: the end of a text of several lines, of which `where` is the first.
    """

    rule: str
    severity: Severity
    where: Location
    said: Text
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()
    unnecessary: bool = False
    last: Location | None = None

    @property
    def message(self) -> str:
        """The message as people read it."""
        return rendered(self.said, self.where.path)

    @property
    def certain_fix(self) -> Fix | None:
        """The fix that needs no choice; None if there is none, several, or one that may not be meant."""
        return self.fixes[0] if len(self.fixes) == 1 and self.fixes[0].is_certain else None
