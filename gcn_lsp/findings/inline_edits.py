"""Edits of inline assembly statements that several rules share."""

from collections.abc import Sequence

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


def inserted(about: Judged, lines: Sequence[str], *, is_last: bool) -> tuple[Fix, ...]:
    """The fix that inserts lines at the start or the end of the template; none where that is not plain text."""
    pieces = about.statement.pieces
    piece = pieces[-1] if is_last else pieces[0]
    if piece.raw or not piece.known:
        return ()
    span = piece.span
    joined = "\\n\\t".join(lines)
    if not is_last:
        place, text = span.start, f"{joined}\\n\\t"
    elif about.statement.template.rstrip(b" \t").endswith(b"\n"):
        place, text = span.end, f"{joined}\\n"
    else:
        place, text = span.end, f"\\n\\t{joined}"
    edit = TextEdit(Location(about.path, span.line, place, place), text)
    shown = " and ".join(f"`{line}`" for line in lines)
    return (Fix(f"{'End' if is_last else 'Begin'} with {shown}", (edit,), is_certain=False),)
