"""Writes the metadata of a kernel from its descriptor and its loads: what HIP needs to find and launch it."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gcn_lsp.isa.machine import roles
from gcn_lsp.patterns import regex
from gcn_lsp.program.kernels import kernel_usage
from gcn_lsp.records import NamedTuple

if TYPE_CHECKING:
    from gcn_lsp.instruction.model import Operand
    from gcn_lsp.program.kernels.descriptor_blocks import DescriptorBlock
    from gcn_lsp.program.kernels.kernel_usage import KernelUsage, Load
    from gcn_lsp.program.kernels.resources import Resources
    from gcn_lsp.program.program import Program

WORK_GROUP = 256
"""Work-items of the largest work-group, where nothing says how many: HIP refuses to launch larger ones."""

_DWORD, _POINTER = 4, 8  # bytes
_BASES = ("saddr", "sbase")


class KernelArgument(NamedTuple):
    """An argument: its place in bytes, and whether it is an address in global memory."""

    offset: int
    size: int
    is_pointer: bool


def entry(program: "Program", block: "DescriptorBlock", indent: str = "  ") -> tuple[str, ...]:
    """The lines of a kernel in `amdhsa.kernels`; none if the target or a size is not known."""
    judgement = program.judgement(block)
    if judgement is None:
        return ()
    resources = judgement.resources
    found = arguments(program, block, resources)
    size = kernarg_size(program, block, found)
    registers, lds, scratch = counts(resources), resources.lds, resources.scratch
    if size is None or registers is None or lds is None or scratch is None:
        return ()
    rows = [
        (".name", block.name),
        (".symbol", f"{block.name}.kd"),
        (".kernarg_segment_size", size),
        (".kernarg_segment_align", _POINTER),
        (".group_segment_fixed_size", lds),
        (".private_segment_fixed_size", scratch),
        (".wavefront_size", resources.wavefront_size),
        *registers.items(),
        (".max_flat_workgroup_size", WORK_GROUP),
    ]
    lines = [f"{indent}{'- ' if not number else '  '}{key}: {value}" for number, (key, value) in enumerate(rows)]
    if found:
        lines.append(f"{indent}  .args:")
        lines += [f"{indent}    {line}" for each in found for line in _argument(each)]
    return tuple(lines)


def counts(resources: "Resources") -> dict[str, int] | None:
    """The registers that a kernel requests as its metadata count them; None if a count is not known."""
    total, sgprs = resources.total_vgprs, resources.sgprs
    if total is None or sgprs is None:
        return None
    named = (resources.values.get("next_free_sgpr") or 0) + (resources.reserved_sgprs or 0) or sgprs
    found = {".sgpr_count": named, ".vgpr_count": total}
    return {**found, ".agpr_count": resources.agprs} if resources.agprs else found


def made_up(text: str) -> Iterator[tuple[int, int]]:
    """The parts of such lines that nothing in the file says: how large a work-group may be."""
    for match in _WORK_GROUP.finditer(text):
        yield match.span(1)


_WORK_GROUP = regex(rf"\.max_flat_workgroup_size: ({WORK_GROUP})$", re.MULTILINE)


def block_of(lines: tuple[str, ...]) -> tuple[str, ...]:
    """The directive with the entries of some kernels."""
    head = (".amdgpu_metadata", "---", "amdhsa.version: [1, 2]", "amdhsa.kernels:")
    return (*head, *lines, "...", ".end_amdgpu_metadata")


def _argument(each: KernelArgument) -> Iterator[str]:
    if each.is_pointer:
        yield "- .address_space: global"
        yield f"  .offset: {each.offset}"
    else:
        yield f"- .offset: {each.offset}"
    yield f"  .size: {each.size}"
    yield f"  .value_kind: {'global_buffer' if each.is_pointer else 'by_value'}"


def kernarg_size(program: "Program", block: "DescriptorBlock", found: tuple[KernelArgument, ...]) -> int | None:
    """The bytes of the arguments: as the descriptor says, or as far as loads reach."""
    written = dict(program.written_fields(block))
    if "kernarg_size" in written and written["kernarg_size"] is None:
        return None
    return max(written.get("kernarg_size") or 0, *(each.offset + each.size for each in found), 0)


def arguments(program: "Program", block: "DescriptorBlock", resources: "Resources") -> tuple[KernelArgument, ...]:
    """The arguments that the kernel loads, by their offsets.

    Two dwords at a multiple of 8 that are an address of memory are a pointer, and so are those that one load brings
    alone, unless an instruction takes one of them as a number.
    """
    used = program.register_usage.get(block.name)
    pointer = resources.kernarg_pointer
    if used is None or pointer is None:
        return ()
    addresses, numbers = _taken(used)
    dwords: set[int] = set()
    pointers: set[int] = set()
    for register, load in _loaded(used, pointer):
        for place in range(load.size // _DWORD):
            offset, first = load.offset + _DWORD * place, register + place
            dwords.add(offset)
            is_pair = offset % _POINTER == 0 and _DWORD * place + _POINTER <= load.size
            is_alone = load.size == _POINTER and numbers.isdisjoint((first, first + 1))
            if is_pair and (first in addresses or is_alone):
                pointers.add(offset)
    alone = dwords - pointers - {offset + _DWORD for offset in pointers}
    found = [KernelArgument(offset, _POINTER, True) for offset in pointers]
    found += [KernelArgument(offset, _DWORD, False) for offset in alone]
    return tuple(sorted(found))


_OF_ADDRESSES = ("move", "dual move", "add", "add carry", "accumulate")  # what code does with half of an address


def _loaded(used: "KernelUsage", pointer: int) -> "Iterator[tuple[int, Load]]":
    """The loads of whole dwords of arguments, each with the first SGPR that it writes."""
    for _, load in kernel_usage.entry_loads(used, pointer):
        operands = load.item.instruction.operands if load.item.instruction is not None else ()
        result = next((each for each in operands if each.slot == "sdst"), None)
        if result is not None and load.offset >= 0 and not load.offset % _DWORD:
            yield result.first, load


def _taken(used: "KernelUsage") -> tuple[set[int], set[int]]:
    """The SGPRs with which an address of memory begins, and those that an instruction takes as a number."""
    operands = list(_scalar_operands(used))
    addresses = {each.first for _, each in operands if each.slot in _BASES and each.count * _DWORD == _POINTER}
    numbers = {each.first for verb, each in operands if each.count == 1 and verb not in _OF_ADDRESSES}
    return addresses, numbers


def _scalar_operands(used: "KernelUsage") -> "Iterator[tuple[str, Operand]]":
    """The SGPRs that the instructions of a kernel name, each with the role of the instruction; empty for none."""
    for chunk, stretches in used.parts:
        for stretch in stretches:
            for item in chunk.items[stretch.first : stretch.last]:
                instruction = item.instruction
                if instruction is None or instruction.form is None:
                    continue
                role = roles.of(instruction.form.mnemonic)
                for operand in instruction.operands:
                    if operand.file == "s":
                        yield role.verb if role is not None else "", operand
