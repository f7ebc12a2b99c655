"""The functions that compiled operations call: integers, writes of registers, rounds of atomics.

An argument is a Python integer, the same in every lane, or an array of lanes.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcn_lsp.machine.environment import Environment
from gcn_lsp.machine.floats import Arithmetic, Modes, arithmetic
from gcn_lsp.machine.registers import Mask, Wave, Words, bits_of, mask_of
from gcn_lsp.machine.rounding import some

U32, I32, U64, I64, F32, F64 = np.uint32, np.int32, np.uint64, np.int64, np.float32, np.float64
Lanes = NDArray[Any]

_TYPES = {"t": np.bool_, "x": U32, "y": I32, "i": I64, "u": U64, "o": object}
_WORD, _M32 = 32, 0xFFFF_FFFF
_MODE = 1  # the number of MODE among the hardware registers


# Integers


def arr(value: Any, how: str) -> Lanes:
    """A number as an array of one element."""
    return np.asarray(value, _TYPES[how]).reshape(-1)


@cache
def rows(count: int) -> Lanes:
    """The numbers from 0, each in a row of its own: an operation on it and on lanes has a row for each number."""
    return _fixed(np.arange(count, dtype=U32)[:, None])


def side_by_side(parts: Any, size: int, count: int, lane: Lanes) -> Lanes:
    """The low bits of a register in each lane, from rows of parts of `size` bits, the first lowest."""
    whole = np.broadcast_to(np.asarray(parts).astype(U32), (count, lane.size))
    found: Lanes = np.bitwise_or.reduce(whole << (rows(count) * U32(size)), axis=0)
    return found


def objects(value: Any) -> Lanes:
    """Numbers as Python integers in an array."""
    return np.asarray(value, object)


def quotient(a: Any, b: Any) -> Any:
    """A quotient toward zero."""
    if isinstance(a, int) and isinstance(b, int):
        return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return np.sign(a) * (np.abs(a) // b)


def popcount(x: Any) -> Any:
    """How many bits are 1."""
    if isinstance(x, int):
        return x.bit_count()
    if x.dtype == object:
        return np.array([each.bit_count() for each in x], U32)
    return np.bitwise_count(x).astype(U32)


def reversed_bits(x: Any, size: int) -> Any:
    """The bits in the opposite order."""
    if isinstance(x, int):
        return int(f"{x:0{size}b}"[::-1], 2)
    found: Any = x.astype(U64)
    for width, mask in _SWAPS:
        found = (found >> U64(width) & U64(mask)) | (found & U64(mask)) << U64(width)
    return found >> U64(64 - size)


_SWAPS = (
    (1, 0x5555_5555_5555_5555), (2, 0x3333_3333_3333_3333), (4, 0x0F0F_0F0F_0F0F_0F0F),
    (8, 0x00FF_00FF_00FF_00FF), (16, 0x0000_FFFF_0000_FFFF), (32, 0x0000_0000_FFFF_FFFF),
)  # fmt: skip


def find_first(x: Any, bit: int, size: int) -> Any:
    """The number of the lowest bit that is `bit`; -1 if there is none."""
    if isinstance(x, int):
        wanted = x if bit else ~x & (1 << size) - 1
        return (wanted & -wanted).bit_length() - 1
    word = x.astype(U64)
    wanted = word if bit else ~word & U64((1 << size) - 1)
    below = np.bitwise_count(wanted ^ (wanted - U64(1))).astype(I64) - 1
    return np.where(wanted == 0, -1, below)


def leading(x: Any, bit: Any, size: int) -> Any:
    """How many bits from the top are `bit`."""
    if isinstance(x, int) and isinstance(bit, int):
        other = ~x & (1 << size) - 1 if bit else x
        return size - other.bit_length()
    word = np.asarray(x).astype(U64)
    rest: Any = np.where(np.asarray(bit) != 0, ~word & U64((1 << size) - 1), word)
    for width in (1, 2, 4, 8, 16, 32):
        rest = rest | rest >> U64(width)
    return size - np.bitwise_count(rest).astype(I64)


def sext_from(x: Any, n: Any) -> Any:
    """Bits n - 1 to 0, extended with the highest of them; 0 if n is 0."""
    if isinstance(x, int) and isinstance(n, int):
        low = x & (1 << n) - 1
        return low - (1 << n) if n and low >> (n - 1) else low
    shift = np.clip(64 - np.asarray(n, I64), 0, 63)
    return np.where(np.asarray(n) == 0, 0, (np.asarray(x, I64) << shift) >> shift)


def sad(a: Any, b: Any, masked: bool = False) -> Any:
    """The sum of the differences of four bytes."""
    total: Any = 0
    for place in range(0, _WORD, 8):
        one, other = np.asarray(a) >> place & 0xFF, np.asarray(b) >> place & 0xFF
        difference = np.abs(one.astype(I64) - other.astype(I64))
        total = total + (np.where(other == 0, 0, difference) if masked else difference)
    return int(total) if isinstance(a, int) and isinstance(b, int) else total


def msad(a: Any, b: Any) -> Any:
    """As `sad`, without the bytes where b is 0."""
    return sad(a, b, masked=True)


@cache
def two_over_pi() -> int:
    """2 / pi as an integer of 1201 bits."""
    digits = 1400
    pi = 4 * (4 * _inverse_tangent(5, digits) - _inverse_tangent(239, digits))
    return (2 << (digits + 1201)) // pi


def _inverse_tangent(x: int, digits: int) -> int:
    """The angle whose tangent is 1 / x, times a power of 2."""
    term = (1 << digits) // x
    total, n, sign = term, 3, -1
    while term:
        term //= x * x
        total += sign * (term // n)
        n, sign = n + 2, -sign
    return total


# Words


def paired(words: Words) -> Lanes:
    """Two words of each lane as one integer of 64 bits."""
    found: Lanes = np.asarray(words)[:2].T.copy().view(U64).reshape(-1)
    return found


def object_of(words: Words) -> Lanes:
    """Words of each lane as one Python integer."""
    found: Lanes = words[0].astype(object)
    for place in range(1, len(words)):
        found = found | words[place].astype(object) << _WORD * place
    return found


def words_of(bits: Any, lanes: int) -> Words:
    """Up to 32 bits of every lane."""
    return np.broadcast_to(np.asarray(bits if isinstance(bits, int) else bits.astype(U32), U32), (lanes,))


def words_of_wide(bits: Any, count: int, lanes: int) -> Words:
    """More than 32 bits of every lane as [dword][lane]."""
    number = np.asarray(bits, object if count > 2 else None)
    return np.stack([np.broadcast_to((number >> _WORD * place & _M32).astype(U32), (lanes,)) for place in range(count)])


def addresses(value: Any, lanes: int) -> NDArray[np.uint64]:
    """Addresses of every lane."""
    if isinstance(value, int):
        return np.full(lanes, value & (1 << 64) - 1, U64)
    return value if len(value) == lanes else np.broadcast_to(value, (lanes,))


def first_of(bits: Any, active: Mask) -> int:
    """The value of the first lane that is on, or of the first lane."""
    if isinstance(bits, int) or bits.size == 1:
        return int(bits)
    return int(bits[int(np.argmax(active))])


def rounds(active: Mask, *places: NDArray[np.uint64]) -> Iterator[Mask]:
    """Sets of lanes that together are the active ones, none with two lanes at one address, in the order of lanes."""
    lanes = np.flatnonzero(active)
    if not len(lanes):
        return
    turns = np.zeros(len(lanes), np.int64)
    for place in places:
        chosen = place[lanes]
        order = np.argsort(chosen, kind="stable")
        ordered = chosen[order]
        starts = np.r_[True, ordered[1:] != ordered[:-1]]
        if starts.all():
            continue
        numbers = np.arange(len(lanes))
        turn = np.empty(len(lanes), np.int64)
        turn[order] = numbers - np.maximum.accumulate(np.where(starts, numbers, 0))
        turns = np.maximum(turns, turn) if len(places) == 1 else np.arange(len(lanes))
    if not turns.any():
        yield active
        return
    for turn_number in range(int(turns.max()) + 1):
        mask = np.zeros(len(active), np.bool_)
        mask[lanes[turns == turn_number]] = True
        yield mask


# Registers


def put(wave: Wave, number: int, value: Any, active: Mask) -> None:
    """Writes a VGPR in the active lanes."""
    np.copyto(wave.vgprs[number], value, casting="unsafe", where=active)
    wave.written_vgprs[number] |= active


def put_accumulator(wave: Wave, number: int, value: Any, active: Mask) -> None:
    """Writes an AccVGPR in the active lanes."""
    np.copyto(wave.accvgprs[number], value, casting="unsafe", where=active)
    wave.written_accvgprs[number] |= active


def split(value: Any) -> tuple[Any, Any]:
    """The words of values of 64 bits."""
    if isinstance(value, int):
        return value & _M32, value >> _WORD & _M32
    pairs = np.ascontiguousarray(value).view(U32)
    return pairs[0::2], pairs[1::2]


def put_lane(wave: Wave, number: int, lane: int, value: int) -> None:
    """Writes a VGPR in one lane."""
    wave.vgprs[number, lane] = value & _M32
    wave.written_vgprs[number, lane] = True


def scatter(wave: Wave, number: int, lanes: Lanes, value: Any, active: Mask) -> None:
    """Writes a VGPR in other lanes, each active lane one; the highest wins."""
    chosen = np.broadcast_to(lanes, active.shape)[active] & (wave.lanes - 1)
    wave.vgprs[number, chosen] = np.broadcast_to(value, active.shape)[active]
    wave.written_vgprs[number, chosen] = True


def put_mask(wave: Wave, number: int, truth: Any, active: Mask) -> None:
    """Writes the bits of lanes to scalar registers; 0 where a lane is off."""
    bits = bits_of(np.broadcast_to(truth, active.shape) & active)
    if wave.lanes == _WORD:
        wave.set_scalars(number, (bits,))
    else:
        wave.set_pair(number, bits)


def lane_bits(truth: Any, active: Mask) -> int:
    """The bits of lanes; 0 where a lane is off."""
    return bits_of(np.broadcast_to(truth, active.shape) & active)


def int_of(value: Any) -> int:
    """A value of the wave as an integer."""
    return int(value) if isinstance(value, int) else int(value.reshape(-1)[0])


def write_scalars(wave: Wave, number: int, bits: int, count: int) -> None:
    """Writes scalar registers from this number."""
    wave.set_scalars(number, [bits >> _WORD * place & _M32 for place in range(count)])


def hwreg(wave: Wave, environment: Environment, number: int) -> int:
    """A hardware register."""
    return wave.mode if number == _MODE else environment.hwreg(wave, number)


def set_hwreg(wave: Wave, environment: Environment, number: int, value: int) -> None:
    """Writes a hardware register."""
    if number == _MODE:
        wave.mode = value & _M32
    else:
        environment.set_hwreg(wave, number, value & _M32)


# Floats


class Modal:
    """The arithmetic of every format under one value of MODE."""

    def __init__(self, mode: int, *, has_ieee: bool, is_fnuz: bool) -> None:
        ieee = has_ieee and bool(mode >> 9 & 1)
        self._single = Modes(mode & 3, bool(mode >> 4 & 1), bool(mode >> 5 & 1), ieee)
        self._other = Modes(mode >> 2 & 3, bool(mode >> 6 & 1), bool(mode >> 7 & 1), ieee)
        self._is_fnuz = is_fnuz

    def __getattr__(self, name: str) -> Arithmetic:
        fnuz = "fnuz" if self._is_fnuz and name in ("fp8", "bf8") else ""
        found = arithmetic(name + fnuz, self._single if name == "f32" else self._other)
        setattr(self, name, found)
        return found


@cache
def modal(mode: int, has_ieee: bool, is_fnuz: bool) -> Modal:
    """The arithmetic under the fields of MODE that matter to it."""
    return Modal(mode, has_ieee=has_ieee, is_fnuz=is_fnuz)


def real(form: Arithmetic, value: float) -> Lanes:
    """A number without a type as a float."""
    return _real(form, float(value).hex()) if isinstance(value, float) else form.convert(np.asarray(value, F64))


@cache
def _real(form: Arithmetic, written: str) -> Lanes:
    """The number that `float.hex` writes so: as keys, -0.0 and 0.0 would be the same."""
    return _fixed(form.convert(np.full(1, float.fromhex(written), F64)))


@cache
def constant(form: Arithmetic, name: str) -> Lanes:
    """`INF`, `NAN`, `MAX`, or what becomes of too large or too small a value."""
    if name == "NAN":
        return _fixed(form.nan())
    if name in ("OVERFLOW", "UNDERFLOW"):
        found = form.overflow(negative=False) if name == "OVERFLOW" else form.underflow(negative=False)
        return _fixed(found)
    return _fixed(form.limits(largest=name == "MAX"))


def _fixed(values: Lanes) -> Lanes:
    values = values.copy()
    values.setflags(write=False)
    return values


def output_scaled(form: Arithmetic, values: Lanes, factor: float) -> Lanes:
    """A product with an output modifier: 0.0 in place of a denormal one and of -0.0."""
    found = form.mul(values, real(form, factor))
    return np.where(np.abs(found) < form.format.smallest, np.zeros_like(found), found)


__all__ = [name for name in dir() if not name.startswith("_")] + ["mask_of", "some"]
