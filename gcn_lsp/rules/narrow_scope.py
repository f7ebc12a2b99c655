"""narrow-scope: a flag or a count is read or changed where waves of other work-groups need not see it.

What it checks

- Loops that do nothing but load one value from memory until it changes, without the modifiers that make the load read
  what waves of other work-groups have stored. That these are meant shows in what follows the loop: an instruction that
  invalidates caches for the stores of other work-groups.
- On gfx94*, gfx950 and from gfx12: stores of the flag for which a loop of the same program waits with these modifiers,
  and from gfx12 atomics that count what work-groups have done, with a release before and an invalidation after them.

Why it matters

A load without these modifiers may find the value in a cache near the wave. Nothing in the loop removes it from there,
so the wave may never see that the flag was set, and hangs. The modifiers are `glc` up to gfx90a and on gfx11, `glc dlc`
on gfx10, `sc1` on gfx94* and gfx950, `scope:SCOPE_DEV` from gfx12. `explain memory-model` has the whole sequence.

Example

    ; gcn-lsp: target=gfx1201
    wait_for_flag:
      global_load_b32 v1, v0, s[0:1]
      s_wait_loadcnt 0x0
      v_readfirstlane_b32 s4, v1
      s_cmp_eq_u32 s4, 0
      s_cbranch_scc1 wait_for_flag
      global_inv scope:SCOPE_DEV
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx1201
    wait_for_flag:
      global_load_b32 v1, v0, s[0:1] scope:SCOPE_DEV
      s_wait_loadcnt 0x0
      v_readfirstlane_b32 s4, v1
      s_cmp_eq_u32 s4, 0
      s_cbranch_scc1 wait_for_flag
      global_inv scope:SCOPE_DEV
      s_endpgm

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.control import graphs
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.waits import accesses, announced, ordering
from gcn_lsp.analysis.waits.announced import Limited
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Fix, Related, Rule, Severity, Stage
from gcn_lsp.program.program import Program
from gcn_lsp.text import Location, TextEdit, message


def check(program: Program) -> Iterator[Finding]:
    """A finding at each load of a flag that may come from a cache in every round."""
    graph = graphs.of(program)
    if graph is None or program.final_state.incomplete:
        return
    found = list(ordering.narrow_polls(graph))
    for each, can_fix in sites.with_fixable(program, graph, found, lambda each: each.flag):
        place, after = (sites.place(program, graph, site) for site in (each.flag, each.invalidation))
        words = " ".join(each.lacking)
        said = message(
            "this loop may read an old value from a cache again and again, and never end: "
            "without `{}` the load need not see what other work-groups store",
            words,
        )
        related = (Related(after.where, "the wave expects stores of other work-groups here"), *place.related)
        yield RULE.at(place.where, said, related, _fixes(graph, place, each.flag, words) if can_fix else ())
    limited = [each for each in announced.of(program) if isinstance(each, Limited)]
    for one, can_fix in sites.with_fixable(program, graph, limited, lambda each: each.flag):
        place, reader = (sites.place(program, graph, site) for site in (one.flag, one.reader))
        said = message(
            "waves of other work-groups need not see this: without `{}` it may go no further than a cache, "
            "but {} is for what they store",
            *(one.lacking, sites.line(program, graph, one.reader)),
        )
        related = (Related(reader.where, "the wave expects stores of other work-groups here"), *place.related)
        yield RULE.at(place.where, said, related, _fixes(graph, place, one.flag, one.lacking) if can_fix else ())


def _fixes(graph: Graph, place: sites.WrittenPlace, flag: Site, words: str) -> tuple[Fix, ...]:
    """The fix that adds modifiers to a statement, unless it has another scope already."""
    has_another = words.startswith("scope:") and not accesses.is_plain(flag, graph.model.target.features)
    if not place.own or has_another:
        return ()
    end = Location(place.where.path, place.where.line, place.where.end, place.where.end)
    return (Fix(f"Add `{words}`", (TextEdit(end, f" {words}"),)),)


RULE = Rule("narrow-scope", Severity.WARNING, __doc__, Stage.PATHS, check=check)
