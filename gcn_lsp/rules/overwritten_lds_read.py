"""overwritten-lds-read: a copy to LDS overwrites what other waves may still read.

What it checks

Each copy to LDS, along the paths from a kernel's start, against the reads of the same bytes before it: loads with
`lds`, `global_load_lds_*`, `*_load_async_to_lds_*` and `tensor_load_to_lds`. A copy is reported

- if waves arrive at the barrier before it with such reads in flight;
- if there is no barrier between the reads and the copy. That is information: attention kernels of AITER read a buffer
  directly after a barrier and then start to fill it again. Waves leave the barrier together, and a copy takes longer
  than reads. No document promises that: a wave that is held up, by a miss in the instruction cache for example, reads
  the new data. So is a read in flight at the barrier 64 instructions before the copy and more.

Whether two accesses are of the same bytes is decided as for `unpublished-lds-copy`, with the same limits. Writes of
the wave itself are checked by `early-lds-write`.

Why it matters

The barrier before a buffer is filled again says that all waves have come so far, not that their reads are done: a read
is done when its counter says so. A wave that arrives with reads in flight lets the others fill the buffer under them.
Each wave must wait for its reads before it arrives.

Example

    ; gcn-lsp: target=gfx942
    kernel:
      s_mov_b32 m0, 0
      v_mbcnt_lo_u32_b32 v2, -1, 0
      v_mbcnt_hi_u32_b32 v2, -1, v2
      v_lshlrev_b32 v2, 2, v2
      ds_read_b32 v1, v2
      s_barrier
      buffer_load_dword v0, s[8:11], 0 offen lds
      s_waitcnt vmcnt(0) lgkmcnt(0)
      global_store_dword v2, v1, s[4:5]
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx942
    kernel:
      s_mov_b32 m0, 0
      v_mbcnt_lo_u32_b32 v2, -1, 0
      v_mbcnt_hi_u32_b32 v2, -1, v2
      v_lshlrev_b32 v2, 2, v2
      ds_read_b32 v1, v2
      s_waitcnt lgkmcnt(0)
      s_barrier
      buffer_load_dword v0, s[8:11], 0 offen lds
      s_waitcnt vmcnt(0)
      global_store_dword v2, v1, s[4:5]
      s_endpgm

Targets

All that can load to LDS.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.lds import protocol
from gcn_lsp.analysis.lds.protocol import Lack
from gcn_lsp.findings import lds
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each copy, or at the barrier before it, that comes too early for reads."""
    found = protocol.of(program)
    if found is not None and found.overwritten:
        yield from lds.findings(program, found.overwritten, RULE, _PHRASES, lds.is_overwriting)


RULE = Rule(
    "overwritten-lds-read",
    Severity.WARNING,
    __doc__,
    Stage.PATHS,
    check=check,
    shown_by=("lds-race", "unwritten-lds-read", "order-dependent-result"),
)

_PHRASES = {
    Lack.WAIT_BEFORE_BARRIER: lds.Phrase(
        "the wave arrives while {count} of LDS may be in flight, the last `{first}` on {line}, and `{second}` on "
        "{read} overwrites what they read; wait for {wait} first",
        "this read may be in flight at the barrier",
        "LDS is overwritten here after the barrier",
    ),
    Lack.BARRIER: lds.OVERWRITES,
}
