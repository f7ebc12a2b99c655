"""inactive-lanes: no lane is active at an access to memory, or lanes that were switched off never come back.

What it checks

Loads, stores and atomics that a wave reaches with an EXEC of 0: after `s_cbranch_execz` where it is taken, after
`s_cbranch_execnz` where it is not, and after a move of 0 to EXEC, before anything writes EXEC again. A branch on
the SCC of the instruction that writes EXEC is such a branch, too.

Any other vector instruction that does nothing without lanes, if such a branch is the only way to it: no wave has an
active lane there.

Masks of lanes that do not come back:

- A mask that `s_and_saveexec` or `s_andn2_saveexec` saved, or `s_mov` before EXEC is narrowed, and that nothing reads
  again, although a barrier follows, or the branch around the code for the remaining lanes leads to further accesses.
  Without a branch around the code this is information: no more lanes may be meant.
- The same in a loop with a counter: accesses that all lanes make in the first round only, and, after a loop with a
  barrier, an access for lanes that the loop may have switched off.
- A branch around the code for the remaining lanes that leaves out its end, too, where the mask is given back, although
  accesses for other lanes follow.
- The same without an access, if the lanes are missing at another vector instruction, or at the return of a function.
- A mask that is overwritten, whole or in part, before it is given back.
- A mask that is taken away from EXEC, which leaves no lane: the lanes of the other case are the mask without EXEC.
- EXEC written from registers that hold an address, or numbers: a product of registers, or a loaded number beside a
  computed one.

- What other branches on the way test is not followed, and nothing behind a call is checked.
- A branch straight after an instruction that saves EXEC, which leads waves with active lanes on to where those without
  go as well, is named itself: it asks for the opposite.
- A branch counts only if the straight code before it takes lanes away from EXEC: LLVM writes branches that are never
  taken as `s_cbranch_execz`.
- Scratch is not checked, since compilers spill and reload where no lane is active.
- Loops that a branch on EXEC leaves, or a condition that lanes compute, switch lanes off on purpose, except by a region
  around which a branch leads to the rest of the round. So does a loop that leaves fewer and fewer of the lanes below a
  number, if only the first one is needed after it.
- A mask that is not given back is not noticed where that of a region around it follows at once: it has all the lanes.
- A wrong pair of registers that holds some other mask is a finding of `mispaired-mask`.
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

import itertools
from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine import results
from gcn_lsp.analysis.values import given_back, inactive, shrinking, unclosed, wrong_masks
from gcn_lsp.analysis.values.shrinking import Shrinking
from gcn_lsp.analysis.values.unclosed import Unclosed
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Fix, Related, Rule, Severity, Stage
from gcn_lsp.isa.machine import control_flow
from gcn_lsp.program.program import Program
from gcn_lsp.text import TextEdit, message


def check(program: Program) -> Iterator[Finding]:
    """A finding at each access that no lane makes, and at each mask that nothing restores before a barrier."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    opaque = results.opaque(program, graph)
    without_lanes = tuple(inactive.accesses(graph, opaque))
    for each in sites.first_at_each(graph, without_lanes, lambda each: each.access):
        yield (_of_inverted if each.is_inverted else _of_access)(program, graph, each)
    overwritten = itertools.chain(
        inactive.overwritten(graph, opaque),
        wrong_masks.lost(program, graph, opaque),
        given_back.overwritten(program, graph, opaque),
    )
    for lost in sites.first_at_each(graph, overwritten, lambda lost: lost.overwriting):
        yield _of_overwritten(program, graph, lost)
    for wrong in sites.first_at_each(
        graph, wrong_masks.no_masks(program, graph, opaque), lambda wrong: wrong.restoring
    ):
        yield _of_no_mask(program, graph, wrong)
    told = {id(each.cause) for each in without_lanes}
    for shrunk in sites.first_at_each(graph, shrinking.found(program, graph, opaque), lambda each: each.narrowing):
        if id(shrunk.branch) in told:
            continue
        told.add(id(shrunk.saving))
        yield _of_shrinking(program, graph, shrunk)
    for skipped in sites.first_at_each(graph, shrinking.skipped(graph, opaque), lambda each: each.branch):
        if id(skipped.branch) not in told:
            told.add(id(skipped.branch))
            yield _of_skipped(program, graph, skipped)
    for found in sites.first_at_each(graph, inactive.unrestored(graph, opaque), lambda found: found.narrowing):
        if id(found.branch) in told or id(found.saving) in told:
            continue
        place = sites.place(program, graph, found.narrowing)
        if found.branch is None and not found.is_barrier:
            yield _of_final(program, graph, found)
            continue
        told.add(id(found.narrowing))
        is_barrier = found.is_barrier
        said = message(
            "nothing restores EXEC from {}, so the lanes that are switched off here stay off {} on {}",
            f"`{inactive.described(found.saving)}`",
            "after the barrier" if is_barrier else "at the access",
            sites.line(program, graph, found.before),
        )
        before = Related(sites.place(program, graph, found.before).where, "the barrier" if is_barrier else "the access")
        yield RULE.at(
            place.where, said, (before, *_saved(program, graph, found.saving, found.narrowing), *place.related)
        )
    for region in sites.first_at_each(graph, unclosed.found(program, graph, opaque), lambda each: each.narrowing):
        is_told = not told.isdisjoint(map(id, (region.saving, region.narrowing, region.branch)))
        if region.other is None and not is_told:
            yield _of_unclosed(program, graph, region)


