"""Buffers: the addresses that a V# and an instruction make, what is out of range, and elements in a format."""

import re
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gcn_lsp import isa
from gcn_lsp.isa.memory import buffer_ranges, resources
from gcn_lsp.isa.operands import formats
from gcn_lsp.machine.environment import Addresses, MemoryAccess, Stop
from gcn_lsp.machine.registers import Mask, Words
from gcn_lsp.records import NamedTuple

Offsets = NDArray[np.int64]

_OFFSETS = 0xFFFF_FFFF  # the sum of the two offsets wraps: kernels of MIOpen begin a line before a picture in this way


class Range(NamedTuple):
    """What an access to a buffer may reach. indices, offsets: one of each lane.

    check: see `isa.memory.buffer_ranges`; empty where nothing is out of range. fields: of the V#. element, step: where
    the buffer is swizzled, the bytes of an element and how many of them, of as many indices, follow each other.
    """

    check: str
    indices: Offsets
    offsets: Offsets
    records: int
    stride: int
    fields: dict[str, int]
    element: int = 0
    step: int = 0

    def parts(self, size: int) -> Iterator[tuple[int, int]]:
        """An access in parts that are contiguous and are in range or not: start and size in bytes.

        These are dwords, or bytes where a dword crosses elements.
        """
        crosses = self.element and bool((self.offsets % self.element > self.element - min(size, 4)).any())
        unit = 1 if crosses else 4
        for start in range(0, size, unit):
            yield start, min(unit, size - start)

    def distance(self, start: int) -> "Offsets | int":
        """From each address, the way in memory to the byte `start` of the access."""
        if not self.element:
            return start
        first, own = np.divmod(self.offsets, self.element)
        last, moved = np.divmod(self.offsets + start, self.element)
        found: Offsets = (last - first) * (self.element * self.step) + moved - own
        return found

    def holds(self, start: int, size: int) -> Mask:
        """The lanes that reach `size` bytes from `start` after their address."""
        if self.check == buffer_ranges.BYTES:
            return self.offsets + (start + size) <= self.records
        if self.check == buffer_ranges.EMPTY or not self.check:
            return np.full(len(self.offsets), not self.check or self.records > 0)
        inside = self.indices < self.records
        if self.check == buffer_ranges.RECORDS_AND_OFFSETS:
            inside &= self.offsets + (start + size) <= self.stride
        return inside


class BufferAccess(NamedTuple):
    """The addresses of an access, and what of them is in range."""

    addresses: Addresses
    range: Range


