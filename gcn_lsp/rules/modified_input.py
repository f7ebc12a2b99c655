"""modified-input: inline assembly writes to an operand that is only an input.

What it checks

An instruction that writes the register of an input which is not tied to an output.

Why it matters

The compiler assumes the register is unchanged, and may use it again after the statement.

Example

    // gcn-lsp: target=gfx90a
    void f(int a) {
      int x;
      asm volatile("v_add_u32 %1, 1, %1\\n\\t"
                   "v_mov_b32 %0, %1" : "=v"(x) : "v"(a));
    }

Use instead

    // gcn-lsp: target=gfx90a
    void f(int a) {
      int x;
      asm volatile("v_add_u32 %1, 1, %1\\n\\t"
                   "v_mov_b32 %0, %1" : "=v"(x), "+v"(a));
    }

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.findings.inline_statement import Judged
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage


def check(about: Judged) -> Iterator[Finding]:
    """A finding at the first write to each input."""
    for number in about.inputs():
        mask = about.masks[number]
        site = next((site for site in about.sites if site.effects.writes & mask), None)
        if site is not None:
            constraint = about.statement.operands[number].constraint
            message = f'{about.name(number)} is written, but is only an input; make it an output with `"+{constraint}"`'
            yield RULE.at(about.operand_place(site, mask, is_written=True), message)


RULE = Rule("modified-input", Severity.WARNING, __doc__, Stage.PATHS, check_inline=check)
