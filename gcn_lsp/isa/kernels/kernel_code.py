"""The header of kernels before descriptors existed: the fields of `.amd_kernel_code_t` and its 256 bytes."""

from collections.abc import Mapping

from gcn_lsp.isa.conditions import holds
from gcn_lsp.isa.kernels import predefined
from gcn_lsp.isa.target import Target
from gcn_lsp.records import NamedTuple

SIZE = 256


class HeaderField(NamedTuple):
    """The place of a field: `bits` (0: all) of the `size` bytes at `offset`, from bit `shift`."""

    offset: int
    size: int
    shift: int = 0
    bits: int = 0


_R1, _R2, _PROPERTIES = 48, 52, 56

_WORDS: Mapping[str, tuple[int, int]] = {
    "amd_code_version_major": (0, 4),
    "amd_code_version_minor": (4, 4),
    "amd_machine_kind": (8, 2),
    "amd_machine_version_major": (10, 2),
    "amd_machine_version_minor": (12, 2),
    "amd_machine_version_stepping": (14, 2),
    "kernel_code_entry_byte_offset": (16, 8),
    "kernel_code_prefetch_byte_size": (32, 8),
    "max_scratch_backing_memory_byte_size": (40, 8),
    "workitem_private_segment_byte_size": (60, 4),
    "workgroup_group_segment_byte_size": (64, 4),
    "gds_segment_byte_size": (68, 4),
    "kernarg_segment_byte_size": (72, 8),
    "workgroup_fbarrier_count": (80, 4),
    "wavefront_sgpr_count": (84, 2),
    "workitem_vgpr_count": (86, 2),
    "reserved_vgpr_first": (88, 2),
    "reserved_vgpr_count": (90, 2),
    "reserved_sgpr_first": (92, 2),
    "reserved_sgpr_count": (94, 2),
    "debug_wavefront_private_segment_offset_sgpr": (96, 2),
    "debug_private_segment_buffer_sgpr": (98, 2),
    "kernarg_segment_alignment": (100, 1),
    "group_segment_alignment": (101, 1),
    "private_segment_alignment": (102, 1),
    "wavefront_size": (103, 1),
    "call_convention": (104, 4),
    "runtime_loader_kernel_symbol": (120, 8),
}
# Names for the same bits are on one line; some may have `compute_pgm_rsrc1_` or `compute_pgm_rsrc2_` before them.
_BITS: tuple[tuple[str, int, int, int], ...] = (
    ("granulated_workitem_vgpr_count compute_pgm_rsrc1_vgprs", _R1, 0, 6),
    ("granulated_wavefront_sgpr_count compute_pgm_rsrc1_sgprs", _R1, 6, 4),
    ("priority compute_pgm_rsrc1_priority", _R1, 10, 2),
    ("float_mode compute_pgm_rsrc1_float_mode", _R1, 12, 8),
    ("priv compute_pgm_rsrc1_priv", _R1, 20, 1),
    ("enable_dx10_clamp compute_pgm_rsrc1_dx10_clamp", _R1, 21, 1),
    ("debug_mode compute_pgm_rsrc1_debug_mode", _R1, 22, 1),
    ("enable_ieee_mode compute_pgm_rsrc1_ieee_mode", _R1, 23, 1),
    ("enable_wgp_mode compute_pgm_rsrc1_wgp_mode", _R1, 29, 1),
    ("enable_mem_ordered compute_pgm_rsrc1_mem_ordered", _R1, 30, 1),
    ("enable_fwd_progress compute_pgm_rsrc1_fwd_progress", _R1, 31, 1),
    ("enable_sgpr_private_segment_wave_byte_offset compute_pgm_rsrc2_scratch_en", _R2, 0, 1),
    ("user_sgpr_count compute_pgm_rsrc2_user_sgpr", _R2, 1, 5),
    ("enable_trap_handler compute_pgm_rsrc2_trap_handler", _R2, 6, 1),
    ("enable_sgpr_workgroup_id_x compute_pgm_rsrc2_tgid_x_en", _R2, 7, 1),
    ("enable_sgpr_workgroup_id_y compute_pgm_rsrc2_tgid_y_en", _R2, 8, 1),
    ("enable_sgpr_workgroup_id_z compute_pgm_rsrc2_tgid_z_en", _R2, 9, 1),
    ("enable_sgpr_workgroup_info compute_pgm_rsrc2_tg_size_en", _R2, 10, 1),
    ("enable_vgpr_workitem_id compute_pgm_rsrc2_tidig_comp_cnt", _R2, 11, 2),
    ("enable_exception_msb compute_pgm_rsrc2_excp_en_msb", _R2, 13, 2),
    ("granulated_lds_size compute_pgm_rsrc2_lds_size", _R2, 15, 9),
    ("enable_exception compute_pgm_rsrc2_excp_en", _R2, 24, 7),
    ("enable_sgpr_private_segment_buffer", _PROPERTIES, 0, 1),
    ("enable_sgpr_dispatch_ptr", _PROPERTIES, 1, 1),
    ("enable_sgpr_queue_ptr", _PROPERTIES, 2, 1),
    ("enable_sgpr_kernarg_segment_ptr", _PROPERTIES, 3, 1),
    ("enable_sgpr_dispatch_id", _PROPERTIES, 4, 1),
    ("enable_sgpr_flat_scratch_init", _PROPERTIES, 5, 1),
    ("enable_sgpr_private_segment_size", _PROPERTIES, 6, 1),
    ("enable_sgpr_grid_workgroup_count_x", _PROPERTIES, 7, 1),
    ("enable_sgpr_grid_workgroup_count_y", _PROPERTIES, 8, 1),
    ("enable_sgpr_grid_workgroup_count_z", _PROPERTIES, 9, 1),
    ("enable_wavefront_size32", _PROPERTIES, 10, 1),
    ("enable_ordered_append_gds", _PROPERTIES, 16, 1),
    ("private_element_size", _PROPERTIES, 17, 2),
    ("is_ptr64", _PROPERTIES, 19, 1),
    ("is_dynamic_callstack", _PROPERTIES, 20, 1),
    ("is_debug_enabled", _PROPERTIES, 21, 1),
    ("is_xnack_enabled", _PROPERTIES, 22, 1),
)

