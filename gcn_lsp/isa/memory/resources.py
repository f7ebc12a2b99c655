"""Resource descriptors: the fields of a buffer's, an image's and a sampler's words in SGPRs, and values with names.

The places of the fields, with their sources, are in `resource_layouts`.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from gcn_lsp.isa.conditions import holds
from gcn_lsp.isa.memory.resource_layouts import LAYOUTS, MUST_BE_ZERO, NOTES, RECORD_LIMITS, ROLES, RecordLimit
from gcn_lsp.isa.modifiers.dimensions import DIMENSIONS
from gcn_lsp.isa.operands import formats
from gcn_lsp.isa.schema import Form
from gcn_lsp.patterns import regex

ResourceName = Literal["buffer", "image", "sampler"]


class ResourceField(msgspec.Struct, frozen=True):
    """Bits `high` to `low`. kind: the format of the value, see `meaning`; empty for a plain number."""

    name: str
    high: int
    low: int
    condition: str = ""
    kind: str = ""

    def taken(self, value: int) -> int:
        """The field's value in a descriptor."""
        return value >> self.low & (1 << (self.high - self.low + 1)) - 1


class Resource(msgspec.Struct, frozen=True):
    """A kind of descriptor. zeros: bits that must be 0; record: how accesses are compared with the stride."""

    name: ResourceName
    words: int
    fields: tuple[ResourceField, ...]
    zeros: tuple[tuple[int, int], ...] = ()
    record: RecordLimit = ""


@lru_cache(maxsize=64)
def resource(name: ResourceName, features: frozenset[str]) -> Resource | None:
    """The descriptor of that kind on a target; None if it is not described."""
    for rows, words, condition in LAYOUTS[name]:
        if holds(condition, features):
            fields = tuple(ResourceField(*row) for row in rows if holds(row[3], features))
            zeros = (places for targets, places in MUST_BE_ZERO if name == "buffer" and holds(targets, features))
            records = (limit for targets, limit in RECORD_LIMITS if name == "buffer" and holds(targets, features))
            return Resource(name, words, fields, next(zeros, ()), next(records, ""))
    return None


# The slots for descriptors, by the kind of instruction: scalar loads read buffers, too.
_IMAGES = frozenset(("MIMG", "VIMAGE", "VSAMPLE"))


def kind_of(form: Form, slot: str) -> ResourceName | None:
    """The kind of descriptor that a slot takes."""
    if slot in ("ssamp", "samp"):
        return "sampler"
    if slot in ("srsrc", "rsrc"):
        return "image" if form.family in _IMAGES else "buffer"
    return "buffer" if slot == "sbase" and "buffer" in form.mnemonic else None


def known_fields(layout: Resource, words: "Sequence[int | None]") -> dict[str, int]:
    """The values of the fields with all words known; None is an unknown word."""
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
    "index stride": ("8 records", "16 records", "32 records", "64 records"),
    "out of bounds": (
        *("index or offset beyond the record", "index >= num_records", "only with num_records 0"),
        "offset beyond num_records (raw)",
    ),
    "bytes out of bounds": ("offset beyond num_records", "offset beyond num_records or beyond the record"),
    "stride scale": ("1", "4", "8", "32"),
    "swizzle": ("off", "elements of 4 bytes", "reserved", "elements of 16 bytes"),
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
    "border swizzle": ("XYZW", "XWYZ", "WZYX", "WXYZ", "ZYXW", "YXWZ"),
}


def long_stride(found: Mapping[str, int], features: frozenset[str]) -> int | None:
    """The stride in bytes where `data_format` is its upper bits: of lanes on gfx8 and gfx9, without a format.

    None where it is not. Source: MI100 ISA document, tables 36 and 39.
    """
    stride, high = found.get("stride"), found.get("data_format")
    if stride is None or high is None or not found.get("add_tid_enable") or not holds("gfx8-9", features):
        return None
    return high << _STRIDE_BITS | stride


_STRIDE_BITS = 14


def meaning(field: ResourceField, found: Mapping[str, int], features: frozenset[str]) -> str:
    """The meaning of a field's value among those of a descriptor, in words; empty if the number says it all."""
    value = found[field.name]
    longer = long_stride(found, features)
    if longer is not None and field.name == "stride":
        return f"{longer} bytes with `data_format` as bits 17:14, for instructions without a format"
    said = _meaning(field, value, features)
    if longer is not None and field.name == "data_format":
        return f"bits 17:14 of the stride for instructions without a format; {said} for others"
    return said


