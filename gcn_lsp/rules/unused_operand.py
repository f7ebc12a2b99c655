"""unused-operand: an operand of inline assembly is not used in the template.

What it checks

Inputs in registers that the template does not refer to, in statements with instructions. A tied input, an input of an
empty template, and an operand for both directions are not reported: they order statements or keep values.

Why it matters

The number of an operand is often wrong by one where another one is not used.

Example

    // gcn-lsp: target=gfx90a
    void f(int a, int b) {
      int x;
      asm volatile("v_add_u32 %0, %1, %1" : "=v"(x) : "v"(a), "v"(b));
    }

Use instead

    // gcn-lsp: target=gfx90a
    void f(int a, int b) {
      int x;
      asm volatile("v_add_u32 %0, %1, %2" : "=v"(x) : "v"(a), "v"(b));
    }

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.findings.inline_statement import Judged
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage


def check(about: Judged) -> Iterator[Finding]:
    """A finding at each input that the template does not use."""
    if not about.sites:
        return
    used = {part.number for part in about.document.template.parts}
    for number in about.inputs():
        read = about.constraint(number)
        if number not in used and read.fixed is None:
            operand = about.statement.operands[number]
            message = f"the template does not use {about.name(number)}"
            yield RULE.at(about.at(operand.expression_span), message, unnecessary=True)


RULE = Rule("unused-operand", Severity.HINT, __doc__, Stage.HINTS, check_inline=check)
