"""inactive-lanes: no lane is active at an access to memory, or lanes that were switched off never come back.

What it checks

Loads, stores and atomics that a wave reaches with an EXEC of 0: after `s_cbranch_execz` where it is taken, after
`s_cbranch_execnz` where it is not, and after a move of 0 to EXEC, before anything writes EXEC again.

Also a mask that `s_and_saveexec` saved and that nothing reads again although a barrier follows, or although the branch
around the code for the remaining lanes leads to further accesses; one that this code overwrites before the instruction
behind it gives it back; and one that is taken away from EXEC, which leaves no lane: the lanes of the other case are
those of the mask without EXEC. One that nothing reads again, without a branch around the code, is information: no more
lanes may be meant.

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
    for lost in sites.first_at_each(graph, inactive.overwritten(graph, opaque), lambda lost: lost.overwriting):
        yield _of_overwritten(program, graph, lost)
    told = {id(each.cause) for each in without_lanes}
    for found in sites.first_at_each(graph, inactive.unrestored(graph, opaque), lambda found: found.saving):
        if id(found.branch) in told:
            continue
        place = sites.place(program, graph, found.saving)
        if found.branch is None and not found.is_barrier:
            yield _of_final(program, graph, found)
            continue
        is_barrier = found.is_barrier
        said = message(
            "nothing restores EXEC from {}, so the lanes that are switched off here stay off {} on {}",
            f"`{_mask(found.saving)}`",
            "after the barrier" if is_barrier else "at the access",
            sites.line(program, graph, found.before),
        )
        before = Related(sites.place(program, graph, found.before).where, "the barrier" if is_barrier else "the access")
        yield RULE.at(place.where, said, (before, *place.related))


def _of_final(program: Program, graph: Graph, found: inactive.Unrestored) -> Finding:
    """The finding at a mask that is saved and not restored until the end: it may be that no more lanes are meant."""
    place, before = (sites.place(program, graph, site) for site in (found.saving, found.before))
    said = message(
        "nothing reads {} again: the lanes that are switched off here stay off until the end, also at the access on {}",
        f"`{_mask(found.saving)}`",
        sites.line(program, graph, found.before),
    )
    return RULE.at(place.where, said, (Related(before.where, "the access"), *place.related), severity=_UNCERTAIN)


_UNCERTAIN = Severity.INFORMATION


def _of_overwritten(program: Program, graph: Graph, lost: inactive.Overwritten) -> Finding:
    place, saving, restoring = (
        sites.place(program, graph, site) for site in (lost.overwriting, lost.saving, lost.restoring)
    )
    said = message(
        "this overwrites {}, in which {} on {} keeps the lanes that {} on {} should give back",
        f"`{_mask(lost.saving)}`",
        f"`{lost.saving.mnemonic}`",
        sites.line(program, graph, lost.saving),
        f"`{lost.restoring.mnemonic}`",
        sites.line(program, graph, lost.restoring),
    )
    related = (Related(saving.where, "the mask is saved here"), Related(restoring.where, "it is given back here"))
    return RULE.at(place.where, said, (*related, *place.related))


RULE = Rule("inactive-lanes", Severity.WARNING, __doc__, Stage.PATHS, check=check)


def _of_access(program: Program, graph: Graph, each: inactive.Inactive) -> Finding:
    place, cause = (sites.place(program, graph, site) for site in (each.access, each.cause))
    is_access = not inactive.takes_all_away(each.cause)
    said = message(
        "no lane is active here if the wave comes from {}: EXEC is 0 and nothing restores it before this access"
        if is_access
        else "no lane is active here: EXEC is 0 after {}, which takes away a mask with all lanes that were active",
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
