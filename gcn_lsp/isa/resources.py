"""Resource descriptors: the fields of a buffer's, an image's and a sampler's words in SGPRs, and values with names.

Bits count from the first bit of the first word. Sources: AMD's ISA documents, and the register headers of the open
drivers (Mesa, `amd/registers`) where those are silent. What the tables leave out is not described: the buffers of
gfx1250, images from gfx11 on, samplers from gfx12 on.
"""

from collections.abc import Mapping, Sequence

import msgspec

from gcn_lsp.isa import conditions as on
from gcn_lsp.isa import formats
from gcn_lsp.isa.schema import Form


class ResourceField(msgspec.Struct, frozen=True):
    """Bits `high` to `low`. kind: how the value reads, see `meaning`; empty for a plain number."""

    name: str
    high: int
    low: int
    condition: str = on.ALL
    kind: str = ""

    def taken(self, value: int) -> int:
        """The field's value in a descriptor."""
        return value >> self.low & (1 << (self.high - self.low + 1)) - 1


class Resource(msgspec.Struct, frozen=True):
    """A kind of descriptor: `buffer`, `image` or `sampler`."""

    name: str
    words: int
    fields: tuple[ResourceField, ...]


_NOT_GFX1250 = "!FeatureGFX1250Insts"
_SELECTS = tuple(
    (f"dst_sel_{component}", 98 + 3 * number, 96 + 3 * number, on.ALL, "select")
    for number, component in enumerate("xyzw")
)

_BUFFER: tuple[tuple[str, int, int, str, str], ...] = (
    ("base", 47, 0, on.ALL, "address"),
    ("stride", 61, 48, on.ALL, "bytes"),
    ("cache_swizzle", 62, 62, on.BEFORE_GFX11, ""),
    ("swizzle_enable", 63, 63, on.BEFORE_GFX11, ""),
    ("swizzle_enable", 63, 62, on.GFX11_ON, ""),
    ("num_records", 95, 64, on.ALL, "records"),
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
    ("oob_select", 125, 124, on.GFX10_ON, "out of bounds"),
    ("type", 127, 126, on.ALL, "buffer type"),
)

_IMAGE: tuple[tuple[str, int, int, str, str], ...] = (
    ("base", 39, 0, on.ALL, "address of 256 bytes"),
    ("min_lod", 51, 40, on.ALL, "u4.8"),
    ("data_format", 57, 52, on.BEFORE_GFX10, ""),
    ("num_format", 61, 58, on.BEFORE_GFX10, ""),
    ("nv", 62, 62, on.GFX9, ""),
    ("format", 60, 52, on.GFX10, ""),
    ("width", 77, 64, on.BEFORE_GFX10, "less one"),
    ("width", 75, 62, on.GFX10, "less one"),
    ("height", 91, 78, on.ALL, "less one"),
    ("perf_mod", 94, 92, on.BEFORE_GFX10, ""),
    *_SELECTS,
    ("base_level", 111, 108, on.ALL, ""),
    ("last_level", 115, 112, on.ALL, ""),
    ("tiling_index", 120, 116, on.BEFORE_GFX9, ""),
    ("sw_mode", 120, 116, on.GFX9_ON, ""),
    ("type", 127, 124, on.ALL, "image type"),
    ("depth", 140, 128, on.ALL, "less one"),
    ("pitch", 154, 141, on.BEFORE_GFX9, "less one"),
    ("pitch", 156, 141, on.GFX9, "less one"),
    ("base_array", 156, 144, on.GFX10, ""),
    ("base_array", 172, 160, on.BEFORE_GFX10, ""),
    ("last_array", 185, 173, on.BEFORE_GFX9, ""),
    ("max_mip", 191, 188, on.GFX9, ""),
    ("compression_enable", 213, 213, on.GFX8_TO_9, ""),
)

