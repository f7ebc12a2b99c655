"""What a rule is and what a finding is."""

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


class Rule(msgspec.Struct, frozen=True):
    """A rule's name (kebab-case, the defect's name), its severity, and its page.

    The page is the rule module's docstring; its headings are, in this order: What it checks, Why it matters,
    Example, Use instead, Targets.
    """

    name: str
    severity: Severity
    page: str

    @property
    def summary(self) -> str:
        """The first sentence of the page, without the rule's name."""
        return self.page.partition("\n")[0].partition(": ")[2]
