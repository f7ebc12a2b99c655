"""unpublished-lds-write: a wave arrives at a barrier while its own write to LDS may still be in flight.

What it checks

Each `s_barrier` and `s_barrier_signal`, along every path: a write to LDS that the wave has issued and not waited for,
if LDS is read after the barrier.

- Only the first reads after the barrier count, up to the wait for them: later ones may be of older data.
- Only constant offsets of addresses are compared: accesses 4,096 bytes or more apart count as those of different
  buffers, which a pipeline writes and reads in turn.
- A wait for a count above 1 directly before the barrier counts as meant: it leaves the youngest writes to a later one.
- Accesses whose addresses have the number of the wave in them (`v_readfirstlane_b32`) stay within the wave: in order.
- Loads that write to LDS are checked by `unpublished-lds-copy`.
- Flat stores are not checked, since they may go to memory.
- Files whose metadata gives every kernel work-groups of one wave are not checked: their accesses stay in order.

Why it matters

A barrier waits for waves, not for memory. The other waves go on as soon as all have arrived, and read LDS before this
wave's data is there. A wait after the barrier does not help: it waits for the reader's own accesses. The result is
right as long as LDS is fast enough.

Example

    ; gcn-lsp: target=gfx900
    kernel:
      ds_write_b32 v0, v1
      s_barrier
      ds_read_b32 v2, v3
      s_waitcnt lgkmcnt(0)
      ds_write_b32 v3, v2
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx900
    kernel:
      ds_write_b32 v0, v1
      s_waitcnt lgkmcnt(0)
      s_barrier
      ds_read_b32 v2, v3
      s_waitcnt lgkmcnt(0)
      ds_write_b32 v3, v2
      s_endpgm

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.waits import barriers, waits
from gcn_lsp.analysis.waits.barriers import Unpublished
from gcn_lsp.analysis.waits.waits import Waits
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Related, Rule, Severity, Stage
from gcn_lsp.findings.waits import wait_fix
from gcn_lsp.isa.waits import wait_text
from gcn_lsp.program.kernels import metadata
from gcn_lsp.program.program import Program
from gcn_lsp.text import message


def check(program: Program) -> Iterator[Finding]:
    """A finding at each barrier that a wave may reach with a write to LDS in flight; in a macro's body one for all."""
    found = waits.of(program)
    if found is None or program.final_state.incomplete or metadata.has_single_waves(program.metadata_so_far):
        return
    early = list(barriers.unpublished(found))
    for each, can_fix in sites.with_fixable(program, found.graph, early, lambda each: each.arrival):
        yield _finding(program, found, each, can_fix=can_fix)


RULE = Rule(
    "unpublished-lds-write",
    Severity.WARNING,
    __doc__,
    Stage.PATHS,
    check=check,
    shown_by=("lds-race", "unwritten-lds-read", "order-dependent-result"),
)


def _finding(program: Program, found: Waits, each: Unpublished, *, can_fix: bool) -> Finding:
    graph, needed = found.graph, {each.counter: 0}
    place, write, read = (sites.place(program, graph, site) for site in (each.arrival, each.write, each.read))
    lines = [sites.line(program, graph, site) for site in (each.write, each.read)]
    names = [site.item.statement.name for site in (each.write, each.read)]
    said = message(
        "the wave arrives while `{}` on {} may not have written to LDS yet, which `{}` on {} reads after the barrier; "
        "wait for {} first",
        *(names[0], lines[0], names[1], lines[1], wait_text.spoken(needed)),
    )
    related = (
        Related(write.where, "this write may be in flight at the barrier"),
        Related(read.where, "LDS is read here after the barrier"),
        *place.related,
    )
    fixes = (wait_fix(program, found, place, needed),) if can_fix else ()
    return RULE.at(place.where, said, related, fixes)
