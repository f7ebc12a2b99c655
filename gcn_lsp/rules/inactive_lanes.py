"""inactive-lanes: no lane is active at an access to memory, or lanes that were switched off never come back.

What it checks

Loads, stores and atomics that a wave reaches with an EXEC of 0: after `s_cbranch_execz` where it is taken, after
`s_cbranch_execnz` where it is not, and after a move of 0 to EXEC, before anything writes EXEC again.

Also a mask that `s_and_saveexec` saved and that nothing reads again although a barrier follows, or although the branch
around the code for the remaining lanes leads to further accesses.

- What other branches on the way test is not followed, and nothing behind a call is checked.
- A branch counts only if the straight code before it takes lanes away from EXEC: LLVM writes branches that are never
  taken as `s_cbranch_execz`.
- Scratch is not checked, since compilers spill and reload where no lane is active.
- A branch on EXEC to the end of the program is right: compilers end lanes early that way.

Why it matters

The access does nothing in such a wave, and nothing reports it: results are missing for the waves, or the lanes, that
did not pass a condition. Usually the instruction that restores EXEC after a conditional region is missing.

Example

    ; gcn-lsp: target=gfx900
      v_cmp_gt_u32 vcc, s2, v0
      s_and_saveexec_b64 s[6:7], vcc
      s_cbranch_execz done
      v_add_u32 v2, v2, v3
    done:
      global_store_dword v[4:5], v2, off
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx900
      v_cmp_gt_u32 vcc, s2, v0
      s_and_saveexec_b64 s[6:7], vcc
      s_cbranch_execz done
      v_add_u32 v2, v2, v3
    done:
      s_or_b64 exec, exec, s[6:7]
      global_store_dword v[4:5], v2, off
      s_endpgm

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import registers, results
from gcn_lsp.analysis.values import inactive
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Fix, Related, Rule, Severity, Stage
from gcn_lsp.program.program import Program
from gcn_lsp.text import message


def check(program: Program) -> Iterator[Finding]:
    """A finding at each access that no lane makes, and at each mask that nothing restores before a barrier."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    opaque = results.opaque(program, graph)
    without_lanes = tuple(inactive.accesses(graph, opaque))
    for each in sites.first_at_each(graph, without_lanes, lambda each: each.access):
        yield _of_access(program, graph, each)
    told = {id(each.cause) for each in without_lanes}
    for found in sites.first_at_each(graph, inactive.unrestored(graph, opaque), lambda found: found.saving):
        if id(found.branch) in told:
            continue
        place = sites.place(program, graph, found.saving)
        is_barrier = found.branch is None
        said = message(
            "nothing restores EXEC from {}, so the lanes that are switched off here stay off {} on {}",
            f"`{_mask(found.saving)}`",
            "after the barrier" if is_barrier else "at the access",
            sites.line(program, graph, found.before),
        )
        before = Related(sites.place(program, graph, found.before).where, "the barrier" if is_barrier else "the access")
        yield RULE.at(place.where, said, (before, *place.related))


RULE = Rule("inactive-lanes", Severity.WARNING, __doc__, Stage.PATHS, check=check)


def _of_access(program: Program, graph: Graph, each: inactive.Inactive) -> Finding:
    place, cause = (sites.place(program, graph, site) for site in (each.access, each.cause))
    said = message(
        "no lane is active here if the wave comes from {}: EXEC is 0 and nothing restores it before this access",
        sites.line(program, graph, each.cause),
    )
    related = [Related(cause.where, "EXEC is 0 after this")]
    fixes: tuple[Fix, ...] = ()
    first = sites.place(program, graph, each.first)
    if each.saved is not None:
        related.append(Related(sites.place(program, graph, each.saved).where, "the mask is saved here"))
    if each.saved is not None and first.own:
        narrow = graph.model.target.wavefront_size == _NARROW
        size, register = ("b32", "exec_lo") if narrow else ("b64", "exec")
        text = f"s_or_{size} {register}, {register}, {_mask(each.saved)}"
        fixes = (Fix(f"Restore EXEC with `{text}`", (sites.insertion(program, first, text),), is_certain=False),)
    return RULE.at(place.where, said, (*related, *place.related), fixes)


_NARROW = 32


def _mask(saving: Site) -> str:
    """The registers of a saved mask, as they are written."""
    return registers.describe(saving.effects.writes & registers.SGPRS & ~registers.SCC & ~registers.EXEC)
