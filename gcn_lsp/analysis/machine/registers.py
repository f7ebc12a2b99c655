"""Sets of registers as integers: one bit for each 32-bit register, two for a VGPR, one for each half.

A set is a plain `int`, so that union, overlap and difference are `|`, `&` and `& ~`. Bit positions, by file:

    0 to 105    s0 and up           124        m0               256 and up    a0 and up, one bit each
    106, 107    vcc_lo, vcc_hi      126, 127   exec_lo/hi       1024 and up   v0 and up, low half and high half
    108 to 123  ttmp0 and up        128 and up the rest, see `_NAMED`
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from gcn_lsp.flow.kept import ByValue
from gcn_lsp.isa.machine import control_flow

_VECTOR_BASE = 1024
_ACCUMULATOR_BASE = 256
_TTMP_BASE = 108
_NAMED_VGPRS = 256  # that an operand can name directly
NONE = 0

# Registers with their own names: the first bit and how many. The hardware's numbers differ between targets, these do
# not. `src_vccz` and `src_execz` are functions of the masks, so reading them reads the masks.
_NAMED: Mapping[str, tuple[int, int]] = {
    "vcc": (106, 2), "vcc_lo": (106, 1), "vcc_hi": (107, 1), "vccz": (106, 2), "src_vccz": (106, 2),
    "exec": (126, 2), "exec_lo": (126, 1), "exec_hi": (127, 1), "execz": (126, 2), "src_execz": (126, 2),
    "m0": (124, 1),
    "scc": (128, 1), "src_scc": (128, 1),
    "mode": (129, 1),
    "flat_scratch": (130, 2), "flat_scratch_lo": (130, 1), "flat_scratch_hi": (131, 1), "flat_scr": (130, 2),
    "xnack_mask": (132, 2), "xnack_mask_lo": (132, 1), "xnack_mask_hi": (133, 1),
    "tba": (134, 2), "tba_lo": (134, 1), "tba_hi": (135, 1),
    "tma": (136, 2), "tma_lo": (136, 1), "tma_hi": (137, 1),
    "src_flat_scratch_base_lo": (138, 1), "src_flat_scratch_base_hi": (139, 1),
}  # fmt: skip

SCC = 1 << _NAMED["scc"][0]
M0 = 1 << _NAMED["m0"][0]
MODE = 1 << _NAMED["mode"][0]
EXEC = 0b11 << _NAMED["exec"][0]
VCC = 0b11 << _NAMED["vcc"][0]
SGPRS = (1 << _TTMP_BASE) - 1  # with VCC, as scalar operands see them
ALL_SCALARS = (1 << 256) - 1
TESTED: Mapping[str, int] = {
    **dict.fromkeys(control_flow.SCC_BRANCHES, SCC),
    **dict.fromkeys(control_flow.VCC_BRANCHES, VCC),
    **dict.fromkeys(control_flow.EXEC_BRANCHES, EXEC),
}
"""What each branch on a condition tests."""
ALL_ACCUMULATORS = ((1 << _VECTOR_BASE) - 1) ^ ALL_SCALARS


_same: ByValue[int, int] = ByValue(1 << 13)


def same(registers: int) -> int:
    """The set, the same object for equal ones: they are often of several hundred bytes, and one is enough."""
    known = _same.get(registers)
    return _same.keep(registers, registers) if known is None else known


def within(registers: int, files: int) -> int:
    """The registers that are in `files` too."""
    found = registers & files
    return registers if found == registers else same(found)


def union(one: int, other: int) -> int:
    """The registers of both sets; `one` itself if it has them all, as joins need it, else `other` if that has."""
    both = one | other
    return one if both == one else other if both == other else same(both)


@lru_cache(maxsize=1 << 14)
def of_tuple(file: str, first: int, count: int, half: str = "") -> int:
    """The set of `count` registers of a file (`v`, `a`, `s`, `ttmp`) from `first`.

    half: `l` or `h` for one half of a VGPR. A register with its own name is its own file (`vcc_lo`); `first` is then
    ignored. Empty for operands without state (`null`, `src_shared_base`).
    """
    if file == "v":
        if half:
            return 1 << (_VECTOR_BASE + 2 * first + (half == "h"))
        return ((1 << 2 * count) - 1) << (_VECTOR_BASE + 2 * first)
    if file == "s":
        return ((1 << count) - 1) << first
    if file == "a":
        return ((1 << count) - 1) << (_ACCUMULATOR_BASE + first)
    if file == "ttmp":
        return ((1 << count) - 1) << (_TTMP_BASE + first)
    named = _NAMED.get(file)
    return ((1 << named[1]) - 1) << named[0] if named is not None else NONE


def further_on(registers: int, selector: int) -> int:
    """VGPRs with numbers higher by 256 times `selector`; the set may contain nothing else."""
    return registers << 2 * _NAMED_VGPRS * selector


def of_name(name: str, wavefront_size: int) -> int:
    """The set of an implicit operand in LLVM's tables: `vcc`, `exec`, `scc`, `m0`, `mode`, `flat_scr`.

    In wave32 `vcc` and `exec` are their low halves; the high ones are ordinary registers there.
    """
    if wavefront_size == 32 and name in ("vcc", "exec"):
        name += "_lo"
    return of_tuple(name, 0, 0)


def vectors(registers: int) -> int:
    """The VGPRs of a set."""
    return registers >> _VECTOR_BASE << _VECTOR_BASE


def whole(registers: int) -> int:
    """The set with both halves of every VGPR that it contains a half of."""
    high = registers >> _VECTOR_BASE
    if not high:
        return registers
    width = high.bit_length() + 1
    low_bits = int.from_bytes(b"\x55" * (width // 8 + 1), "little")
    touched = (high | high >> 1) & low_bits
    return registers & ~(high << _VECTOR_BASE) | (touched | touched << 1) << _VECTOR_BASE


def half_of(registers: int, half: str) -> int:
    """The `l` or `h` halves of a set of VGPRs; the set may contain nothing else."""
    bits = registers >> _VECTOR_BASE
    low_bits = int.from_bytes(b"\x55" * (bits.bit_length() // 8 + 1), "little")
    return (bits & (low_bits if half == "l" else low_bits << 1)) << _VECTOR_BASE


def numbers(registers: int, file: str) -> Iterator[int]:
    """The numbers of a file's registers in a set, ascending; half of a VGPR counts as one."""
    base, end, width = {
        "s": (0, 106, 1),
        "ttmp": (_TTMP_BASE, _TTMP_BASE + 16, 1),
        "a": (_ACCUMULATOR_BASE, _VECTOR_BASE, 1),
        "v": (_VECTOR_BASE, max(_VECTOR_BASE, registers.bit_length()), 2),
    }[file]
    part = registers >> base & (1 << (end - base)) - 1
    last = -1
    while part:
        bit = (part & -part).bit_length() - 1
        if bit // width != last:
            last = bit // width
            yield last
        part &= part - 1


