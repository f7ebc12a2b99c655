"""The 256 bytes before the code of each kernel in code objects of version 2, as `.amd_kernel_code_t` blocks."""

from collections.abc import Mapping, Sequence

from gcn_lsp import isa
from gcn_lsp.isa.kernels import kernel_code
from gcn_lsp.program.kernels import header_blocks
from gcn_lsp.views.objects.elf import CodeObject
from gcn_lsp.views.objects.words import as_data

_KERNEL = "kernel"  # The kind of a symbol that names a header; later versions have functions and descriptors.
_MAJOR, _MAJOR_VERSION = 4, 1  # bytes of the first field, and its value


def places(code: CodeObject, index: int) -> list[int]:
    """Where the headers in a section of code begin, in bytes from its start, in order."""
    section = code.sections[index]
    starts = {code.value_in(section, each) for each in code.by_section.get(index, ()) if each.kind == _KERNEL}
    found = [-kernel_code.SIZE]
    for start in sorted(starts):
        is_free = found[-1] + kernel_code.SIZE <= start <= len(section.data) - kernel_code.SIZE
        if is_free and int.from_bytes(section.data[start : start + _MAJOR], "little") == _MAJOR_VERSION:
            found.append(start)
    return found[1:]


def lines(data: bytes, target: isa.Target) -> Sequence[str]:
    """The lines for a header: a block that gives its bytes again, or data where no block does."""
    fields = _fields(data)
    wrong = any(kernel_code.mistake(name, value, target) for name, value in fields.items())
    told = {name: value for name, value in fields.items() if kernel_code.defaults(target).get(name, 0) != value}
    if wrong or kernel_code.encode(target, told) != data:
        return [
            "\t// the header of the kernel",
            *(f"\t{as_data(data[at : at + 16])}" for at in range(0, len(data), 16)),
        ]
    written = (f"\t\t{name} = {value}" for name, value in told.items())
    return [f"\t{header_blocks.OPENING}", *written, f"\t{header_blocks.ENDING}"]


def _fields(data: bytes) -> Mapping[str, int]:
    """The value of each field, by the first of its names; with a sign where the default has one."""
    number = int.from_bytes(data, "little")
    names = {place: name for name, place in reversed(tuple(kernel_code.FIELDS.items()))}
    values = {}
    for place, name in reversed(names.items()):
        bits = place.bits or 8 * place.size
        value = number >> 8 * place.offset + place.shift & (1 << bits) - 1
        values[name] = -1 if name in _SIGNED and value == (1 << bits) - 1 else value
    return values


_SIGNED = frozenset(name for name, value in kernel_code.defaults(None).items() if value < 0)
