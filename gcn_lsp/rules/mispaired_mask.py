"""mispaired-mask: EXEC gets the mask of another region back, or none was saved.

What it checks

Regions for some of the lanes: an instruction saves EXEC and takes lanes away, a branch leads around the code for those
that remain, and an instruction behind it gives the mask back.

- A mask that is given back but which one of the ways there has not saved: it holds what the kernel began with, or
  numbers, or the mask of an earlier region that was given back already. Usually a branch leads to a wrong label, or is
  missing.
- A mask that nothing reads, while the mask of another region is given back in its place.
- A function that gives back a mask which it never saves.
- A branch on EXEC that follows a saved EXEC, or a mask of lanes that nothing reads, although nothing takes lanes away.

- Masks that constants, copies or logic make count as right on any way. A counter is no mask: a constant from which sums
  or shifts go on, given back in place of a mask that nothing reads.
- Copies of EXEC, from which code gives all lanes back again and again, are right. So is an inner region without an end
  where that of the region around it follows at once.
- Two regions of the same lanes may end with each other's mask: that is reported though it does no harm.
- What branches test is not followed: a mask that is saved and given back under the same condition is reported if it is
  not set otherwise.

Why it matters

Lanes that the wave began with stay off, or lanes come back that were switched off on purpose: they load from addresses
out of bounds, and store what nobody computed.

Example

    ; gcn-lsp: target=gfx900
      v_cmp_gt_u32 vcc, s2, v0
      s_and_saveexec_b64 s[4:5], vcc
      s_cbranch_execz done
      v_cmp_gt_u32 vcc, s3, v0
      s_and_saveexec_b64 s[6:7], vcc
      s_cbranch_execz next
      v_add_u32 v2, v2, v3
    next:
      s_or_b64 exec, exec, s[4:5]
      global_store_dword v[4:5], v2, off
    done:
      s_or_b64 exec, exec, s[4:5]
      global_store_dword v[6:7], v2, off
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx900
      v_cmp_gt_u32 vcc, s2, v0
      s_and_saveexec_b64 s[4:5], vcc
      s_cbranch_execz done
      v_cmp_gt_u32 vcc, s3, v0
      s_and_saveexec_b64 s[6:7], vcc
      s_cbranch_execz next
      v_add_u32 v2, v2, v3
    next:
      s_or_b64 exec, exec, s[6:7]
      global_store_dword v[4:5], v2, off
    done:
      s_or_b64 exec, exec, s[4:5]
      global_store_dword v[6:7], v2, off
      s_endpgm

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.machine import results
from gcn_lsp.analysis.values import given_back, inactive, unclosed, unnarrowed, wrong_masks
from gcn_lsp.analysis.values.given_back import Unkept
from gcn_lsp.analysis.values.inactive import Overwritten
from gcn_lsp.analysis.values.unclosed import Unclosed
from gcn_lsp.analysis.values.unnarrowed import Unnarrowed
from gcn_lsp.analysis.values.wrong_masks import NoMask
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Fix, Related, Rule, Severity, Stage
from gcn_lsp.program.program import Program
from gcn_lsp.text import TextEdit, message


def check(program: Program) -> Iterator[Finding]:
    """A finding at each instruction that gives back a mask which is not that of its region."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    opaque = results.opaque(program, graph)
    swapped = tuple(each for each in unclosed.found(program, graph, opaque) if each.other)
    unkept = tuple(given_back.unkept(program, graph, opaque))
    unsaved = tuple(given_back.unsaved(program, graph, opaque))
    is_any = swapped or unkept or unsaved
    told = {id(each.restoring) for each in _told_otherwise(program, graph, opaque)} if is_any else set()
    for each in sites.first_at_each(graph, swapped, lambda each: each.before):
        if id(each.before) in told:
            continue
        told.update(id(site) for site in (each.before, each.again))
        yield _of_swapped(program, graph, each)
    for kept in sites.first_at_each(graph, unkept, lambda each: each.restoring):
        if id(kept.restoring) not in told:
            told.add(id(kept.restoring))
            yield _of_unkept(program, graph, kept)
    for origins in sites.first_at_each(graph, unsaved, lambda each: each.restoring):
        if id(origins.restoring) not in told:
            place = sites.place(program, graph, origins.restoring)
            said = f"nothing in this function saves a mask in `{origins.operand.text}`, from which EXEC is written here"
            yield RULE.at(place.where, said, place.related)
    for vain in sites.first_at_each(graph, unnarrowed.found(program, graph, opaque), lambda each: each.branch):
        yield _of_unnarrowed(program, graph, vain)