def _meaning(field: ResourceField, value: int, features: frozenset[str]) -> str:
    named = _NAMED.get(field.kind)
    if named is not None:
        return named[value] if value < len(named) else "reserved"
    names = _format_names(field.kind, features)
    if names is not None:
        known, prefix, otherwise = names
        return next((name.removeprefix(prefix) for name, number in known.items() if number == value), otherwise)
    if field.kind == "address of 256 bytes":
        return f"address {value << 8:#x}"
    if field.kind == "less one":
        return str(value + 1)
    if field.kind == "depth":
        return f"3D: {value + 1} deep; arrays: {value} is the last slice"
    fixed = _FIXED.fullmatch(field.kind)
    if fixed is not None:
        width = field.high - field.low + 1
        signed = value - (1 << width) if fixed[1] == "s" and value >> width - 1 else value
        return f"{signed / (1 << int(fixed[2])):g}"
    if field.kind == "bytes":
        return f"{value} bytes" if value else "raw: no records"
    return ""


def values(field: ResourceField, features: frozenset[str]) -> Mapping[int, str]:
    """The named values of a field and their names; of formats, those that are known."""
    named = _NAMED.get(field.kind)
    if named is not None:
        first = _FIRST_IMAGE_TYPE if field.kind == "image type" else 0
        return {value: name for value, name in enumerate(named) if value >= first and name != "reserved"}
    names = _format_names(field.kind, features)
    if names is None:
        return {}
    known, prefix, _ = names
    return {number: name.removeprefix(prefix) for name, number in sorted(known.items(), key=lambda row: row[1])}


def reading(field: ResourceField) -> str:
    """The format of a field's values: its named values, or in words; empty for a plain number or flag."""
    if field.kind in _NAMED:
        return ", ".join(f"{value} = {name}" for value, name in values(field, frozenset()).items())
    fixed = _FIXED.fullmatch(field.kind)
    if fixed is not None:
        return f"{'signed' if fixed[1] == 's' else 'unsigned'} fixed point, {fixed[2]} bits after the point"
    return _READINGS.get(field.kind, field.kind)


def role(field: ResourceField) -> str:
    """The purpose of a field, in a few words; empty if only its name is known."""
    return ROLES.get(field.name, "")


def described(field: ResourceField) -> str:
    """The purpose of a field and the format of its values, in one phrase."""
    return ": ".join(text for text in (role(field), reading(field)) if text) or "only its name is public"


def notes(kind: str, features: frozenset[str], name: str = "") -> tuple[str, ...]:
    """What is known beyond the table about a field of the descriptors of a kind, or about all their fields."""
    return tuple(
        text
        for of, names, condition, text in NOTES
        if of == kind and holds(condition, features) and (not name or name in names)
    )


_READINGS: Mapping[str, str] = {
    "address": "address in bytes",
    "address of 256 bytes": "address in units of 256 bytes",
    "bytes": "bytes from one record to the next, 0 for none",
    "records": "records of the stride; bytes without idxen or where stride is 0",
    "size in bytes": "bytes",
    "bytes in all": "bytes, or records where stride is not 0 and swizzle_enable is set",
    "upper bits": "",
    "less one": "one less than the number of texels",
    "depth": "one less than the depth, or the last slice",
    "format": "BUF_FMT_... of the target",
    "data format": "BUF_DATA_FORMAT_...",
    "number format": "BUF_NUM_FORMAT_...",
}


# Fixed point, signed or not: the number of bits of the fraction; the field's width gives the rest.
_FIXED = regex(r"([us])\.(\d)")


def _format_names(kind: str, features: frozenset[str]) -> "tuple[Mapping[str, int], str, str] | None":
    """The formats that a field of this kind names, the prefix of their names, and the meaning of other numbers.

    None for a field of another kind. The formats of images are incomplete: for other numbers there is no meaning.
    """
    if kind == "data format":
        return formats.DATA_FORMATS, "BUF_DATA_FORMAT_", "reserved"
    if kind == "number format":
        return formats.number_formats(features), "BUF_NUM_FORMAT_", "reserved"
    if kind == "format":
        return formats.unified_formats(features), "BUF_FMT_", "reserved"
    if kind == "image format":
        return formats.image_formats(features), "", ""
    if kind == "image data format":
        return formats.IMAGE_DATA_FORMATS, "", ""
    return (formats.IMAGE_NUMBER_FORMATS, "", "") if kind == "image number format" else None


def unassigned(layout: Resource, words: "Sequence[int | None]") -> tuple[int, ...]:
    """The bits of a descriptor's known words that are set and belong to no field of the target."""
    fields = sum((1 << field.high + 1) - (1 << field.low) for field in layout.fields)  # fields do not overlap
    value = sum((word or 0) << 32 * number for number, word in enumerate(words))
    return tuple(bit for bit in range(32 * len(words)) if value & ~fields & 1 << bit)


