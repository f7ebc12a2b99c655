"""Writes wait instructions: the fewest that bring counters down to given counts."""

from collections.abc import Mapping

from gcn_lsp.isa.conditions import holds
from gcn_lsp.isa.waits import wait_events

# Counters with a field in `s_waitcnt`, in their usual order.
FIELDS = ("vmcnt", "expcnt", "lgkmcnt")
WAITCNT = "s_waitcnt"


def written(needs: Mapping[str, int], features: frozenset[str], *, is_decimal: bool = False) -> tuple[str, ...]:
    """The instructions that wait until each counter is at its count or lower, on a target with these features.

    is_decimal: whether a bare count is written in decimal, else as compilers write it.
    """
    found: list[str] = []
    rest = dict(needs)
    if not holds("gfx12+", features):
        parts = [f"{name}({rest.pop(name)})" for name in FIELDS if name in rest]
        if parts:
            found.append(f"{WAITCNT} {' '.join(parts)}")
    rows = [row for row in wait_events.WAITS if holds(row.targets, features)]
    rows.sort(key=lambda row: -len(row.counters))  # one instruction for two counters if there is one
    for row in rows:
        names = [name for name, _, _ in row.counters]
        if all(name in rest for name in names):
            value = 0
            for name, shift, width in row.counters:
                value |= min(rest.pop(name), (1 << width) - 1) << shift
            first = "null, " if holds("gfx10-11", features) else ""
            found.append(f"{row.mnemonic} {first}{value if is_decimal else hex(value)}")
    return tuple(found)


def spoken(needs: Mapping[str, int]) -> str:
    """Counts in words: `vmcnt(0) and lgkmcnt(2)`."""
    return " and ".join(f"{name}({count})" for name, count in needs.items())
