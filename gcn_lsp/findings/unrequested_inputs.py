"""Says which id a kernel expects in registers without a value, and which field of its descriptor requests it."""

from gcn_lsp.analysis.machine import registers
from gcn_lsp.findings import descriptor_places
from gcn_lsp.findings.model import Fix
from gcn_lsp.isa.kernels import descriptor
from gcn_lsp.program.kernels import inputs
from gcn_lsp.program.kernels.descriptor_blocks import KernelDescriptor
from gcn_lsp.program.program import Program


def in_registers(program: Program, missing: int, kernel: KernelDescriptor) -> tuple[str, tuple[Fix, ...]]:
    """What would be in registers if the descriptor requested it, and the fix that does; empty if they are of no id."""
    return _work_group_id(program, missing, kernel) or _work_item_id(program, missing, kernel) or ("", ())


def _work_group_id(program: Program, missing: int, kernel: KernelDescriptor) -> "tuple[str, tuple[Fix, ...]] | None":
    """A work-group id that one field would put there, while all that is requested stays where it is."""
    resources = kernel.resources
    if resources is None:
        return None
    for field in inputs.WORK_GROUP_IDS:
        if resources.values.get(field) != 0:
            continue
        found = tuple(inputs.of(resources.target, {**resources.values, field: 1}))
        added = [each for each in found if each not in resources.inputs]
        if len(found) != len(resources.inputs) + 1 or len(added) != 1:
            continue
        (each,) = added
        if registers.of_tuple(each.file, each.first, each.count) == missing:
            name = f"{descriptor.PREFIX}{field}"
            return f"; for {each.title} there `{name}` has to be 1, not 0", _setting(program, kernel, field, 1)
    return None


def _work_item_id(program: Program, missing: int, kernel: KernelDescriptor) -> "tuple[str, tuple[Fix, ...]] | None":
    """Where the work-item ids along y and z are, if the registers are those of ids."""
    numbers = list(registers.numbers(missing, "v"))
    given = kernel.resources.values.get(inputs.WORK_ITEM_IDS) if kernel.resources is not None else None
    if program.target is None or given is None or not numbers or missing & ~registers.of_tuple("v", 1, 2):
        return None
    found = list(inputs.work_item_ids(program.target, numbers[-1]))[numbers[0] :]
    ids = " and ".join(each.title for each in found)
    if program.target.has_packed_work_item_ids:
        places = " and ".join(each.bits for each in found)
        return f"; on {program.target.name} bits {places} of `v0` are {ids}", ()
    if numbers[0] <= given:
        return None
    name = f"{descriptor.PREFIX}{inputs.WORK_ITEM_IDS}"
    fixes = _setting(program, kernel, inputs.WORK_ITEM_IDS, numbers[-1])
    return f"; for {ids} there `{name}` has to be {numbers[-1]}, not {given}", fixes


def _setting(program: Program, kernel: KernelDescriptor, field: str, value: int) -> tuple[Fix, ...]:
    block = next((each for each in program.closed_blocks if each.name == kernel.name), None)
    edit = descriptor_places.setting(program, block, field, value) if block is not None else None
    title = f"Set `{descriptor.PREFIX}{field}` to {value}"
    return (Fix(title, (edit,), is_certain=False),) if edit is not None else ()
