"""A launch: what a kernel is started with, checked, and put into memory as the runtime does it."""

from collections.abc import Mapping
from math import prod
from typing import Any

import msgspec
import numpy as np

from gcn_lsp.isa.kernels import allocation, dispatch_packet
from gcn_lsp.machine import apertures, arguments
from gcn_lsp.machine.arguments import Empty, Number, WrongLaunch
from gcn_lsp.machine.image import Image
from gcn_lsp.machine.kernels import Kernel
from gcn_lsp.machine.memory import Memory, Region
from gcn_lsp.records import NamedTuple

MOST_ITEMS = 1024
"""The work-items of a work-group at most."""

_MOST_ALONG = (1 << 32) - 1  # what the dispatch packet can hold
_KERNARG_STEP = 64  # bytes: a scalar load may read a whole line of the cache
_QUEUE_SIZE = 256


class Launch(msgspec.Struct, frozen=True):
    """What is launched. grid: in work-items, along x, y and z. block: work-items of a work-group.

    registers: what registers hold at the start, for kernels without a description: `s[4:5]` to `kernarg`.
    dynamic_lds: bytes of LDS beyond what the kernel itself asks for.
    """

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    arguments: Mapping[str, Any] = {}
    registers: Mapping[str, str] = {}
    dynamic_lds: int = 0

    @property
    def groups(self) -> tuple[int, int, int]:
        """How many work-groups there are along x, y and z."""
        x, y, z = (-(-items // size) for items, size in zip(self.grid, self.block, strict=True))
        return x, y, z


class UsualBlock(NamedTuple):
    """The size of a work-group where a launch gives none. source: what says so, empty if nothing does."""

    sizes: tuple[int, int, int]
    source: str


def usual_block(kernel: Kernel, grid: tuple[int, int, int]) -> UsualBlock:
    """What a kernel requires, or else the most that it takes, which it is written for, if the grid has that many.

    A kernel that asks for the size of its work-group is right with any.
    """
    if len(kernel.work_group) == len(grid) and all(kernel.work_group):
        x, y, z = kernel.work_group
        return UsualBlock((x, y, z), ".reqd_workgroup_size")
    most = min(kernel.most, grid[0])
    is_whole = not kernel.needs_whole_groups or grid[0] % max(most, 1) == 0
    if kernel.most and is_whole and not kernel.asks_for_block:
        return UsualBlock((most, 1, 1), ".max_flat_workgroup_size" if most == kernel.most else "the grid")
    return UsualBlock((min(_USUAL, kernel.most or _USUAL), 1, 1), "")


_USUAL = 64


class Prepared(msgspec.Struct):
    """A launch in memory. lds: bytes of a work-group. buffers: by the name of the argument."""

    memory: Memory
    image: Image
    kernel: Kernel
    launch: Launch
    kernarg: Region
    packet: Region
    queue: Region
    buffers: dict[str, Region]
    lds: int
    scratch: int


def prepare(image: Image, memory: Memory, kernel: Kernel, launch: Launch) -> Prepared:
    """Put a launch into memory. Raises WrongLaunch."""
    _check_sizes(image, kernel, launch)
    placed = arguments.placed(kernel, launch.arguments)
    lds = kernel.lds + launch.dynamic_lds
    size = max([kernel.kernarg_size, *(each.offset + each.size for each in placed)])
    data = bytearray(-(-size // _KERNARG_STEP) * _KERNARG_STEP + _KERNARG_STEP)
    buffers: dict[str, Region] = {}
    for each in placed:
        value = each.value
        if isinstance(value, Number):  # LDS whose size only the launch knows
            more = int(value.value)
            value = lds.to_bytes(each.size, "little")
            lds += more
        elif isinstance(value, np.ndarray | Empty):
            array = value.array if isinstance(value, Empty) else value
            contents = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
            region = memory.allocate(each.name, "global", contents, tracks=isinstance(value, Empty))
            buffers[each.name] = region
            value = region.base.to_bytes(each.size, "little")
        data[each.offset : each.offset + each.size] = value
    _check_lds(image, kernel, lds)
    queue = memory.allocate("the queue", "system", _queue())
    _fill_hidden(kernel, launch, data, lds, queue)
    kernarg = memory.allocate("the kernarg segment", "kernarg", bytes(data), is_read_only=True)
    packet = memory.allocate(
        "the dispatch packet", "system", _packet(kernel, launch, kernarg.base, lds), is_read_only=True
    )
    return Prepared(memory, image, kernel, launch, kernarg, packet, queue, buffers, lds, kernel.scratch)


def _check_sizes(image: Image, kernel: Kernel, launch: Launch) -> None:
    if min(*launch.grid, *launch.block) < 1:
        raise WrongLaunch("the grid and its work-groups have at least one work-item along each axis.")
    if max(launch.grid) > _MOST_ALONG:
        raise WrongLaunch(
            f"the grid of {_times(launch.grid)} is too large: it has at most {_MOST_ALONG} along an axis."
        )
    size = prod(launch.block)
    most = kernel.most or MOST_ITEMS
    if size > most:
        raise WrongLaunch(f"a work-group of {size} work-items is too large: kernel {kernel.name} takes at most {most}.")
    if kernel.work_group and kernel.work_group != launch.block:
        required = "x".join(map(str, kernel.work_group))
        raise WrongLaunch(f"kernel {kernel.name} requires work-groups of {required}, not {_times(launch.block)}.")
    if kernel.needs_whole_groups and any(items % size for items, size in zip(launch.grid, launch.block, strict=True)):
        raise WrongLaunch(
            f"the grid of {_times(launch.grid)} is not a multiple of the work-group {_times(launch.block)}, which "
            f"kernel {kernel.name} requires."
        )
    if image.steps.get(kernel.entry) is None:
        raise WrongLaunch(f"there is no instruction at {kernel.name}.")


def _check_lds(image: Image, kernel: Kernel, lds: int) -> None:
    limit = allocation.lds_limit(image.target.features)
    if lds > limit:
        raise WrongLaunch(f"{lds} bytes of LDS are too many: a work-group of {image.target.name} has at most {limit}.")


def _times(sizes: "tuple[int, ...]") -> str:
    return "x".join(map(str, sizes))


def _queue() -> bytes:
    """What a kernel reads of `amd_queue_t`: the apertures of LDS and of scratch."""
    data = bytearray(_QUEUE_SIZE)
    data[0x40:0x44] = (apertures.LDS >> 32).to_bytes(4, "little")
    data[0x44:0x48] = (apertures.SCRATCH >> 32).to_bytes(4, "little")
    return bytes(data)


def _fill_hidden(kernel: Kernel, launch: Launch, data: bytearray, lds: int, queue: Region) -> None:
    values: dict[str, int] = {
        "grid_dims": max(number for number, items in enumerate((2, *launch.grid[1:]), 1) if items > 1),
        "dynamic_lds_size": lds - kernel.lds,
        "private_base": apertures.SCRATCH >> 32,
        "shared_base": apertures.LDS >> 32,
        "queue_ptr": queue.base,
    }
    for axis, items, size in zip("xyz", launch.grid, launch.block, strict=True):
        values[f"block_count_{axis}"] = items // size
        values[f"group_size_{axis}"] = size
        values[f"remainder_{axis}"] = items % size
    for argument in kernel.arguments or ():
        if argument.is_hidden:
            value = values.get(argument.kind.removeprefix("hidden_"), 0)
            data[argument.offset : argument.offset + argument.size] = value.to_bytes(argument.size, "little")


def _packet(kernel: Kernel, launch: Launch, kernarg: int, lds: int) -> bytes:
    """The dispatch packet of the launch."""
    values = (2, 3, *launch.block, 0, *launch.grid, kernel.scratch, lds, kernel.descriptor, kernarg, 0, 0)
    data = bytearray(dispatch_packet.SIZE)
    for field, value in zip(dispatch_packet.FIELDS, values, strict=True):
        data[field.offset : field.offset + field.size] = value.to_bytes(field.size, "little")
    return bytes(data)
