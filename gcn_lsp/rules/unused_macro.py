"""unused-macro: a macro is never called.

What it checks

Macros that no line of the file or its includes names, not even in a branch that is not taken or in another macro.

- Files that emit nothing are not checked, since they exist to be included.
- Files with an include that is not found are not checked.

Why it matters

What nobody calls, nobody tests: it may not even assemble. Editors show it faded.

Example

    ; gcn-lsp: target=gfx900
    .macro pause
      s_nop 7
    .endm
    s_nop 0

Use instead

    ; gcn-lsp: target=gfx900
    .macro pause
      s_nop 7
    .endm
    pause

Targets

All.
"""

from collections.abc import Iterator
from functools import lru_cache

from gcn_lsp.findings import names_used
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.program.program import Program
from gcn_lsp.text import Location


def check(program: Program) -> Iterator[Finding]:
    """A finding at the name of each macro of the main file that nothing calls."""
    usage = names_used.of_program(program)
    if usage is None:
        return
    for first, group in names_used.groups(program):
        for number, macro, header in group.macros:
            if not usage.has(macro.name):
                line = program.bases[first + number] + header
                yield _finding(program.path, line, program.source.lines[line], macro.name)


RULE = Rule("unused-macro", Severity.HINT, __doc__, Stage.HINTS, check=check, any_target=True)


@lru_cache(maxsize=4096)  # a library may have hundreds, and they are the same after most edits
def _finding(path: str, line: int, text: bytes, name: str) -> Finding:
    written = name.encode("utf-8", "surrogateescape")
    start = max(text.find(written, text.find(b".") + len(".macro")), 0)
    where = Location(path, line, start, min(start + len(written), len(text)))
    return RULE.at(where, f"macro `{name}` is never called", unnecessary=True)
