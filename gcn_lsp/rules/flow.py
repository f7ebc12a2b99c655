"""The rules about where control goes and what becomes of values, as one list: a new one is a module and a line here."""

from collections.abc import Callable, Iterable

from gcn_lsp.asm.program import Program
from gcn_lsp.rules import (
    clobbered_condition,
    dead_write,
    missing_endpgm,
    shared_register,
    uninitialised_register,
    unreachable_code,
)
from gcn_lsp.rules.model import Finding

CHECKS: tuple[Callable[[Program], Iterable[Finding]], ...] = (
    missing_endpgm.check,
    uninitialised_register.check,
)
# Those that only hint.
HINTS: tuple[Callable[[Program], Iterable[Finding]], ...] = (
    unreachable_code.check,
    clobbered_condition.check,
    shared_register.check,
    dead_write.check,
)
HINTED = frozenset(module.RULE.name for module in (unreachable_code, clobbered_condition, shared_register, dead_write))
