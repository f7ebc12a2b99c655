"""unreachable-branch: a branch of a conditional is never assembled.

What it checks

Branches of `.if` and similar directives in the file itself that are taken for none of its targets, with the symbols as
they are: in a macro, not in any call; in a repetition, not in any step.

- Branches that depend on a symbol that only the build defines are not checked.
- Macros that are never called are not checked.
- Branches that hold only an `.error` or a `.warning` are not reported.

Why it matters

Nothing in the branch is checked or encoded. Often that is intended, because the file serves several targets: editors
show such lines faded, so that the assembled ones stand out.

Example

    ; gcn-lsp: target=gfx900
    .set unroll, 2
    .if unroll > 4
    s_nop 3
    .endif

Use instead

    ; gcn-lsp: target=gfx900
    .set unroll, 8
    .if unroll > 4
    s_nop 3
    .endif

Targets

All.
"""

from collections.abc import Iterator, Sequence

from gcn_lsp.findings import names_used
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.preproc.macros import Macro
from gcn_lsp.program.program import Program
from gcn_lsp.syntax.directives import CONDITIONS, BlockKind, Family, words
from gcn_lsp.syntax.lines import parse_line
from gcn_lsp.text import Location


def check(program: Program) -> Iterator[Finding]:
    """A finding for the lines of each branch that is taken on none of the file's targets."""
    found = list(_of_target(program))
    for other in program.others if found else ():
        unreached = {finding.where for finding in _of_target(other)}
        found = [finding for finding in found if finding.where in unreached]
    yield from found


RULE = Rule("unreachable-branch", Severity.HINT, __doc__, Stage.HINTS, check=check)


def _of_target(program: Program) -> Iterator[Finding]:
    macros: dict[tuple[Macro, int], int] = {}
    for first, group in names_used.groups(program):
        for number, container, line, end in group.unreached:
            if container is None:
                base = program.bases[first + number]
                yield from _finding(program, base + line, base + end if end >= 0 else _end(program, base + line))
            elif isinstance(container, Macro):
                macros[(container, line)] = end
    if not macros:
        return
    for _, group in names_used.groups(program):
        for branch in group.reached:
            macros.pop(branch, None)  # type: ignore[arg-type]
    for (macro, line), end in macros.items():
        place = program.macro_place(macro)
        if place is not None and place[1] is None and end >= 0:
            body = program.bases[place[0]] + place[2] + 1
            yield from _finding(program, body + line, body + end, " in any call")


def _finding(program: Program, directive: int, end: int, calls: str = "") -> Iterator[Finding]:
    """The finding for the lines between `directive` and `end`, if they are not blank."""
    lines = program.source.lines
    first, last = directive + 1, end - 1
    while first <= last and not lines[first].strip():
        first += 1
    while last > first and not lines[last].strip():
        last -= 1
    if first > last or _is_check(lines[first : last + 1]):
        return
    text = lines[first]
    start = len(text) - len(text.lstrip())
    where = Location(program.path, first, start, len(text.rstrip()))
    until = Location(program.path, last, 0, len(lines[last].rstrip())) if last > first else None
    yield RULE.at(where, _message(lines[directive], calls), unnecessary=True, last=until)


# The directives of a branch that only reports mistakes.
_CHECKING = words(Family.REPORTS) | {".end"}
# The directives that end a branch at its own depth.
_ENDS = words(Family.BRANCHES) | words(Family.CLOSES, BlockKind.CONDITION)


def _is_check(lines: Sequence[bytes]) -> bool:
    """Whether a branch only reports mistakes, so that not being taken is right."""
    return all(statement.word in _CHECKING for text in lines for statement in parse_line(text).statements)


def _message(directive: bytes, calls: str) -> str:
    line = parse_line(directive)
    statement = line.statements[-1] if line.statements else None
    if statement is None or statement.word == ".else":
        return "never assembled: a branch before this `.else` is always taken"
    written = statement.line[statement.start : statement.end].decode("utf-8", "replace")
    if statement.word == ".elseif":
        return f"never assembled: `{written}` is false{calls}, or a branch before it is taken"
    return f"never assembled: `{written}` is false{calls}"


def _end(program: Program, line: int) -> int:
    """The line that ends the branch opened on `line`, for a branch that reaches into another chunk."""
    depth = 0
    for number in range(line + 1, len(program.source.lines)):
        if b"." not in program.source.lines[number]:
            continue
        for statement in program.line(number).statements:
            if statement.word in CONDITIONS:
                depth += 1
            elif depth == 0 and statement.word in _ENDS:
                return number
            elif statement.word == ".endif":
                depth -= 1
    return line + 1
