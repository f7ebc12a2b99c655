"""Where the fields of a buffer's, an image's and a sampler's words are, by target: rows that `resources` reads.

A row is name, highest and lowest bit, condition on the target's features, and how the value reads. Bits count from the
first bit of the first word; a field that hardware splits over two words side by side is one row.

Sources: AMD's ISA documents; the register descriptions of Mesa (`amd/registers`, gfx10) and of the ROCm runtime
(`image/resource_gfx11.h`, `resource_gfx12.h`) where those are silent; for the buffers of gfx1250 LLVM's usage guide and
what LLVM makes of `llvm.amdgcn.make.buffer.rsrc` there, which tells four fields and not what the last four bits are.
"""

from collections.abc import Mapping

from gcn_lsp.isa import conditions as on

Row = tuple[str, int, int, str, str]

_NOT_GFX1250 = "!FeatureGFX1250Insts"
_GFX8, _NOT_GFX8 = "FeatureVolcanicIslands", "!FeatureVolcanicIslands"
_SELECTS: tuple[Row, ...] = tuple(
    (f"dst_sel_{component}", 98 + 3 * number, 96 + 3 * number, on.ALL, "select")
    for number, component in enumerate("xyzw")
)

_BUFFER: tuple[Row, ...] = (
    ("base", 47, 0, on.ALL, "address"),
    ("stride", 61, 48, on.ALL, "bytes"),
    ("cache_swizzle", 62, 62, on.BEFORE_GFX11, ""),
    ("swizzle_enable", 63, 63, on.BEFORE_GFX11, ""),
    ("swizzle_enable", 63, 62, on.GFX11_ON, ""),
    ("num_records", 95, 64, _NOT_GFX8, "records"),
    ("num_records", 95, 64, _GFX8, "bytes in all"),
    *_SELECTS,
    ("num_format", 110, 108, on.BEFORE_GFX10, "number format"),
    ("data_format", 114, 111, on.BEFORE_GFX10, "data format"),
    ("format", 114, 108, on.GFX10, "format"),
    ("format", 113, 108, on.GFX11_ON, "format"),
    ("element_size", 116, 115, on.BEFORE_GFX9, "element size"),
    ("user_vm_enable", 115, 115, on.GFX9, ""),
    ("user_vm_mode", 116, 116, on.GFX9, ""),
    ("index_stride", 118, 117, on.ALL, "index stride"),
    ("add_tid_enable", 119, 119, on.ALL, ""),
    ("resource_level", 120, 120, on.GFX10, ""),
    ("hash_enable", 121, 121, on.BEFORE_GFX9, ""),
    ("heap", 122, 122, on.BEFORE_GFX9, ""),
    ("nv", 123, 123, on.GFX9, ""),
    ("llc_noalloc", 123, 122, on.GFX11, ""),
    ("write_compress_enable", 120, 120, on.GFX12_ON, ""),
    ("compression_enable", 121, 121, on.GFX12_ON, ""),
    ("compression_access_mode", 123, 122, on.GFX12_ON, ""),
    ("oob_select", 125, 124, on.GFX10_ON, "out of bounds"),
    ("type", 127, 126, on.ALL, "buffer type"),
)

_BUFFER_GFX1250: tuple[Row, ...] = (
    ("base", 56, 0, on.ALL, "address"),
    ("num_records", 101, 57, on.ALL, "records"),
    ("stride", 121, 108, on.ALL, "bytes"),
    ("stride_scale", 123, 122, on.ALL, ""),
    ("flags", 127, 124, on.ALL, ""),
)

