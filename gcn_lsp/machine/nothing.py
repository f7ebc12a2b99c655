"""Surroundings without memory, for an instruction alone: whatever it asks for ends it with a sentence."""

from typing import NoReturn

from gcn_lsp.machine.environment import Addresses, MemoryAccess, Stop
from gcn_lsp.machine.registers import Mask, Wave, Words

_NO_MEMORY = "It accesses memory, and there is none here: `gcn-lsp run` executes kernels."


def _stop() -> NoReturn:
    raise Stop(_NO_MEMORY)


class Nothing:
    """An `Environment` in which nothing is."""

    def load(
        self, wave: Wave, access: MemoryAccess, space: str, addresses: Addresses, active: Mask, size: int
    ) -> Words:
        """There is no memory."""
        _stop()

    def store(
        self, wave: Wave, access: MemoryAccess, space: str, addresses: Addresses, active: Mask, size: int, data: Words
    ) -> None:
        """There is no memory."""
        _stop()

    def scalar_load(self, wave: Wave, access: MemoryAccess, address: int, size: int) -> int:
        """There is no memory."""
        _stop()

    def scalar_store(self, wave: Wave, access: MemoryAccess, address: int, size: int, data: int) -> None:
        """There is no memory."""
        _stop()

    def scalar_buffer(self, wave: Wave, access: MemoryAccess, resource: int, offset: int, size: int) -> int:
        """There is no memory."""
        _stop()

    def buffer(
        self, wave: Wave, access: MemoryAccess, resource: int, vaddr: Words, soffset: int, active: Mask
    ) -> Addresses:
        """There is no memory."""
        _stop()

    def load_component(
        self, wave: Wave, access: MemoryAccess, addresses: Addresses, active: Mask, component: int, bits: int
    ) -> Words:
        """There is no memory."""
        _stop()

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
        """There is no memory."""
        _stop()

    def wait(self, wave: Wave, limits: dict[str, int]) -> None:
        """Nothing is in flight."""

    def sleep(self, wave: Wave, clocks: int) -> None:
        """Time does not pass."""

    def barrier(self, wave: Wave, number: int) -> None:
        """There are no other waves."""

    def signal(self, wave: Wave, what: str, values: tuple[int, ...]) -> None:
        """Nobody listens."""

    def answer(self, wave: Wave, what: str, values: tuple[int, ...]) -> int:
        """Nobody answers."""
        raise Stop("It asks something outside the wave, and nothing is there.")

    def clock(self, wave: Wave, *, real: bool) -> int:
        """Time does not pass."""
        return 0

    def hwreg(self, wave: Wave, number: int) -> int:
        """What was written to it, or 0."""
        return wave.hwregs.get(number, 0)

    def set_hwreg(self, wave: Wave, number: int, value: int) -> None:
        """Keeps the value."""
        wave.hwregs[number] = value

    def constant(self, wave: Wave, name: str) -> int:
        """Special sources come from the launch of a kernel."""
        raise Stop(f"{name} has its value from the launch of a kernel, and there is none here.")