def addresses(
    target: isa.Target, access: MemoryAccess, resource: int, vaddr: Words, soffset: int, lanes: int
) -> BufferAccess:
    """The addresses of a buffer access. vaddr: index, offset, both or a 64-bit address, as the instruction says."""
    found = _fields(target, resource)
    has_index, has_offset = bool(access.fields.get("idxen")), bool(access.fields.get("offen"))
    immediate = access.fields.get("offset", 0)
    zero = np.zeros(lanes, np.int64)
    if access.fields.get("addr64"):
        wide = vaddr[0].astype(np.uint64) | vaddr[1].astype(np.uint64) << np.uint64(32)
        all_of = wide + np.uint64((found["base"] + soffset + immediate) & (1 << 64) - 1)
        return BufferAccess(all_of, Range("", zero, zero, 0, 0, found))
    index = vaddr[0].astype(np.int64) if has_index else zero
    own = vaddr[int(has_index)].astype(np.int64) if has_offset else zero
    long = resources.long_stride(found, target.features) if "_format_" not in access.mnemonic else None
    stride = (found.get("stride", 0) if long is None else long) * buffer_ranges.scale(found.get("stride_scale"))
    if found.get("add_tid_enable"):
        index = index + np.arange(lanes)
    offset = own + immediate & _OFFSETS
    swizzle = found.get("swizzle_enable", 0)
    element = step = 0
    if swizzle:
        element = buffer_ranges.element_size(found.get("element_size"), swizzle, target.features)
        step = buffer_ranges.INDEX_STRIDES[found.get("index_stride", 0)]
        place = (
            (index // step * stride + offset // element * element) * step + index % step * element + offset % element
        )
    else:
        place = index * stride + offset
    check = buffer_ranges.check(
        target.features,
        stride=stride,
        swizzles=bool(swizzle),
        has_index=has_index or bool(found.get("add_tid_enable")),
        selected=found.get("oob_select"),
    )
    counted = place if check == buffer_ranges.BYTES and not swizzle else offset
    if resources.is_unbound(found, access.form):
        check = buffer_ranges.EMPTY
        found = {**found, "num_records": 0}
    records = found.get("num_records", 0)
    limit = records - soffset if check == buffer_ranges.BYTES else records
    start = np.uint64((found["base"] + soffset) & (1 << 64) - 1)
    return BufferAccess(
        start + place.astype(np.uint64), Range(check, index, counted, limit, stride, found, element, step)
    )


def scalar_range(target: isa.Target, resource: int) -> tuple[int, int]:
    """The base of a buffer and its size in bytes, as scalar memory counts them."""
    found = _fields(target, resource)
    stride = found.get("stride", 0) * buffer_ranges.scale(found.get("stride_scale"))
    records = found.get("num_records", 0)
    check = buffer_ranges.check(
        target.features, stride=stride, swizzles=False, has_index=False, selected=found.get("oob_select")
    )
    is_bytes = check == buffer_ranges.BYTES or not stride
    return found["base"] & ~3, records if is_bytes else records * stride


def _fields(target: isa.Target, resource: int) -> dict[str, int]:
    layout = resources.resource("buffer", target.features)
    if layout is None:
        raise Stop(f"no public source describes the V# of {target.name}")
    return _known(layout, resource)


@lru_cache(maxsize=256)
def _known(layout: resources.Resource, resource: int) -> dict[str, int]:
    return {field.name: field.taken(resource) for field in layout.fields}


# Formats


class Element(NamedTuple):
    """The format of an element. widths: bits of its components, the lowest first. kind: `UNORM`, `FLOAT`, ...

    selects: what the V# gives as each component of a load: 0, 1, or 4 and up for the first component and up.
    """

    widths: tuple[int, ...]
    kind: str
    selects: tuple[int, ...]

    @property
    def size(self) -> int:
        """Its bytes."""
        return sum(self.widths) // 8

    def source(self, component: int) -> "int | None":
        """The component in memory of a component of a load; None where it is a constant."""
        selected = self.selects[component] - 4
        return selected if 0 <= selected < len(self.widths) else None

    def constant(self, component: int, bits: int) -> int:
        """The value of a component that is not in memory: 0, or 1 where the V# says so or the fourth is missing."""
        selected = self.selects[component]
        is_one = selected == 1 or selected == _FOURTH
        if not is_one:
            return 0
        return 1 if self.kind in ("UINT", "SINT") else 0x3F80_0000 if bits == 32 else 0x3C00

    def decode(self, raw: Words, component: int, bits: int) -> Words:
        """A component of loaded elements, as the register has it."""
        number = self.source(component)
        assert number is not None, "constants are not decoded"
        width = self.widths[number]
        field = _field(raw, sum(self.widths[:number]), width)
        if self.kind in ("UINT", "SINT"):
            if self.kind == "SINT":
                field = _extended(field, width)
            return field if bits == 32 else field & np.uint32(0xFFFF)
        return _as_bits(_float_of(field, width, self.kind), bits)

    def encode(self, raw: Words, component: int, bits: int, data: Words) -> Words:
        """Elements with a component replaced by what a register has. data: of each lane."""
        width = self.widths[component]
        value = data if bits == 32 else data & np.uint32(0xFFFF)
        if self.kind in ("UINT", "SINT"):
            field = _limited(value, width, bits, is_signed=self.kind == "SINT")
        else:
            numbers = value.view(np.float32) if bits == 32 else value.astype(np.uint16).view(np.float16)
            field = _field_of(numbers.astype(np.float64), width, self.kind)
        first = sum(self.widths[:component])
        found: Words = raw.copy()
        word, shift = first // 32, first % 32
        mask = np.uint32((1 << width) - 1)
        found[word] = found[word] & ~(mask << np.uint32(shift)) | (field & mask) << np.uint32(shift)
        return found


_FOURTH = 7
_PLAIN = (4, 5, 6, 7)


def element(target: isa.Target, access: MemoryAccess, known: Range) -> Element:
    """The format of the elements that an instruction accesses: its own, or that of the V#."""
    fields = known.fields
    selects = tuple(fields.get(f"dst_sel_{name}", 0) for name in "xyzw")
    number = access.fields.get("format")
    if formats.is_unified(target.features):
        code = number if access.mnemonic.startswith("tbuffer") and number is not None else fields.get("format", 0)
        return _unified(target.features, code, selects)
    if access.mnemonic.startswith("tbuffer") and number is not None:
        return _pair(target.features, number & 15, number >> formats.NUMBER_SHIFT & 7, selects)
    return _pair(target.features, fields.get("data_format", 0), fields.get("num_format", 0), selects)


@lru_cache(maxsize=64)
def _unified(features: frozenset[str], code: int, selects: tuple[int, ...]) -> Element:
    names = formats.unified_formats(features)
    name = next((name for name, number in names.items() if number == code), "")
    match = _UNIFIED.fullmatch(name)
    if match is None:
        raise Stop(f"format {code} of the buffer is invalid or reserved")
    return _made(match[1], match[2], selects)


@lru_cache(maxsize=64)
def _pair(features: frozenset[str], data: int, number: int, selects: tuple[int, ...]) -> Element:
    widths = next((name for name, code in formats.DATA_FORMATS.items() if code == data), "")
    kind = next((name for name, code in formats.number_formats(features).items() if code == number), "")
    plain = widths.removeprefix("BUF_DATA_FORMAT_")
    if not plain[:1].isdigit():
        raise Stop(f"data format {data} of the buffer is invalid or reserved")
    return _made(plain, kind.removeprefix("BUF_NUM_FORMAT_"), selects)


_UNIFIED = re.compile(r"BUF_FMT_(\d+(?:_\d+)*)_(\w+)")


def _made(widths: str, kind: str, selects: tuple[int, ...]) -> Element:
    # The first width in a name is that of the highest bits where they differ: 2_10_10_10 has the two bits on top.
    parts = tuple(map(int, widths.split("_")))
    return Element(parts[::-1] if len(set(parts)) > 1 else parts, kind, selects if any(selects) else _PLAIN)


def _field(raw: Words, first: int, width: int) -> Words:
    word, shift = first // 32, first % 32
    value: Words = raw[word] >> np.uint32(shift)
    return value if width == 32 else value & np.uint32((1 << width) - 1)


def _extended(field: Words, width: int) -> Words:
    if width == 32:
        return field
    shift = np.int32(32 - width)
    found: Words = ((field.astype(np.int32) << shift) >> shift).view(np.uint32)
    return found


def _float_of(field: Words, width: int, kind: str) -> NDArray[np.float64]:
    signed = _extended(field, width).view(np.int32).astype(np.float64)
    unsigned = field.astype(np.float64)
    if kind == "UNORM":
        return unsigned / float((1 << width) - 1)
    if kind.startswith("SNORM"):
        return np.maximum(signed / float((1 << width - 1) - 1), -1.0)
    if kind == "USCALED":
        return unsigned
    if kind == "SSCALED":
        return signed
    if width == 32:
        return field.view(np.float32).astype(np.float64)
    if width == 16:
        return field.astype(np.uint16).view(np.float16).astype(np.float64)
    mantissa = width - 5  # 10 and 11 bits: no sign, 5 bits of exponent
    exponent = (field >> np.uint32(mantissa)).astype(np.int32)
    part = (field & np.uint32((1 << mantissa) - 1)).astype(np.float64) / (1 << mantissa)
    found = np.where(exponent == 0, part * 2.0**-14, (1 + part) * np.exp2(exponent.astype(np.float64) - 15))
    return np.where(exponent == 31, np.where(part == 0, np.inf, np.nan), found)


def _as_bits(numbers: NDArray[np.float64], bits: int) -> Words:
    if bits == 32:
        return numbers.astype(np.float32).view(np.uint32)
    return numbers.astype(np.float16).view(np.uint16).astype(np.uint32)


def _limited(value: Words, width: int, bits: int, *, is_signed: bool) -> Words:
    if width >= bits:
        return value
    if not is_signed:
        least: Words = np.minimum(value, np.uint32((1 << width) - 1))
        return least
    signed = _extended(value, bits).view(np.int32)
    return np.clip(signed, -(1 << width - 1), (1 << width - 1) - 1).astype(np.int32).view(np.uint32)


def _field_of(numbers: NDArray[np.float64], width: int, kind: str) -> Words:
    plain = np.nan_to_num(numbers, nan=0.0, posinf=np.inf, neginf=-np.inf)
    if kind == "UNORM":
        return np.rint(np.clip(plain, 0, 1) * ((1 << width) - 1)).astype(np.uint32)
    if kind.startswith("SNORM"):
        return np.rint(np.clip(plain, -1, 1) * ((1 << width - 1) - 1)).astype(np.int32).view(np.uint32)
    if kind == "USCALED":
        return np.clip(np.trunc(plain), 0, (1 << width) - 1).astype(np.uint32)
    if kind == "SSCALED":
        return np.clip(np.trunc(plain), -(1 << width - 1), (1 << width - 1) - 1).astype(np.int32).view(np.uint32)
    if width in (16, 32):
        return _as_bits(numbers, width)
    raise Stop(f"stores of floats of {width} bits are not carried out")
