"""undefined-symbol: a name is used that nothing defines.

What it checks

Names whose value must be known when the line is assembled, or that the build cannot supply, such as the target of a
branch. The rule build-defined-symbols lists the names that the build may define with `-defsym`.

The label of a kernel descriptor counts too: a descriptor without code has no use. A file without labelled code is not
checked for this, since it may be a part of another. If a directive such as `.globl` declares the name, another file may
define it, so the finding is a warning, and there is none unless a label in this file has no descriptor.

Why it matters

The assembler cannot give the field a value, or it leaves a relocation that the linker cannot resolve.

Example

    ; gcn-lsp: target=gfx900
    s_branch loop_end

Use instead

    ; gcn-lsp: target=gfx900
    s_branch loop_end
    loop_end:
    s_endpgm

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.findings.rule import Finding, Fix, Rule, Severity, Stage
from gcn_lsp.program.kernels import descriptor_blocks
from gcn_lsp.program.program import Program
from gcn_lsp.text import TextEdit


def check(program: Program) -> Iterator[Finding]:
    """A finding at the name of each kernel descriptor whose label does not exist."""
    if program.target is None or program.final_state.incomplete:
        return
    for block in program.kernel_blocks:
        if block.name and not program.is_defined(block.name):
            yield from _without_code(program, block)


def _without_code(program: Program, block: descriptor_blocks.DescriptorBlock) -> Iterator[Finding]:
    labels, is_elsewhere = program.undescribed, program.may_be_elsewhere(block.name)
    has_code = bool(labels) or any(program.is_defined(other.name) for other in program.kernel_blocks)
    if not (labels if is_elsewhere else has_code):
        return
    chunk, line = block.lines[0]
    statement = line.statement
    where, movable = program.place_in(chunk, line, statement.rest_start, statement.end)
    message = f"no label `{block.name}` is defined, so this descriptor has no code"
    fixes: tuple[Fix, ...] = ()
    if len(labels) == 1:
        message += f"; `{labels[0]}` has no descriptor"
        edit = TextEdit(where, labels[0])
        fixes = (Fix(f"Change to `{labels[0]}`", (edit,), is_certain=False),) if movable else ()
    yield RULE.at(where, message, (), fixes, severity=Severity.WARNING if is_elsewhere else None)


RULE = Rule(
    "undefined-symbol",
    Severity.ERROR,
    __doc__,
    Stage.PROGRAM,
    check=check,
    found_by=(
        "instruction.operands",
        "instruction.rejection",
        "instruction.values",
        "program.links",
        "program.problems",
    ),
)
