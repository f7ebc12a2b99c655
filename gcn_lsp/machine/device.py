"""The surroundings of one wave in a run: `environment.Environment` with the memory of a launch behind it."""

from collections.abc import Iterator
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from gcn_lsp.isa.kernels import allocation
from gcn_lsp.isa.memory import memory_model
from gcn_lsp.machine import apertures, buffers
from gcn_lsp.machine.buffers import Range
from gcn_lsp.machine.environment import BUFFER, FLAT, LDS, SCRATCH, Addresses, MemoryAccess, Stop
from gcn_lsp.machine.groups import GroupRun
from gcn_lsp.machine.image import PlacedInstruction
from gcn_lsp.machine.memory import Fault, Memory, Mishap, Offsets, Region
from gcn_lsp.machine.observations import (
    MEMORY_RACE,
    MISALIGNED,
    OUTSIDE,
    RACE,
    STOPPED,
    UNWRITTEN,
    UNWRITTEN_LDS,
    Halt,
    Observation,
    WaveName,
)
from gcn_lsp.machine.races import RegionHistory
from gcn_lsp.machine.registers import Mask, Wave, Words

_APERTURE_SHIFT, _LANES_SHIFT, _LANE_SHIFT = np.uint64(48), np.uint64(58), np.uint64(apertures.LANE_SHIFT)
_LOW = np.uint64(0xFFFF_FFFF)
_LDS_DIRECT = "src_lds_direct"
_NOWHERE = 0xFFFF_FFFF
_DIRECT_TYPES = {0: (1, False), 1: (2, False), 2: (4, False), 4: (1, True), 5: (2, True)}  # bytes, by M0[18:16]
_MOMENT = 64  # clocks, the least of `s_sleep`
_ENDS = "the wave ends here"


class Running(Protocol):
    """The wave that a device serves: the instruction at work, its work-group, its memory. yields: others go first."""

    group: GroupRun
    number: int
    name: WaveName
    step: PlacedInstruction
    wave: Wave
    scratch: Region
    yields: bool


