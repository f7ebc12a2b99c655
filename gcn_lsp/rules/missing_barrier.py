"""missing-barrier: a wave reads what other waves write to LDS, and no barrier is in between.

What it checks

Each read of LDS, along the paths from a kernel's start, against the writes before it, such as `ds_write_b32`: a read of
bytes that another wave writes, if no barrier comes after the write. The addresses of all work-items are computed from
their ids.

- Two accesses are compared if their addresses follow from the work-item id, constants and the same unknown values, and
  if EXEC is known for both: all lanes, a constant, or the lanes of a comparison just before, such as of the work-item
  id with a number that a loop halves.
- A write behind a check of the bounds of the whole grid, such as `v_cmp_gt_u32 vcc, s8, v4` with a `v4` that has the
  work-group's number in it, counts as one in all lanes: in a launch that is large enough it is one. A comparison of
  the work-item id alone with an argument may leave a single wave, so that is information. The reads have to be
  without such a mask.
- A work-group has the size that the metadata requires. Where none does, it has two waves, if the kernel has a barrier
  elsewhere or if a single wave would read what it has not written. It has the largest size that the metadata of a
  hand-written kernel state if the write, by all of those work-items, goes just to the end of LDS; that is information.
- A write of what other waves may still read is one as well, if all lanes read and all lanes write and the kernel copies
  nothing to LDS: a buffer that is filled again in the next round of a loop, or two that are not apart.
- Bytes that a wave has written itself do not count as those of another one.
- Atomics count as reads and as writes, but two of them are right without a barrier. If the kernel cuts the address of
  an atomic from data in memory, such as `(x & 0xff) << 2`, it may touch all that these bits reach, in all lanes or in
  those of a comparison with an argument. Where only a barrier elsewhere says that there are two waves, that is
  information.
- Copies from memory to LDS are checked by `unpublished-lds-copy`. A write in flight at the barrier is reported here if
  only the addresses tell that it is read after it; the others are checked by `unpublished-lds-write`.
- A read that comes 64 instructions after the write or more is information: kernels of AITER rely on waves that are
  about as far as each other.
- The first paths through each instruction are followed, eight for each.

Why it matters

Waves of a work-group run at their own pace. Without a barrier the reading wave may come first, and gets what was in LDS
before. The result is right as long as the writing wave happens to be ahead.

Example

    ; gcn-lsp: target=gfx900
    kernel:
      v_lshlrev_b32 v1, 2, v0
      v_sub_u32 v2, 508, v1
      ds_write_b32 v1, v0
      s_waitcnt lgkmcnt(0)
      ds_read_b32 v3, v2
      s_waitcnt lgkmcnt(0)
      global_store_dword v1, v3, s[0:1]
      s_endpgm
    .rodata
    .amdhsa_kernel kernel
      .amdhsa_group_segment_fixed_size 512
      .amdhsa_user_sgpr_kernarg_segment_ptr 1
      .amdhsa_next_free_vgpr 8
      .amdhsa_next_free_sgpr 16
    .end_amdhsa_kernel

Use instead

    ; gcn-lsp: target=gfx900
    kernel:
      v_lshlrev_b32 v1, 2, v0
      v_sub_u32 v2, 508, v1
      ds_write_b32 v1, v0
      s_waitcnt lgkmcnt(0)
      s_barrier
      ds_read_b32 v3, v2
      s_waitcnt lgkmcnt(0)
      global_store_dword v1, v3, s[0:1]
      s_endpgm
    .rodata
    .amdhsa_kernel kernel
      .amdhsa_group_segment_fixed_size 512
      .amdhsa_user_sgpr_kernarg_segment_ptr 1
      .amdhsa_next_free_vgpr 8
      .amdhsa_next_free_sgpr 16
    .end_amdhsa_kernel

Targets

All.
"""

from collections.abc import Iterator, Sequence

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.lds import protocol
from gcn_lsp.analysis.lds.protocol import Clash, Lack
from gcn_lsp.analysis.waits import barriers, early_writes, waits
from gcn_lsp.findings import lds
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each read that no barrier separates from another wave's write."""
    found = protocol.of_all(program)
    if found is not None:
        yield from lds.findings(program, list(_others(program, found.unordered)), RULE, _PHRASES, _is_milder)
        yield from lds.findings(program, list(_early(program, found.early)), RULE, _EARLY, _is_milder)


def _early(program: Program, clashes: Sequence[Clash]) -> Iterator[Clash]:
    """Clashes without those that `early-lds-write` reports, at each key."""
    graph = graphs.of(program)
    if graph is None or not clashes or protocol.of(program) is not None:
        return
    known = {each.write for each in early_writes.found(graph)}
    yield from (each for each in clashes if each.second not in known)


def _is_milder(clash: Clash) -> bool:
    """Whether shipped kernels may rely on it, or a work-group of one wave is not ruled out."""
    return lds.is_far(clash) or clash.is_likely


def _others(program: Program, clashes: Sequence[Clash]) -> Iterator[Clash]:
    """Clashes without those at barriers that `unpublished-lds-write` reports."""
    early = [each for each in clashes if each.lack is Lack.WAIT_BEFORE_BARRIER]
    known = waits.of(program) if early else None
    arrivals = {each.arrival for each in barriers.unpublished(known)} if known is not None else set()
    return (each for each in clashes if each.barrier not in arrivals)


RULE = Rule(
    "missing-barrier",
    Severity.WARNING,
    __doc__,
    Stage.HINTS,  # it follows all paths of kernels that no other check follows
    check=check,
    shown_by=("lds-race", "unwritten-lds-read", "order-dependent-result"),
)

_EARLY = {
    Lack.BARRIER: lds.Phrase(
        "this overwrites what other waves may still read by `{first}` on {line}, and no barrier is in between",
        "LDS is read here",
    ),
}
_PHRASES = {
    Lack.BARRIER: lds.Phrase(
        "this reads what other waves write to LDS by `{first}` on {line}, and no barrier is in between",
        "LDS is written here",
    ),
    Lack.BARRIER_FOR_DATA: lds.Phrase(
        "no barrier is between `{first}` on {line} and this: data decide where one of the two accesses LDS, so it may "
        "be where other waves do the other",
        "LDS is accessed here",
    ),
    Lack.WAIT_BEFORE_BARRIER: lds.Phrase(
        "the wave arrives while `{first}` on {line} may not have written to LDS yet, which `{second}` on {read} reads "
        "after the barrier; wait for {wait} first",
        "this write may be in flight at the barrier",
        "LDS is read here after the barrier",
    ),
}
