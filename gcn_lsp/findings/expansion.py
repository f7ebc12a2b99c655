"""The expansions that lead to a problem, as related places of its finding, innermost first."""

from collections.abc import Sequence

from gcn_lsp.findings.model import Related
from gcn_lsp.program.program import ExpansionStep

_STEPS = {
    "macro": "expanded from a call of `{}`",
    "include": "included here",
    "rept": "repetition {}",
    "irp": "repetition with `{}`",
    "irpc": "repetition with `{}`",
}


def related(steps: Sequence[ExpansionStep]) -> tuple[Related, ...]:
    """A related place for each expansion; `steps` has the outermost first."""
    return tuple(_expanded_from(step) for step in reversed(steps))


def _expanded_from(step: ExpansionStep) -> Related:
    return Related(step.where, _STEPS[step.kind].format(step.name), is_step=True)