def _of_unclosed(program: Program, graph: Graph, each: Unclosed) -> Finding:
    place, before = (sites.place(program, graph, site) for site in (each.narrowing, each.before))
    is_return = each.before.effects.flow == "jump"
    said = message(
        "nothing restores EXEC from {}, so the lanes that are switched off here stay off "
        + ("at the return on {}" if is_return else "at {} on {}"),
        f"`{inactive.described(each.saving)}`",
        *(() if is_return else (f"`{each.before.item.statement.word}`",)),
        sites.line(program, graph, each.before),
    )
    related = Related(before.where, "the lanes are missing here")
    return RULE.at(place.where, said, (related, *_saved(program, graph, each.saving, each.narrowing), *place.related))


def _of_final(program: Program, graph: Graph, found: inactive.Unrestored) -> Finding:
    """The finding at a mask that is saved and not restored until the end: it may be that no more lanes are meant."""
    place, before = (sites.place(program, graph, site) for site in (found.saving, found.before))
    said = message(
        "nothing reads {} again: the lanes that are switched off here stay off until the end, also at the access on {}",
        f"`{inactive.described(found.saving)}`",
        sites.line(program, graph, found.before),
    )
    return RULE.at(place.where, said, (Related(before.where, "the access"), *place.related), severity=_UNCERTAIN)


_UNCERTAIN = Severity.INFORMATION


def _of_shrinking(program: Program, graph: Graph, lost: Shrinking) -> Finding:
    place, before = (sites.place(program, graph, site) for site in (lost.narrowing, lost.before))
    said = message(
        "nothing restores EXEC from {}, so the lanes that are switched off here stay off {}, at the access on {}",
        f"`{inactive.described(lost.saving)}`",
        "in the next round of the loop" if lost.is_next_round else "after the loop",
        sites.line(program, graph, lost.before),
    )
    saved = _saved(program, graph, lost.saving, lost.narrowing)
    return RULE.at(place.where, said, (Related(before.where, "the access"), *saved, *place.related))


def _saved(program: Program, graph: Graph, saving: Site, narrowing: Site) -> tuple[Related, ...]:
    """Where a mask is saved, if that is another instruction than the one that takes lanes away."""
    where = sites.place(program, graph, saving).where
    return () if saving is narrowing else (Related(where, "the mask is saved here"),)


def _of_skipped(program: Program, graph: Graph, each: shrinking.Skipped) -> Finding:
    place, restoring, before = (
        sites.place(program, graph, site) for site in (each.branch, each.restoring, each.before)
    )
    said = message(
        "a wave without lanes goes on after {} on {}, which gives its lanes back: they stay off at the access on {}",
        f"`{each.restoring.item.statement.word}`",
        sites.line(program, graph, each.restoring),
        sites.line(program, graph, each.before),
    )
    related = (Related(restoring.where, "this is left out"), Related(before.where, "the access"))
    return RULE.at(place.where, said, (*related, *place.related))