RULE = Rule("mispaired-mask", Severity.WARNING, __doc__, Stage.PATHS, check=check)


def _told_otherwise(program: Program, graph: Graph, opaque: frozenset[int]) -> "Iterator[Overwritten | NoMask]":
    """The masks that `inactive-lanes` reports: those that are overwritten, and registers that hold none."""
    yield from inactive.overwritten(graph, opaque)
    yield from given_back.overwritten(program, graph, opaque)
    yield from wrong_masks.no_masks(program, graph, opaque)


def _of_swapped(program: Program, graph: Graph, each: Unclosed) -> Finding:
    place, saving = (sites.place(program, graph, site) for site in (each.before, each.saving))
    kept, operand = f"`{inactive.described(each.saving)}`", each.other
    others = (*sites.named(program, graph, each.again),) if each.again is not None else ()
    said = message(
        "nothing gives back {}, in which {} on {} keeps the lanes for here; this gives back {} instead, "
        + ("as does {} on {}" if others else "which no region saves"),
        kept,
        *sites.named(program, graph, each.saving),
        f"`{operand.text}`" if operand is not None else "another mask",
        *others,
    )
    related = [Related(saving.where, "the mask is saved here")]
    if each.again is not None:
        related.append(Related(sites.place(program, graph, each.again).where, "this gives the other mask back, too"))
    fixes: tuple[Fix, ...] = ()
    if operand is not None and place.own:
        edit = TextEdit(sites.operand_place(program, graph, each.before, operand), inactive.described(each.saving))
        fixes = (Fix(f"Change to {kept}", (edit,), is_certain=False),)
    return RULE.at(place.where, said, (*related, *place.related), fixes)


def _of_unkept(program: Program, graph: Graph, each: Unkept) -> Finding:
    place, saving, coming = (sites.place(program, graph, site) for site in (each.restoring, each.saving, each.coming))
    mask = f"`{each.operand.text}`"
    if each.given is not None:
        said = message(
            "{} on {} has given {} back already on one of the ways here, and nothing saves it again",
            *sites.named(program, graph, each.given),
            mask,
        )
        related = [Related(coming.where, "it is given back here")]
    else:
        said = message(
            "{} on {} does not save {} on the way here after {} on {}" + (": {} on {} wrote it" if each.number else ""),
            *sites.named(program, graph, each.saving),
            mask,
            *sites.named(program, graph, each.coming),
            *(sites.named(program, graph, each.number) if each.number is not None else ()),
        )
        related = [Related(coming.where, "this way has no mask")]
    return RULE.at(place.where, said, (Related(saving.where, "the mask is saved here"), *related, *place.related))


def _of_unnarrowed(program: Program, graph: Graph, each: Unnarrowed) -> Finding:
    place, before = (sites.place(program, graph, site) for site in (each.branch, each.before))
    said = message(
        "nothing takes lanes away before this branch"
        + (", though {} on {} saves EXEC" if each.is_copy else ": nothing reads the lanes that {} on {} computes"),
        *sites.named(program, graph, each.before),
    )
    note = "EXEC is saved here" if each.is_copy else "nothing reads this result"
    return RULE.at(place.where, said, (Related(before.where, note), *place.related))
