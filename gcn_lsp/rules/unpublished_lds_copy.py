"""unpublished-lds-copy: data that a copy brings to LDS is read before it has certainly arrived for all waves.

What it checks

Each read of LDS, along the paths from a kernel's start, against the copies to LDS before it: loads with `lds`,
`global_load_lds_*`, `*_load_async_to_lds_*` and `tensor_load_to_lds`. A copy is reported

- if the wave reads what its own copy may not have written yet;
- if the wave arrives at a barrier while its copy is in flight, and the copied data is read after the barrier;
- if a wave reads what other waves have copied, without a barrier in between (`missing-barrier` for other writes).

Two accesses are of the same bytes if their addresses follow from the work-item id, constants and the same unknown
values. Where that is not known, nothing is reported, unless LDS can have no other data than what is in flight.

- The first paths through each instruction are followed, eight for each, so that loops with up to seven buffers are.
- Work-groups have the required size in the metadata, or at least two waves. Kernels with one wave are not checked.
- Reads after a barrier of some waves only, and after a call, are not checked.
- Where some of the waves go to other barriers, with other accesses between these (two groups that take turns at the
  matrix unit), those that go the same way are compared from there on.
- What is in flight when a loop is left is not compared after the next question: it may choose the code for the round
  in which that was. A question about other arguments of the kernel than those that decide about the rounds does not.
  A fault that is there in whichever round the loop was left is reported.

Why it matters

A copy goes on beside the wave. Its counter says when the wave's own data is in LDS, the barrier says that all waves
have got so far. Each wave must therefore wait for its own copies first, and arrive at the barrier then. A wait after
the barrier is too late, since the data of the other waves may still be on its way; and a count that is too high leaves
the youngest copies in flight. The result is right as long as memory is fast enough.

Example

    ; gcn-lsp: target=gfx942
    kernel:
      s_mov_b32 m0, 0
      s_nop 0
      buffer_load_dword v0, s[8:11], 0 offen lds
      s_barrier
      s_waitcnt vmcnt(0)
      ds_read_b32 v1, v2
      s_waitcnt lgkmcnt(0)
      global_store_dword v[4:5], v1, off
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx942
    kernel:
      s_mov_b32 m0, 0
      s_nop 0
      buffer_load_dword v0, s[8:11], 0 offen lds
      s_waitcnt vmcnt(0)
      s_barrier
      ds_read_b32 v1, v2
      s_waitcnt lgkmcnt(0)
      global_store_dword v[4:5], v1, off
      s_endpgm

Targets

All that can load to LDS.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.lds import protocol
from gcn_lsp.analysis.lds.protocol import Lack
from gcn_lsp.analysis.waits import waits
from gcn_lsp.findings import lds
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each read, or at the barrier before it, that comes too early for a copy."""
    found = protocol.of(program)
    clashes = found.unpublished if found is not None else ()
    if clashes:
        known = waits.of(program)
        reported = {each.site for each in known.missing} if known is not None else set()
        others = [each for each in clashes if each.lack is not Lack.WAIT or each.second not in reported]
        yield from lds.findings(program, others, RULE, _PHRASES)


RULE = Rule(
    "unpublished-lds-copy",
    Severity.WARNING,
    __doc__,
    Stage.PATHS,
    check=check,
    shown_by=("lds-race", "unwritten-lds-read", "order-dependent-result", "missing-wait"),
)

_PHRASES = {
    Lack.WAIT: lds.Phrase(
        "this reads LDS that `{first}` on {line} may not have written yet; wait for {wait} first",
        "this copy is in flight",
    ),
    Lack.WAIT_BEFORE_BARRIER: lds.Phrase(
        "the wave arrives while `{first}` on {line} may not have written to LDS yet, which `{second}` on {read} reads "
        "after the barrier; wait for {wait} first",
        "this copy may be in flight at the barrier",
        "LDS is read here after the barrier",
    ),
    Lack.BARRIER: lds.Phrase(
        "this reads what other waves write to LDS by `{first}` on {line}, and no barrier is in between",
        "LDS is written here",
    ),
}
