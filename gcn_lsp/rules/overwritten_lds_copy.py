"""overwritten-lds-copy: LDS is written, or a copy to it goes, where another copy that is still in flight goes.

What it checks

Each copy to LDS, along the paths from a kernel's start, against the copies before it that its wave has not waited for:
loads with `lds`, `global_load_lds_*`, `*_load_async_to_lds_*` and `tensor_load_to_lds`. Each other write to LDS, such
as that of results after a loop, against the copies of all waves. Whether two accesses are of the same bytes is decided
as for `unpublished-lds-copy`, with the same limits.

- A copy that a loop repeats is not compared with itself.
- Two copies with a wait or a barrier between them are not reported, nor is a write after a wait and a barrier.

Why it matters

Nobody can have read what the first copy brings, and another part of the buffer is probably not filled: the second copy
has the M0, the offset or the address of the first. Its readers get what was there before. A copy that arrives after a
write of results replaces these.

Loads through vector memory return in the order in which they were issued, and tensors of a wave too, so the second one
stays: that is information. Asynchronous loads of gfx1250 are counted in order but reach LDS in any order (CDNA5
document, on the order of asynchronous loads and stores), as do copies of two kinds: then nobody knows which data stays,
which is a warning. So is a write less than 64 instructions after the copy. Kernels of AITER leave a loop with copies
for a round that does not come in flight, and write their results there 100 to 400 instructions later: nothing but time
orders them, which is information.

Example

    ; gcn-lsp: target=gfx942
    kernel:
      s_mov_b32 m0, 0
      s_nop 0
      buffer_load_dword v0, s[8:11], 0 offen lds
      buffer_load_dword v1, s[8:11], 0 offen lds
      s_waitcnt vmcnt(0)
      s_barrier
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx942
    kernel:
      s_mov_b32 m0, 0
      s_nop 0
      buffer_load_dword v0, s[8:11], 0 offen lds
      s_movk_i32 m0, 0x100
      s_nop 0
      buffer_load_dword v1, s[8:11], 0 offen lds
      s_waitcnt vmcnt(0)
      s_barrier
      s_endpgm

Targets

All that can load to LDS.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.lds import protocol, steps
from gcn_lsp.analysis.lds.protocol import Clash, Lack
from gcn_lsp.findings import lds
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each copy over another one, for the first of these; one for all calls of a macro."""
    found = protocol.of(program)
    if found is not None and found.doubled:
        yield from lds.findings(program, found.doubled, RULE, _PHRASES, _is_milder)


def _is_milder(clash: Clash) -> bool:
    """Whether it is certain which data stays, or the write comes so late that the copy has long arrived in practice."""
    return clash.lack is Lack.PLACE or (lds.is_far(clash) and not steps.is_copy(clash.second))


RULE = Rule("overwritten-lds-copy", Severity.WARNING, __doc__, Stage.PATHS, check=check)

_FIRST = "the first copy, which may be in flight"
_PHRASES = {
    Lack.WAIT: lds.Phrase(
        "this writes to where `{first}` on {line} copies in the same wave, and the two may reach LDS in either order; "
        "wait for {wait} first",
        _FIRST,
    ),
    Lack.BARRIER: lds.Phrase(
        "this writes to where other waves may still copy by `{first}` on {line}; each wave must wait for {wait}, and "
        "meet the others at a barrier, before this",
        _FIRST,
    ),
    Lack.PLACE: lds.Phrase(
        "this copies to where `{first}` on {line} copies in the same wave, so its data is lost: nothing waits in "
        "between",
        _FIRST,
    ),
}
