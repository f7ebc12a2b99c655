"""unknown-constraint: a constraint or a clobber of inline assembly is not one that clang knows.

What it checks

Inline assembly: letters of constraints that clang does not accept for AMD GPUs, and clobbers that name no register.
Clang takes one 32-bit register of a file in a clobber (`v1`, `s4`), not a range.

Why it matters

The compiler rejects the statement.

Example

    // gcn-lsp: target=gfx90a
    void f() {
      asm volatile("s_mov_b64 s[4:5], 0" ::: "s[4:5]");
    }

Use instead

    // gcn-lsp: target=gfx90a
    void f() {
      asm volatile("s_mov_b64 s[4:5], 0" ::: "s4", "s5");
    }

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.findings.inline_statement import Judged
from gcn_lsp.findings.rule import Finding, Fix, Rule, Severity, Stage
from gcn_lsp.text import TextEdit
from gcn_lsp.views.inline import constraints

_SPECIAL = frozenset((
    "memory", "cc", "vcc", "vcc_lo", "vcc_hi", "exec", "exec_lo", "exec_hi", "scc", "m0", "flat_scratch",
    "flat_scratch_lo", "flat_scratch_hi",
))  # fmt: skip
_LIMITS = {"v": 512, "s": 106, "a": 512}


def check(about: Judged) -> Iterator[Finding]:
    """A finding at each constraint and each clobber that clang does not know."""
    for number, operand in about.operands():
        if not about.constraint(number).known:
            message = f'`"{operand.constraint}"` is not a constraint for AMD GPUs; `v`, `s`, `a` and `n` are'
            yield RULE.at(about.at(operand.constraint_span), message)
    for clobber in about.statement.clobbers:
        name = clobber.name.strip()
        if name.lower() in _SPECIAL or not name:
            continue
        register = constraints.register(name)
        is_single = register is not None and register[0] in _LIMITS and "[" not in name
        if is_single and register is not None and register[1] < _LIMITS[register[0]]:
            continue
        fixes: tuple[Fix, ...] = ()
        if register is not None and register[0] in _LIMITS and register[2] <= 32:
            singles = [f"{register[0]}{register[1] + at}" for at in range(register[2])]
            text = '", "'.join(singles)
            fixes = (Fix(f'Change to `"{text}"`', (TextEdit(about.at(clobber.span), text),)),)
        yield RULE.at(about.at(clobber.span), f"clang does not know `{name}` as a clobber", fixes=fixes)


RULE = Rule("unknown-constraint", Severity.ERROR, __doc__, Stage.TEXT, check_inline=check)
