"""A work-group in a run: its LDS, its barriers, and what its waves share."""

from math import prod

from gcn_lsp.isa.machine import barriers as facts
from gcn_lsp.isa.waits import wait_events
from gcn_lsp.machine.barriers import Barrier
from gcn_lsp.machine.chosen_registers import ChosenRegisters
from gcn_lsp.machine.delayed import RegisterPlaces
from gcn_lsp.machine.image import PlacedInstruction
from gcn_lsp.machine.launch import Prepared
from gcn_lsp.machine.memory import Region
from gcn_lsp.machine.observations import SKIPPED_BARRIER, Log, Observation, WaveName
from gcn_lsp.machine.orders import Order
from gcn_lsp.machine.races import Clocks, History, RegionHistory, Times
from gcn_lsp.machine.wait_states import HazardTable

Place = tuple[int, int, int]


_GDS = 1 << 16  # bytes; no document gives a larger size
_MOST_WAVES = 2048  # of a grid in which races in memory are looked for: each wave knows a time of every other one


class GridState:
    """What all work-groups of a run share. waves: of the grid, 0 if no races in memory are looked for.

    released: what atomics of each address passed on, see `races`. chosen: instructions under a mode.
    hazards: of an order that shows missing wait states. gds: the global data share.
    """

    def __init__(self, prepared: Prepared, order: Order) -> None:
        self._groups = prepared.launch.groups
        self.waves_of_group = -(-prod(prepared.launch.block) // prepared.kernel.lanes)
        total = prod(self._groups) * self.waves_of_group
        self.waves = total if 1 < total <= _MOST_WAVES else 0
        self.released: dict[int, Times] = {}
        self.chosen = ChosenRegisters(prepared.image.model)
        self.hazards = HazardTable(prepared.image) if order.is_stale else None
        self._cluster = prepared.kernel.cluster or (1, 1, 1)
        self._clusters: dict[Place, Barrier] = {}
        self.gds = Region("GDS", "lds", 0, _GDS)
        if self.waves:
            for region in prepared.memory:
                if region.space == "global" and not region.is_read_only:
                    region.history = RegionHistory(region.size)

    def cluster_barrier(self, place: Place) -> Barrier:
        """The barrier of the cluster that a work-group is in: one for each work-group of it arrives."""
        first = (place[0] // self._cluster[0], place[1] // self._cluster[1], place[2] // self._cluster[2])
        found = self._clusters.get(first)
        if found is None:
            sizes = zip(self._groups, self._cluster, first, strict=True)
            members = prod(min(size, groups - size * number) for groups, size, number in sizes)
            found = self._clusters[first] = Barrier(members)
        return found

    def number(self, place: Place) -> int:
        """The number of a work-group."""
        return place[0] + self._groups[0] * (place[1] + self._groups[1] * place[2])


class GroupRun:
    """A work-group in a run. place: in the grid. executed: instructions of all its waves. places: see `delayed`.

    hazards: what the waves count wait states by, in an order that shows missing ones. waves_of_group: of a whole one.
    released, chosen: see `GridState`.
    """

    def __init__(
        self, prepared: Prepared, place: Place, waves: int, order: Order, log: Log, shared: "GridState"
    ) -> None:
        self.prepared = prepared
        self.place = place
        self.order = order
        self.log = log
        self.lds = Region("LDS", "lds", 0, prepared.lds, tracks=True)
        self.history = History(prepared.lds, waves)
        each, total = shared.waves_of_group, shared.waves
        self.waves_of_group = each
        self.clocks = Clocks(waves, shared.number(place) * each, total) if total else Clocks(waves)
        self.released = shared.released
        self.executed = 0
        self.hazards = shared.hazards
        self.chosen = shared.chosen
        self.gds = shared.gds
        self._shared = shared
        self.places: dict[int, tuple[RegisterPlaces, RegisterPlaces]] = {}
        self.ordered_writers = wait_events.ordered_writers(prepared.image.target.features)
        self._waves = waves
        self._alive = set(range(waves))
        self._barriers: dict[int, Barrier] = {facts.WORK_GROUP: Barrier(waves)}
        self._arrivals: dict[int, list[PlacedInstruction]] = {wave: [] for wave in range(waves)}

    def barrier(self, number: int) -> Barrier:
        """The barrier of a number; that of the work-group has -1, and is for all waves."""
        if number == facts.CLUSTER:
            return self._shared.cluster_barrier(self.place)
        found = self._barriers.get(number)
        if found is None:
            found = self._barriers[number] = Barrier(len(self._alive))
        return found

    def note_arrival(self, number: int, wave: int, step: PlacedInstruction) -> None:
        """Remember where a wave arrives at a barrier."""
        if number == facts.WORK_GROUP:
            self._arrivals[wave].append(step)

    def ended(self, wave: int) -> None:
        """A wave ends: the barrier of the work-group does not wait for it any more."""
        self._alive.discard(wave)
        self.barrier(facts.WORK_GROUP).leave(wave)
        if not self._alive:
            self._compare_arrivals()
            self._shared.cluster_barrier(self.place).leave(self.place)

    def _compare_arrivals(self) -> None:
        """Report waves that arrive at fewer barriers than others, if the two meet at different instructions."""
        counts = {wave: len(arrivals) for wave, arrivals in self._arrivals.items() if arrivals}
        if len(set(counts.values())) < 2:
            return
        most = max(counts, key=lambda wave: counts[wave])
        fewest = min(counts, key=lambda wave: counts[wave])
        pairs = zip(self._arrivals[fewest], self._arrivals[most], strict=False)
        place = next((number for number, (one, other) in enumerate(pairs) if one is not other), counts[fewest])
        missed = self._arrivals[most][place]
        said = (
            f"wave {most} of work-group {','.join(map(str, self.place))} arrives at this barrier, wave {fewest} does "
            f"not: it arrives at {counts[fewest]} barriers, wave {most} at {counts[most]}"
        )
        others: tuple[tuple[PlacedInstruction, str], ...] = ()
        if place < counts[fewest]:
            others = ((self._arrivals[fewest][place], f"wave {fewest} arrives here at that time"),)
        self.log.add(Observation(SKIPPED_BARRIER, missed, WaveName(self.place, most), said, None, others))
