"""The fields of a buffer's, an image's and a sampler's words, by target: rows that `resources` reads.

A row is name, highest and lowest bit, condition on the target's features, and the format of the value. Bits count from
the first bit of the first word; a field that hardware splits over two adjacent words is one row.

Sources: AMD's ISA documents; where these say nothing, the register descriptions of Mesa (`amd/registers`, gfx10) and of
the ROCm runtime (`image/resource_gfx11.h`, `resource_gfx12.h`).
"""

from collections.abc import Mapping
from typing import Literal

Row = tuple[str, int, int, str, str]

_NOT_GFX1250 = "!gfx125 !gfx13+"
_45_BIT_SIZES = "Feature45BitNumRecordsBufferResource"
_GFX8, _NOT_GFX8 = "gfx8", "!gfx8"
_SELECTS: tuple[Row, ...] = tuple(
    (f"dst_sel_{component}", 98 + 3 * number, 96 + 3 * number, "", "select") for number, component in enumerate("xyzw")
)

_BUFFER: tuple[Row, ...] = (
    ("base", 47, 0, "", "address"),
    ("stride", 61, 48, "", "bytes"),
    ("cache_swizzle", 62, 62, "gfx6-10", ""),
    ("swizzle_enable", 63, 63, "gfx6-10", ""),
    ("swizzle_enable", 63, 62, "gfx11+", "swizzle"),
    ("num_records", 95, 64, _NOT_GFX8, "records"),
    ("num_records", 95, 64, _GFX8, "bytes in all"),
    *_SELECTS,
    ("num_format", 110, 108, "gfx6-9", "number format"),
    ("data_format", 114, 111, "gfx6-9", "data format"),
    ("format", 114, 108, "gfx10", "format"),
    ("format", 113, 108, "gfx11+", "format"),
    ("element_size", 116, 115, "gfx6-8", "element size"),
    ("user_vm_enable", 115, 115, "gfx9", ""),
    ("user_vm_mode", 116, 116, "gfx9", ""),
    ("stride_scale", 115, 114, "gfx120", "stride scale"),
    ("index_stride", 118, 117, "", "index stride"),
    ("add_tid_enable", 119, 119, "", ""),
    ("resource_level", 120, 120, "gfx10", ""),
    ("atc", 120, 120, "gfx7-8", ""),
    ("hash_enable", 121, 121, "gfx6-8", ""),
    ("heap", 122, 122, "gfx6-8", ""),
    ("mtype", 125, 123, "gfx7-8", ""),
    ("nv", 123, 123, "gfx9", ""),
    ("llc_noalloc", 123, 122, "gfx11", ""),
    ("write_compress_enable", 120, 120, "gfx12+", ""),
    ("compression_enable", 121, 121, "gfx12+", ""),
    ("compression_access_mode", 123, 122, "gfx12+", ""),
    ("oob_select", 125, 124, "gfx10+", "out of bounds"),
    ("type", 127, 126, "", "buffer type"),
)

MUST_BE_ZERO: tuple[tuple[str, tuple[tuple[int, int], ...]], ...] = (("gfx9", ((122, 120), (125, 124))),)
"""Bits of a buffer's words, high and low, that must be zero, with targets: MI100 ISA document, table 39."""

RecordLimit = Literal["", "indexed", "start", "end"]
RECORD_LIMITS: tuple[tuple[str, RecordLimit], ...] = (
    ("gfx6-7", "indexed"),
    ("gfx10", "start"),
    ("gfx11|gfx120", "end"),
)
"""How accesses to records are compared with the stride. `indexed`: where they begin, with idxen; from gfx10 with 0 in
`oob_select` (structured): `start`, where they begin, `end`, where they end. Sources: the RDNA ISA documents, "Range
checking", where RDNA1 and RDNA2 leave out the width; for gfx6 and gfx7 AMD's description of buffers.
"""

