"""All rules, one module each, in the order of the page; start at `check`, which yields the findings of a program.

A new rule is a module in this folder and a line in `_NAMES`. The module of `missing-wait` is `missing_wait`: its
docstring is the rule's page, its `RULE` says what finds the mistake; `python -m tests.docs.make` writes both on the
pages of rules, and its kind where it is known without the module. Code that several rules share is in `findings`.
"""

from collections.abc import Iterable, Iterator
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING

from gcn_lsp.findings import rule_kinds, run, suppression
from gcn_lsp.findings.model import Finding, Severity
from gcn_lsp.findings.rule import Rule, RuleKind, Rules, Stage
from gcn_lsp.text import SourceText

if TYPE_CHECKING:
    from gcn_lsp.views.inline.statement import Statement
    from gcn_lsp.views.inline.targets import Targets

_NAMES = (
    # Statements and their operands.
    "unknown-mnemonic",
    "unsupported-on-target",
    "wrong-operand-count",
    "wrong-operand-kind",
    "misaligned-register",
    "wrong-register-width",
    "register-out-of-range",
    "register-not-available",
    "immediate-out-of-range",
    "literal-not-allowed",
    "too-many-literals",
    "constant-bus-limit",
    "unknown-modifier",
    "duplicate-modifier",
    "modifier-out-of-range",
    "missing-modifier",
    "undefined-symbol",
    "syntax-error",
    "operand-conflict",
    "branch-out-of-range",
    "relative-constant",
    "silently-truncated",
    "unsigned-dot-product",
    "version-dependent",
    "implicit-format",
    "scalar-offset-register",
    "misaligned-offset",
    "overwritten-address",
    # Directives, macros, symbols, files.
    "unknown-directive",
    "former-directive",
    "malformed-directive",
    "unterminated-block",
    "stray-block-end",
    "include-not-found",
    "include-cycle",
    "macro-arguments",
    "duplicate-label",
    "duplicate-macro",
    "symbol-redefined",
    "expansion-limit",
    "invalid-expression",
    "user-error",
    "user-warning",
    "descriptor-field",
    "disassembly-listing",
    "unread-text",
    # Kernels as a whole.
    "descriptor-inconsistent",
    "kernarg-beyond-segment",
    "split-argument",
    "wrong-argument-pointer",
    "misplaced-argument",
    "lds-beyond-segment",
    "unrequested-lds",
    "malformed-metadata",
    "metadata-contradicts-descriptor",
    "missing-metadata",
    "oversized-work-group",
    "register-beyond-descriptor",
    # Control flow and values.
    "missing-endpgm",
    "undecodable-code",
    "unreachable-code",
    "unreached-store",
    "uninitialised-register",
    "clobbered-condition",
    "unread-comparison",
    "missing-carry",
    "inactive-lanes",
    "mispaired-mask",
    "endless-loop",
    "inverted-loop-branch",
    "lost-accumulation",
    "shared-register",
    "dead-write",
    "lost-write",
    "privileged-write",
    # Waits and hazards.
    "missing-wait",
    "insufficient-wait",
    "missing-barrier",
    "unpublished-lds-write",
    "unpublished-lds-copy",
    "overwritten-lds-read",
    "overwritten-lds-copy",
    "early-lds-write",
    "overlapping-lds-writes",
    "skipped-barrier",
    "unpaired-barrier",
    "incomplete-release",
    "incomplete-acquire",
    "narrow-scope",
    "replayed-atomic",
    "unfinished-return",
    "missing-entry-wait",
    "missing-entry-sequence",
    "unsaved-register",
    "redundant-wait",
    "lds-bank-conflict",
    "over-wait",
    "useless-wait",
    "unchecked-allocation",
    "missing-wait-states",
    "unreplayable-clause",
    "broken-clause",
    "code-after-release",
    "missing-write-back",
    "unreturned-value",
    "suspicious-resource",
    "pointer-in-resource",
    "undefined-by-hardware",
    "forbidden-operand",
    "disputed-operand",
    "redundant-nop",
    # Inline assembly in C, C++ and Python.
    "missing-operand",
    "unknown-constraint",
    "constraint-mismatch",
    "instruction-in-comment",
    "undeclared-clobber",
    "missing-memory-clobber",
    "missing-early-clobber",
    "modified-input",
    "unwritten-output",
    "outstanding-output",
    "exposed-hazard",
    "unused-operand",
    "assembly-with-builtin",
    "ptx-assembly",
    # Runs of kernels.
    "access-outside-memory",
    "misaligned-access",
    "unwritten-lds-read",
    "unwritten-memory-read",
    "lds-race",
    "memory-race",
    "order-dependent-result",
    "stopped-run",
    # Unused and misleading names.
    "shadowed-symbol",
    "unreachable-branch",
    "unused-macro",
    "unused-symbol",
    # Targets, settings, suppression comments.
    "unknown-target",
    "former-target",
    "conflicting-targets",
    "build-defined-symbols",
    "portability",
    "configuration-error",
    "unknown-suppression",
    "unused-suppression",
    "unreadable-file",
    "too-many-findings",
)


class _Rules(Rules):
    """The rules of this folder."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._modules: dict[str, Rule | None] = dict.fromkeys(names)
        self._kinds: dict[str, RuleKind] = {}

    def __getitem__(self, name: str) -> Rule:
        known = self._modules[name]
        if known is None:
            known = self._modules[name] = import_module(f"{__name__}.{name.replace('-', '_')}").RULE
            assert known.name == name
        return known

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)

    def __contains__(self, name: object) -> bool:
        return name in self._modules

    def kind(self, name: str) -> RuleKind:
        """The kind of a rule. Raises KeyError if there is none of that name."""
        found = self._kinds.get(name)
        if found is None:
            known = rule_kinds.KINDS.get(name)
            found = RuleKind(Stage(known[0]), Severity(known[1]), *known[2:]) if known is not None else self[name].kind
            self._kinds[name] = found
        return found


RULES: Rules = _Rules(_NAMES)


check = partial(run.check, RULES)
"""The findings of a program, as `findings.run.check` describes them."""
check_in_steps = partial(run.check_in_steps, RULES)
"""The same with a pause after each rule."""
check_alone = partial(run.check_alone, RULES)
"""The findings of a program that need no comparison of targets, as `findings.run.check_alone` describes them."""
later = cache(partial(run.later, RULES))
"""The rules whose checks `check` leaves out when it stops after a stage."""


def check_inline(
    source: SourceText, statements: "Iterable[Statement]", targets: "Targets", about_setup: Iterable[Finding] = ()
) -> list[Finding]:
    """The findings in the inline assembly of a source, without those that a comment switches off."""
    from gcn_lsp.findings import inline_run  # late: few files have some

    found = [*about_setup, *inline_run.check(RULES, source.path, statements, targets)]
    comments = suppression.in_source(source)
    return comments.apply(found)[0] if comments else found
