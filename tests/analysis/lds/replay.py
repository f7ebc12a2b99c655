"""Carries out the integer part of a kernel for some waves, with arguments that are made up, and notes accesses of LDS.

This is no analysis of the product: addresses, the conditions of branches and EXEC are numbers, computed by the
machine's operations one wave after the other. A kernel that would end before any access of LDS goes the other way. A
scalar load brings a small number that depends on its address and on a seed; vector memory, LDS and arithmetic on floats
bring another number in each lane, and an access whose address is made of these is left out. A branch on them goes one
way by chance, in all waves the same. A wave goes on until it ends, or until it has executed enough.
"""

from bisect import bisect_left
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gcn_lsp.analysis.machine import registers as sets
from gcn_lsp.isa.memory import lds_accesses
from gcn_lsp.isa.memory.lds_accesses import LdsAccess
from gcn_lsp.machine import kernels
from gcn_lsp.machine.delayed import RegisterPlaces
from gcn_lsp.machine.environment import Stop
from gcn_lsp.machine.image import Image, PlacedInstruction
from gcn_lsp.machine.kernels import Kernel
from gcn_lsp.machine.nothing import Nothing
from gcn_lsp.machine.operation import Inexecutable
from gcn_lsp.machine.registers import Wave
from gcn_lsp.program.kernels import lds_usage
from gcn_lsp.program.program import Program

_LDS = 160 * 1024  # bytes of the largest LDS
_WAVES = 4
_FLOATS = ("f16", "f32", "f64", "bf16", "mfma", "wmma", "f8f6f4", "fp8", "bf8", "_pk_")
_NOTHING = Nothing()
_ROUNDS = 40  # times that one branch may be taken backwards


class Touched(NamedTuple):
    """An access of LDS by a wave. bytes: a set; blocks: of 256 bytes, a set too."""

    access: LdsAccess
    bytes: int
    blocks: int


class Trace(NamedTuple):
    """What a wave did: the addresses of its instructions in order, and what they touched, by the place in `path`."""

    path: list[int]
    touched: dict[int, Touched]


class _Facts(NamedTuple):
    """What is looked up once of an instruction."""

    access: "LdsAccess | None"
    offsets: tuple[int, ...]
    address: "RegisterPlaces | None"
    results: RegisterPlaces
    is_float: bool


