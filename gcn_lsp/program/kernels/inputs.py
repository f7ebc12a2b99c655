"""The values that the hardware and the loader put into registers before a kernel's first instruction."""

from collections.abc import Iterator, Mapping

import msgspec

from gcn_lsp import isa
from gcn_lsp.isa.kernels import descriptor as isa_descriptor

# The inputs in SGPRs, in the order in which the hardware and the loader fill them (AMDGPUUsage, "Initial Kernel
# Execution State"). Preloaded kernel arguments follow the user SGPRs here.
KERNARG_POINTER = "kernarg segment pointer"
DISPATCH_POINTER = "dispatch packet pointer"
PRELOADED = "preloaded kernel arguments"
WORK_ITEM_IDS = "system_vgpr_workitem_id"
"""The field that says up to which axis there are work-item ids: 0 to 2 for x to z."""
_PRELOAD = "user_sgpr_kernarg_preload_length"
WORK_GROUP_IDS = ("system_sgpr_workgroup_id_x", "system_sgpr_workgroup_id_y", "system_sgpr_workgroup_id_z")
_SYSTEM = (*WORK_GROUP_IDS, "system_sgpr_workgroup_info", "system_sgpr_private_segment_wavefront_offset")
QUEUE_POINTER = "queue pointer"
OTHER_POINTERS = frozenset((DISPATCH_POINTER, QUEUE_POINTER))
"""The pointers in user SGPRs to what is not the kernel's own."""
_BUFFER, _FLAT_SCRATCH = "private segment buffer", "flat scratch init"
OF_SCRATCH = frozenset((_BUFFER, _FLAT_SCRATCH))
"""The inputs with which kernels set up scratch."""
_TITLES: Mapping[str, str] = {
    "user_sgpr_private_segment_buffer": _BUFFER,
    "user_sgpr_dispatch_ptr": DISPATCH_POINTER,
    "user_sgpr_queue_ptr": QUEUE_POINTER,
    "user_sgpr_kernarg_segment_ptr": KERNARG_POINTER,
    "user_sgpr_dispatch_id": "dispatch id",
    "user_sgpr_flat_scratch_init": _FLAT_SCRATCH,
    "user_sgpr_private_segment_size": "private segment size",
    _PRELOAD: PRELOADED,
    "system_sgpr_workgroup_id_x": "work-group id x",
    "system_sgpr_workgroup_id_y": "work-group id y",
    "system_sgpr_workgroup_id_z": "work-group id z",
    "system_sgpr_workgroup_info": "work-group info",
    "system_sgpr_private_segment_wavefront_offset": "scratch wave offset",
}


class Input(msgspec.Struct, frozen=True):
    """A value that the hardware puts into registers before the first instruction.

    title: `kernarg segment pointer`. file: `s`, `v` or `ttmp`. bits: its place if it is only a part of the register.
    """

    title: str
    file: str
    first: int
    count: int
    bits: str = ""


def field_of(given: Input) -> str:
    """The field of the descriptor that requests an input."""
    return next(field for field, title in _TITLES.items() if title == given.title)


def of(target: isa.Target, values: "Mapping[str, int | None]") -> Iterator[Input]:
    """The inputs of a kernel whose descriptor has these values of all fields."""
    first = 0
    for title, count in _user_inputs(target, values):
        if count is None:
            return  # the place of what follows is not known
        if count:
            yield Input(title, "s", first, count)
        first += count
    yield from _system_inputs(target, values)
    yield from work_item_ids(target, values.get(WORK_ITEM_IDS))


def requested_user_sgprs(target: isa.Target, values: "Mapping[str, int | None]") -> "int | None":
    """The user SGPRs for which a descriptor requests something, which may be fewer than it counts; None if unknown."""
    counts = [count for _, count in _user_inputs(target, values)]
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def _user_inputs(target: isa.Target, values: "Mapping[str, int | None]") -> "Iterator[tuple[str, int | None]]":
    """The inputs in user SGPRs, in their order, with the number of SGPRs; None if it is not known."""
    fields = isa_descriptor.directives(target.features)
    for name, title in _TITLES.items():
        field = fields.get(name)
        if field is None or name in _SYSTEM:
            continue
        value = values[name]
        count = value if field.user_sgprs < 0 or value is None else field.user_sgprs if value else 0
        yield title, count


def _system_inputs(target: isa.Target, values: "Mapping[str, int | None]") -> Iterator[Input]:
    first = values.get("user_sgpr_count")
    in_ttmps = target.has_ids_in_ttmps
    if in_ttmps:
        yield Input(_TITLES[WORK_GROUP_IDS[0]], "ttmp", 9, 1)
        yield Input(_TITLES[WORK_GROUP_IDS[1]], "ttmp", 7, 1, "15:0")
        yield Input(_TITLES[WORK_GROUP_IDS[2]], "ttmp", 7, 1, "31:16")
    for name in _SYSTEM:
        value = values.get(name, 0)
        if value is None or first is None:
            return
        if value and not (in_ttmps and name in WORK_GROUP_IDS):
            yield Input(_TITLES[name], "s", first, 1)
            first += 1


def work_item_ids(target: isa.Target, value: "int | None") -> Iterator[Input]:
    """The work-item ids that a kernel gets whose descriptor says `value`."""
    packed = target.has_packed_work_item_ids
    for number, axis in enumerate("xyz"):
        if value is not None and number <= value:
            bits = f"{10 * number + 9}:{10 * number}" if packed else ""
            yield Input(f"work-item id {axis}", "v", 0 if packed else number, 1, bits)
