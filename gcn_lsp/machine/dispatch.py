"""The state of a wave at its start, as the hardware and the loader of its generation leave it."""

import re
from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gcn_lsp import isa
from gcn_lsp.analysis.machine import registers as sets
from gcn_lsp.isa.kernels import allocation
from gcn_lsp.machine.arguments import WrongLaunch
from gcn_lsp.machine.launch import Prepared
from gcn_lsp.machine.memory import Region
from gcn_lsp.machine.registers import Wave
from gcn_lsp.program.kernels import inputs
from gcn_lsp.program.kernels.inputs import Input
from gcn_lsp.records import NamedTuple

Words = NDArray[np.uint32]
Group = tuple[int, int, int]
"""The place of a work-group in the grid."""


class Started(NamedTuple):
    """A wave before its first instruction. scratch: its memory. defined: the registers with a value, a set."""

    wave: Wave
    scratch: Region
    defined: int


class WorkItems(NamedTuple):
    """The work-items of a wave: their ids along each axis, one for each lane. number: how many exist."""

    ids: tuple[Words, Words, Words]
    number: int


LEAST_SCRATCH = 1 << 14
"""Bytes of scratch of a work-item where the kernel does not say how many it needs, as with a stack of its own."""


def waves_of(prepared: Prepared, group: Group) -> int:
    """How many waves a work-group has; those at the end of the grid may have fewer."""
    return -(-prod(_size(prepared, group)) // prepared.kernel.lanes)


def _size(prepared: Prepared, group: Group) -> tuple[int, int, int]:
    launch = prepared.launch
    x, y, z = (
        min(size, items - place * size) for items, size, place in zip(launch.grid, launch.block, group, strict=True)
    )
    return x, y, z


def work_items(prepared: Prepared, group: Group, number: int) -> WorkItems:
    """The work-items of wave `number` of a work-group."""
    lanes = prepared.kernel.lanes
    x, y, z = _size(prepared, group)
    flat = np.arange(number * lanes, (number + 1) * lanes, dtype=np.uint32)
    ids = (flat % x, flat // x % y, flat // (x * y))
    return WorkItems((ids[0], ids[1], ids[2]), max(0, min(lanes, x * y * z - number * lanes)))


def start(prepared: Prepared, group: Group, number: int) -> Started:
    """Wave `number` of a work-group."""
    kernel, target = prepared.kernel, prepared.image.target
    lanes = kernel.lanes
    most = allocation.most_vgprs(target.features)
    has_accumulators = target.has_accvgprs
    m0 = target.registers["m0"].number
    wave = Wave(lanes, 1024 if most == 1024 else 256, 256 if has_accumulators else 0, m0_number=m0)
    size = -(-max(kernel.scratch, LEAST_SCRATCH) // 16) * 16 * lanes
    scratch = prepared.memory.allocate(f"the scratch memory of wave {number}", "scratch", size)
    state = _StartState(prepared, group, number, wave, scratch)
    for each in kernel.inputs:
        state.put(each)
    for spelling, source in prepared.launch.registers.items():
        state.put_by_hand(spelling, source)
    state.put_architected()
    wave.exec = (1 << state.items.number) - 1
    state.defined |= sets.EXEC
    wave.mode = _mode(prepared)
    wave.pc = kernel.entry
    return Started(wave, scratch, state.defined)


def _mode(prepared: Prepared) -> int:
    """MODE, from the fields of the descriptor: rounding, denormals, DX10_CLAMP, IEEE, and overflow of 16 bits."""
    values = prepared.kernel.values
    mode = 0 if values else _USUAL_MODE
    for name, shift in _MODE_FIELDS:
        mode |= (values.get(name) or 0) << shift
    return mode


_USUAL_MODE = 0x3C0  # denormals kept in 16 and 64 bits alone are LLVM's default; this keeps all, as most code expects
_MODE_FIELDS = (
    ("float_round_mode_32", 0),
    ("float_round_mode_16_64", 2),
    ("float_denorm_mode_32", 4),
    ("float_denorm_mode_16_64", 6),
    ("dx10_clamp", 8),
    ("ieee_mode", 9),
    ("fp16_overflow", 23),
)


class _StartState:
    """Puts the inputs of a wave into its registers."""

    def __init__(self, prepared: Prepared, group: Group, number: int, wave: Wave, scratch: Region) -> None:
        self.prepared = prepared
        self.group = group
        self.number = number
        self.wave = wave
        self.scratch = scratch
        self.items = work_items(prepared, group, number)
        self.defined = sets.NONE

    def put(self, each: Input) -> None:
        """Put an input of the descriptor into its registers."""
        if each.file == "v":
            axis = "xyz".index(each.title[-1])
            shift = 10 * axis if each.bits else 0
            self._vector(each.first, self.items.ids[axis] << np.uint32(shift), is_part=bool(each.bits))
            return
        if each.file == "ttmp":
            return  # those of `put_architected`
        if each.title == inputs.PRELOADED:
            offset = 4 * (self.prepared.kernel.values.get("user_sgpr_kernarg_preload_offset") or 0)
            data = self.prepared.kernarg.data[offset : offset + 4 * each.count].tobytes()
            self._scalar(each.first, int.from_bytes(data, "little"), each.count)
            return
        self._scalar(each.first, self._value(each.title), each.count)

    def put_architected(self) -> None:
        """Put work-group ids and the number of the wave into the trap registers that hold them on some targets."""
        target = self.prepared.image.target
        if not target.has_ids_in_ttmps:
            return
        x, y, z = self.group
        base = target.ttmp_base
        in_cluster = 0
        cluster = self.prepared.kernel.cluster
        if cluster:  # its number there and the last one in fields of 4 bits, the cluster's where the group's would be
            numbers = [part % size for part, size in zip(self.group, cluster, strict=True)]
            in_cluster = sum(value << 4 * at for at, value in enumerate((*numbers, *(size - 1 for size in cluster))))
            x, y, z = (part // size for part, size in zip(self.group, cluster, strict=True))
        for place, value in ((9, x), (7, y | z << 16), (8, self.number << 25), (6, in_cluster)):
            self.wave.set_scalars(base + place, (value,))
            self.defined |= sets.of_tuple("ttmp", place, 1)

    def put_by_hand(self, spelling: str, source: str) -> None:
        """Put what the launch names into a register that it names. Raises WrongLaunch."""
        match = _REGISTER.fullmatch(spelling)
        if match is None:
            raise WrongLaunch(f"{spelling!r} is not a register such as s4, s[4:5] or v0.")
        first = int(match[2] or match[3])
        count = int(match[4] or first) - first + 1
        target = self.prepared.image.target
        sgprs = allocation.units(target.features, wave32=False).sgprs
        most = len(self.wave.vgprs) if match[1] == "v" else sgprs
        if count < 1 or first + count > most:
            file = match[1]
            raise WrongLaunch(f"there is no {spelling}: a wave of {target.name} has {file}0 to {file}{most - 1}.")
        if match[1] == "v":
            self._vector(first, self._item(spelling, source))
            return
        self._scalar(first, self._by_hand(spelling, source), count)

    def _by_hand(self, spelling: str, source: str) -> int:
        if source.startswith("group_") and source[6:] in ("x", "y", "z"):
            return self.group["xyz".index(source[6:])]
        known = {
            "kernarg": self.prepared.kernarg.base,
            "dispatch": self.prepared.packet.base,
            "queue": self.prepared.queue.base,
            "scratch": self.scratch.base,
            **{name: region.base for name, region in self.prepared.buffers.items()},
        }
        if source in known:
            return known[source]
        try:
            return int(source, 0)
        except ValueError:
            names = ", ".join(("group_x", "group_y", "group_z", *known))
            raise WrongLaunch(f"{source!r} for {spelling} is neither a number nor one of {names}.") from None

    def _item(self, spelling: str, source: str) -> Words:
        x, y, z = self.items.ids
        packed: Words = x | y << np.uint32(10) | z << np.uint32(20)
        known = {"item_x": x, "item_y": y, "item_z": z, "items": packed}
        if source not in known:
            raise WrongLaunch(f"{source!r} for {spelling} is not one of {', '.join(known)}.")
        return known[source]

    def _value(self, title: str) -> int:
        """The value of an input in SGPRs."""
        prepared, group = self.prepared, self.group
        values = {
            inputs.KERNARG_POINTER: prepared.kernarg.base,
            inputs.DISPATCH_POINTER: prepared.packet.base,
            "queue pointer": prepared.queue.base,
            "private segment buffer": _scratch_resource(prepared.image.target, self.scratch, prepared.kernel.lanes),
            "flat scratch init": self.scratch.base,
            "private segment size": self.scratch.size // prepared.kernel.lanes,
            "dispatch id": 1,
            "work-group id x": group[0],
            "work-group id y": group[1],
            "work-group id z": group[2],
            "work-group info": waves_of(prepared, group) | (self.number == 0) << 31,
            "scratch wave offset": 0,
        }
        return values[title]

    def _scalar(self, first: int, value: int, count: int) -> None:
        self.wave.set_scalars(first, [value >> 32 * place & 0xFFFF_FFFF for place in range(count)])
        self.defined |= sets.of_tuple("s", first, count)

    def _vector(self, number: int, values: Any, *, is_part: bool = False) -> None:
        if is_part:
            self.wave.vgprs[number] |= values
        else:
            self.wave.vgprs[number] = values
        self.wave.written_vgprs[number] = True
        self.defined |= sets.of_tuple("v", number, 1)


_REGISTER = re.compile(r"(s|v)(?:(\d+)|\[(\d+):(\d+)\])")


def _scratch_resource(target: isa.Target, scratch: Region, lanes: int) -> int:
    """The V# of the scratch memory: dwords of all lanes side by side, the number of the lane added."""
    from gcn_lsp.isa.memory import resources  # only old targets have it

    layout = resources.resource("buffer", target.features)
    if layout is None:
        return scratch.base
    values = {
        "base": scratch.base,
        "num_records": 0xFFFF_FFFF,
        "swizzle_enable": 1,
        "element_size": 1,
        "index_stride": 3 if lanes == 64 else 2,
        "add_tid_enable": 1,
        "oob_select": 2,
        "data_format": 4,  # a dword; of the formats of gfx10 and later, any
        "format": 4,
    }
    number = 0
    for field in layout.fields:
        number |= values.get(field.name, 0) << field.low
    return number


def groups(prepared: Prepared) -> Iterator[Group]:
    """The places of the work-groups, x first, those of a cluster after each other."""
    totals, sizes = prepared.launch.groups, prepared.kernel.cluster or (1, 1, 1)
    for first in _places(tuple(-(-total // size) for total, size in zip(totals, sizes, strict=True))):
        for place in _places(sizes):
            x, y, z = (size * a + b for size, a, b in zip(sizes, first, place, strict=True))
            if x < totals[0] and y < totals[1] and z < totals[2]:
                yield x, y, z


def _places(sizes: "tuple[int, ...]") -> Iterator[Group]:
    x, y, z = sizes
    for k in range(z):
        for j in range(y):
            for i in range(x):
                yield i, j, k
