"""overwritten-lds-copy: a copy to LDS goes where another one that is still in flight goes.

What it checks

Each copy to LDS, along the paths from a kernel's start, against the copies before it that its wave has not waited for:
loads with `lds`, `global_load_lds_*`, `*_load_async_to_lds_*` and `tensor_load_to_lds`. What decides whether two copies
are to the same bytes, and what is not followed, is as for `unpublished-lds-copy`.

- A copy that a loop repeats is not compared with itself.
- Two copies with a wait or a barrier between them are not reported.

Why it matters

Nobody can have read what the first copy brings, and another part of the buffer is probably not filled: the second copy
has the M0, the offset or the address of the first. Its readers get what was there before.

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

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.lds import protocol
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Related, Rule, Severity, Stage
from gcn_lsp.program.program import Program
from gcn_lsp.text import message


def check(program: Program) -> Iterator[Finding]:
    """A finding at each copy over another one, for the first of these; one for all calls of a macro."""
    found, graph = protocol.of(program), graphs.of(program)
    if found is None or graph is None:
        return
    for each in sites.first_at_each(graph, found.doubled, lambda each: each.second):
        place = sites.place(program, graph, each.second)
        name, line = each.first.item.statement.name, sites.line(program, graph, each.first)
        said = message(
            "this copies to where `{}` on {} copies in the same wave, and nothing waits in between", name, line
        )
        related = Related(sites.place(program, graph, each.first).where, "the first copy, which may be in flight")
        yield RULE.at(place.where, said, (related, *place.related))


RULE = Rule("overwritten-lds-copy", Severity.WARNING, __doc__, Stage.PATHS, check=check)