class Replay:
    """Traces of the first waves of a kernel."""

    def __init__(self, program: Program, seed: int, most: int) -> None:
        self.image = Image(program)
        self._seed = seed
        self._most = most
        self._facts: dict[int, _Facts] = {}
        self._bytes: dict[bytes, tuple[int, int]] = {}
        self._kernel = _kernel(self.image)
        self._places = sorted(self.image.steps)
        target = self.image.target
        self._ttmps, self._m0 = target.ttmp_base, target.registers["m0"].number
        self._before_lds = self._leading_to_lds()
        self.waves = min(_WAVES, max(1, (self._kernel.most or 256) // self._kernel.lanes))

    def traces(self) -> list[Trace]:
        """The trace of each wave."""
        return [self._trace(number) for number in range(self.waves)]

    def _leading_to_lds(self) -> set[int]:
        """The addresses of the instructions from which an access of LDS can be reached."""
        before: dict[int, list[int]] = {}
        found = []
        for address, step in self.image.steps.items():
            if step.effects.flow in ("next", "conditional", "call"):
                before.setdefault(address + step.size, []).append(address)
            if step.effects.flow in ("branch", "conditional"):
                before.setdefault(_target(step), []).append(address)
            if self._facts_of(step).access is not None:
                found.append(address)
        seen = set(found)
        while found:
            for each in before.get(found.pop(), ()):
                if each not in seen:
                    seen.add(each)
                    found.append(each)
        return seen

    def _behind_data(self, address: int) -> "PlacedInstruction | None":
        """The next instruction after an address with data, which are passed by."""
        found = bisect_left(self._places, address)
        return self.image.steps[self._places[found]] if found < len(self._places) else None

    def _start(self, number: int) -> Wave:
        lanes = self._kernel.lanes
        wave = Wave(lanes, 1024, 256, m0_number=self._m0)
        wave.sgprs[:106] = [self._small(place) for place in range(106)]
        item = np.arange(number * lanes, (number + 1) * lanes, dtype=np.uint32)
        wave.vgprs[0] = item
        if self.image.target.has_ids_in_ttmps:
            wave.set_scalars(self._ttmps + 8, (number << 25,))
        wave.pc = self._kernel.entry
        return wave

    def _small(self, *key: int) -> int:
        """A number as sizes and counts are: a small multiple of 32, rarely something else."""
        dice = hash((self._seed, *key)) >> 3
        return dice % 24 * 32 + (dice >> 8 & 31 if dice >> 16 & 7 == 0 else 0)

    def _facts_of(self, step: PlacedInstruction) -> _Facts:
        known = self._facts.get(step.address)
        if known is not None:
            return known
        form = step.instruction.form
        events = step.effects.events
        rows, kinds = frozenset(each.row for each in events), frozenset(each.kind for each in events)
        access = lds_accesses.of(form, rows, kinds) if form is not None and events else None
        offsets: tuple[int, ...] = ()
        address = None
        if access is not None and form is not None:
            offsets = lds_usage.offsets(step.instruction, form) if access.base != "descriptor" else (0,)
            slot = step.effects.slot(access.slot) if access.base != "m0" else sets.M0
            address = RegisterPlaces(slot, self._ttmps, self._m0)
        written = step.effects.writes
        for event in events:
            written |= event.writes
        places = RegisterPlaces(written & ~sets.EXEC, self._ttmps, self._m0)
        name = step.mnemonic
        found = _Facts(
            access, offsets, address, places, name.startswith("v_") and any(each in name for each in _FLOATS)
        )
        self._facts[step.address] = found
        return found

    def _trace(self, number: int) -> Trace:
        wave, image = self._start(number), self.image
        trace = Trace([], {})
        data = 0  # the registers that hold what memory or floats have brought
        rounds: dict[int, int] = {}
        while len(trace.path) < self._most:
            step = image.steps.get(wave.pc) or self._behind_data(wave.pc)
            if step is None or step.effects.flow == "end":
                break
            wave.pc = step.address
            place = len(trace.path)
            trace.path.append(step.address)
            effects = step.effects
            facts = self._facts_of(step)
            if facts.access is not None and not effects.slot(facts.access.slot) & data:
                found = self._touched(wave, facts)
                if found is not None:
                    trace.touched[place] = found
            flow = effects.flow
            if effects.events or facts.is_float or not effects.known:
                self._bring(wave, step, facts, number, place)
                is_scalar = bool(effects.events) and all(each.kind == "scalar" for each in effects.events)
                written = effects.writes
                for event in effects.events:
                    written |= event.writes
                data = data & ~written if is_scalar else data | written & ~sets.EXEC
                wave.pc = step.address + step.size
                continue
            bound = step.bind(image.target)
            if isinstance(bound, Inexecutable):
                wave.pc = step.address + step.size
                continue
            try:
                bound.execute(wave, _NOTHING)
            except (Stop, IndexError):
                wave.pc = step.address + step.size
            if flow == "conditional" and effects.reads & data:
                rounds[step.address] = count = rounds.get(step.address, 0) + 1
                ways = (step.address + step.size, _target(step))
                wave.pc = ways[hash((self._seed, step.address, count)) >> 5 & 1]
            if flow == "next":
                data = data | effects.writes if effects.reads & ~sets.EXEC & data else data & ~effects.writes
            elif wave.pc <= step.address:
                rounds[step.address] = rounds.get(step.address, 0) + 1
                if rounds[step.address] > _ROUNDS:
                    wave.pc = step.address + step.size
            if flow == "conditional" and not trace.touched and wave.pc not in self._before_lds:
                others = {step.address + step.size, _target(step)} - {wave.pc}
                wave.pc = next(iter(others & self._before_lds), wave.pc)
            if flow == "conditional" and not wave.exec:
                wave.exec = (1 << wave.lanes) - 1
        return trace

    def _bring(self, wave: Wave, step: PlacedInstruction, facts: _Facts, number: int, place: int) -> None:
        """Put made-up results into the registers of an instruction that is not carried out."""
        results = facts.results
        if len(results.scalars):
            base = 0
            if step.effects.events:
                source = step.effects.reads & sets.SGPRS
                base = sum(int(wave.sgprs[each]) << 7 * turn for turn, each in enumerate(sets.numbers(source, "s")))
                base += hash(
                    tuple(operand.value for operand in step.instruction.operands if operand.kind != "register")
                )
            for turn, each in enumerate(results.scalars):
                wave.sgprs[each] = self._small(base, step.address if not step.effects.events else 0, turn)
        if len(results.vectors):
            start = hash((self._seed, step.address, place, number)) & 0xFFFF_FFFF
            shape = (len(results.vectors), wave.lanes)
            made: NDArray[np.uint32] = (np.arange(shape[0] * shape[1], dtype=np.uint64) + np.uint64(start)).astype(
                np.uint32
            )
            made = (made * np.uint32(2654435761)) ^ (made >> np.uint32(7))
            wave.vgprs[results.vectors] = made.reshape(shape)

    def _touched(self, wave: Wave, facts: _Facts) -> "Touched | None":
        access = facts.access
        assert access is not None
        assert facts.address is not None
        lane = np.arange(wave.lanes, dtype=np.int64)
        if access.base == "vgpr":
            if not len(facts.address.vectors):
                return None
            first = wave.vgprs[facts.address.vectors[0]].astype(np.int64)
        elif access.base == "m0":
            first = np.full(wave.lanes, wave.m0, np.int64)
        else:
            first = np.full(wave.lanes, int(wave.sgprs[facts.address.scalars[1]]), np.int64)
            lane = lane * 0
        first = first + access.stride * lane
        if access.base != "descriptor":
            first = first[wave.exec_mask]
        offsets = np.array(facts.offsets, np.int64)
        every = (first[:, None, None] + offsets[None, :, None] + np.arange(access.width)[None, None, :]).ravel()
        every = every[(every >= 0) & (every < _LDS)]
        key = every.tobytes()
        known = self._bytes.get(key)
        if known is None:
            flags = np.zeros(_LDS, np.bool_)
            flags[every] = True
            blocks = np.asarray(flags.reshape(-1, 256).any(axis=1))
            known = self._bytes[key] = (_as_set(flags), _as_set(blocks))
        return Touched(access, *known) if known[0] else None


def _kernel(image: Image) -> Kernel:
    """The first kernel, or the code as one."""
    found = kernels.of(image)
    return found[0] if found else Kernel("", min(image.steps), lanes=image.target.wavefront_size)


def _target(step: PlacedInstruction) -> int:
    """Where a branch goes."""
    return step.address + step.size + 4 * int.from_bytes(step.code[:2], "little", signed=True)


def _as_set(flags: NDArray[np.bool_]) -> int:
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")
