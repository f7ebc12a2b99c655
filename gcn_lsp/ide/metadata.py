"""What each key of the YAML metadata (`.amdgpu_metadata`) says to the runtime: a table for hover."""

from collections.abc import Mapping
from types import MappingProxyType

KEYS: Mapping[str, str] = MappingProxyType(
    {
        "amdhsa.version": "Version of the metadata: `1, 0` for code object 3, `1, 1` for 4, `1, 2` for 5 and 6.",
        "amdhsa.target": "The target that the code object is for, as in `.amdgcn_target`.",
        "amdhsa.kernels": "The kernels of the code object, one map each.",
        "amdhsa.printf": "Formats of the `printf` calls in the kernels.",
        ".name": "The name of the kernel or of the argument.",
        ".symbol": "The symbol of the kernel's descriptor: its name and `.kd`.",
        ".language": "The language the kernel was written in.",
        ".language_version": "Major and minor version of the language.",
        ".args": "The kernel's arguments in the order of the kernarg segment.",
        ".reqd_workgroup_size": "The only work-group size (x, y, z) that the kernel may be launched with.",
        ".workgroup_size_hint": "The work-group size that is likely.",
        ".vec_type_hint": "The type that most of the work is done in.",
        ".device_enqueue_symbol": "Symbol where the runtime puts the kernel's address for device-side enqueue.",
        ".kernarg_segment_size": "Bytes of the kernarg segment.",
        ".group_segment_fixed_size": "LDS bytes of a work-group, without dynamic LDS.",
        ".private_segment_fixed_size": "Scratch bytes of a work-item.",
        ".kernarg_segment_align": "Alignment of the kernarg segment in bytes, a power of two.",
        ".wavefront_size": "Lanes of a wave: 32 or 64.",
        ".sgpr_count": "SGPRs in use, VCC, FLAT_SCRATCH and XNACK_MASK included, not rounded up.",
        ".vgpr_count": "VGPRs in use, not rounded up; on gfx90a and gfx940 with the AccVGPRs behind them.",
        ".agpr_count": "AccVGPRs in use, not rounded up.",
        ".max_flat_workgroup_size": "The largest number of work-items in a work-group.",
        ".sgpr_spill_count": "How many stores of SGPRs the compiler made to spill them.",
        ".vgpr_spill_count": "How many stores of VGPRs the compiler made to spill them.",
        ".kind": "`normal`, or `init` and `fini` for kernels that run when the code object is loaded and unloaded.",
        ".uses_dynamic_stack": "Whether the stack's size is unknown when compiling.",
        ".workgroup_processor_mode": "Whether work-groups use both compute units of a work-group processor.",
        ".uniform_work_group_size": "Whether the grid is always a multiple of the work-group size.",
        ".type_name": "The argument's type as the source language spells it.",
        ".size": "The argument's size in bytes.",
        ".offset": "The argument's offset in the kernarg segment, in bytes: what `s_load_*` adds to the pointer.",
        ".value_kind": "How the argument is passed: `by_value`, `global_buffer` (an address), "
        "`dynamic_shared_pointer` (LDS), `image`, `sampler`, `pipe`, `queue`, or a "
        "`hidden_*` one that the runtime fills.",
        ".value_type": "The argument's element type; the runtime ignores it.",
        ".pointee_align": "Alignment of what a `dynamic_shared_pointer` points to.",
        ".address_space": "Where the pointer points: `global`, `constant`, `local`, `private`, `generic`, `region`.",
        ".access": "`read_only`, `write_only` or `read_write`, for images and pipes.",
        ".actual_access": "The accesses that the kernel in fact makes.",
        ".is_const": "Whether the pointer is to const.",
        ".is_restrict": "Whether the pointer is restrict.",
        ".is_volatile": "Whether the pointer is to volatile.",
        ".is_pipe": "Whether the argument is a pipe.",
    }
)


def lookup(key: str) -> str | None:
    """What `key` says; None for a key that only its producer knows."""
    return KEYS.get(key)
