"""The surroundings of a wave, as its instructions see them: memory, buffers, waits, barriers, messages, clocks.

`Environment` is the contract between the instructions in this package and the machine that runs them. Addresses are
arrays of a wave's lanes; results in lanes that are not `active` are ignored. Sizes are in bytes.
"""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gcn_lsp import isa
from gcn_lsp.machine.registers import Mask, Wave, Words
from gcn_lsp.records import NamedTuple

Addresses = NDArray[np.uint64]

FLAT, GLOBAL, SCRATCH, BUFFER, SCALAR, LDS, GDS = "flat", "global", "scratch", "buffer", "scalar", "lds", "gds"
"""The spaces of addresses.

flat: generic addresses, of which the environment finds the aperture. global, scalar: virtual addresses. scratch: byte
offsets in the memory of each lane, before swizzling. buffer: what `Environment.buffer` returned. lds: byte offsets in
the LDS of the work-group. gds: those in the global data share.
"""


class Stop(Exception):
    """Something in the values of registers ends the run; the text is a sentence about what."""


class MemoryAccess(NamedTuple):
    """Facts about a memory instruction, the same in every lane and every time.

    fields: the values of its encoding by operand name (`offset`, `cpol`, `idxen`, `offen`, `addr64`, `format`, `dmask`,
    `tfe`, `lds`, ...). is_atomic: whether it reads and writes as one. returns: whether an atomic gives back the old
    value.
    """

    mnemonic: str
    form: "isa.Form"
    fields: dict[str, int]
    space: str
    is_atomic: bool
    returns: bool


class Environment(Protocol):
    """What the machine does for the instructions of a wave."""

    def load(
        self, wave: Wave, access: MemoryAccess, space: str, addresses: Addresses, active: Mask, size: int
    ) -> Words:
        """The `size` bytes at each address as [dword][lane]; of 1 and 2 bytes the upper bits are 0.

        Of a buffer, lanes out of range give 0.
        """

    def store(
        self, wave: Wave, access: MemoryAccess, space: str, addresses: Addresses, active: Mask, size: int, data: Words
    ) -> None:
        """Writes `size` bytes of [dword][lane] at each address; later lanes win where addresses meet.

        An atomic arrives as a load and a store with the same lanes, among which no two have the same address: the
        instruction happens in rounds where addresses meet.
        """

    def scalar_load(self, wave: Wave, access: MemoryAccess, address: int, size: int) -> int:
        """The `size` bytes at a virtual address, the first lowest."""

    def scalar_store(self, wave: Wave, access: MemoryAccess, address: int, size: int, data: int) -> None:
        """Writes `size` bytes at a virtual address."""

    def scalar_buffer(self, wave: Wave, access: MemoryAccess, resource: int, offset: int, size: int) -> int:
        """The bytes at an offset in a buffer whose V# `resource` has 128 bits; 0 where it is out of range."""

    def buffer(
        self, wave: Wave, access: MemoryAccess, resource: int, vaddr: Words, soffset: int, active: Mask
    ) -> Addresses:
        """The virtual addresses in a buffer.

        resource: the V#, of 128 bits. vaddr: the address operand as [dword][lane]: index, offset, both, a 64-bit
        address, or none, as `access.fields` say. The environment keeps what it needs to know about the range for the
        `load` or `store` of the same instruction.
        """

    def load_component(
        self, wave: Wave, access: MemoryAccess, addresses: Addresses, active: Mask, component: int, bits: int
    ) -> Words:
        """Component 0 to 3 of the element in the buffer's format, converted to the register's form of 16 or 32
        `bits`.
        """

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
        """Converts 16 or 32 `bits` to the buffer's format and writes them as one component. data: as [lane]."""

    def wait(self, wave: Wave, limits: dict[str, int]) -> None:
        """The wave goes on when each counter (`vmcnt`, ...) is at most its limit; `everything`: when all are 0."""

    def sleep(self, wave: Wave, clocks: int) -> None:
        """The wave does nothing for some clocks; less than 0: until it is woken."""

    def barrier(self, wave: Wave, number: int) -> None:
        """The wave waits at a barrier; -1 is that of the work-group."""

    def signal(self, wave: Wave, what: str, values: tuple[int, ...]) -> None:
        """Something outside the wave is notified: `wave ended`, `barrier: arrived`, `message`, `caches: invalidate`,
        ...

        what: the text in the operation of the documentation. values: what it says after that.
        """

    def answer(self, wave: Wave, what: str, values: tuple[int, ...]) -> int:
        """The answer to the `signal` just sent, or to a question of its own (`wave number`, `VGPRs`)."""

    def clock(self, wave: Wave, *, real: bool) -> int:
        """The counter of shader clocks, or of the reference clock."""

    def hwreg(self, wave: Wave, number: int) -> int:
        """A hardware register other than MODE by the number of `hwreg`."""

    def set_hwreg(self, wave: Wave, number: int, value: int) -> None:
        """Writes a hardware register other than MODE."""

    def constant(self, wave: Wave, name: str) -> int:
        """A special source: `src_shared_base`, `src_shared_limit`, `src_private_base`, `src_private_limit`, ..."""
