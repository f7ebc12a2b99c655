"""unused-symbol: a symbol is set and never used.

What it checks

Symbols to which `.set`, `.equ`, `.equiv` or `=` in the file gives a value, and which nothing else in the file or its
includes mentions.

- Names that begin with a dot are not checked.
- What compilers record about a function (`f.num_vgpr`) or a file is not checked.
- Files that emit nothing are not checked, since they exist to be included.
- Files with an include that is not found are not checked.

Why it matters

A register that was planned and is not used is free for something else. Generated kernels have many of these, which does
no harm. Editors show them faded.

Example

    ; gcn-lsp: target=gfx900
    .set v_result, 4
    .set v_spare, 5
    v_mov_b32 v[v_result], 0

Use instead

    ; gcn-lsp: target=gfx900
    .set v_result, 4
    v_mov_b32 v[v_result], 0

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.findings import names_used
from gcn_lsp.findings.rule import Finding, Fix, Rule, Severity, Stage
from gcn_lsp.isa.kernels import kernel_code
from gcn_lsp.patterns import regex
from gcn_lsp.program.program import Program
from gcn_lsp.text import Location, TextEdit

# Prefixes of the assembler's symbols, and of those in which compilers record facts about a module.
_OF_TOOLS = (".", "amdgpu.")
# Suffixes of the symbols in which compilers record facts about a function for its callers.
_NOTES = tuple(
    f".{note}"
    for note in (
        "num_vgpr", "num_agpr", "numbered_sgpr", "num_named_barrier", "private_seg_size", "uses_vcc",
        "uses_flat_scratch", "has_dyn_sized_stack", "has_recursion", "has_indirect_call",
    )
)  # fmt: skip


def check(program: Program) -> Iterator[Finding]:
    """A finding at each assignment to a symbol that nothing uses."""
    usage = names_used.of_program(program)
    if usage is None:
        return
    for first, group in names_used.groups(program):
        for number, (name, line, start, end) in group.assigned:
            if name in usage.used or name.startswith(_OF_TOOLS) or name.endswith(_NOTES) or usage.has(name):
                continue
            if name in kernel_code.FIELDS:
                continue  # in a header, whose fields look like assignments
            where = Location(program.path, program.bases[first + number] + line, start, end)
            message = f"`{name}` is set and never used"
            yield RULE.at(where, message, fixes=_removal(program, where), unnecessary=True)


def _removal(program: Program, where: Location) -> tuple[Fix, ...]:
    """The fix that removes the line of an assignment; none if more is on it."""
    text = program.source.lines[where.line]
    is_alone = _ASSIGNMENT.fullmatch(text) is not None and where.line + 1 < len(program.source.lines)
    if not is_alone:
        return ()
    edit = TextEdit(Location(where.path, where.line, 0, len(text)), "", takes_line=True)
    return (Fix("Remove the assignment", (edit,), is_certain=False),)


# A line that is one assignment, without a comment or another statement.
_ASSIGNMENT = regex(rb"\s*(?:\.(?:set|equ|equiv)\s+[\w.$]+\s*,|[\w.$]+\s*=(?!=))[^;/#\n]*")


RULE = Rule("unused-symbol", Severity.HINT, __doc__, Stage.HINTS, check=check, any_target=True)