_BUFFER_GFX1250: tuple[Row, ...] = (
    ("base", 56, 0, "", "address"),
    ("num_records", 101, 57, "", "size in bytes"),
    ("stride", 121, 108, "", "bytes"),
    ("stride_scale", 123, 122, "", "stride scale"),
    ("swizzle_enable", 124, 124, "", ""),
    ("oob_select", 125, 125, "", "bytes out of bounds"),
    ("type", 127, 126, "", "buffer type"),
)

_IMAGE: tuple[Row, ...] = (
    ("base", 39, 0, "", "address of 256 bytes"),
    ("min_lod", 51, 40, "gfx6-10", "u.8"),
    ("data_format", 57, 52, "gfx6-9", "image data format"),
    ("num_format", 61, 58, "gfx6-9", "image number format"),
    ("nv", 62, 62, "gfx9", ""),
    ("llc_noalloc", 46, 45, "gfx11", ""),
    ("big_page", 47, 47, "gfx11", ""),
    ("max_mip", 51, 48, "gfx11", ""),
    ("max_mip", 48, 44, "gfx12+", ""),
    ("format", 60, 52, "gfx10", "image format"),
    ("format", 59, 52, "gfx11", "image format"),
    ("format", 56, 49, "gfx12+", "image format"),
    ("base_level", 61, 57, "gfx12+", ""),
    ("width", 77, 64, "gfx6-9", "less one"),
    ("width", 75, 62, "gfx10-11", "less one"),
    ("width", 77, 62, "gfx12+", "less one"),
    ("height", 91, 78, "gfx6-11", "less one"),
    ("height", 93, 78, "gfx12+", "less one"),
    ("perf_mod", 94, 92, "gfx6-9", ""),
    ("resource_level", 95, 95, "gfx10", ""),
    *_SELECTS,
    ("base_level", 111, 108, "gfx6-11", ""),
    ("last_level", 115, 112, "gfx6-11", ""),
    ("no_edge_clamp", 108, 108, "gfx12+", ""),
    ("last_level", 115, 111, "gfx12+", ""),
    ("tiling_index", 120, 116, "gfx6-8", ""),
    ("sw_mode", 120, 116, "gfx9+", ""),
    ("bc_swizzle", 123, 121, "gfx10+", "border swizzle"),
    ("type", 127, 124, "", "image type"),
    ("depth", 140, 128, "gfx6-8", "less one"),
    ("depth", 140, 128, "gfx9-11", "depth"),
    ("depth", 141, 128, "gfx12+", "depth"),
    ("pitch", 154, 141, "gfx6-8", "less one"),
    ("pitch", 156, 141, "gfx9", "less one"),
    ("bc_swizzle", 159, 157, "gfx9", "border swizzle"),
    ("pitch_msb", 141, 141, "gfx103|gfx11", ""),
    ("pitch_msb", 143, 142, "gfx12+", ""),
    ("base_array", 156, 144, "gfx10-11", ""),
    ("base_array", 157, 144, "gfx12+", ""),
    ("base_array", 172, 160, "gfx6-9", ""),
    ("last_array", 185, 173, "gfx6-8", ""),
    ("array_pitch", 176, 173, "gfx9", ""),
    ("array_pitch", 163, 160, "gfx10-11", ""),
    ("uav3d", 164, 164, "gfx12+", ""),
    ("metadata_address_high", 184, 177, "gfx9", "upper bits"),
    ("metadata_linear", 185, 185, "gfx9", ""),
    ("metadata_pipe_aligned", 186, 186, "gfx9", ""),
    ("metadata_rb_aligned", 187, 187, "gfx9", ""),
    ("max_mip", 191, 188, "gfx9", ""),
    ("max_mip", 167, 164, "gfx10", ""),
    ("min_lod_warn", 203, 192, "gfx6-9", "u.8"),
    ("min_lod_warn", 179, 168, "gfx10", "u.8"),
    ("depth_scale", 171, 168, "gfx11", ""),
    ("height_scale", 175, 172, "gfx11", ""),
    ("width_scale", 179, 176, "gfx11", ""),
    ("depth_scale", 169, 165, "gfx12+", ""),
    ("height_scale", 174, 170, "gfx12+", ""),
    ("width_scale", 179, 175, "gfx12+", ""),
    ("perf_mod", 182, 180, "gfx10+", ""),
    ("corner_samples", 183, 183, "gfx10+", ""),
    ("linked_resource", 184, 184, "gfx11+", ""),
    ("lod_hdw_cnt_en", 185, 185, "gfx10+", ""),
    ("prt_default", 186, 186, "gfx10-11", ""),
    ("big_page", 191, 191, "gfx10", ""),
    ("min_lod", 198, 187, "gfx11", "u.8"),
    ("min_lod", 198, 186, "gfx12+", "u.8"),
    ("counter_bank_id", 211, 204, "gfx6-9", ""),
    ("lod_hdw_cnt_en", 212, 212, "gfx6-9", ""),
    ("counter_bank_id", 199, 192, "gfx10", ""),
    ("counter_bank_id", 206, 199, "gfx12+", ""),
    ("llc_noalloc", 201, 200, "gfx103", ""),
    ("iterate_256", 202, 202, "gfx10-11", ""),
    ("sample_pattern_offset", 206, 203, "gfx11", ""),
    ("max_uncompressed_block_size", 208, 207, "gfx10-11", ""),
    ("max_uncompressed_block_size", 207, 207, "gfx12+", ""),
    ("max_compressed_block_size", 210, 209, "gfx10+", ""),
    ("metadata_pipe_aligned", 211, 211, "gfx10-11", ""),
    ("write_compress_enable", 212, 212, "gfx10+", ""),
    ("compression_enable", 213, 213, "gfx8+", ""),
    ("alpha_is_on_msb", 214, 214, "gfx8-11", ""),
    ("color_transform", 215, 215, "gfx8-11", ""),
    ("compression_access_mode", 215, 214, "gfx12+", ""),
    ("speculative_read", 217, 216, "gfx12+", ""),
    ("metadata_address", 255, 216, "gfx9-11", "address of 256 bytes"),
)