_IMAGE: tuple[Row, ...] = (
    ("base", 39, 0, on.ALL, "address of 256 bytes"),
    ("min_lod", 51, 40, on.BEFORE_GFX11, "u.8"),
    ("data_format", 57, 52, on.BEFORE_GFX10, "image data format"),
    ("num_format", 61, 58, on.BEFORE_GFX10, "image number format"),
    ("nv", 62, 62, on.GFX9, ""),
    ("llc_noalloc", 46, 45, on.GFX11, ""),
    ("big_page", 47, 47, on.GFX11, ""),
    ("max_mip", 51, 48, on.GFX11, ""),
    ("max_mip", 48, 44, on.GFX12_ON, ""),
    ("format", 60, 52, on.GFX10, "image format"),
    ("format", 59, 52, on.GFX11, "image format"),
    ("format", 56, 49, on.GFX12_ON, "image format"),
    ("base_level", 61, 57, on.GFX12_ON, ""),
    ("width", 77, 64, on.BEFORE_GFX10, "less one"),
    ("width", 75, 62, on.GFX10_TO_11, "less one"),
    ("width", 77, 62, on.GFX12_ON, "less one"),
    ("height", 91, 78, on.BEFORE_GFX12, "less one"),
    ("height", 93, 78, on.GFX12_ON, "less one"),
    ("perf_mod", 94, 92, on.BEFORE_GFX10, ""),
    ("resource_level", 95, 95, on.GFX10, ""),
    *_SELECTS,
    ("base_level", 111, 108, on.BEFORE_GFX12, ""),
    ("last_level", 115, 112, on.BEFORE_GFX12, ""),
    ("no_edge_clamp", 108, 108, on.GFX12_ON, ""),
    ("last_level", 115, 111, on.GFX12_ON, ""),
    ("tiling_index", 120, 116, on.BEFORE_GFX9, ""),
    ("sw_mode", 120, 116, on.GFX9_ON, ""),
    ("bc_swizzle", 123, 121, on.GFX10_ON, "border swizzle"),
    ("type", 127, 124, on.ALL, "image type"),
    ("depth", 140, 128, on.BEFORE_GFX9, "less one"),
    ("depth", 140, 128, on.GFX9_TO_11, "depth"),
    ("depth", 141, 128, on.GFX12_ON, "depth"),
    ("pitch", 154, 141, on.BEFORE_GFX9, "less one"),
    ("pitch", 156, 141, on.GFX9, "less one"),
    ("bc_swizzle", 159, 157, on.GFX9, "border swizzle"),
    ("pitch_msb", 141, 141, on.GFX10_3_TO_11, ""),
    ("pitch_msb", 143, 142, on.GFX12_ON, ""),
    ("base_array", 156, 144, on.GFX10_TO_11, ""),
    ("base_array", 157, 144, on.GFX12_ON, ""),
    ("base_array", 172, 160, on.BEFORE_GFX10, ""),
    ("last_array", 185, 173, on.BEFORE_GFX9, ""),
    ("array_pitch", 176, 173, on.GFX9, ""),
    ("array_pitch", 163, 160, on.GFX10_TO_11, ""),
    ("uav3d", 164, 164, on.GFX12_ON, ""),
    ("metadata_linear", 185, 185, on.GFX9, ""),
    ("metadata_pipe_aligned", 186, 186, on.GFX9, ""),
    ("metadata_rb_aligned", 187, 187, on.GFX9, ""),
    ("max_mip", 191, 188, on.GFX9, ""),
    ("max_mip", 167, 164, on.GFX10, ""),
    ("min_lod_warn", 203, 192, on.GFX9, "u.8"),
    ("min_lod_warn", 179, 168, on.GFX10, "u.8"),
    ("depth_scale", 171, 168, on.GFX11, ""),
    ("height_scale", 175, 172, on.GFX11, ""),
    ("width_scale", 179, 176, on.GFX11, ""),
    ("depth_scale", 169, 165, on.GFX12_ON, ""),
    ("height_scale", 174, 170, on.GFX12_ON, ""),
    ("width_scale", 179, 175, on.GFX12_ON, ""),
    ("perf_mod", 182, 180, on.GFX10_ON, ""),
    ("corner_samples", 183, 183, on.GFX10_ON, ""),
    ("linked_resource", 184, 184, on.GFX11_ON, ""),
    ("lod_hdw_cnt_en", 185, 185, on.GFX10_ON, ""),
    ("prt_default", 186, 186, on.GFX10_TO_11, ""),
    ("big_page", 191, 191, on.GFX10, ""),
    ("min_lod", 198, 187, on.GFX11, "u.8"),
    ("min_lod", 198, 186, on.GFX12_ON, "u.8"),
    ("counter_bank_id", 211, 204, on.GFX9, ""),
    ("lod_hdw_cnt_en", 212, 212, on.GFX9, ""),
    ("counter_bank_id", 199, 192, on.GFX10, ""),
    ("counter_bank_id", 206, 199, on.GFX12_ON, ""),
    ("iterate_256", 202, 202, on.GFX10_TO_11, ""),
    ("sample_pattern_offset", 206, 203, on.GFX11, ""),
    ("max_uncompressed_block_size", 208, 207, on.GFX10_TO_11, ""),
    ("max_uncompressed_block_size", 207, 207, on.GFX12_ON, ""),
    ("max_compressed_block_size", 210, 209, on.GFX10_ON, ""),
    ("metadata_pipe_aligned", 211, 211, on.GFX10_TO_11, ""),
    ("write_compress_enable", 212, 212, on.GFX10_ON, ""),
    ("compression_enable", 213, 213, on.GFX8_ON, ""),
    ("alpha_is_on_msb", 214, 214, on.GFX9_TO_11, ""),
    ("color_transform", 215, 215, on.GFX9_TO_11, ""),
    ("compression_access_mode", 215, 214, on.GFX12_ON, ""),
    ("speculative_read", 217, 216, on.GFX12_ON, ""),
    ("metadata_address", 255, 216, on.GFX10_TO_11, "address of 256 bytes"),
)