class Device:
    """What a wave's instructions ask for. run: the wave's state in the run, which names the instruction at work."""

    def __init__(self, run: Running, memory: Memory) -> None:
        self._run = run
        self._memory = memory
        self._target = run.group.prepared.image.target
        self._lds_limit = allocation.lds_limit(self._target.features)
        self._range: Range | None = None
        self._access: MemoryAccess | None = None
        self._orders_waves: dict[int, bool] = {}

    # Vector memory

    def load(
        self, wave: Wave, access: MemoryAccess, space: str, addresses: Addresses, active: Mask, size: int
    ) -> Words:
        """See `Environment`."""
        self._access = access
        found = np.zeros((-(-size // 4), wave.lanes), np.uint32)
        if space == BUFFER:
            self._buffer_load(found, addresses, active, size)
        elif space == LDS:
            self._lds_load(access, found, addresses, active, size)
        elif space == SCRATCH:
            found[:, active] = self._scratch_load(addresses[active], np.flatnonzero(active), size)
        elif space == FLAT and _has_apertures(addresses[active]):
            plain, in_lds, in_scratch, lanes = self._apart(addresses, active)
            if plain.any():
                found[:, plain] = self._load(addresses, plain, size)
            if in_lds.any():
                self._lds_load(access, found, addresses & _LOW, in_lds, size)
            if in_scratch.any():
                found[:, in_scratch] = self._scratch_load(addresses[in_scratch] & _LOW, lanes, size)
        else:
            if access.is_atomic:
                self._check_aligned(addresses, active, size, "an atomic")
            found[:, active] = self._load(addresses, active, size)
        return found

    def store(
        self, wave: Wave, access: MemoryAccess, space: str, addresses: Addresses, active: Mask, size: int, data: Words
    ) -> None:
        """See `Environment`."""
        self._access = access
        if space == BUFFER:
            self._buffer_store(addresses, active, size, data)
        elif space == LDS:
            self._lds_store(access, addresses, active, size, data)
        elif space == SCRATCH:
            self._scratch_store(addresses[active], np.flatnonzero(active), size, data[:, active])
        elif space == FLAT and _has_apertures(addresses[active]):
            plain, in_lds, in_scratch, lanes = self._apart(addresses, active)
            if plain.any():
                self._store(addresses, plain, size, data)
            if in_lds.any():
                self._lds_store(access, addresses & _LOW, in_lds, size, data)
            if in_scratch.any():
                self._scratch_store(addresses[in_scratch] & _LOW, lanes, size, data[:, in_scratch])
        else:
            self._store(addresses, active, size, data)

    def _apart(self, addresses: Addresses, active: Mask) -> "tuple[Mask, Mask, Mask, NDArray[np.intp]]":
        """The lanes that access memory, LDS and scratch by generic addresses, and whose scratch the last ones use."""
        in_lds = active & (addresses >> _APERTURE_SHIFT == apertures.LDS >> 48)
        if self._target.has_lane_in_scratch_addresses:
            in_scratch = active & (addresses >> _LANES_SHIFT == 1)
            lanes = (addresses[in_scratch] >> _LANE_SHIFT & np.uint64(self._run.wave.lanes - 1)).astype(np.intp)
        else:
            in_scratch = active & (addresses >> _APERTURE_SHIFT == apertures.SCRATCH >> 48)
            lanes = np.flatnonzero(in_scratch)
        return active & ~in_lds & ~in_scratch, in_lds, in_scratch, lanes

    def _load(self, addresses: Addresses, active: Mask, size: int) -> Words:
        left: list[tuple[NDArray[np.intp] | None, Words]] = []

        def watch(region: Region, offsets: Offsets, which: "NDArray[np.intp] | None") -> None:
            if region.written is not None and self._check_written(region, offsets, size, active, which):
                left.append((which, self._leftovers(region, offsets, size)))
            if region.history is not None:
                self._note(region, region.history, offsets, size, active, which, None)

        try:
            found = self._memory.load(addresses[active], size, watch)
        except Fault as fault:
            raise self._fault(fault.mishap, active, "reads") from None
        for which, words in left:
            found[:, slice(None) if which is None else which] |= words
        return found

    def _leftovers(self, region: Region, offsets: Offsets, size: int) -> Words:
        """What an access reads beside what was written."""
        left = self._run.group.order.leftovers
        if left is None:
            return np.zeros((-(-size // 4), len(offsets)), np.uint32)
        return left.words(self._run.step.address, offsets, region.holes(offsets, size))

    def _store(self, addresses: Addresses, active: Mask, size: int, data: Words) -> None:
        values = data[:, active]

        def watch(region: Region, offsets: Offsets, which: "NDArray[np.intp] | None") -> None:
            if region.history is not None:
                these = values if which is None else values[:, which]
                self._note(region, region.history, offsets, size, active, which, these)

        try:
            self._memory.store(addresses[active], size, values, watch)
        except Fault as fault:
            raise self._fault(fault.mishap, active, "writes") from None

    def _check_written(
        self, region: Region, offsets: Offsets, size: int, active: Mask, which: "NDArray[np.intp] | None"
    ) -> bool:
        """Report an access that reads what nothing has written; whether it does."""
        hole = region.unwritten(offsets, size)
        if hole is None:
            return False
        lane = _lane(active, which, hole)
        said = f"lane {lane} reads {size} bytes at {int(offsets[hole])} of {region.name}, which nothing has written"
        self._observe(UNWRITTEN, said, lane)
        return True

    def _note(
        self,
        region: Region,
        history: RegionHistory,
        offsets: Offsets,
        size: int,
        active: Mask,
        which: "NDArray[np.intp] | None",
        values: "Words | None",
    ) -> None:
        """Note an access to memory of all waves, and report a race. values: what it writes."""
        run = self._run
        clocks, number, step = run.group.clocks, run.number, run.step.address
        access = self._access
        assert access is not None, "an instruction accesses memory"
        if access.is_atomic or self._is_beyond_group(access, step):
            if values is not None or not access.is_atomic:
                history.synchronize(clocks, number, offsets, size, step, run.group.released, region.base)
            return
        if values is None:
            conflict = history.read(clocks, number, offsets, size, step)
        else:
            conflict = history.write(clocks, number, offsets, size, step)
            if conflict is not None and bool((region.load(offsets, size) == values).all()):
                return  # the same value again changes nothing
        if conflict is None:
            return
        lane, offset = _lane(active, which, conflict.which), int(offsets[conflict.which])
        verb, other = "reads" if values is None else "writes", "writes" if conflict.wrote else "reads"
        there = run.group.prepared.image.steps.get(conflict.step)
        who = self._name(conflict.wave)
        said = f"lane {lane} {verb} {region.name} at byte {offset}, which {who} {other}; nothing orders the two"
        others = ((there, f"{who} {other} it here"),) if there is not None and there is not run.step else ()
        run.group.log.add(Observation(MEMORY_RACE, run.step, run.name, said, lane, others))

    def _is_beyond_group(self, access: MemoryAccess, step: int) -> bool:
        """Whether an access has a scope beyond the work-group, as those have by which waves wait for each other."""
        found = self._orders_waves.get(step)
        if found is None:
            scope = memory_model.scope(access.fields.get("cpol", 0), self._target.features)
            found = self._orders_waves[step] = bool(scope)
        return found

    def _name(self, wave: int) -> str:
        """A wave of the grid by its number there."""
        each = self._run.group.waves_of_group
        group, number = divmod(wave, each)
        own = self._run.group.clocks.first // each
        return f"wave {number}" + ("" if group == own else f" of work-group number {group}")

    def _check_aligned(self, addresses: Addresses, active: Mask, size: int, what: str) -> None:
        need = min(size, 8)
        odd = active & (addresses % np.uint64(need) != 0)
        if odd.any():
            lane = int(odd.argmax())
            where = f"lane {lane} has the address {int(addresses[lane]):#x}"
            self._observe(MISALIGNED, f"{where}; {what} of {size} bytes needs a multiple of {need}", lane)

    def _fault(self, mishap: Mishap, active: Mask, verb: str) -> Halt:
        lane = int(np.flatnonzero(active)[mishap.which])
        return Halt(self._outside(mishap, lane, verb))

    def _outside(self, mishap: Mishap, lane: "int | None", verb: str) -> Observation:
        who = f"lane {lane} " if lane is not None else "it "
        rule = OUTSIDE
        if mishap.kind == "read-only":
            name = mishap.region.name if mishap.region is not None else "memory"
            said = f"{who}{verb} {mishap.size} bytes at {mishap.address:#x} in {name}, which is only to be read"
        else:
            said = f"{who}{verb} {mishap.size} bytes at {mishap.address:#x}, {_where(mishap, self._memory)}"
        return Observation(rule, self._run.step, self._run.name, said, lane, ends=True)

    def _observe(self, rule: str, said: str, lane: "int | None" = None) -> None:
        self._run.group.log.add(Observation(rule, self._run.step, self._run.name, said, lane))

    # Buffers

    def buffer(
        self, wave: Wave, access: MemoryAccess, resource: int, vaddr: Words, soffset: int, active: Mask
    ) -> Addresses:
        """See `Environment`."""
        found = buffers.addresses(self._target, access, resource, vaddr, soffset, wave.lanes)
        self._range = found.range
        return found.addresses

    def _buffer_load(self, found: Words, addresses: Addresses, active: Mask, size: int) -> None:
        assert self._range is not None, "the address comes first"
        for start, part, inside, places in self._parts(self._range, addresses, active, size):
            loaded = self._load(places, inside, part)[0]
            found[start // 4, inside] |= loaded << np.uint32(start % 4 * 8)

    def _buffer_store(self, addresses: Addresses, active: Mask, size: int, data: Words) -> None:
        assert self._range is not None, "the address comes first"
        for start, part, inside, places in self._parts(self._range, addresses, active, size):
            word = data[start // 4 : start // 4 + 1]
            self._store(places, inside, part, word >> np.uint32(start % 4 * 8))

    def _parts(
        self, known: Range, addresses: Addresses, active: Mask, size: int
    ) -> "Iterator[tuple[int, int, Mask, Addresses]]":
        """The parts of an access to a buffer with a lane in range: start and size in bytes, lanes, addresses."""
        for start, part in known.parts(size):
            inside = active & known.holds(start, part)
            if inside.any():
                distance = known.distance(start) if start else 0
                yield start, part, inside, addresses + np.asarray(distance).astype(np.uint64)

    def load_component(
        self, wave: Wave, access: MemoryAccess, addresses: Addresses, active: Mask, component: int, bits: int
    ) -> Words:
        """See `Environment`."""
        assert self._range is not None, "the address comes first"
        element = buffers.element(self._target, access, self._range)
        if element.source(component) is None:
            constant = element.constant(component, bits)
            filled: Words = np.where(active, np.uint32(constant), np.uint32(0))
            return filled[None]
        inside = active & self._range.holds(0, element.size)
        raw = np.zeros((-(-element.size // 4), wave.lanes), np.uint32)
        if inside.any():
            raw[:, inside] = self._load(addresses, inside, element.size)
        found: Words = np.where(inside, element.decode(raw, component, bits), np.uint32(0))
        return found[None]

    def store_component(
        self,
        wave: Wave,
        access: MemoryAccess,
        addresses: Addresses,
        active: Mask,
        component: int,
        bits: int,
        data: Words,
    ) -> None:
        """See `Environment`."""
        assert self._range is not None, "the address comes first"
        element = buffers.element(self._target, access, self._range)
        inside = active & self._range.holds(0, element.size)
        if not inside.any() or component >= len(element.widths):
            return
        raw = np.zeros((-(-element.size // 4), wave.lanes), np.uint32)
        if component:  # the ones before it are there already; what is not stored becomes 0
            raw[:, inside] = self._load(addresses, inside, element.size)
        self._store(addresses, inside, element.size, element.encode(raw, component, bits, data))

    # LDS

    def _gds(self, addresses: Addresses, active: Mask, size: int, verb: str) -> "NDArray[np.intp]":
        """The lanes whose access to GDS is inside the wave's part: M0[31:16] is its base, M0[15:0] its size."""
        limit = min(self._run.wave.m0 & 0xFFFF, self._run.group.gds.size)
        beyond = active & (addresses + np.uint64(size) > np.uint64(limit))
        if beyond.any():
            lane = int(beyond.argmax())
            where = f"GDS at {int(addresses[lane])}; M0 gives the wave {limit} bytes"
            self._observe(OUTSIDE, f"lane {lane} {verb} {size} bytes of {where}", lane)
        return np.flatnonzero(active & ~beyond)

    def _gds_offsets(self, addresses: Addresses, lanes: "NDArray[np.intp]") -> Offsets:
        gds = self._run.group.gds
        return (addresses[lanes].astype(np.int64) + (self._run.wave.m0 >> 16)) % gds.size

    def _lds_load(self, access: MemoryAccess, found: Words, addresses: Addresses, active: Mask, size: int) -> None:
        lds = self._run.group.lds
        if access.fields.get("gds"):
            lanes = self._gds(addresses, active, size, "reads")
            found[:, lanes] = self._run.group.gds.load(self._gds_offsets(addresses, lanes), size)
            return
        self._check_lds_aligned(access, addresses, active, size)
        lanes = self._lds_lanes(lds, addresses, active, size, "reads")
        if not len(lanes):
            return
        offsets = addresses[lanes].astype(np.int64)
        hole = lds.unwritten(offsets, size)
        if hole is not None:
            lane = int(lanes[hole])
            said = f"lane {lane} reads {size} bytes of LDS at {int(offsets[hole])}, which nothing has written"
            self._observe(UNWRITTEN_LDS, said, lane)
        group = self._run.group
        if not access.is_atomic:  # that is noted with what it writes
            conflict = group.history.read(group.clocks, self._run.number, offsets, size, self._run.step.address)
            if conflict is not None:
                self._race(conflict.which, conflict.wave, conflict.step, offsets, lanes, "reads", "writes")
        found[:, lanes] = lds.load(offsets, size)
        if hole is not None:
            found[:, lanes] |= self._leftovers(lds, offsets, size)

    def _lds_store(self, access: MemoryAccess, addresses: Addresses, active: Mask, size: int, data: Words) -> None:
        lds = self._run.group.lds
        if access.fields.get("gds"):
            lanes = self._gds(addresses, active, size, "writes")
            self._run.group.gds.store(self._gds_offsets(addresses, lanes), size, data[:, lanes])
            return
        if not access.is_atomic:
            self._check_lds_aligned(access, addresses, active, size)
        lanes = self._lds_lanes(lds, addresses, active, size, "writes")
        if not len(lanes):
            return
        offsets = addresses[lanes].astype(np.int64)
        group = self._run.group
        conflict = group.history.write(
            group.clocks, self._run.number, offsets, size, self._run.step.address, is_atomic=access.is_atomic
        )
        if conflict is not None:
            other = "writes" if conflict.wrote else "reads"
            self._race(conflict.which, conflict.wave, conflict.step, offsets, lanes, "writes", other)
        lds.store(offsets, size, data[:, lanes])

    def _check_lds_aligned(self, access: MemoryAccess, addresses: Addresses, active: Mask, size: int) -> None:
        if access.is_atomic or not self._target.has_unaligned_lds:
            there = active & (addresses < np.uint64(_NOWHERE))
            self._check_aligned(addresses, there, size, "an atomic" if access.is_atomic else "an access to LDS")

    def _lds_lanes(self, lds: Region, addresses: Addresses, active: Mask, size: int, verb: str) -> "NDArray[np.intp]":
        """The lanes whose access to LDS is inside it; the others read 0, and write nothing."""
        beyond = active & (addresses > np.uint64(max(0, lds.size - size)))
        if lds.size < size:
            beyond = active
        if beyond.any():
            # Kernels read 0 from an address that no LDS has, and leave out a write by the address -1. An address a
            # little below 0 is an index that should have been checked.
            below = np.uint64(_NOWHERE + 1 - self._lds_limit)
            meant = addresses == np.uint64(_NOWHERE)
            if verb == "reads":
                meant |= (addresses >= np.uint64(self._lds_limit)) & (addresses < below)
            lane = int((beyond & ~meant).argmax())
            where = int(addresses[lane]) - (_NOWHERE + 1 if addresses[lane] >= below else 0)
            said = f"lane {lane} {verb} {size} bytes of LDS at {where}; the work-group has {lds.size} bytes"
            if (beyond & ~meant).any():
                self._observe(OUTSIDE, said, lane)
            active = active & ~beyond
        return np.flatnonzero(active)

    def _race(
        self, index: int, other_wave: int, step: int, offsets: Offsets, lanes: "NDArray[np.intp]", verb: str, other: str
    ) -> None:
        lane, offset, wave = int(lanes[index]), int(offsets[index]), other_wave - self._run.group.clocks.first
        there = self._run.group.prepared.image.steps.get(step)
        said = (
            f"lane {lane} of wave {self._run.number} {verb} LDS at {offset}, which wave {wave} {other}; no barrier "
            "orders the two"
        )
        others = ((there, f"wave {wave} {other} it here"),) if there is not None and there is not self._run.step else ()
        self._run.group.log.add(Observation(RACE, self._run.step, self._run.name, said, lane, others))

    # Scratch: the dwords of all lanes side by side, as the V# of old targets has them

    def _scratch_places(
        self, addresses: Addresses, lanes: "NDArray[np.intp]", size: int
    ) -> "list[tuple[int, Offsets]]":
        own = self._run.scratch
        count = self._run.wave.lanes
        offsets = addresses.astype(np.int64) & 0xFFFF_FFFF
        each = own.size // count
        beyond = offsets + size > each
        if beyond.any():
            lane = int(lanes[int(beyond.argmax())])
            said = (
                f"lane {lane} accesses its scratch memory at {int(offsets[int(beyond.argmax())])}; it has {each} bytes"
            )
            raise Halt(Observation(OUTSIDE, self._run.step, self._run.name, said, lane, ends=True))
        if size < 4 or bool((offsets & 3).any()):
            return [(start, _swizzled(offsets + start, lanes, count)) for start in range(size)]
        return [(start, _swizzled(offsets + start, lanes, count)) for start in range(0, size, 4)]

    def _scratch_load(self, addresses: Addresses, lanes: "NDArray[np.intp]", size: int) -> Words:
        places = self._scratch_places(addresses, lanes, size)
        own = self._run.scratch
        found = np.zeros((-(-size // 4), len(lanes)), np.uint32)
        part = 4 if len(places) == size // 4 and size >= 4 else 1
        for start, offsets in places:
            found[start // 4] |= own.load(offsets, part)[0] << np.uint32(8 * (start % 4))
        return found

    def _scratch_store(self, addresses: Addresses, lanes: "NDArray[np.intp]", size: int, data: Words) -> None:
        places = self._scratch_places(addresses, lanes, size)
        part = 4 if len(places) == size // 4 and size >= 4 else 1
        for start, offsets in places:
            values = data[start // 4] >> np.uint32(8 * (start % 4))
            self._run.scratch.store(offsets, part, (values if part == 4 else values & np.uint32(0xFF))[None])

    # Scalar memory

    def scalar_load(self, wave: Wave, access: MemoryAccess, address: int, size: int) -> int:
        """See `Environment`."""
        self._access = access
        try:
            left = self._check_written_scalar(address, size)
            return int.from_bytes(self._memory.read(address, size), "little") | left
        except Fault as fault:
            raise Halt(self._outside(fault.mishap, None, "reads")) from None

    def scalar_store(self, wave: Wave, access: MemoryAccess, address: int, size: int, data: int) -> None:
        """See `Environment`."""
        try:
            self._memory.check_writable(address, size)
            self._memory.write(address, data.to_bytes(size, "little"))
        except Fault as fault:
            raise Halt(self._outside(fault.mishap, None, "writes")) from None

    def scalar_buffer(self, wave: Wave, access: MemoryAccess, resource: int, offset: int, size: int) -> int:
        """See `Environment`."""
        found = 0
        base, limit = buffers.scalar_range(self._target, resource)
        for start in range(0, size, 4):
            part = min(4, size - start)
            if offset + start + part <= limit:
                found |= self.scalar_load(wave, access, base + offset + start, part) << 8 * start
        return found

    def _check_written_scalar(self, address: int, size: int) -> int:
        """Report an access that reads what nothing has written; what it reads there."""
        region = self._memory.at(address, size)
        if region is None or region.written is None:
            return 0
        offsets = np.array([address - region.base], np.int64)
        if region.unwritten(offsets, size) is None:
            return 0
        said = f"it reads {size} bytes at {address - region.base} of {region.name}, which nothing has written"
        self._observe(UNWRITTEN, said)
        return int.from_bytes(self._leftovers(region, offsets, size).tobytes(), "little")

    # The rest

    def wait(self, wave: Wave, limits: dict[str, int]) -> None:
        """Waits for counters are those of `effects`, which the scheduler follows."""

    def sleep(self, wave: Wave, clocks: int) -> None:
        """Others go first, unless it is only a moment, as of `s_nop`."""
        self._run.yields = not 0 <= clocks < _MOMENT

    def barrier(self, wave: Wave, number: int) -> None:
        """Barriers are the scheduler's, which knows the instructions."""

    def signal(self, wave: Wave, what: str, values: tuple[int, ...]) -> None:
        """Nothing outside listens, except to what ends the run."""
        if what in ("illegal instruction", "kill the wave"):
            raise Halt(Observation(STOPPED, self._run.step, self._run.name, f"{what}: {_ENDS}", ends=True))

    def answer(self, wave: Wave, what: str, values: tuple[int, ...]) -> int:
        """See `Environment`."""
        if what == "wave number":
            return self._run.number
        return 0

    def clock(self, wave: Wave, *, real: bool) -> int:
        """The count of instructions so far: time passes, and equally in every run."""
        return self._run.group.executed

    def hwreg(self, wave: Wave, number: int) -> int:
        """See `Environment`."""
        return wave.hwregs.get(number, 0)

    def set_hwreg(self, wave: Wave, number: int, value: int) -> None:
        """See `Environment`."""
        wave.hwregs[number] = value

    def constant(self, wave: Wave, name: str) -> int:
        """See `Environment`."""
        known = {
            "src_shared_base": apertures.LDS,
            "src_private_base": apertures.SCRATCH,
            "src_shared_limit": apertures.LDS | apertures.LIMIT,
            "src_private_limit": apertures.SCRATCH | apertures.LIMIT,
            "src_flat_scratch_base_lo": apertures.OF_LANES & 0xFFFF_FFFF,
            "src_flat_scratch_base_hi": apertures.OF_LANES >> 32,
        }
        if name == _LDS_DIRECT:
            return self._lds_direct(wave.m0)
        if name not in known:
            raise Stop(f"{name} is not executed: its value is not known here.")
        return known[name]

    def _lds_direct(self, m0: int) -> int:
        """The value in LDS whose address and type M0 holds. Waves poll it, so that it is no part of a race."""
        lds = self._run.group.lds
        address, (size, is_signed) = m0 & 0xFFFF, _DIRECT_TYPES.get(m0 >> 16 & 7, (4, False))
        if address + size > lds.size:
            self._observe(OUTSIDE, f"it reads {size} bytes of LDS at {address}; the work-group has {lds.size} bytes")
            return 0
        offsets = np.array([address], np.int64)
        value = int(lds.load(offsets, size)[0, 0])
        if lds.unwritten(offsets, size) is not None:
            self._observe(UNWRITTEN_LDS, f"it reads {size} bytes of LDS at {address}, which nothing has written")
            value |= int(self._leftovers(lds, offsets, size)[0, 0])
        sign = 1 << 8 * size - 1
        return (value ^ sign) - sign & 0xFFFF_FFFF if is_signed else value


def _lane(active: Mask, which: "NDArray[np.intp] | None", index: int) -> int:
    """The lane of an access, by its place among those that a region has."""
    lanes = np.flatnonzero(active)
    return int(lanes[index] if which is None else lanes[which[index]])


def _swizzled(offsets: Offsets, lanes: "NDArray[np.intp]", count: int) -> Offsets:
    return cast("Offsets", (offsets >> 2) * (4 * count) + 4 * lanes.astype(np.int64) + (offsets & 3))


def _has_apertures(addresses: Addresses) -> bool:
    if not len(addresses):
        return False
    which = addresses >> _APERTURE_SHIFT
    return bool(((which == 1) | (which == 2) | (which >= apertures.OF_LANES >> 48)).any())


def _where(mishap: Mishap, memory: Memory) -> str:
    """The place of an address that is in no region, by the regions around it."""
    if mishap.address < 1 << 16:
        return "which is a null pointer with an offset" if mishap.address else "which is a null pointer"
    before = mishap.region
    after = min((region for region in memory if region.base > mishap.address), key=lambda each: each.base, default=None)
    if before is not None and before.base <= mishap.address < before.end:
        return f"across the end of {before.name} of {before.size} bytes"
    ends = mishap.address - before.end if before is not None else 1 << 64
    begins = after.base - mishap.address if after is not None else 1 << 64
    if before is not None and ends <= min(begins, _NEAR):
        place = "right at the end" if ends == 0 else f"{ends} bytes behind the end"
        return f"{place} of {before.name} of {before.size} bytes"
    if after is not None and begins <= _NEAR:
        return f"{begins} bytes before {after.name}"
    return "where there is no memory"


_NEAR = 1 << 24