_NOT_EMITTED = "max_scratch_backing_memory_byte_size"  # LLVM accepts a value and leaves zeros

FIELDS: Mapping[str, HeaderField] = {
    **{name: HeaderField(*place) for name, place in _WORDS.items()},
    **{name: HeaderField(word, 4, shift, bits) for names, word, shift, bits in _BITS for name in names.split()},
}


def defaults(target: "Target | None") -> dict[str, int]:
    """The fields with a default other than zero."""
    values = {
        "amd_code_version_major": 1,
        "amd_code_version_minor": 2,
        "amd_machine_kind": 1,
        "kernel_code_entry_byte_offset": SIZE,
        "kernarg_segment_alignment": 4,
        "group_segment_alignment": 4,
        "private_segment_alignment": 4,
        "wavefront_size": 6,
        "call_convention": -1,
    }
    if target is None:
        return values
    parts = ("amd_machine_version_major", "amd_machine_version_minor", "amd_machine_version_stepping")
    values.update(zip(parts, predefined.version(target.name), strict=True))
    if holds("gfx10+", target.features):
        wave32 = target.wavefront_size == 32
        values["wavefront_size"] = 5 if wave32 else 6
        values["enable_wavefront_size32"] = int(wave32)
        values["enable_wgp_mode"] = int("FeatureCuMode" not in target.features)
        values["enable_mem_ordered"] = values["enable_fwd_progress"] = 1
    return values


# Fields that request features of gfx10 if they are 1.
_GFX10_SWITCHES = ("enable_wgp_mode", "enable_mem_ordered", "enable_fwd_progress", "enable_wavefront_size32")
# Values that give the number of lanes of a wave, and that number.
_LANES: Mapping[tuple[str, int], int] = {
    ("wavefront_size", 5): 32,
    ("wavefront_size", 6): 64,
    ("enable_wavefront_size32", 1): 32,
    ("enable_wavefront_size32", 0): 64,
}


def mistake(name: str, value: int, target: Target) -> str:
    """Why the assembler rejects a value of a field on a target, as the end of a sentence; empty if it does not."""
    is_gfx10 = holds("gfx10+", target.features)
    if value == 1 and not is_gfx10 and any(FIELDS[name] == FIELDS[other] for other in _GFX10_SWITCHES):
        return f"{target.name} does not have that: gfx10 and later do"
    lanes = _LANES.get((name, value), target.wavefront_size)
    if lanes != target.wavefront_size:
        return f"the code is assembled for waves of {target.wavefront_size} lanes"
    return ""


def encode(target: "Target | None", written: Mapping[str, int]) -> bytes:
    """The bytes of a header with these fields."""
    # From gfx10 LLVM sign-extends the first resource word, whose highest bit is the default of `enable_fwd_progress`:
    # the unwritten part of the second one is all ones.
    is_extended = target is not None and holds("gfx10+", target.features)
    number = 0xFFFFFFFF << 8 * _R2 if is_extended else 0
    for name, value in (defaults(target) | dict(written)).items():
        if name == _NOT_EMITTED:
            continue
        field = FIELDS[name]
        bits = field.bits or 8 * field.size
        position = 8 * field.offset + field.shift
        mask = (1 << bits) - 1
        number = number & ~(mask << position) | (value & mask) << position
    return number.to_bytes(SIZE, "little")
