"""instruction-in-comment: an instruction of inline assembly is behind a `;`, which begins a comment.

What it checks

A mnemonic of any target directly after a `;` in the template of an inline assembly statement. The assembler for AMD
GPUs separates statements by line ends only.

Why it matters

The compiler accepts the statement, and the instruction is not in its code.

Example

    // gcn-lsp: target=gfx90a
    void f(int a) {
      asm volatile("s_nop 0; s_nop 1");
    }

Use instead

    // gcn-lsp: target=gfx90a
    void f(int a) {
      asm volatile("s_nop 0\\n s_nop 1");
    }

Targets

All.
"""

import re
from collections.abc import Iterator

from gcn_lsp import isa
from gcn_lsp.findings.inline_statement import Judged
from gcn_lsp.findings.rule import Finding, Fix, Rule, Severity, Stage
from gcn_lsp.patterns import regex
from gcn_lsp.text import TextEdit

_AFTER = regex(rb";[ \t]*([a-z]\w*_\w+)(?=[ \t;]|$)", re.MULTILINE)


def check(about: Judged) -> Iterator[Finding]:
    """A finding at each instruction in a comment."""
    text = about.document.template
    for found in _AFTER.finditer(text.text):
        name = found[1].decode()
        line_start = text.text.rfind(b"\n", 0, found.start()) + 1
        if b"//" in text.text[line_start : found.start()] or not isa.targets_with(name):
            continue
        if not text.text[line_start : found.start()].strip():
            continue  # an instruction that is commented out
        where = about.at(text.span(found.start(1), found.end(1)))
        separator = about.at(text.span(found.start(), found.start() + 1))
        fixes: tuple[Fix, ...] = ()
        if text.is_plain(found.start(), found.start() + 1) and text.is_escaped(found.start()):
            fixes = (Fix("Change `;` to a line end", (TextEdit(separator, "\\n"),)),)
        message = f"`{name}` is in a comment, because `;` begins one: separate instructions by a line end"
        yield RULE.at(where, message, fixes=fixes)


RULE = Rule("instruction-in-comment", Severity.WARNING, __doc__, Stage.TEXT, check_inline=check)
