"""early-lds-write: LDS is written again while other waves may still read what was there.

What it checks

Straight code, and loops that are straight: a write to LDS, one barrier, a read by another address register, and then a
write to the address of the first one, with the same register, the same offset and the same EXEC.

In kernels that copy to LDS all paths are followed as for `unpublished-lds-copy`: a write is reported if other waves may
read the same bytes before it, and no barrier is in between. That is information: kernels of AITER do so where hundreds
of instructions are between the two, and rely on waves that are about as far as each other.

- A write between two barriers, or to two buffers in turn, is as it should be.
- Reads ahead for another round of a loop may be overwritten along paths that leave the loop and do not use the data.
- Accesses whose addresses have the number of the wave in them (`v_readfirstlane_b32`) stay within the wave: in order.
- Files whose metadata gives every kernel work-groups of one wave are not checked.

Why it matters

The barrier says that all waves have written, not that all have read. A wave that is ahead reads its part and writes
that of the next round, and a slower wave reads the new data for the old. A second barrier between the reads and the
writes prevents this, or a second buffer, which is written while the first one is read.

Example

    ; gcn-lsp: target=gfx900
    kernel:
    round:
      ds_write_b32 v0, v1
      s_waitcnt lgkmcnt(0)
      s_barrier
      ds_read_b32 v1, v3
      s_waitcnt lgkmcnt(0)
      s_sub_u32 s0, s0, 1
      s_cmp_lg_u32 s0, 0
      s_cbranch_scc1 round
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx900
    kernel:
    round:
      s_barrier
      ds_write_b32 v0, v1
      s_waitcnt lgkmcnt(0)
      s_barrier
      ds_read_b32 v1, v3
      s_waitcnt lgkmcnt(0)
      s_sub_u32 s0, s0, 1
      s_cmp_lg_u32 s0, 0
      s_cbranch_scc1 round
      s_endpgm

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.lds import protocol
from gcn_lsp.analysis.lds.protocol import Lack
from gcn_lsp.analysis.waits import early_writes
from gcn_lsp.analysis.waits.early_writes import Early
from gcn_lsp.findings import lds, sites
from gcn_lsp.findings.rule import Finding, Fix, Related, Rule, Severity, Stage
from gcn_lsp.findings.wait_lines import wait_lines
from gcn_lsp.isa.machine import barriers
from gcn_lsp.program.kernels import metadata
from gcn_lsp.program.program import Program
from gcn_lsp.text import message


def check(program: Program) -> Iterator[Finding]:
    """A finding at each write to LDS that may come before other waves' reads."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    found = list(early_writes.found(graph))
    if found and not metadata.has_single_waves(program.metadata_so_far):
        for each, can_fix in sites.with_fixable(program, graph, found, lambda each: each.write):
            yield _finding(program, graph, each, can_fix=can_fix)
    known = protocol.of(program)
    written = {each.write for each in found}
    clashes = [each for each in known.rewritten if each.second not in written] if known is not None else []
    if clashes:
        yield from lds.findings(program, clashes, RULE, {Lack.BARRIER: lds.OVERWRITES}, lds.is_overwriting)


RULE = Rule(
    "early-lds-write",
    Severity.WARNING,
    __doc__,
    Stage.PATHS,
    check=check,
    shown_by=("lds-race", "unwritten-lds-read", "order-dependent-result"),
)


def _finding(program: Program, graph: Graph, each: Early, *, can_fix: bool) -> Finding:
    place, read, barrier = (sites.place(program, graph, site) for site in (each.write, each.read, each.barrier))
    line = sites.line(program, graph, each.read)
    when = "in the next round " if each.former is each.write else ""
    said = message(
        "{}this overwrites what other waves may still read: no barrier is between `{}` on {} and this write",
        *(when, each.read.mnemonic, line),
    )
    related = (
        Related(barrier.where, "the only barrier between two writes to this address"),
        Related(read.where, "LDS is read here after the barrier"),
        *place.related,
    )
    features = graph.model.target.features
    counters = {event.counter: 0 for event in each.read.effects.events if event.counter}
    texts = (*wait_lines(program, counters), *barriers.whole(features))
    fixes = (Fix("Insert a barrier", (sites.insertion(program, place, *texts),)),) if can_fix else ()
    return RULE.at(place.where, said, related, fixes)
