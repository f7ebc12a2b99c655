"""Shows findings at the call or `.include` in the main file that leads to them.

Those of included files, and those in a macro that a fix at the call resolves.
"""

import msgspec

from gcn_lsp.findings.model import Finding, Related
from gcn_lsp.program.program import Program
from gcn_lsp.text import Location, message


def at_call(program: Program, finding: Finding) -> Finding:
    """`finding`; if it is in an included file, at the call in the main file, with its own place as related."""
    if finding.where.path not in program.included or finding.unnecessary:
        return finding
    call = _outermost(program, finding)
    return finding if call is None else _moved(finding, call)


def beside(program: Program, finding: Finding) -> Finding | None:
    """A finding in a macro of the main file as one of the call, if the call is what a fix changes; else None."""
    call = _outermost(program, finding) if finding.fixes and finding.where.path == program.path else None
    if call is None or call.line == finding.where.line:
        return None
    lines = {edit.where.line for fix in finding.fixes for edit in fix.edits}
    return _moved(finding, call) if call.line in lines else None


def _outermost(program: Program, finding: Finding) -> Location | None:
    """The place in the main file whose expansion or include leads to a finding."""
    steps = (related.where for related in reversed(finding.related) if related.is_step)
    return next((where for where in steps if where.path == program.path), None)


def _moved(finding: Finding, call: Location) -> Finding:
    body = finding.where
    name = body.file_name
    said = message("{} ({}, line {})", finding.said, name, body.line + 1)
    others = (related for related in finding.related if not (related.is_step and related.where == call))
    related = (Related(body, "the line at fault"), *others)
    return msgspec.structs.replace(finding, where=call, said=said, related=related, last=None)