_SAMPLER: tuple[Row, ...] = (
    ("clamp_x", 2, 0, "", "clamp"),
    ("clamp_y", 5, 3, "", "clamp"),
    ("clamp_z", 8, 6, "", "clamp"),
    ("max_aniso_ratio", 11, 9, "", "aniso"),
    ("depth_compare_func", 14, 12, "", "compare"),
    ("force_unnormalized", 15, 15, "", ""),
    ("aniso_threshold", 18, 16, "", ""),
    ("mc_coord_trunc", 19, 19, "", ""),
    ("force_degamma", 20, 20, "", ""),
    ("aniso_bias", 26, 21, "", "u.5"),
    ("trunc_coord", 27, 27, "", ""),
    ("disable_cube_wrap", 28, 28, "", ""),
    ("filter_mode", 30, 29, "", "filter mode"),
    ("compat_mode", 31, 31, "gfx8-9", ""),
    ("skip_degamma", 31, 31, "gfx10+", ""),
    ("min_lod", 43, 32, "gfx6-11", "u.8"),
    ("max_lod", 55, 44, "gfx6-11", "u.8"),
    ("min_lod", 44, 32, "gfx12+", "u.8"),
    ("max_lod", 57, 45, "gfx12+", "u.8"),
    ("perf_mip", 59, 56, "gfx6-11", ""),
    ("perf_z", 63, 60, "", ""),
    ("lod_bias", 77, 64, "", "s.8"),
    ("lod_bias_sec", 83, 78, "", "s.4"),
    ("xy_mag_filter", 85, 84, "", "filter"),
    ("xy_min_filter", 87, 86, "", "filter"),
    ("z_filter", 89, 88, "", "mip filter"),
    ("mip_filter", 91, 90, "", "mip filter"),
    ("mip_point_preclamp", 92, 92, "!gfx103 !gfx11+", ""),
    ("disable_lsb_ceil", 93, 93, "gfx6-9", ""),
    ("filter_prec_fix", 94, 94, "gfx6-9", ""),
    ("aniso_override", 95, 95, "gfx8-9", ""),
    ("aniso_override", 93, 93, "gfx10+", ""),
    ("blend_zero_prt", 94, 94, "gfx10", ""),
    ("blend_prt", 94, 94, "gfx11", ""),
    ("perf_mip", 97, 94, "gfx12+", ""),
    ("border_color_ptr", 107, 96, "gfx6-10", ""),
    ("border_color_ptr", 125, 114, "gfx11+", ""),
    ("border_color_type", 127, 126, "", "border"),
)

