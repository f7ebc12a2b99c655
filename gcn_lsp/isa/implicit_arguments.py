"""The hidden arguments of a kernel from code object version 5: where each is after the explicit arguments.

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