_SPECIAL_NAMES = ("vcc", "exec", "flat_scratch", "xnack_mask", "tba", "tma")
_SINGLE_NAMES = ("m0", "scc", "mode", "src_flat_scratch_base_lo", "src_flat_scratch_base_hi")


def singly(registers: int) -> Iterator[int]:
    """The members of a set, each as a set of its own, in the order of their bits."""
    while registers:
        bit = registers & -registers
        yield bit
        registers ^= bit


def describe(registers: int, limit: int = 4) -> str:
    """The registers of a set as one writes them: `v[4:7], s2, vcc`; at most `limit` of them, then `...`."""
    found = names(registers)
    return ", ".join(found[:limit]) + (", ..." if len(found) > limit else "")


def names(registers: int) -> tuple[str, ...]:
    """The registers of a set, neighbours together: `v[4:7]`, `s2`, `vcc`."""
    found: list[str] = []
    for file in ("v", "a", "s", "ttmp"):
        for first, last in _runs(numbers(registers, file)):
            found.append(f"{file}{first}" if first == last else f"{file}[{first}:{last}]")
    for name in _SPECIAL_NAMES:
        present = registers & of_tuple(name, 0, 0)
        if present:
            both = present == of_tuple(name, 0, 0)
            found.append(name if both else f"{name}_lo" if present & of_tuple(f"{name}_lo", 0, 0) else f"{name}_hi")
    return (*found, *(name for name in _SINGLE_NAMES if registers & of_tuple(name, 0, 0)))


def _runs(ascending: Iterator[int]) -> Iterator[tuple[int, int]]:
    first = last = -2
    for number in ascending:
        if number != last + 1:
            if last >= 0:
                yield first, last
            first = number
        last = number
    if last >= 0:
        yield first, last
