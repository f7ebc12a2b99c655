"""incomplete-release: a flag or a barrier may be seen before the data that it announces.

What it checks

- A store or an atomic after a write-back (`buffer_wbl2`, `global_wb`), without a wait for the write-back between them.
- A store for other work-groups (`sc1`, `scope:SCOPE_DEV`, `scope:SCOPE_SYS`) directly after a wait that is for nothing
  but stores of data, without a write-back before the wait, on targets that need one.
- A flag for which a loop of the same program waits, or an atomic that counts and has an invalidation after it: data
  stored before, which the program loads by the same argument after the loop, or on a way that the count chooses, are
  not waited for or not written back.
- A barrier that a wave reaches with a store to memory in flight, if the wave invalidates its caches after the barrier.

A store of a flag without any of these signs is not reported: a relaxed atomic looks the same. Nor is one that the wave
waits for at once: compilers put volatile stores between waits.

Why it matters

Stores become visible in any order. To publish data, a wave stores them, writes them back if a cache between it and the
reader keeps them, waits, and then stores the flag. If a step is missing, another wave may see the flag and then old
data. `explain memory-model` has the sequence for each target.

Example

    ; gcn-lsp: target=gfx942
    kernel:
      global_store_dword v0, v1, s[0:1]
      buffer_wbl2 sc1
      global_store_dword v0, v2, s[2:3] sc1
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx942
    kernel:
      global_store_dword v0, v1, s[0:1]
      buffer_wbl2 sc1
      s_waitcnt vmcnt(0)
      global_store_dword v0, v2, s[2:3] sc1
      s_endpgm

Targets

All. Write-backs exist on gfx90a, gfx94*, gfx950 and from gfx12.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.waits import announced, ordering, waits
from gcn_lsp.analysis.waits.announced import Announced
from gcn_lsp.analysis.waits.ordering import Unordered, Unwritten
from gcn_lsp.analysis.waits.waits import Waits
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Fix, Related, Rule, Severity, Stage
from gcn_lsp.findings.waits import wait_fix
from gcn_lsp.isa.waits import wait_text
from gcn_lsp.program.program import Program
from gcn_lsp.text import message


def check(program: Program) -> Iterator[Finding]:
    """A finding at each store or barrier that may announce data too early."""
    found = waits.of(program)
    if found is None or program.final_state.incomplete:
        return
    early = [*ordering.unfinished_write_backs(found), *ordering.unpublished(found)]
    unwritten = list(ordering.unwritten(found))
    known = {each.later for each in early} | {each.flag for each in unwritten}
    open_ = [each for each in announced.of(program) if isinstance(each, Announced) and each.flag not in known]
    changed = (*(each.later for each in early), *(each.wait for each in unwritten), *(each.flag for each in open_))
    fixable = sites.fixable(program, found.graph, changed)
    for each in sites.first_at_each(found.graph, early, lambda each: each.later):
        yield _too_early(program, found, each, fixable)
    for store in sites.first_at_each(found.graph, unwritten, lambda each: each.flag):
        yield _not_written_back(program, found, store, fixable)
    for data in sites.first_at_each(found.graph, open_, lambda each: each.flag):
        yield _announced(program, found, data, fixable)


RULE = Rule("incomplete-release", Severity.WARNING, __doc__, Stage.PATHS, check=check)


def _too_early(program: Program, found: Waits, each: Unordered, fixable: frozenset[sites.Written]) -> Finding:
    needed = {each.counter: 0}
    place, earlier = (sites.place(program, found.graph, site) for site in (each.later, each.earlier))
    name, line = each.earlier.mnemonic, sites.line(program, found.graph, each.earlier)
    said = message(
        "others may see this before `{}` on {} is complete; wait for {} first", name, line, wait_text.spoken(needed)
    )
    can_fix = sites.written(found.graph, each.later) in fixable
    fixes = (wait_fix(program, found, place, needed),) if can_fix else ()
    return RULE.at(place.where, said, (Related(earlier.where, "this may be in flight"), *place.related), fixes)


def _not_written_back(program: Program, found: Waits, each: Unwritten, fixable: frozenset[sites.Written]) -> Finding:
    place, wait, data = (sites.place(program, found.graph, site) for site in (each.flag, each.wait, each.data))
    line = sites.line(program, found.graph, each.data)
    said = message(
        "other work-groups may see this store before that on {}, which stays in a cache: "
        "`{}` is needed before the wait",
        line,
        each.needed,
    )
    related = (
        Related(data.where, "the data are stored here"),
        Related(wait.where, "the wave waits for them here"),
        *place.related,
    )
    can_fix = sites.written(found.graph, each.wait) in fixable
    fixes = (Fix(f"Insert `{each.needed}`", (sites.insertion(program, wait, each.needed),)),) if can_fix else ()
    return RULE.at(place.where, said, related, fixes)


def _announced(program: Program, found: Waits, each: Announced, fixable: frozenset[sites.Written]) -> Finding:
    place, data, reader = (sites.place(program, found.graph, site) for site in (each.flag, each.data, each.reader))
    steps = " and ".join(f"`{step}`" for step in each.needed)
    said = message(
        "other work-groups may see this before `{}` on {} has reached them: {} {} missing before it",
        *(each.data.mnemonic, sites.line(program, found.graph, each.data), steps),
        "is" if len(each.needed) == 1 else "are",
    )
    related = (
        Related(data.where, "the data are stored here"),
        Related(reader.where, "other work-groups load them here"),
        *place.related,
    )
    can_fix = sites.written(found.graph, each.flag) in fixable
    fixes = (Fix(f"Insert {steps}", (sites.insertion(program, place, *each.needed),)),) if can_fix else ()
    return RULE.at(place.where, said, related, fixes)
