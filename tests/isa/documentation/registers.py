"""Registers by number and memory in the state of an evaluation: `VGPR[37][5]` is a name of it, `MEM[4096]` a byte.

A register or byte that nothing has written holds a number that follows from its name, so two evaluations read the same.
"""

import zlib
from collections.abc import MutableMapping

from tests.isa.documentation.values import Value, integer

FILES = {"VGPR": 2, "SGPR": 1, "TTMP": 1, "HWREG": 1}
"""The files, and how many numbers name a register: those of vectors have the lane first."""

MEMORIES = frozenset(("MEM", "LDS", "GDS"))
"""Memories, which are one: no operation names two."""

State = MutableMapping[str, Value]

_SIZE = 32


def names(state: State) -> set[str]:
    """The registers, the fields of registers and the bytes of memory that have been written."""
    return {name for name in state if name.partition("[")[0] in (*FILES, "MEM") or "." in name}


def value(state: State, name: str) -> Value:
    """A register of 32 bits, a field of one bit, or a byte of memory, by its name."""
    size = 1 if "." in name else 8 if name.startswith("MEM[") else _SIZE
    return state.get(name) or integer(zlib.crc32(name.encode()) & (1 << size) - 1, size)


def read(state: State, file: str, index: tuple[int, ...], size: int = _SIZE) -> Value:
    """A register, or several from this number on."""
    *lane, first = index
    words = [value(state, _name(file, (*lane, first + word))) for word in range(size // _SIZE)]
    number = sum((int(word.number) & 0xFFFF_FFFF) << _SIZE * place for place, word in enumerate(words))
    return Value("b", number, size)


def write(state: State, file: str, index: tuple[int, ...], bits: int, size: int = _SIZE) -> None:
    """Writes a register, or several from this number on."""
    *lane, first = index
    for word in range(size // _SIZE):
        state[_name(file, (*lane, first + word))] = Value("b", bits >> _SIZE * word & 0xFFFF_FFFF, _SIZE)


def read_memory(state: State, address: int, size: int) -> Value:
    """Some bits of memory from a byte address on."""
    found = (int(value(state, f"MEM[{address + place}]").number) & 0xFF for place in range(size // 8))
    return Value("b", sum(byte << 8 * place for place, byte in enumerate(found)), size)


def write_memory(state: State, address: int, bits: int, size: int) -> None:
    """Writes some bits of memory from a byte address on."""
    for place in range(size // 8):
        state[f"MEM[{address + place}]"] = Value("b", bits >> 8 * place & 0xFF, 8)


def _name(file: str, index: tuple[int, ...]) -> str:
    return file + "".join(f"[{number}]" for number in index)
