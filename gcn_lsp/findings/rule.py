"""A rule: its page, the stage in which it checks a program, and its findings; with all that a rule imports."""

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from gcn_lsp.findings.model import Finding as Finding
from gcn_lsp.findings.model import Fix as Fix
from gcn_lsp.findings.model import Related as Related
from gcn_lsp.findings.model import Severity as Severity
from gcn_lsp.findings.suppression import Suppression, Suppressions
from gcn_lsp.program.program import Program
from gcn_lsp.text import Location, Text

if TYPE_CHECKING:
    from gcn_lsp.findings.inline_statement import Judged


class Stage(IntEnum):
    """When the check of a rule runs. The stages run in this order, and the rules of a stage in the order of the page.

    In a short file an editor runs all stages at every keystroke. In a long file the stages up to `PATHS` run at every
    keystroke, those up to `PROGRAM` are published first, and `HINTS` run in a pause (`server.checks`). So a check that
    only gives hints belongs in `HINTS`, unless it shares the work of one in another stage, and so does one that would
    take longer than a key may.
    """

    ASSEMBLED = 0  # no check: a lower layer finds it while it assembles, or `project` while it reads settings
    PROGRAM = 1  # kernels, descriptors and metadata as a whole, or other targets: fast
    TEXT = 2  # all of the text, also what is not assembled; kept by chunk
    PATHS = 3  # dataflow along the paths of control: the slowest
    HINTS = 4  # hints, and dataflow that can wait
    COMMENTS = 5  # the suppression comments, after everything that they may switch off


class RuleReport(msgspec.Struct, frozen=True):
    """What a rule about rules knows besides the program.

    rules: all. used: the comments that switched something off; None until all rules have run.
    """

    rules: "Rules"
    comments: Suppressions
    used: "Collection[Suppression] | None" = None


class RuleKind(NamedTuple):
    """What is known of a rule before its module is imported: see `Rule`.

    in_programs: whether it has a check of programs; in_statements: whether it has one of inline assembly.
    """

    stage: Stage
    severity: Severity
    in_programs: bool
    in_statements: bool


class Rules(Mapping[str, "Rule"]):
    """All rules by name, in the order of the page. The module of each is imported when it is asked for.

    A command needs few of them: those that find something, and the checks of the stages that it runs.
    """

    @abstractmethod
    def kind(self, name: str) -> RuleKind:
        """The kind of a rule. Raises KeyError if there is none of that name."""

    def of_stage(self, stage: Stage) -> Iterator[str]:
        """The names of the rules that check programs in a stage."""
        for name in self:
            kind = self.kind(name)
            if kind.stage is stage and kind.in_programs:
                yield name


class Rule(msgspec.Struct, frozen=True):
    """A rule: its name (kebab-case, the defect's name), its severity, its page, and what finds it.

    The page is the rule module's docstring; its headings are, in this order: What it checks, Why it matters,
    Example, Use instead, Targets.

    severity: the worst that one of its findings has. check: yields the rule's findings in a program; stage: when it
    runs. check_report: the same for a rule that needs to know the other rules. found_by: the modules, without
    `gcn_lsp`, that make the problem or finding; a rule may have a check as well. at_call: whether a problem in a macro
    is the caller's mistake and is reported at the call. any_target: whether its findings are the same for every
    target. check_inline: yields the findings in a statement of inline assembly; such a rule looks at nothing else.
    shown_by: the rules of what a run finds where it shows such a finding; empty if no run can.
    """

    name: str
    severity: Severity
    page: str
    stage: Stage = Stage.ASSEMBLED
    check: Callable[[Program], Iterable[Finding]] | None = None
    check_report: Callable[[Program, RuleReport], Iterable[Finding]] | None = None
    found_by: tuple[str, ...] = ()
    at_call: bool = False
    any_target: bool = False
    check_inline: "Callable[[Judged], Iterable[Finding]] | None" = None
    shown_by: tuple[str, ...] = ()

    @property
    def kind(self) -> RuleKind:
        """What is known of the rule before its module is imported."""
        is_program = self.check is not None or self.check_report is not None
        return RuleKind(self.stage, self.severity, is_program, self.check_inline is not None)

    @property
    def summary(self) -> str:
        """The first sentence of the page, without the rule's name."""
        return self.page.partition("\n")[0].partition(": ")[2]

    def at(
        self,
        where: Location,
        message: Text,
        related: tuple[Related, ...] = (),
        fixes: tuple[Fix, ...] = (),
        *,
        unnecessary: bool = False,
        last: Location | None = None,
        severity: Severity | None = None,
    ) -> Finding:
        """A finding of this rule, with `severity` in place of the rule's if given."""
        return Finding(self.name, severity or self.severity, where, message, related, fixes, unnecessary, last)
