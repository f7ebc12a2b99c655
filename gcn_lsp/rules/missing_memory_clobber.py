"""missing-memory-clobber: inline assembly writes memory and does not declare `"memory"`.

What it checks

Stores, atomics, LDS writes and loads into LDS in a statement without the clobber `"memory"`.

Why it matters

The compiler assumes memory is unchanged: it may reuse loaded values, and moves its own loads and stores across the
statement.

Example

    // gcn-lsp: target=gfx90a
    void f(unsigned address, int x) {
      asm volatile("ds_write_b32 %0, %1" :: "v"(address), "v"(x));
    }

Use instead

    // gcn-lsp: target=gfx90a
    void f(unsigned address, int x) {
      asm volatile("ds_write_b32 %0, %1" :: "v"(address), "v"(x) : "memory");
    }

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.findings import inline_edits
from gcn_lsp.findings.inline_statement import Judged
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage

_FAMILIES = frozenset(("DS", "MUBUF", "MTBUF", "MIMG", "VIMAGE", "FLAT", "GLOBAL", "SCRATCH", "SMEM"))


def check(about: Judged) -> Iterator[Finding]:
    """A finding at the first instruction that writes memory."""
    if about.declared("memory"):
        return
    for site in about.sites:
        form = site.item.instruction.form if site.item.instruction is not None else None
        if form is None or form.family not in _FAMILIES or site.effects.is_lane_exchange:
            continue
        if not form.may_store and not any(slot.text == "lds" for slot in form.slots):
            continue
        if not site.effects.events:  # a cache instruction, or an exchange within the wave
            continue
        message = (
            f'`{about.text(site)}` writes memory, but the statement does not declare it: add the clobber `"memory"`'
        )
        yield RULE.at(about.site_place(site), message, fixes=inline_edits.declaring(about, ("memory",)))
        return


RULE = Rule("missing-memory-clobber", Severity.WARNING, __doc__, Stage.PATHS, check_inline=check)