LAYOUTS: Mapping[str, tuple[tuple[tuple[Row, ...], int, str], ...]] = {
    "buffer": ((_BUFFER, 4, _NOT_GFX1250), (_BUFFER_GFX1250, 4, _45_BIT_SIZES)),
    "image": ((_IMAGE, 8, ""),),
    "sampler": ((_SAMPLER, 4, ""),),
}
"""By kind: rows, words, and the targets with these descriptors.

gfx13's buffers have no public description: LLVM 23 gives it neither the sizes of 45 bits of gfx1250 nor other rows.
"""

ROLES: Mapping[str, str] = {
    # Buffers and images
    "base": "where it begins",
    "num_format": "what the bits of a component mean",
    "data_format": "the number of components and their bits",
    "format": "the components, their bits, and what these mean",
    "type": "the kind of resource",
    "dst_sel_x": "where the first component of a result comes from",
    "dst_sel_y": "where the second component of a result comes from",
    "dst_sel_z": "where the third component of a result comes from",
    "dst_sel_w": "where the fourth component of a result comes from",
    "resource_level": "drivers set it to 1",
    "nv": "nothing else changes the memory, so caches may keep it",
    "llc_noalloc": "what the last cache (MALL) does not keep: 1 stores, 2 loads, 3 both, 0 as the pages say",
    "compression_enable": "the memory may be compressed (DCC)",
    "write_compress_enable": "what is written may be compressed (DCC)",
    # Buffers
    "stride": "the distance between records",
    "stride_scale": "the factor of the stride",
    "cache_swizzle": "spreads accesses over the banks of the L1 cache",
    "swizzle_enable": "puts the same element of neighbouring records side by side",
    "num_records": "the size, by which accesses are in or out of range",
    "element_size": "how many bytes of a record stay together when it swizzles",
    "index_stride": "how many records it takes together when it swizzles",
    "add_tid_enable": "adds the number of the lane to the index",
    "hash_enable": "spreads addresses over the memory channels",
    "heap": "the buffer is a heap",
    "atc": "addresses are those of the host and go through its translation",
    "mtype": "how the memory is cached",
    "user_vm_enable": "accesses to unmapped memory are not reported",
    "user_vm_mode": "unmapped memory: 0 reads as 0 and drops writes, 1 is an error",
    "oob_select": "the limit for accesses that are out of range",
    # Images
    "width": "texels in a row of the largest mip level",
    "height": "rows of the largest mip level",
    "depth": "slices of a volume, or the last slice of an array",
    "pitch": "texels from one row to the next in memory",
    "pitch_msb": "upper bits of the pitch of a linear image",
    "base_level": "the largest mip level that is accessed",
    "last_level": "the smallest mip level that is accessed; of multisampled images the logarithm of the samples",
    "max_mip": "the last mip level that the memory holds",
    "base_array": "the first slice that is accessed",
    "last_array": "the last slice that is accessed",
    "tiling_index": "the order of texels in memory, an entry of a table",
    "sw_mode": "the order of texels in memory",
    "bc_swizzle": "the order of the border colour's components",
    "perf_mod": "scales how much quality the sampler trades for speed",
    "min_lod_warn": "the level of detail below which lwe warns",
    "array_pitch": "from gfx10, of volumes: bit 0 set where base_array and depth are the first and last slice that is "
    "accessed; of arrays before gfx11: trunc(log2(array pitch)) + 1, for quilts",
    "uav3d": "of volumes: base_array and depth are the first and last slice that is accessed",
    "corner_samples": "texels are sampled at their corners instead of their centres",
    "iterate_256": "compressed tiles are flushed to every 256 bytes of the tile; for multisampled depth only",
    "lod_hdw_cnt_en": "counts the levels of detail that are accessed",
    "counter_bank_id": "which counters count them",
    "alpha_is_on_msb": "where compressed colours have their alpha",
    "color_transform": "0: colours are transformed before they are compressed",
    "compression_access_mode": "how compressed memory is accessed: 0 usual, 1 compresses what is there, "
    "2 the compressed data, 3 the data of the compression",
    "metadata_address": "the address of the data of the compression",
    "metadata_address_high": "bits 47:40 of the address of the data of the compression",
    "metadata_linear": "the data of the compression are in linear order",
    "metadata_pipe_aligned": "the data of the compression are aligned to pipes",
    "metadata_rb_aligned": "the data of the compression are aligned to render backends",
    "prt_default": "the value of a texel that is not in memory",
    "big_page": "all of it is in large pages",
    "max_uncompressed_block_size": "the largest block that compression takes",
    "max_compressed_block_size": "the largest block that compression makes",
    # Samplers
    "clamp_x": "what is read beyond the edges in x",
    "clamp_y": "what is read beyond the edges in y",
    "clamp_z": "what is read beyond the edges in z",
    "max_aniso_ratio": "how many samples anisotropic filtering may take",
    "aniso_bias": "is added to the ratio of anisotropy",
    "aniso_threshold": "the anisotropy from which more samples are taken",
    "aniso_override": "filters without anisotropy where there is one mip level only",
    "depth_compare_func": "which comparison of the reference depth with a texel gives 1",
    "force_unnormalized": "coordinates count texels instead of 0.0 to 1.0",
    "force_degamma": "texels are converted from sRGB whatever their format",
    "skip_degamma": "texels in sRGB are not converted",
    "mc_coord_trunc": "cuts the fractions of a bilinear filter to one bit, for motion compensation",
    "compat_mode": "1 for the new mode, 0 for the legacy one",
    "trunc_coord": "coordinates are cut to texels instead of rounded",
    "disable_cube_wrap": "filtering stays on one face of a cube",
    "filter_mode": "how the texels of a sample are combined",
    "min_lod": "the least level of detail",
    "max_lod": "the greatest level of detail",
    "lod_bias": "is added to the level of detail",
    "lod_bias_sec": "is added to the level of detail too",
    "xy_mag_filter": "the filter within a level where texels are larger than pixels",
    "xy_min_filter": "the filter within a level where texels are smaller than pixels",
    "z_filter": "the filter between slices of a volume",
    "mip_filter": "the filter between mip levels",
    "mip_point_preclamp": "adds 0.5 before the clamp where the filter between mip levels is point",
    "disable_lsb_ceil": "does not round up in the filter",
    "blend_zero_prt": "a texel that is not in memory is 0",
    "blend_prt": "blends in the default value (prt_default) for mip levels that are not in memory",
    "perf_mip": "how much of the filter between mip levels is traded for speed: fractions near a level snap to it, if "
    "mip_filter is linear",
    "perf_z": "how much of the filter between slices is traded for speed",
    "border_color_ptr": "the entry in the table of border colours",
    "border_color_type": "the colour beyond the edges, if clamping uses it",
}
"""The purpose of a descriptor's field, by its name; fields of which only the name is known have no row."""

NOTES: tuple[tuple[str, frozenset[str], str, str], ...] = (
    (
        "buffer",
        frozenset(("stride", "data_format", "add_tid_enable")),
        "gfx8-9",
        "With add_tid_enable, data_format is bits 17:14 of the stride for instructions without a format.",
    ),
    (
        "buffer",
        frozenset(("dst_sel_x", "dst_sel_y", "dst_sel_z", "dst_sel_w")),
        "gfx6-11",
        "Only buffer_load_format and buffer_store_format use the dst_sel fields; others take the components of their "
        "own format in order, and 0 for those that it lacks: X000, XY00, XYZ0 or XYZW.",
    ),
)
"""Sentences about fields: kind of descriptor, names of the fields, targets, text. Sources: MI100 ISA document, tables
36 and 39, and "Buffer Data", which the documents from Vega to RDNA3 repeat.
"""