def _of_overwritten(program: Program, graph: Graph, lost: inactive.Overwritten) -> Finding:
    place, saving, restoring = (
        sites.place(program, graph, site) for site in (lost.overwriting, lost.saving, lost.restoring)
    )
    said = message(
        "this overwrites {}, in which {} on {} keeps the lanes that {} on {} should give back",
        f"`{inactive.described(lost.saving)}`",
        f"`{lost.saving.mnemonic}`",
        sites.line(program, graph, lost.saving),
        f"`{lost.restoring.mnemonic}`",
        sites.line(program, graph, lost.restoring),
    )
    related = (Related(saving.where, "the mask is saved here"), Related(restoring.where, "it is given back here"))
    return RULE.at(place.where, said, (*related, *place.related))


def _of_no_mask(program: Program, graph: Graph, wrong: wrong_masks.NoMask) -> Finding:
    place = sites.place(program, graph, wrong.restoring)
    operand = wrong.operand
    if wrong.use is not None:
        said = message(
            "{} holds an address here, as on {}, and no mask of lanes",
            f"`{operand.text}`",
            sites.line(program, graph, wrong.use),
        )
    else:
        first, *others = wrong.writers
        said = message(
            "{} holds numbers here, and no mask of lanes: {} on {} wrote it" + (", {} on {}" if others else ""),
            f"`{operand.text}`",
            *(part for each in (first, *others[-1:]) for part in sites.named(program, graph, each)),
        )
    related = [Related(sites.place(program, graph, each).where, "this wrote it") for each in wrong.writers]
    if wrong.use is not None:
        related.insert(0, Related(sites.place(program, graph, wrong.use).where, "the address"))
    fixes: tuple[Fix, ...] = ()
    if wrong.kept is not None and wrong.kept != operand.text and place.own:
        edit = TextEdit(sites.operand_place(program, graph, wrong.restoring, operand), wrong.kept)
        fixes = (Fix(f"Change to `{wrong.kept}`, in which masks are kept", (edit,), is_certain=False),)
    return RULE.at(place.where, said, (*related, *place.related), fixes)


RULE = Rule("inactive-lanes", Severity.WARNING, __doc__, Stage.PATHS, check=check)


def _of_inverted(program: Program, graph: Graph, each: inactive.Inactive) -> Finding:
    """The finding at a branch that leads around a region if some lane is active, where it should if none is."""
    place, access = (sites.place(program, graph, site) for site in (each.cause, each.access))
    opposite = next(name for name, is_taken in control_flow.EXEC_BRANCHES.items() if is_taken)
    said = message(
        "waves with active lanes leave out the code up to the label, and those without run it, in which no lane makes "
        "the access on {}; {} is the opposite",
        sites.line(program, graph, each.access),
        f"`{opposite}`",
    )
    edit = sites.replacement(place, f"{opposite} {each.cause.operands[0].text}") if each.cause.operands else None
    fixes = (Fix(f"Change to `{opposite}`", (edit,), is_certain=False),) if edit is not None else ()
    saved = _saved(program, graph, each.saved, each.cause) if each.saved is not None else ()
    return RULE.at(place.where, said, (Related(access.where, "the access"), *saved, *place.related), fixes)


def _of_access(program: Program, graph: Graph, each: inactive.Inactive) -> Finding:
    place, cause = (sites.place(program, graph, site) for site in (each.access, each.cause))
    is_access = not inactive.takes_all_away(each.cause)
    said = message(
        "no lane is active here if the wave comes from {}: EXEC is 0 and nothing restores it before this access"
        if is_access and not each.is_certain
        else "no lane is active here: control only comes from {}, where EXEC is 0, and nothing restores it before this"
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
        text = f"s_or_{size} {register}, {register}, {inactive.described(each.saved)}"
        fixes = (Fix(f"Restore EXEC with `{text}`", (sites.insertion(program, first, text),), is_certain=False),)
    return RULE.at(place.where, said, (*related, *place.related), fixes)


_NARROW = 32
