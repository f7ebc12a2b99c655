"""The hidden arguments of a kernel: where each is after the explicit arguments, by the version of the code object.

Source: LLVM's `AMDGPU::ImplicitArg` (SIDefines.h) and what clang lists in the metadata of kernels.
"""

OFFSETS: tuple[tuple[int, int, str], ...] = (
    (0, 4, "hidden_block_count_x"),
    (4, 4, "hidden_block_count_y"),
    (8, 4, "hidden_block_count_z"),
    (12, 2, "hidden_group_size_x"),
    (14, 2, "hidden_group_size_y"),
    (16, 2, "hidden_group_size_z"),
    (18, 2, "hidden_remainder_x"),
    (20, 2, "hidden_remainder_y"),
    (22, 2, "hidden_remainder_z"),
    (40, 8, "hidden_global_offset_x"),
    (48, 8, "hidden_global_offset_y"),
    (56, 8, "hidden_global_offset_z"),
    (64, 2, "hidden_grid_dims"),
    (72, 8, "hidden_printf_buffer"),
    (80, 8, "hidden_hostcall_buffer"),
    (88, 8, "hidden_multigrid_sync_arg"),
    (96, 8, "hidden_heap_v1"),
    (104, 8, "hidden_default_queue"),
    (112, 8, "hidden_completion_action"),
    (120, 4, "hidden_dynamic_lds_size"),
    (192, 4, "hidden_private_base"),
    (196, 4, "hidden_shared_base"),
    (200, 8, "hidden_queue_ptr"),
)
"""Bytes from the first multiple of 8 after the explicit arguments, size in bytes, and the `.value_kind`."""

OFFSETS_BEFORE_5: tuple[tuple[int, int, str], ...] = (
    (0, 8, "hidden_global_offset_x"),
    (8, 8, "hidden_global_offset_y"),
    (16, 8, "hidden_global_offset_z"),
    (24, 8, "hidden_hostcall_buffer"),
    (32, 8, "hidden_default_queue"),
    (40, 8, "hidden_completion_action"),
    (48, 8, "hidden_multigrid_sync_arg"),
)
"""The same up to version 4; a kernel that prints has `hidden_printf_buffer` in the place of the hostcall buffer."""

FIRST_WITH_SIZES = 5
"""The first version whose hidden arguments have the sizes of the grid and of its work-groups."""

ALIGNMENT = 8
"""Bytes to a multiple of which the hidden arguments begin after the explicit ones."""


def offsets(version: int) -> tuple[tuple[int, int, str], ...]:
    """The hidden arguments of a version of the code object."""
    return OFFSETS if version >= FIRST_WITH_SIZES else OFFSETS_BEFORE_5
