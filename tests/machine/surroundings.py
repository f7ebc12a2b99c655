"""Surroundings of a wave for tests of single instructions: memory is a dictionary, everything else does nothing."""

import numpy as np

from gcn_lsp.machine.environment import Addresses, MemoryAccess
from gcn_lsp.machine.registers import Mask, Wave, Words


class Surroundings:
    """An `Environment` with bytes at addresses, which are 0 where nothing was written."""

    def __init__(self) -> None:
        self.bytes: dict[tuple[str, int], int] = {}
        self.said: list[tuple[str, tuple[int, ...]]] = []

    def _read(self, space: str, address: int, size: int) -> int:
        return sum(self.bytes.get((space, address + place), 0) << 8 * place for place in range(size))

    def _write(self, space: str, address: int, size: int, value: int) -> None:
        for place in range(size):
            self.bytes[space, address + place] = value >> 8 * place & 0xFF

    def load(
        self, wave: Wave, access: MemoryAccess, space: str, addresses: Addresses, active: Mask, size: int
    ) -> Words:
        """Reads each lane's bytes."""
        assert addresses.shape == active.shape == (wave.lanes,)
        values = [self._read(space, int(place), size) if on else 0 for place, on in zip(addresses, active, strict=True)]
        return np.array([[value >> 32 * k & 0xFFFF_FFFF for value in values] for k in range(-(-size // 4))], np.uint32)

    def store(
        self, wave: Wave, access: MemoryAccess, space: str, addresses: Addresses, active: Mask, size: int, data: Words
    ) -> None:
        """Writes each lane's bytes."""
        assert addresses.shape == active.shape == (wave.lanes,)
        assert data.shape == (-(-size // 4), wave.lanes)
        for lane in np.flatnonzero(active):
            value = sum(int(word) << 32 * k for k, word in enumerate(data[:, lane]))
            self._write(space, int(addresses[lane]), size, value)

    def scalar_load(self, wave: Wave, access: MemoryAccess, address: int, size: int) -> int:
        """Reads bytes."""
        return self._read("scalar", address, size)

    def scalar_store(self, wave: Wave, access: MemoryAccess, address: int, size: int, data: int) -> None:
        """Writes bytes."""
        self._write("scalar", address, size, data)

    def scalar_buffer(self, wave: Wave, access: MemoryAccess, resource: int, offset: int, size: int) -> int:
        """Reads bytes of a buffer."""
        return self._read("buffer", offset, size)

    def buffer(
        self, wave: Wave, access: MemoryAccess, resource: int, vaddr: Words, soffset: int, active: Mask
    ) -> Addresses:
        """The address operand, with the offsets."""
        first = vaddr[0].astype(np.uint64) if len(vaddr) else np.zeros(wave.lanes, np.uint64)
        found: Addresses = first + np.uint64(soffset + access.fields.get("offset", 0))
        return found

    def load_component(
        self, wave: Wave, access: MemoryAccess, addresses: Addresses, active: Mask, component: int, bits: int
    ) -> Words:
        """A component of 32 bits, as it is."""
        found: Words = self.load(wave, access, "buffer", addresses + np.uint64(4 * component), active, 4)[0]
        return found

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
        """A component of 32 bits, as it is."""
        self.store(wave, access, "buffer", addresses + np.uint64(4 * component), active, 4, data[None])

    def wait(self, wave: Wave, limits: dict[str, int]) -> None:
        """Keeps what was asked for."""
        self.said += [(name, (limit,)) for name, limit in limits.items()]

    def sleep(self, wave: Wave, clocks: int) -> None:
        """Keeps what was asked for."""
        self.said.append(("sleep", (clocks,)))

    def barrier(self, wave: Wave, number: int) -> None:
        """Keeps what was asked for."""
        self.said.append(("barrier", (number,)))

    def signal(self, wave: Wave, what: str, values: tuple[int, ...]) -> None:
        """Keeps what was said."""
        self.said.append((what, values))

    def answer(self, wave: Wave, what: str, values: tuple[int, ...]) -> int:
        """Always 0."""
        return 0

    def clock(self, wave: Wave, *, real: bool) -> int:
        """Always the same time."""
        return 1

    def hwreg(self, wave: Wave, number: int) -> int:
        """A register of the wave."""
        return wave.hwregs.get(number, 0)

    def set_hwreg(self, wave: Wave, number: int, value: int) -> None:
        """A register of the wave."""
        wave.hwregs[number] = value

    def constant(self, wave: Wave, name: str) -> int:
        """Always 0."""
        return 0