_SAMPLER: tuple[tuple[str, int, int, str, str], ...] = (
    ("clamp_x", 2, 0, on.ALL, "clamp"),
    ("clamp_y", 5, 3, on.ALL, "clamp"),
    ("clamp_z", 8, 6, on.ALL, "clamp"),
    ("max_aniso_ratio", 11, 9, on.ALL, "aniso"),
    ("depth_compare_func", 14, 12, on.ALL, "compare"),
    ("force_unnormalized", 15, 15, on.ALL, ""),
    ("aniso_threshold", 18, 16, on.ALL, ""),
    ("trunc_coord", 27, 27, on.ALL, ""),
    ("disable_cube_wrap", 28, 28, on.ALL, ""),
    ("filter_mode", 30, 29, on.ALL, "filter mode"),
    ("min_lod", 43, 32, on.ALL, "u4.8"),
    ("max_lod", 55, 44, on.ALL, "u4.8"),
    ("lod_bias", 77, 64, on.ALL, "s5.8"),
    ("xy_mag_filter", 85, 84, on.ALL, "filter"),
    ("xy_min_filter", 87, 86, on.ALL, "filter"),
    ("z_filter", 89, 88, on.ALL, "mip filter"),
    ("mip_filter", 91, 90, on.ALL, "mip filter"),
    ("border_color_ptr", 107, 96, on.ALL, ""),
    ("border_color_type", 127, 126, on.ALL, "border"),
)

# Rows, words, targets whose descriptors these are.
_RESOURCES: Mapping[str, tuple[tuple[tuple[str, int, int, str, str], ...], int, str]] = {
    "buffer": (_BUFFER, 4, _NOT_GFX1250),
    "image": (_IMAGE, 8, on.BEFORE_GFX11),
    "sampler": (_SAMPLER, 4, on.BEFORE_GFX12),
}


def resource(name: str, features: frozenset[str]) -> Resource | None:
    """The descriptor of that kind on a target; None where it is not described."""
    rows, words, condition = _RESOURCES[name]
    if not on.holds(condition, features):
        return None
    fields = tuple(ResourceField(*row) for row in rows if on.holds(row[3], features))
    return Resource(name, words, fields)


# The slots that take descriptors, by the kind of instruction: buffers are read by scalar loads, too.
_IMAGES = frozenset(("MIMG", "VIMAGE", "VSAMPLE"))


def kind_of(form: Form, slot: str) -> str | None:
    """`buffer`, `image` or `sampler` for a slot that takes such a descriptor."""
    if slot in ("ssamp", "samp"):
        return "sampler"
    if slot in ("srsrc", "rsrc"):
        return "image" if form.family in _IMAGES else "buffer"
    return "buffer" if slot == "sbase" and "buffer" in form.mnemonic else None


