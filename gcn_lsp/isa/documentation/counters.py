"""Wait counters by what they count: an entry says `counter load`, a target has vmcnt or loadcnt for it.

Facts from LLVM's wait insertion (`SIInsertWaitcnts`): which counter each kind of instruction raises per generation.
"""

from collections.abc import Iterable

from gcn_lsp.isa import conditions

COUNTED: dict[str, tuple[tuple[str, str], ...]] = {
    "load": (("gfx6-11", "vmcnt"), ("gfx12+", "loadcnt")),
    "store": (("gfx6-9", "vmcnt"), ("gfx10-11", "vscnt"), ("gfx12+", "storecnt")),
    "store-data": (("gfx6", "expcnt"),),
    "sample": (("gfx6-11", "vmcnt"), ("gfx12+", "samplecnt")),
    "ray": (("gfx10-11", "vmcnt"), ("gfx12+", "bvhcnt")),
    "lds": (("gfx6-11", "lgkmcnt"), ("gfx12+", "dscnt")),
    "scalar": (("gfx6-11", "lgkmcnt"), ("gfx12+", "kmcnt")),
    "message": (("gfx6-11", "lgkmcnt"), ("gfx12+", "kmcnt")),
    "export": (("gfx6-11|gfx120|gfx13", "expcnt"),),
    "translation": (("gfx125", "xcnt"),),
    "async": (("gfx125", "asynccnt"),),
    "tensor": (("gfx125", "tensorcnt"),),
}
"""Kind of access to the counter's name, by the condition on the target (see `conditions.py`)."""


def names(kinds: Iterable[str], target: str) -> tuple[str, ...]:
    """The counters of these kinds under the target's names, each once, without kinds that it does not count."""
    found = (name for kind in kinds for condition, name in COUNTED[kind] if conditions.covers(condition, target))
    return tuple(dict.fromkeys(found))
