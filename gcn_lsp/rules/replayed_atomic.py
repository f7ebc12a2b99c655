"""replayed-atomic: an atomic operation may be executed twice, since an older access is still translating its address.

What it checks

Atomic operations on memory by flat and global instructions: a load or store of memory before them, on any path, whose
address may not be translated yet. `s_wait_xcnt 0x0` ends that, and so does a wait for the access itself. Between atomic
operations nothing is needed.

Why it matters

On a page fault the hardware executes again all accesses from the first one whose address is not translated. An atomic
operation after it then changes memory a second time. LLVM waits before each; AMD's own kernels for gfx1250 do not
always, so it is information.

Example

    ; gcn-lsp: target=gfx1250
    kernel:
      global_load_b32 v0, v1, s[0:1]
      global_atomic_add_u32 v2, v3, s[2:3]
      s_wait_loadcnt 0x0
      global_store_b32 v1, v0, s[4:5]
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx1250
    kernel:
      global_load_b32 v0, v1, s[0:1]
      s_wait_xcnt 0x0
      global_atomic_add_u32 v2, v3, s[2:3]
      s_wait_loadcnt 0x0
      global_store_b32 v1, v0, s[4:5]
      s_endpgm

Targets

gfx1250, gfx1251.

References

LLVM's "User Guide for AMDGPU Backend", Memory Model GFX125x.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.waits import replays, waits
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Related, Rule, Severity, Stage
from gcn_lsp.findings.waits import wait_fix
from gcn_lsp.isa.waits import wait_events
from gcn_lsp.program.program import Program
from gcn_lsp.text import message


def check(program: Program) -> Iterator[Finding]:
    """A finding at each atomic operation that may be executed again."""
    found = waits.of(program)
    if found is None or program.final_state.incomplete:
        return
    early = list(replays.of(found))
    needed = {wait_events.TRANSLATION: 0}
    for each, can_fix in sites.with_fixable(program, found.graph, early, lambda each: each.atomic):
        place, older = (sites.place(program, found.graph, site) for site in (each.atomic, each.access))
        said = message(
            "a page fault of `{}` on {} repeats this; wait for {}(0) first",
            *(each.access.mnemonic, sites.line(program, found.graph, each.access), wait_events.TRANSLATION),
        )
        fixes = (wait_fix(program, found, place, needed),) if can_fix else ()
        yield RULE.at(place.where, said, (Related(older.where, "this may still translate"), *place.related), fixes)


RULE = Rule("replayed-atomic", Severity.INFORMATION, __doc__, Stage.PATHS, check=check)
