"""unwritten-output: an output of inline assembly is read before it is written.

What it checks

Outputs with `=` that an instruction reads before any has written them. An output that is tied to an input has that
input's value, and one that the template does not use is there to order statements. An instruction that writes a part
of its destination may leave the rest without a value.

Why it matters

The register of such an output has no value before the statement: `+` gives it that of the variable.

Example

    // gcn-lsp: target=gfx90a
    void f(int a) {
      int x;
      asm volatile("v_add_u32 %0, %0, %1" : "=v"(x) : "v"(a));
    }

Use instead

    // gcn-lsp: target=gfx90a
    void f(int a) {
      int x = 0;
      asm volatile("v_add_u32 %0, %0, %1" : "+v"(x) : "v"(a));
    }

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.findings.inline_statement import Judged
from gcn_lsp.findings.rule import Finding, Fix, Related, Rule, Severity, Stage
from gcn_lsp.text import TextEdit


def check(about: Judged) -> Iterator[Finding]:
    """A finding at the constraint of each output without a value."""
    sites = about.sites
    if not sites:
        return
    for number, operand in about.operands():
        read = about.constraint(number)
        mask = about.masks[number]
        if not operand.is_output or read.is_inout or read.fixed or number in about.tied or not mask:
            continue
        where = about.at(operand.constraint_span)
        unwritten = mask
        for site in sites:
            if about.uses(site) & unwritten:
                changed = operand.constraint.replace("=", "+", 1).replace("&", "")
                fix = Fix(f'Change to `"{changed}"`', (TextEdit(where, f'"{changed}"'),), is_certain=False)
                read_at = about.operand_place(site, mask, is_written=False)
                related = (Related(read_at, f"{about.document.name(number)} is read here"),)
                message = f"{about.name(number)} is read before it is written; `=` gives it no value"
                yield RULE.at(where, message, related, (fix,))
                break
            unwritten &= ~site.effects.writes


RULE = Rule("unwritten-output", Severity.WARNING, __doc__, Stage.PATHS, check_inline=check)