def warnings(found: Mapping[str, int], name: str, features: frozenset[str]) -> list[str]:
    """What cannot be right in a descriptor whose fields have these values; unknown ones are not in `found`."""
    checks = {"buffer": _buffer_warnings, "image": _image_warnings, "sampler": _sampler_warnings}
    warned = checks[name](found, features)
    return [*warned, *_reserved_selects(found)]


def _reserved_selects(found: Mapping[str, int]) -> list[str]:
    return [
        f"`dst_sel_{component}` is {found[f'dst_sel_{component}']}, which selects nothing"
        for component in "xyzw"
        if found.get(f"dst_sel_{component}") in (2, 3)
    ]


def buffer_defects(found: Mapping[str, int], form: Form, features: frozenset[str]) -> list[str]:
    """What is certainly wrong with a buffer descriptor with these fields, as an instruction of a form uses it."""
    has_format = "_format_" in form.mnemonic
    stride = None if has_format else long_stride(found, features)
    selects = _reserved_selects(found) if has_format else []
    found = found if stride is None else {**found, "stride": stride}
    return [*_defects(found, is_scalar=form.mnemonic.startswith("s_")), *selects]


def reserved_bits(layout: "Resource | None", words: "Sequence[int | None]") -> list[str]:
    """The bits of a descriptor's known words that are set although they must be zero."""
    value = sum((word or 0) << 32 * number for number, word in enumerate(words))
    found = ((high, low, value >> low & (1 << high - low + 1) - 1) for high, low in (layout.zeros if layout else ()))
    return [f"bits {high}:{low} are {bits:#b}; they must be 0" for high, low, bits in found if bits]


def access_defects(layout: Resource, found: Mapping[str, int], form: Form, offset: int | None) -> list[str]:
    """Why a vector access with a buffer descriptor with these fields reaches no memory; `found` has the known ones.

    offset: the immediate one; None if it is not known. Sources: the ISA documents of
    gfx9 to gfx12, "Buffer resource" (a resource without a format is unbound to untyped accesses too unless it adds the
    lane number) and "Range checking". A last word of zeros is not a mistake: kernels of MIOpen clear it where loads are
    to give 0.
    """
    defects = (
        _unbound(layout, found, form),
        _beyond(layout, found, form, offset),
        _beyond_record(layout, found, form, offset),
        _too_wide(found, form),
        _without_index(layout, found, form),
    )
    return [defect for defect in defects if defect]


def is_unbound(found: Mapping[str, int], form: Form) -> bool:
    """Whether accesses with a buffer descriptor of these fields give 0 and store nothing, as it has no format."""
    has_none = any(found.get(name) == 0 for name in _FORMATS)
    return form.family == "MUBUF" and has_none and not found.get("add_tid_enable")


_FORMATS = ("data_format", "format")


def _unbound(layout: Resource, found: Mapping[str, int], form: Form) -> str:
    is_cleared = not any(found.get(field.name) for field in layout.fields if field.low >= _LAST_WORD)
    if is_unbound(found, form) and found.get("add_tid_enable") == 0 and not is_cleared:
        name = next(name for name in _FORMATS if name in found)
        return f"`{name}` is 0 (INVALID): the resource counts as unbound, loads give 0 and stores do nothing"
    return ""


def _beyond(layout: Resource, found: Mapping[str, int], form: Form, offset: int | None) -> str:
    """An access whose address has no VGPR."""
    if any(slot.name == "vaddr" for slot in form.slots):
        return ""
    size = found.get("num_records")
    selects = any(field.name == "oob_select" for field in layout.fields)
    counts_bytes = found.get("stride") == 0 and (not selects or found.get("oob_select") == _RAW)
    width = _bytes(form.mnemonic)
    if offset is not None and size and counts_bytes and offset + width > size and not found.get("swizzle_enable"):
        what = f"the offset {offset} is" if offset >= size else f"the {width} bytes from offset {offset} reach"
        return f"{what} beyond the {size} bytes of `num_records`"
    return ""


def _beyond_record(layout: Resource, found: Mapping[str, int], form: Form, offset: int | None) -> str:
    """An access beyond the record that it indexes; what a VGPR adds to the offset only takes it further."""
    stride, limit = found.get("stride"), layout.record
    indexed = any(slot.text == "idxen" for slot in form.slots) if limit == "indexed" else found.get("oob_select") == 0
    if not limit or not stride or not indexed or offset is None or form.mnemonic.startswith("s_"):
        return ""
    width = _bytes(form.mnemonic)
    if offset >= stride:
        return f"the offset {offset} is beyond the {stride} bytes of a record, so every access is out of range"
    if limit == "end" and offset + width > stride:
        return f"the {width} bytes from offset {offset} end beyond the {stride} bytes of a record: all are out of range"
    return ""


def _too_wide(found: Mapping[str, int], form: Form) -> str:
    width = _bytes(form.mnemonic)
    element = _LEAST_ELEMENT << found.get("element_size", 3)
    if found.get("swizzle_enable") and "element_size" in found and width > element:
        return f"{width} bytes are accessed, and swizzling puts only {element} bytes of a record side by side"
    return ""


