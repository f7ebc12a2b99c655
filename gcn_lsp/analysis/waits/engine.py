"""The counters of a target: their order, their limits, and the interned states of what is in flight."""

from collections.abc import Mapping
from functools import lru_cache

from gcn_lsp.analysis.control.segments import Site
from gcn_lsp.analysis.machine.effects import Model
from gcn_lsp.analysis.waits.state import DMA_DONE, LDS_WRITTEN, MANY, NO_LDS, UNKNOWN, WaitState, bound, union
from gcn_lsp.flow.interned import Table, joined
from gcn_lsp.isa.waits import wait_events


class Engine:
    """The transfer functions for one target.

    ignored: waits treated as absent. dependents: for operations of which this is known, the instructions that control
    comes to while the operation is in flight, and that must wait for it.
    """

    def __init__(
        self,
        model: Model,
        ignored: frozenset[Site] = frozenset(),
        dependents: "Mapping[Site, frozenset[Site]] | None" = None,
    ) -> None:
        self.model = model
        self.ignored = ignored
        self.dependents = dependents or {}
        self.counters = tuple(dict.fromkeys(model.counters.values()))
        self.index = {name: number for number, name in enumerate(self.counters)}
        self.lds = model.counters.get("lds", "")
        self.maxima = tuple(model.maxima.get(name, MANY - 1) for name in self.counters)
        self._groups = tuple(model.ordered.get(name, ()) for name in self.counters)
        self.ordered_writers = wait_events.ordered_writers(model.target.features)
        self._order: dict[tuple[int, frozenset[str]], str | None] = {}
        self.state = Table(WaitState).state
        self._nothing = ((),) * len(self.counters)
        self.empty = self.started(0)
        self.unknown = self.forgotten(0)

    def started(self, lds: int) -> WaitState:
        """The state of a wave at its start. lds: `NO_LDS`, or 0."""
        return self.state(self._nothing, (0,) * len(self.counters), lds)

    def forgotten(self, lds: int) -> WaitState:
        """The state after code that is not in the file: it may have waited for everything, or for nothing."""
        most = (UNKNOWN,) * len(self.counters)
        return self.state(self._nothing, most, DMA_DONE | LDS_WRITTEN | lds & NO_LDS)

    def join(self, one: WaitState, other: WaitState) -> WaitState:
        """The state that covers both; `one` itself if it covers `other`."""
        return joined(one, other, self._joined)

    def _joined(self, one: WaitState, other: WaitState) -> WaitState:
        pending = tuple(
            mine if mine == theirs else union(mine, theirs)
            for mine, theirs in zip(one.pending, other.pending, strict=True)
        )
        most = tuple(map(bound, one.most, other.most))
        return self.state(pending, most, one.lds | other.lds)

    def disorder(self, counter: int, kinds: frozenset[str]) -> "str | None":
        """None if operations of these kinds come back in order; otherwise the kind that is at fault, or empty."""
        key = (counter, kinds)
        if key not in self._order:
            is_ordered = not kinds or any(kinds <= group for group in self._groups[counter])
            named = next((kind for kind in sorted(kinds) if kind in wait_events.OUT_OF_ORDER), "")
            self._order[key] = None if is_ordered else named
        return self._order[key]


@lru_cache(maxsize=256)
def engine_for(model: Model) -> Engine:
    """The engine of a target's model, shared by every program for it."""
    return Engine(model)
