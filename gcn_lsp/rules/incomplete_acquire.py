"""incomplete-acquire: data may be read from a cache that is older than the flag that announced them.

What it checks

- An instruction that invalidates caches while a load with a cache policy (`glc`, `sc1`, `scope:...`) is in flight.
  Other loads in flight are not reported: they need not be loads of flags.
- A load of data on a way that a count chooses, such as that of the last work-group to be done: the data were stored by
  the same argument and released before the atomic that counts, and no instruction on the way invalidates caches for the
  stores of other work-groups.
- As information: a load without a cache policy after a loop that does nothing but load one value with a cache policy
  until it changes, if no instruction on the way invalidates caches.

Why it matters

A wave that waits for a flag loads it until it is set, invalidates its caches, and then loads the data. Without the
invalidation, or with one that comes before the flag has arrived, a load may find data in a cache that are older than
the flag. `explain memory-model` has the sequence for each target.

Example

    ; gcn-lsp: target=gfx942
    kernel:
      global_load_dword v1, v0, s[0:1] sc1
      buffer_inv sc1
      s_waitcnt vmcnt(0)
      global_load_dword v2, v0, s[2:3]
      s_waitcnt vmcnt(0)
      global_store_dword v1, v2, s[2:3]
      s_endpgm

Use instead

    ; gcn-lsp: target=gfx942
    kernel:
      global_load_dword v1, v0, s[0:1] sc1
      s_waitcnt vmcnt(0)
      buffer_inv sc1
      global_load_dword v2, v0, s[2:3]
      s_waitcnt vmcnt(0)
      global_store_dword v1, v2, s[2:3]
      s_endpgm

Targets

All.
"""

from collections.abc import Iterator

from gcn_lsp.analysis.waits import announced, ordering, waits
from gcn_lsp.analysis.waits.announced import Unrefreshed
from gcn_lsp.analysis.waits.ordering import Stale, Unordered
from gcn_lsp.analysis.waits.waits import Waits
from gcn_lsp.findings import sites
from gcn_lsp.findings.rule import Finding, Fix, Related, Rule, Severity, Stage
from gcn_lsp.findings.waits import wait_fix
from gcn_lsp.isa.memory import memory_model
from gcn_lsp.isa.waits import wait_text
from gcn_lsp.program.program import Program
from gcn_lsp.text import message


def check(program: Program) -> Iterator[Finding]:
    """A finding at each invalidation that comes too early, and at each load that misses one."""
    found = waits.of(program)
    if found is None or program.final_state.incomplete:
        return
    early = list(ordering.early_invalidations(found))
    stale = list(ordering.stale_loads(found.graph))
    counted = [each for each in announced.of(program) if isinstance(each, Unrefreshed)]
    wanted = [each.later for each in early] + [each.load for each in stale] + [each.load for each in counted]
    fixable = sites.fixable(program, found.graph, wanted) if wanted else frozenset()
    seen: set[sites.Written] = set()
    for site, each in zip(wanted, (*early, *stale, *counted), strict=True):
        written = sites.written(found.graph, site)
        if written not in seen:
            seen.add(written)
            can_fix = written in fixable
            if isinstance(each, Unordered):
                yield _too_early(program, found, each, can_fix=can_fix)
            elif isinstance(each, Stale):
                yield _stale(program, found, each, can_fix=can_fix)
            elif isinstance(each, Unrefreshed):
                yield _unrefreshed(program, found, each)


RULE = Rule("incomplete-acquire", Severity.WARNING, __doc__, Stage.PATHS, check=check)


def _too_early(program: Program, found: Waits, each: Unordered, *, can_fix: bool) -> Finding:
    needed = {each.counter: 0}
    place, load = (sites.place(program, found.graph, site) for site in (each.later, each.earlier))
    line = sites.line(program, found.graph, each.earlier)
    said = message(
        "`{}` on {} may return after this, and data loaded later may be older than what it returns; wait for {} first",
        *(each.earlier.mnemonic, line, wait_text.spoken(needed)),
    )
    fixes = (wait_fix(program, found, place, needed),) if can_fix else ()
    return RULE.at(place.where, said, (Related(load.where, "this may be in flight"), *place.related), fixes)


def _stale(program: Program, found: Waits, each: Stale, *, can_fix: bool) -> Finding:
    place, flag = (sites.place(program, found.graph, site) for site in (each.load, each.flag))
    line = sites.line(program, found.graph, each.flag)
    steps = _invalidations(found)
    names = " and ".join(f"`{step}`" for step in steps)
    said = message(
        "this may read data from a cache that are older than the flag that {} waits for: {} {} missing between them",
        *(line, names, "is" if len(steps) == 1 else "are"),
    )
    fixes = (Fix(f"Insert {names}", (sites.insertion(program, place, *steps),)),) if can_fix else ()
    related = (Related(flag.where, "this loop waits for a flag"), *place.related)
    return RULE.at(place.where, said, related, fixes, severity=Severity.INFORMATION)


def _unrefreshed(program: Program, found: Waits, each: Unrefreshed) -> Finding:
    place, atomic, data = (sites.place(program, found.graph, site) for site in (each.load, each.atomic, each.data))
    steps = _invalidations(found)
    said = message(
        "this may read data from a cache that are older than the count that `{}` on {} returns: "
        "{} {} missing after the wait for that",
        *(each.atomic.mnemonic, sites.line(program, found.graph, each.atomic)),
        *(" and ".join(f"`{step}`" for step in steps), "is" if len(steps) == 1 else "are"),
    )
    related = (
        Related(data.where, "the data are stored here"),
        Related(atomic.where, "the wave counts here"),
        *place.related,
    )
    return RULE.at(place.where, said, related)


def _invalidations(found: Waits) -> list[str]:
    sequence = memory_model.sequence(found.engine.model.target.features)
    return [step for step in sequence.acquire if memory_model.is_invalidation(step.split()[0])]
