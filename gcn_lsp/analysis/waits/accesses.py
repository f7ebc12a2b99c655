"""What accesses of memory and instructions about its caches are, as analyses of releases and acquires ask for it."""

from gcn_lsp.analysis.control import straight
from gcn_lsp.analysis.control.graphs import Graph
from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.isa.machine import barriers
from gcn_lsp.isa.memory import memory_model
from gcn_lsp.isa.schema import Form
from gcn_lsp.isa.waits import wait_events

FAMILIES = frozenset(("FLAT", "GLOBAL", "MUBUF", "MTBUF"))
"""The families of instructions that access memory by vectors."""

LOADS = ("vmcnt", "loadcnt")
STORES = ("vmcnt", "vscnt", "storecnt")
"""The counters of loads, and of stores, on some target."""


def form(site: Site) -> "Form | None":
    """The form of an instruction."""
    return site.item.instruction.form if site.item.instruction is not None else None


def policy(site: Site) -> int:
    """The cache policy of an instruction; 0 without one."""
    value = next((operand.value for operand in site.operands if operand.slot == "cpol"), 0)
    return value if type(value) is int else 0


def is_plain(site: Site, features: frozenset[str]) -> bool:
    """Whether an access is for the wave itself or its work-group."""
    return not memory_model.scope(policy(site), features)


def loads(site: Site) -> bool:
    """Whether an instruction only loads from memory into registers."""
    found = form(site)
    return (
        found is not None
        and found.family in FAMILIES
        and found.may_load
        and not found.may_store
        and bool(site.effects.events)
        and bool(site.effects.writes)
        and not _fills_lds(site)
    )


def reads_data(site: Site, features: frozenset[str]) -> bool:
    """Whether an instruction loads what may come from a cache."""
    return loads(site) and is_plain(site, features)


def stores(site: Site) -> bool:
    """Whether an instruction stores to memory, atomics too."""
    found = form(site)
    return (
        found is not None
        and found.family in FAMILIES
        and found.may_store
        and not memory_model.writes_back(site.mnemonic)
        and not _fills_lds(site)
    )


def is_atomic(site: Site) -> bool:
    """Whether an instruction loads and stores at once."""
    found = form(site)
    return found is not None and found.family in FAMILIES and found.may_load and found.may_store


def counts(site: Site) -> bool:
    """Whether an instruction is an atomic that counts, and returns how far."""
    return memory_model.counts(site.mnemonic) and bool(site.effects.writes)


def _fills_lds(site: Site) -> bool:
    return any(event.kind in wait_events.LDS_FILLS for event in site.effects.events)


def invalidates(site: Site) -> bool:
    """Whether an instruction invalidates caches of vector memory, and is a vector instruction."""
    return site.mnemonic.startswith(("buffer_", "global_")) and memory_model.is_invalidation(site.mnemonic)


def refreshes(site: Site) -> bool:
    """Whether loads after it find no older data in the cache next to the wave."""
    return invalidates(site) and memory_model.refreshes(site.mnemonic)


def store_counter(site: Site) -> str:
    """The counter that counts an instruction; empty for none."""
    return next((event.counter for event in site.effects.events if event.counter in STORES), "")


def waits_for(site: Site, counter: str) -> bool:
    """Whether an instruction waits until nothing is left that a counter counts."""
    return any(name == counter and count == 0 for name, count in site.effects.waits)


def wait_before(graph: Graph, flag: Site) -> "Site | None":
    """The wait for stores directly before a flag is stored, with nothing but computation between them."""
    for site in straight.back(graph, flag):
        if any(counter in STORES and count == 0 for counter, count in site.effects.waits):
            return site
        if site.effects.events or barriers.arrives(site.mnemonic) or not site.effects.known:
            return None
    return None
