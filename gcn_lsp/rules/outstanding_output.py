"""outstanding-output: an output of inline assembly leaves the statement before its value has arrived.

What it checks

Loads, LDS reads, scalar loads and atomics that are still in flight at the end of a statement and write one of its
outputs. It is a warning if the statement waits for the same counter, but not for this operation, and information
otherwise: a wait in a later statement is widely relied on.

Why it matters

The compiler does not know that the register is not written yet. It may copy it, spill it or use it before a wait that a
later statement has; then the copy has the old value.

Example

    // gcn-lsp: target=gfx90a
    void f(unsigned address) {
      int x;
      asm volatile("ds_read_b32 %0, %1" : "=v"(x) : "v"(address) : "memory");
    }

Use instead

    // gcn-lsp: target=gfx90a
    void f(unsigned address) {
      int x;
      asm volatile("ds_read_b32 %0, %1\\n\\t"
                   "s_waitcnt lgkmcnt(0)" : "=v"(x) : "v"(address) : "memory");
    }

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.machine.effects import model_for
from gcn_lsp.analysis.waits.engine import engine_for
from gcn_lsp.analysis.waits.walk import WaitWalk
from gcn_lsp.findings.inline_statement import Judged
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.isa.waits import wait_text


def check(about: Judged) -> Iterator[Finding]:
    """A finding at each output that an operation in flight at the end will write."""
    sites, target = about.sites, about.program.target
    if not sites or target is None or not any(site.effects.events for site in sites):
        return
    engine = engine_for(model_for(target))
    walk = WaitWalk(engine, engine.empty)
    for site in sites:
        walk.step(site)
    waited = {counter for site in sites for counter, _ in site.effects.waits}
    seen = set()
    for counter, pending in walk.in_flight():
        for number, operand in about.operands():
            if not operand.is_output or number in seen or not pending.raised.writes & about.masks[number]:
                continue
            seen.add(number)
            needed = wait_text.spoken({counter: 0})
            message = (
                f"`{about.text(pending.site)}` may write {about.name(number)} after the statement has ended; wait for"
                f" {needed} in it"
            )
            where = about.operand_place(pending.site, about.masks[number], is_written=True)
            severity = Severity.WARNING if counter in waited else Severity.INFORMATION
            yield RULE.at(where, message, severity=severity)


RULE = Rule("outstanding-output", Severity.WARNING, __doc__, Stage.PATHS, check_inline=check)
