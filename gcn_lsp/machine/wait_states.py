"""Missing wait states in a run: an instruction too close after another one reads what was there before it.

The distances are those of `analysis.hazards`, followed along the instructions that a wave really executes.
"""

from collections.abc import Callable

import numpy as np

from gcn_lsp.analysis.control.segments import Segment, Site
from gcn_lsp.analysis.hazards import walk
from gcn_lsp.analysis.hazards.profiles import Profile, rows_for
from gcn_lsp.analysis.machine import registers as sets
from gcn_lsp.isa.hazards.model import NOP
from gcn_lsp.machine.delayed import RegisterPlaces, Saved
from gcn_lsp.machine.image import Image, PlacedInstruction
from gcn_lsp.machine.registers import Wave

_EVERY_CLASS = -1


class TooClose:
    """An instruction that is too close after another. first: that one. stale: registers that it reads too early.

    before: what that one wrote, and what was there before it.
    """

    def __init__(self, first: PlacedInstruction, hazard: walk.Hazard, stale: int, before: "tuple[int, Saved]") -> None:
        self.first = first
        self.hazard = hazard
        self.stale = stale
        self.before = before

    @property
    def said(self) -> str:
        """A sentence without the wave."""
        of = self.hazard
        return (
            f"meets {sets.describe(of.registers)} {of.present} wait states after `{self.first.mnemonic}`, and needs "
            f"{of.need}"
        )


class HazardTable:
    """What the rows of a target say about the instructions of an image."""

    def __init__(self, image: Image) -> None:
        self.rows = rows_for(image.target)
        self.setting = walk.HazardSetting(self.rows.units, _EVERY_CLASS, False, tuple(self.rows.triples))
        self._m0, self._ttmp_base = image.target.registers["m0"].number, image.target.ttmp_base
        self._image = image
        self._known: dict[int, tuple[Segment, Profile]] = {}
        self.steps: dict[Site, PlacedInstruction] = {}
        self._places: dict[int, RegisterPlaces] = {}

    def of(self, step: PlacedInstruction) -> tuple[Segment, Profile]:
        """An instruction as a segment of its own, and its profile."""
        known = self._known.get(step.address)
        if known is None:
            segment = Segment("", (), step.index)
            item = self._image.program.chunks[step.chunk].items[step.index]
            site = Site.made(segment, 0, item, step.effects)
            segment.sites.append(site)
            known = self._known[step.address] = segment, self.rows.of(step.instruction, step.effects)
            self.steps[site] = step
        return known

    def places(self, registers: int) -> RegisterPlaces:
        """Where the registers of a set are in a wave."""
        known = self._places.get(registers)
        if known is None:
            known = self._places[registers] = RegisterPlaces(registers, self._ttmp_base, self._m0)
        return known


class HazardsOfWave:
    """The dangers after what a wave has executed, and what their registers held before."""

    def __init__(self, table: HazardTable) -> None:
        self._table = table
        self._state = walk.NOTHING
        self._before: dict[Site, tuple[int, Saved]] = {}

    def enter(self, wave: Wave, step: PlacedInstruction) -> "list[TooClose]":
        """The hazards that the next instruction is too close to; the state moves past it."""
        segment, profile = self._table.of(step)
        result = walk.run(segment, (profile,), self._state, self._table.setting)
        found = [self._judged(hazard, step) for hazard in result.hazards if _counts(hazard)]
        self._state = result.after
        if profile.dangers:
            written = 0
            for danger in profile.dangers:
                written |= danger.mask
            written &= step.effects.writes
            self._before[segment.sites[0]] = written, self._table.places(written).of(wave)
        if len(self._before) > len(self._state.pending):
            alive = {site for site, *_ in self._state.pending}
            alive.add(segment.sites[0])
            self._before = {site: saved for site, saved in self._before.items() if site in alive}
        return found

    def _judged(self, hazard: walk.Hazard, step: PlacedInstruction) -> TooClose:
        first = self._table.steps[hazard.first]
        before = self._before.get(hazard.first, _NOTHING_KEPT)
        return TooClose(first, hazard, hazard.registers & step.effects.reads & before[0], before)

    def carry_out(
        self, wave: Wave, step: PlacedInstruction, found: "list[TooClose]", execute: Callable[[], None]
    ) -> None:
        """Carry out an instruction with what its registers held before those it is too close after."""
        stale = 0
        for each in found:
            stale |= each.stale
        if not stale:
            execute()
            return
        places = self._table.places(stale)
        now, mask = places.of(wave), wave.exec_mask
        for each in found:
            if each.stale:
                _put_part(self._table, wave, *each.before, each.stale)
        execute()
        written = self._table.places(stale & step.effects.writes)
        results, scc = written.of(wave), wave.scc
        places.put(wave, now)
        written.put_results(wave, results, mask)
        wave.scc = scc


_NO_WORDS = np.zeros((0, 0), np.uint32)
_NOTHING_KEPT: tuple[int, Saved] = 0, (np.zeros(0, np.uint32), _NO_WORDS, _NO_WORDS, 0)


def _counts(hazard: walk.Hazard) -> bool:
    """Whether hardware is known to need the wait states, and a run without replays shows it."""
    return hazard.row.sure and hazard.row.fix == NOP and not hazard.row.replay


def _put_part(table: HazardTable, wave: Wave, registers: int, saved: Saved, part: int) -> None:
    """Put those of some saved registers that are in `part`."""
    rest = table.places(registers & ~part)
    now = rest.of(wave)
    table.places(registers).put(wave, saved)
    rest.put(wave, now)
