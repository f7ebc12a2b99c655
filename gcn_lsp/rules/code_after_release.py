"""code-after-release: a wave goes on after it has released its VGPRs.

What it checks

The instruction after `s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)`, as control falls through, apart from `s_nop`:

- on gfx11, any but `s_endpgm`;
- from gfx12, vector and memory instructions before the end, which use VGPRs or scratch memory.

Why it matters

Another wave may own the registers from then on: reads return its data, and writes destroy it. The RDNA3
document allows the message only where the next instruction is `s_endpgm`; the RDNA4 and CDNA5 documents say that
scratch memory is released, too.

Example

    ; gcn-lsp: target=gfx1100
    kernel:
      global_store_b32 v0, v1, s[0:1]
      s_nop 0
      s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
      global_store_b32 v0, v2, s[0:1]
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx1100
    kernel:
      global_store_b32 v0, v1, s[0:1]
      s_nop 0
      s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
      s_endpgm

Targets

gfx11 and later.
"""

from collections.abc import Iterator

from gcn_lsp import isa
from gcn_lsp.analysis.control import fall_through, graphs, starting_points
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import results
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Related, Rule, Severity, Stage
from gcn_lsp.isa.machine import roles
from gcn_lsp.isa.operands import sendmsg
from gcn_lsp.program.program import Program

_HARMLESS = roles.mnemonics("idle", "end padding")
_SCALAR = ("SOP1", "SOP2", "SOPC", "SOPK", "SOPP", "SMEM")


def check(program: Program) -> Iterator[Finding]:
    """A finding at each instruction that follows a release and must not."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    found = starting_points.of(graph, starting_points.MESSAGE)
    number = sendmsg.messages(graph.model.target.features).get("MSG_DEALLOC_VGPRS")
    releases = [(node, site) for node, site in found if number is not None and _message(site) == number.number]
    opaque = results.opaque(program, graph) if releases else frozenset()
    wrong = [(release, site) for node, release in releases for site in _first_wrong(graph, opaque, node, release)]
    for release, site in sites.first_at_each(graph, wrong, lambda each: each[1]):
        place = sites.place(program, graph, site)
        name = site.item.statement.name
        related = Related(sites.place(program, graph, release).where, "the VGPRs are released here")
        yield RULE.at(place.where, f"`{name}` comes after the release of the VGPRs", (related, *place.related))


RULE = Rule("code-after-release", Severity.WARNING, __doc__, Stage.PATHS, check=check)


def _message(site: Site) -> int | None:
    value = next((operand.value for operand in site.operands), None)
    return value if type(value) is int else None


def _first_wrong(graph: Graph, opaque: frozenset[int], node: int, release: Site) -> Iterator[Site]:
    for site in fall_through.through(graph, opaque, node, release.index + 1):
        form = site.item.instruction.form if site is not None and site.item.instruction is not None else None
        if site is None or form is None or form.mnemonic == roles.END:
            return
        if form.mnemonic not in _HARMLESS and _is_wrong(form, graph.model.target):
            yield site
            return


def _is_wrong(form: isa.Form, target: isa.Target) -> bool:
    """Whether an instruction must not come between the release and the end."""
    return target.ends_with_release or form.family not in _SCALAR
