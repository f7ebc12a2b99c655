"""What a finding is."""

from enum import Enum

import msgspec

from gcn_lsp.text import Location, TextEdit


class Severity(Enum):
    """error: it will not assemble or the result is undefined; warning: likely a bug; information: odd but legal;
    hint: could be simpler."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"


class Related(msgspec.Struct, frozen=True, gc=False):
    """A place that explains a finding, and why it does."""

    where: Location
    message: str


class Fix(msgspec.Struct, frozen=True, gc=False):
    """A certain repair of a finding: all edits together."""

    title: str
    edits: tuple[TextEdit, ...]


class Finding(msgspec.Struct, frozen=True, gc=False):
    """One mistake: which rule, how bad, where, a sentence with the values in it, and what belongs to it.

    unnecessary: the text could go, so editors show it faded. last: where text of several lines ends; `where` is the
    part of it on its first line.
    """

    rule: str
    severity: Severity
    where: Location
    message: str
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()
    unnecessary: bool = False
    last: Location | None = None
