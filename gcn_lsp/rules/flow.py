"""The rules about where control goes and what becomes of values, as one list: a new one is a module and a line here."""

from gcn_lsp.rules import (
    clobbered_condition,
    dead_write,
    missing_endpgm,
    shared_register,
    uninitialised_register,
    unreachable_code,
)

CHECKS = (missing_endpgm, uninitialised_register)
# Those that only hint.
HINTS = (unreachable_code, clobbered_condition, shared_register, dead_write)