def _without_index(layout: Resource, found: Mapping[str, int], form: Form) -> str:
    has_index = any(slot.text == "idxen" for slot in form.slots)
    has_lanes = any(field.name == "add_tid_enable" for field in layout.fields) and found.get("add_tid_enable") != 0
    if has_index and not has_lanes and found.get("stride") == 0 and found.get("swizzle_enable") == 0:
        return "`idxen` has no effect: the index is multiplied by `stride`, which is 0"
    return ""


_OF_DWORDS = regex(r"buffer_(?:load|store)_(?:dword(?:x([234]))?|b(32|64|96|128))")


def _bytes(mnemonic: str) -> int:
    """The bytes of memory that a buffer instruction without a format accesses for a lane; 1, the least, for others."""
    match = _OF_DWORDS.fullmatch(mnemonic)
    if match is None:
        return 1
    return int(match[2]) // 8 if match[2] else 4 * int(match[1] or 1)


def image_defects(found: Mapping[str, int], modifiers: Mapping[str, object]) -> list[str]:
    """What is certainly wrong with an image's descriptor, as an instruction with these modifiers uses it.

    Sources: MI100 ISA document, tables of the image instructions (DA) and of the image resource (type); RDNA1 ISA
    document, "Image dimensions".
    """
    kind = found.get("type")
    if kind is None:
        return []
    if kind < _FIRST_IMAGE_TYPE:
        return [f"`type` is {kind}; an image's is 8 to 15"]
    name = _NAMED["image type"][kind]
    dimension = modifiers.get("dim")
    if type(dimension) is int:
        samples, asked = kind >= _FIRST_MSAA, DIMENSIONS[dimension].has_samples
        if samples != asked:
            return [f"`type` is {kind} ({name}), and the instruction addresses {'' if asked else 'no '}samples"]
    if modifiers.get("da") and name in _NEVER_ARRAYS:
        return [f"`type` is {kind} ({name}), and `da` says that the image is an array"]
    return []


_NEVER_ARRAYS = ("3D",)
_RAW = 3  # of `oob_select`: bytes are compared with `num_records`; before gfx10 a stride of 0 says so


def _defects(found: Mapping[str, int], *, is_scalar: bool) -> list[str]:
    warned = []
    stride = found.get("stride")
    if found.get("type", 0):
        warned.append(f"`type` is {found['type']}; a buffer's is 0")
    if found.get("swizzle_enable"):
        if is_scalar:
            warned.append("`swizzle_enable` is set, but scalar memory does not swizzle")
        if stride == 0:
            warned.append("swizzled addressing has records, but `stride` is 0")
        element = found.get("element_size")
        if stride and element is not None and stride % (_LEAST_ELEMENT << element):
            warned.append(
                f"`stride` is {stride}, not a multiple of the {_LEAST_ELEMENT << element} bytes of an element"
            )
    return warned


def _buffer_warnings(found: Mapping[str, int], features: frozenset[str]) -> list[str]:
    warned = _defects(found, is_scalar=False)
    if found.get("num_records") == 0:
        warned.append("`num_records` is 0: every access is out of range, loads give 0 and stores are dropped")
    if found.get("add_tid_enable") and found.get("stride") == 0 and not long_stride(found, features):
        warned.append("the lane number is added to the index, but `stride` is 0")
    if found.get("data_format") == 0 or found.get("format") == 0:
        warned.append("the format is INVALID: to format instructions the resource is unbound, and loads give 0")
    if "format" in found and _meaning(_FORMAT, found["format"], features) == "reserved":
        warned.append(f"`format` {found['format']} is reserved")
    return warned


_FORMAT = ResourceField("format", 0, 0, kind="format")
_LAST_WORD = 96  # its first bit
_LEAST_ELEMENT = 2  # bytes; `element_size` counts powers of two from here
_FIRST_IMAGE_TYPE, _FIRST_MSAA = 8, 14


def _image_warnings(found: Mapping[str, int], features: frozenset[str]) -> list[str]:
    warned = []
    kind = found.get("type")
    if kind is not None and kind < _FIRST_IMAGE_TYPE:
        warned.append(f"`type` is {kind}; an image's is 8 to 15")
    is_plain = kind is not None and kind < _FIRST_MSAA
    if is_plain and found.get("last_level", 15) < found.get("base_level", 0):
        warned.append("`last_level` is below `base_level`")
    return warned


def _sampler_warnings(found: Mapping[str, int], features: frozenset[str]) -> list[str]:
    if found.get("max_lod", 1 << 12) < found.get("min_lod", 0):
        return ["`max_lod` is below `min_lod`"]
    return []
