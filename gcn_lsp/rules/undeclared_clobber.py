"""undeclared-clobber: inline assembly changes a register that it does not declare.

What it checks

Registers that the instructions of a statement write and that are neither an operand nor a clobber: `v7`, `s[4:5]`,
`vcc`, `scc`, and `exec` unless its last write restores it.

- A register whose number is a constant operand, as in `v[%0]`, is silent: the program manages such registers.
- `m0` is silent: the compiler sets it before each use and ignores the clobber.

Why it matters

The compiler keeps other values in that register, and they are gone.

Example

    // gcn-lsp: target=gfx90a
    void f(int a, int b) {
      int x;
      asm volatile("v_add_co_u32 %0, vcc, %1, %2" : "=v"(x) : "v"(a), "v"(b));
    }

Use instead

    // gcn-lsp: target=gfx90a
    void f(int a, int b) {
      int x;
      asm volatile("v_add_co_u32 %0, vcc, %1, %2" : "=v"(x) : "v"(a), "v"(b) : "vcc");
    }

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.machine import registers
from gcn_lsp.findings import inline_edits
from gcn_lsp.findings.inline_statement import Judged
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.isa.machine import control_flow
from gcn_lsp.views.inline import constraints

_FILES = ("v", "a", "s")
_MOST = 32  # registers that a fix declares


def check(about: Judged) -> Iterator[Finding]:
    """A finding at the first instruction that writes what is not declared, and one for `exec`."""
    known = about.numbered | registers.M0 | registers.MODE | registers.EXEC
    for mask in about.masks:
        known |= mask
    for clobber in about.statement.clobbers:
        register = constraints.register(clobber.name)
        known |= registers.NONE if register is None else registers.of_tuple(*register)
        known |= registers.SCC if clobber.name == "cc" else registers.NONE
    names: dict[str, None] = {}
    first = None
    for site in about.sites:
        written = registers.whole(site.effects.writes) & ~known
        listed = tuple(_names(written))
        if listed and first is None:
            first = site, written
        names.update(dict.fromkeys(listed))
    if first is not None:
        shown = ", ".join(f"`{name}`" for name in list(names)[:4]) + (", ..." if len(names) > 4 else "")
        verb = "is" if len(names) == 1 else "are"
        message = f"{shown} {verb} written, but not declared as clobbered"
        fixes = inline_edits.declaring(about, tuple(names)) if len(names) <= _MOST else ()
        yield RULE.at(about.operand_place(*first, is_written=True), message, fixes=fixes)
    yield from _changed_exec(about)


def _changed_exec(about: Judged) -> Iterator[Finding]:
    changes = [site for site in about.sites if site.effects.writes & registers.EXEC]
    if not changes or any(clobber.name.startswith("exec") for clobber in about.statement.clobbers):
        return
    last = changes[-1]
    if last.mnemonic in control_flow.RESTORES_EXEC:
        return  # it restores the mask, or makes all lanes active on purpose
    where = about.operand_place(last, registers.EXEC, is_written=True)
    yield RULE.at(where, "`exec` is changed, but not restored in the statement")


def _names(mask: int) -> Iterator[str]:
    for file in _FILES:
        yield from (f"{file}{number}" for number in registers.numbers(mask, file))
    if mask & registers.VCC:
        yield "vcc"
    if mask & registers.SCC:
        yield "scc"


RULE = Rule("undeclared-clobber", Severity.WARNING, __doc__, Stage.PATHS, check_inline=check)
