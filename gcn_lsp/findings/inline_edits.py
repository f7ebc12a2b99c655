"""Edits of inline assembly statements that several rules share."""

from gcn_lsp.findings.inline_statement import Judged
from gcn_lsp.findings.model import Fix
from gcn_lsp.text import Location, TextEdit

_LAST_SECTION = 3  # colons before the clobbers


def declaring(about: Judged, names: tuple[str, ...]) -> tuple[Fix, ...]:
    """The fix that adds clobbers."""
    statement = about.statement
    if statement.dialect != "gnu":
        return ()
    listed = ", ".join(f'"{name}"' for name in names)
    if statement.clobber_end is not None:
        end = statement.clobber_end
        edit = TextEdit(Location(about.path, end.line, end.end, end.end), f", {listed}")
    elif statement.sections <= _LAST_SECTION:
        at = statement.last
        colons = " :" * (_LAST_SECTION - statement.sections)
        edit = TextEdit(Location(about.path, at.line, at.start, at.start), f"{colons} {listed}")
    else:
        return ()
    return (Fix(f"Declare {listed}", (edit,)),)
