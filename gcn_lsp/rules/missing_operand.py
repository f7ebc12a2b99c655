"""missing-operand: a template refers to an operand that the statement does not have.

What it checks

Inline assembly in C, C++, HIP, OpenCL and Python: `%5` in a statement of three operands, `%[name]` without an operand
of that name.

Why it matters

The compiler rejects the statement, and clangd does not report it.

Example

    // gcn-lsp: target=gfx90a
    void f(int a) {
      int x;
      asm volatile("v_add_u32 %0, %1, %2" : "=v"(x) : "v"(a));
    }

Use instead

    // gcn-lsp: target=gfx90a
    void f(int a) {
      int x;
      asm volatile("v_add_u32 %0, %1, %1" : "=v"(x) : "v"(a));
    }

Targets

All.
"""

from collections.abc import Iterator
from difflib import get_close_matches

from gcn_lsp.findings.inline_statement import Judged
from gcn_lsp.findings.rule import Finding, Fix, Rule, Severity, Stage
from gcn_lsp.text import TextEdit


def check(about: Judged) -> Iterator[Finding]:
    """A finding at each reference to an operand that is not there."""
    text = about.document.template
    names = [operand.name for operand in about.statement.operands if operand.name]
    for part in about.document.unknown:
        written = text.text[part.start : part.end].decode("utf-8", "replace")
        where = about.at(text.span(part.start, part.end))
        count = len(about.statement.operands)
        has = "no operand" if count == 0 else "one operand" if count == 1 else f"{count} operands"
        if not written.endswith("]"):
            yield RULE.at(where, f"`{written}` does not exist: the statement has {has}")
            continue
        near = get_close_matches(written[written.index("[") + 1 : -1], names, 1, 0.6)
        fixes = (Fix(f"Change to `%[{near[0]}]`", (TextEdit(where, f"%[{near[0]}]"),)),) if near else ()
        yield RULE.at(where, f"no operand is named `{written[written.index('[') + 1 : -1]}`", fixes=fixes)


RULE = Rule("missing-operand", Severity.ERROR, __doc__, Stage.TEXT, check_inline=check)
