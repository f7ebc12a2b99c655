"""lds-bank-conflict: lanes of one access of LDS meet in a bank, which serves them one after another.

What it checks

Each `ds_read` and `ds_write` of one address whose lanes differ by what is known: work-item id, `v_mbcnt`, shifts,
masks, exclusive or, additions and multiplications of these. The message says which phase of the access takes longest,
and the smallest padding, or else the swizzle, that ends it.

- All lanes count as active.
- A phase is the lanes that are served at the same time. They are published for accesses of 32 bits, and on gfx942 and
  gfx950 for `ds_read_b64` and `ds_read_b128`. Nothing is reported where they are not.
- Accesses with two addresses, and those that transpose, are not checked.

Why it matters

LDS is a row of banks of 4 bytes, each of which serves one dword at a time. Lanes that need different dwords of one bank
wait for each other, and so do all lanes of the wave. One dword is read for all lanes at once.

Example

    ; gcn-lsp: target=gfx942
    kernel:
      v_mbcnt_lo_u32_b32 v0, -1, 0
      v_mbcnt_hi_u32_b32 v0, -1, v0
      v_lshlrev_b32 v0, 7, v0
      ds_read_b32 v1, v0
      s_waitcnt lgkmcnt(0)
      ds_write_b32 v2, v1
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx942
    kernel:
      v_mbcnt_lo_u32_b32 v0, -1, 0
      v_mbcnt_hi_u32_b32 v0, -1, v0
      v_mul_u32_u24 v0, 0x84, v0
      ds_read_b32 v1, v0
      s_waitcnt lgkmcnt(0)
      ds_write_b32 v2, v1
      s_endpgm

Targets

gfx7 to gfx12 but gfx125x.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.lds import banks
from gcn_lsp.analysis.lds.banks import BankedAccess
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each access with a conflict; in a macro's body one for all calls."""
    graph = graphs.of(program)
    if graph is None:
        return
    for each in sites.first_at_each(graph, banks.of(program), lambda access: access.site):
        place = sites.place(program, graph, each.site)
        yield RULE.at(place.where, _said(each), place.related)


RULE = Rule("lds-bank-conflict", Severity.HINT, __doc__, Stage.HINTS, check=check)


def _said(each: BankedAccess) -> str:
    found = each.conflict
    met = f"{len(found.lanes)} lanes meet in bank {found.bank}"
    if found.least == 1:
        taken = f"{found.passes} passes instead of 1"
    else:
        taken = f"{len(found.lanes)} passes instead of 1 in phase {found.phase + 1} of {found.least}"
        taken += f", {found.passes} instead of {found.least} in all"
    cure = banks.cure(each.addresses, each.width, each.model)
    if cure is None:
        return f"{met}: {taken}"
    if cure.padding:
        return f"{met}: {taken}; {cure.padding} bytes of padding after each {cure.every} bytes end that"
    return f"{met}: {taken}; an exclusive or of the address with `address >> {cure.shift} & {cure.mask:#x}` ends that"
