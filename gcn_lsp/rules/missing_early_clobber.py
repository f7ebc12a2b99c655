"""missing-early-clobber: an output of inline assembly is written while an input is still to be read.

What it checks

An output without `&` that an instruction writes before a later one reads an input of the same register file. The
compiler may give both one register: it takes all inputs as read before the first output is written.

- An output that is tied to an input, or for both directions (`+`), has a register of its own.
- Statements with branches are not checked.

Why it matters

The input is overwritten and the result is wrong, but only where the compiler happens to share the register.

Example

    // gcn-lsp: target=gfx90a
    void f(int a, int b) {
      int x;
      asm volatile("v_lshlrev_b32 %0, 4, %1\\n\\t"
                   "v_add_u32 %0, %0, %2" : "=v"(x) : "v"(a), "v"(b));
    }

Use instead

    // gcn-lsp: target=gfx90a
    void f(int a, int b) {
      int x;
      asm volatile("v_lshlrev_b32 %0, 4, %1\\n\\t"
                   "v_add_u32 %0, %0, %2" : "=&v"(x) : "v"(a), "v"(b));
    }

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.findings.inline_statement import Judged
from gcn_lsp.findings.rule import Finding, Fix, Related, Rule, Severity, Stage
from gcn_lsp.text import TextEdit


def check(about: Judged) -> Iterator[Finding]:
    """A finding at each output that needs an early clobber."""
    sites = about.sites
    for number, operand in about.operands():
        read = about.constraint(number)
        if not operand.is_output or read.is_early or read.is_inout or read.fixed or number in about.tied:
            continue
        mask = about.masks[number]
        written = next((at for at, site in enumerate(sites) if mask and site.effects.writes & mask), None)
        if written is None:
            continue
        for other in about.inputs():
            if not set(about.constraint(other).files) & set(read.files):
                continue
            after = next((site for site in sites[written + 1 :] if site.effects.reads & about.masks[other]), None)
            if after is None:
                continue
            where = about.at(operand.constraint_span)
            message = (
                f"{about.name(number)} is written before {about.name(other)} is read, but has no `&`: the compiler "
                "may assign one register to both"
            )
            related = (
                Related(
                    about.operand_place(sites[written], mask, is_written=True),
                    f"{about.document.name(number)} is written here",
                ),
                Related(
                    about.operand_place(after, about.masks[other], is_written=False),
                    f"{about.document.name(other)} is read here",
                ),
            )
            changed = operand.constraint.replace("=", "=&", 1)
            fixes = (Fix(f'Change to `"{changed}"`', (TextEdit(where, f'"{changed}"'),)),)
            yield RULE.at(where, message, related, fixes)
            break


RULE = Rule("missing-early-clobber", Severity.WARNING, __doc__, Stage.PATHS, check_inline=check)
