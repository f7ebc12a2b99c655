"""A launch that is made up for a kernel: one work-group, and arguments by what the metadata says of them.

It is a start that a user fills in, and what code is run on where nobody says what it is given.
"""

import re
from math import prod

import msgspec

from gcn_lsp.machine.kernels import Kernel, KernelArgument

ELEMENTS = 4096
"""Of a buffer: enough for a work-group that works on several elements a work-item."""

_WIDTH = re.compile(r"\d*\s*\**$")  # of a vector, and the star of a pointer: `float4*`
_ELEMENTS = {
    "float": "f32", "double": "f64", "half": "f16", "_Float16": "f16", "char": "i8", "uchar": "u8", "short": "i16",
    "ushort": "u16", "int": "i32", "uint": "u32", "long": "i64", "ulong": "u64",
}  # fmt: skip
_SIZES = (1, 2, 4, 8)


class MadeUp(msgspec.Struct, frozen=True):
    """A launch as text. grid, block: work-items along x, y and z. arguments: values by name, as `arguments.parse`."""

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    arguments: dict[str, str]


def of(kernel: Kernel, items: int = 64) -> MadeUp:
    """The launch of a kernel. items: of its work-group, if the kernel takes so many and requires no other size."""
    x, y, z = (*kernel.work_group, 1, 1, 1)[:3] if all(kernel.work_group) else (1, 1, 1)
    block = (x, y, z) if kernel.work_group else (min(items, kernel.most or items), 1, 1)
    explicit = [each for each in kernel.arguments or () if not each.is_hidden]
    return MadeUp(block, block, {each.name: _value(each, prod(block)) for each in explicit})


def _value(argument: KernelArgument, items: int) -> str:
    element = _ELEMENTS.get(_WIDTH.sub("", argument.type_name), "")
    if argument.kind == "global_buffer":
        return f"random:{element or 'f32'}:{ELEMENTS}"
    if argument.kind == "dynamic_shared_pointer":
        return f"{ELEMENTS}"
    if argument.kind != "by_value" or argument.size not in _SIZES:
        return "null"
    if element[:1] == "f":
        return "2.0"
    return str(min(items, (1 << 8 * argument.size - 1) - 1))  # a size or a count, most likely: all that there is
