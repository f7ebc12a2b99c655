"""misaligned-access: an access has an address that is not a multiple of what it needs.

What it checks

Atomics in LDS whose address follows from the work-item id: a multiple of their size, at most 8, in all work-items. If
the kernel cuts the address from data in memory, such as `x & 0xff`, that is information: the data may be multiples.

`gcn-lsp run`, `gcn-lsp test` and `gcn-lsp debug` check the addresses of

- atomics, in memory and in LDS: a multiple of their size, at most 8;
- other accesses to LDS before gfx9: a multiple of their size, at most 8, of `ds_read2_b32` and its kind that of a part.

Why it matters

The hardware does not carry out an atomic across a boundary of its size: it reports a fault or changes other bytes.
Other accesses are carried out at another address, or in parts.

Example

    ; gcn-lsp: target=gfx900
    kernel:
      v_add_u32 v0, 2, v0
      global_atomic_add v0, v1, s[0:1]

Use instead

    ; gcn-lsp: target=gfx900
    kernel:
      v_add_u32 v0, 4, v0
      global_atomic_add v0, v1, s[0:1]

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.lds import protocol
from gcn_lsp.analysis.lds.protocol import Misplaced
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Rule, Severity, Stage
from gcn_lsp.program.program import Program


def check(program: Program) -> Iterator[Finding]:
    """A finding at each atomic in LDS that some work-item carries out beside its place, certainly or with some data."""
    found, graph = protocol.of_all(program), graphs.of(program)
    if found is None or graph is None:
        return
    for site, each in found.misplaced.items():
        place = sites.place(program, graph, site)
        severity = RULE.severity if each.lane is not None else Severity.INFORMATION
        yield RULE.at(place.where, _said(each), place.related, severity=severity)


def _said(each: Misplaced) -> str:
    if each.lane is not None:
        return f"work-item {each.lane} has an address that is not a multiple of {each.needed}, which this atomic needs"
    return f"this atomic needs a multiple of {each.needed} as its address, which data decide: nothing scales them"


RULE = Rule(
    "misaligned-access",
    Severity.WARNING,
    __doc__,
    Stage.HINTS,  # it follows all paths of kernels that no other check follows
    check=check,
    found_by=("machine.observations",),
    shown_by=("misaligned-access",),
)