def known_fields(layout: Resource, words: "Sequence[int | None]") -> dict[str, int]:
    """The values of the fields all of whose words are known; None stands for a word that is not."""
    value = sum((word or 0) << 32 * number for number, word in enumerate(words))
    found = {}
    for field in layout.fields:
        covered = range(field.low // 32, field.high // 32 + 1)
        if all(number < len(words) and words[number] is not None for number in covered):
            found[field.name] = field.taken(value)
    return found


_NAMED: Mapping[str, tuple[str, ...]] = {
    "select": ("0", "1", "reserved", "reserved", "R", "G", "B", "A"),
    "element size": ("2 bytes", "4 bytes", "8 bytes", "16 bytes"),
    "index stride": ("8", "16", "32", "64"),
    "out of bounds": (
        *("index or offset beyond the record", "index >= num_records", "only with num_records 0"),
        "offset beyond num_records (raw)",
    ),
    "buffer type": ("buffer",),
    "image type": (
        *("buffer", "", "", "", "", "", "", ""),
        *("1D", "2D", "3D", "cube", "1D array", "2D array", "2D MSAA", "2D MSAA array"),
    ),
    "clamp": (
        *("wrap", "mirror", "clamp to the last texel", "mirror once to the last texel", "clamp half way to the border"),
        *("mirror once half way to the border", "clamp to the border", "mirror once to the border"),
    ),
    "aniso": ("1", "2", "4", "8", "16"),
    "compare": ("never", "less", "equal", "less or equal", "greater", "not equal", "greater or equal", "always"),
    "filter mode": ("blend", "minimum", "maximum"),
    "filter": ("point", "bilinear", "anisotropic point", "anisotropic bilinear"),
    "mip filter": ("none", "point", "linear"),
    "border": ("transparent black", "opaque black", "opaque white", "from the table"),
}


def meaning(field: ResourceField, value: int, features: frozenset[str]) -> str:
    """What a field's value stands for, in words; empty when the number says it all."""
    named = _NAMED.get(field.kind)
    if named is not None:
        return named[value] if value < len(named) else "reserved"
    if field.kind == "data format":
        return _format_name(formats.DATA_FORMATS, value, "BUF_DATA_FORMAT_")
    if field.kind == "number format":
        return _format_name(formats.number_formats(features), value, "BUF_NUM_FORMAT_")
    if field.kind == "format":
        return _format_name(formats.unified_formats(features), value, "BUF_FMT_")
    if field.kind == "address of 256 bytes":
        return f"address {value << 8:#x}"
    if field.kind == "less one":
        return str(value + 1)
    if field.kind in ("u4.8", "s5.8"):
        signed = value - (1 << 14) if field.kind == "s5.8" and value >> 13 else value
        return f"{signed / 256:g}"
    if field.kind == "bytes":
        return f"{value} bytes" if value else "raw: no records"
    return ""


def _format_name(names: Mapping[str, int], value: int, prefix: str) -> str:
    return next((name.removeprefix(prefix) for name, number in names.items() if number == value), "reserved")


def warnings(found: Mapping[str, int], name: str, features: frozenset[str]) -> list[str]:
    """What cannot be meant in a descriptor whose fields have these values; unknown ones are not in it."""
    checks = {"buffer": _buffer_warnings, "image": _image_warnings, "sampler": _sampler_warnings}
    warned = checks[name](found, features)
    return [*warned, *_reserved_selects(found)]


def _reserved_selects(found: Mapping[str, int]) -> list[str]:
    return [
        f"`dst_sel_{component}` is {found[f'dst_sel_{component}']}, which selects nothing"
        for component in "xyzw"
        if found.get(f"dst_sel_{component}") in (2, 3)
    ]


def buffer_defects(found: Mapping[str, int], form: Form) -> list[str]:
    """What is wrong for certain with a buffer descriptor with these fields, as an instruction of a form takes it."""
    selects = _reserved_selects(found) if "_format_" in form.mnemonic else []
    return [*_defects(found, is_scalar=form.mnemonic.startswith("s_")), *selects]


def _defects(found: Mapping[str, int], *, is_scalar: bool) -> list[str]:
    warned = []
    stride = found.get("stride")
    if found.get("type", 0):
        warned.append(f"`type` is {found['type']}; a buffer's is 0")
    if found.get("swizzle_enable"):
        if is_scalar:
            warned.append("`swizzle_enable` is set, and scalar memory does not swizzle")
        if stride == 0:
            warned.append("swizzled addressing has records, but `stride` is 0")
        element = found.get("element_size")
        if stride and element is not None and stride % (_LEAST_ELEMENT << element):
            warned.append(f"`stride` is {stride}, no multiple of the {_LEAST_ELEMENT << element} bytes of an element")
    return warned


def _buffer_warnings(found: Mapping[str, int], features: frozenset[str]) -> list[str]:
    warned = _defects(found, is_scalar=False)
    if found.get("num_records") == 0:
        warned.append("`num_records` is 0: every access is out of range, loads give 0 and stores are dropped")
    if found.get("add_tid_enable") and found.get("stride") == 0:
        warned.append("the lane number is added to the index, but `stride` is 0")
    if found.get("data_format") == 0 or found.get("format") == 0:
        warned.append("the format is INVALID: to format instructions the resource is unbound, and loads give 0")
    if "format" in found and meaning(_FORMAT, found["format"], features) == "reserved":
        warned.append(f"`format` {found['format']} is reserved")
    return warned


_FORMAT = ResourceField("format", 0, 0, kind="format")
_LEAST_ELEMENT = 2  # bytes, by which `element_size` counts powers of two
_FIRST_IMAGE_TYPE, _FIRST_MSAA = 8, 14


def _image_warnings(found: Mapping[str, int], features: frozenset[str]) -> list[str]:
    warned = []
    kind = found.get("type")
    if kind is not None and kind < _FIRST_IMAGE_TYPE:
        warned.append(f"`type` is {kind}, no image's; those are 8 to 15")
    is_plain = kind is not None and kind < _FIRST_MSAA
    if is_plain and found.get("last_level", 15) < found.get("base_level", 0):
        warned.append("`last_level` is below `base_level`")
    return warned


def _sampler_warnings(found: Mapping[str, int], features: frozenset[str]) -> list[str]:
    if found.get("max_lod", 1 << 12) < found.get("min_lod", 0):
        return ["`max_lod` is below `min_lod`"]
    return []