_SAMPLER: tuple[Row, ...] = (
    ("clamp_x", 2, 0, on.ALL, "clamp"),
    ("clamp_y", 5, 3, on.ALL, "clamp"),
    ("clamp_z", 8, 6, on.ALL, "clamp"),
    ("max_aniso_ratio", 11, 9, on.ALL, "aniso"),
    ("depth_compare_func", 14, 12, on.ALL, "compare"),
    ("force_unnormalized", 15, 15, on.ALL, ""),
    ("aniso_threshold", 18, 16, on.ALL, ""),
    ("mc_coord_trunc", 19, 19, on.ALL, ""),
    ("force_degamma", 20, 20, on.ALL, ""),
    ("aniso_bias", 26, 21, on.ALL, "u.5"),
    ("trunc_coord", 27, 27, on.ALL, ""),
    ("disable_cube_wrap", 28, 28, on.ALL, ""),
    ("filter_mode", 30, 29, on.ALL, "filter mode"),
    ("compat_mode", 31, 31, on.GFX8_TO_9, ""),
    ("skip_degamma", 31, 31, on.GFX10_ON, ""),
    ("min_lod", 43, 32, on.BEFORE_GFX12, "u.8"),
    ("max_lod", 55, 44, on.BEFORE_GFX12, "u.8"),
    ("min_lod", 44, 32, on.GFX12_ON, "u.8"),
    ("max_lod", 57, 45, on.GFX12_ON, "u.8"),
    ("perf_mip", 59, 56, on.BEFORE_GFX12, ""),
    ("perf_z", 63, 60, on.ALL, ""),
    ("lod_bias", 77, 64, on.ALL, "s.8"),
    ("lod_bias_sec", 83, 78, on.ALL, "s.4"),
    ("xy_mag_filter", 85, 84, on.ALL, "filter"),
    ("xy_min_filter", 87, 86, on.ALL, "filter"),
    ("z_filter", 89, 88, on.ALL, "mip filter"),
    ("mip_filter", 91, 90, on.ALL, "mip filter"),
    ("aniso_override", 95, 95, on.GFX8_TO_9, ""),
    ("aniso_override", 93, 93, on.GFX10_ON, ""),
    ("perf_mip", 97, 94, on.GFX12_ON, ""),
    ("border_color_ptr", 107, 96, on.BEFORE_GFX11, ""),
    ("border_color_ptr", 125, 114, on.GFX11_ON, ""),
    ("border_color_type", 127, 126, on.ALL, "border"),
)

LAYOUTS: Mapping[str, tuple[tuple[tuple[Row, ...], int, str], ...]] = {
    "buffer": ((_BUFFER, 4, _NOT_GFX1250), (_BUFFER_GFX1250, 4, on.GFX1250)),
    "image": ((_IMAGE, 8, on.ALL),),
    "sampler": ((_SAMPLER, 4, on.ALL),),
}
"""By kind: rows, words, and the targets whose descriptors these are."""
