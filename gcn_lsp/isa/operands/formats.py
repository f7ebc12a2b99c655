"""Formats of buffers and images: data and number formats up to gfx9, unified formats from gfx10."""

from collections.abc import Mapping
from functools import lru_cache

from gcn_lsp.isa.conditions import holds

DEFAULT = 1  # 8 bits, unsigned normalised, in either scheme
NUMBER_SHIFT = 4  # format is dfmt | nfmt << 4
DATA_BITS, NUMBER_BITS, UNIFIED_BITS = 4, 3, 7

_DATA = (
    "INVALID 8 16 8_8 32 16_16 10_11_11 11_11_10 10_10_10_2 2_10_10_10 8_8_8_8 32_32 16_16_16_16 32_32_32 "
    "32_32_32_32 RESERVED_15"
)
DATA_FORMATS: Mapping[str, int] = {f"BUF_DATA_FORMAT_{name}": number for number, name in enumerate(_DATA.split())}
_NUMBERS = "UNORM SNORM USCALED SSCALED UINT SINT {} FLOAT"


@lru_cache(maxsize=64)
def number_formats(features: frozenset[str]) -> Mapping[str, int]:
    """nfmt by name; number 6 is called SNORM_OGL on gfx6 and gfx7."""
    sixth = "RESERVED_6" if holds("gfx8+", features) else "SNORM_OGL"
    return {f"BUF_NUM_FORMAT_{name}": number for number, name in enumerate(_NUMBERS.format(sixth).split())}


_SCALED = "UNORM SNORM USCALED SSCALED UINT SINT"
_UNIFIED_GFX10: tuple[tuple[str, str], ...] = (
    ("8", _SCALED),
    ("16", _SCALED + " FLOAT"),
    ("8_8", _SCALED),
    ("32", "UINT SINT FLOAT"),
    ("16_16", _SCALED + " FLOAT"),
    ("10_11_11", _SCALED + " FLOAT"),
    ("11_11_10", _SCALED + " FLOAT"),
    ("10_10_10_2", _SCALED),
    ("2_10_10_10", _SCALED),
    ("8_8_8_8", _SCALED),
    ("32_32", "UINT SINT FLOAT"),
    ("16_16_16_16", _SCALED + " FLOAT"),
    ("32_32_32", "UINT SINT FLOAT"),
    ("32_32_32_32", "UINT SINT FLOAT"),
)
_GFX11_CHANGES = {"10_11_11": "FLOAT", "11_11_10": "FLOAT", "10_10_10_2": "UNORM SNORM UINT SINT"}


@lru_cache(maxsize=64)
def unified_formats(features: frozenset[str]) -> Mapping[str, int]:
    """`BUF_FMT_...` to number; empty before gfx10."""
    if not is_unified(features):
        return {}
    changes = _GFX11_CHANGES if holds("gfx11+", features) else {}
    names = [f"BUF_FMT_{data}_{kind}" for data, kinds in _UNIFIED_GFX10 for kind in changes.get(data, kinds).split()]
    return {name: number for number, name in enumerate(["BUF_FMT_INVALID", *names])}


def is_unified(features: frozenset[str]) -> bool:
    """Whether a target has one number for data and number format."""
    return holds("gfx10+", features)


def all_names() -> frozenset[str]:
    """The names of the formats of typed buffers on any target."""
    first = frozenset(("gfx10+",))
    numbers = (*number_formats(frozenset()), *number_formats(frozenset(("gfx8+",))))
    return frozenset((*DATA_FORMATS, *numbers, *unified_formats(first)))


def unified(features: frozenset[str], data: int, number: int) -> int | None:
    """The unified format that equals a data and a number format; None if there is none.

    From gfx10 the assembler still accepts the two and translates them.
    """
    if data == DATA_FORMATS["BUF_DATA_FORMAT_INVALID"]:
        return None if number else 0
    return unified_formats(features).get(f"BUF_FMT_{_DATA.split()[data]}_{_NUMBERS.split()[number]}")


# Data formats with components too small for a float, and those too large to be scaled.
_NO_FLOAT = frozenset(("8", "8_8", "8_8_8_8", "10_10_10_2", "2_10_10_10"))
_NO_SCALE = frozenset(("32", "32_32", "32_32_32", "32_32_32_32"))
_FLOAT, _RESERVED_NUMBER = 7, 6
_SCALES = frozenset((0, 1, 2, 3))
_LOAD_ONLY = frozenset((2, 3, _RESERVED_NUMBER))
_INVALID_DATA, _RESERVED_DATA = 0, 15


def defect(features: frozenset[str], code: int, is_store: bool) -> str:
    """Why the hardware does not have the format; empty if it does."""
    if is_unified(features):
        return "" if code in unified_formats(features).values() else f"format {code} is reserved"
    data, number = code & ((1 << DATA_BITS) - 1), code >> NUMBER_SHIFT & ((1 << NUMBER_BITS) - 1)
    data_name, number_name = _DATA.split()[data], list(number_formats(features))[number].removeprefix("BUF_NUM_FORMAT_")
    if data in (_INVALID_DATA, _RESERVED_DATA):
        return f"data format {data} is {'invalid' if data == _INVALID_DATA else 'reserved'}"
    if number == _RESERVED_NUMBER and holds("gfx8+", features):
        return f"number format {number} is reserved"
    if (number == _FLOAT and data_name in _NO_FLOAT) or (number in _SCALES and data_name in _NO_SCALE):
        return f"data format {data_name} has no number format {number_name}"
    if is_store and number in _LOAD_ONLY:
        return f"number format {number_name} is for loads only"
    return ""


# Images have the formats of buffers and more. Missing numbers are reserved, or formats of video and tiling that shaders
# do not meet. Sources: the register descriptions of Mesa (up to gfx10) and of the ROCm runtime (from gfx11); for blocks
# from gfx11 on "RDNA3" and "RDNA4" Instruction Set Architecture, "Image Formats".
_IMAGE_DATA = (
    (16, "5_6_5 1_5_5_5 5_5_5_1 4_4_4_4 8_24 24_8 X24_8_32"),
    (32, "GB_GR BG_RG 5_9_9_9 BC1 BC2 BC3 BC4 BC5 BC6 BC7"),
)
IMAGE_DATA_FORMATS: Mapping[str, int] = {
    **{name.removeprefix("BUF_DATA_FORMAT_"): number for name, number in DATA_FORMATS.items()},
    **{name: first + number for first, names in _IMAGE_DATA for number, name in enumerate(names.split())},
}
"""The data formats of images up to gfx9."""

IMAGE_NUMBER_FORMATS: Mapping[str, int] = {
    **{name: number for number, name in enumerate(_SCALED.split())},
    "FLOAT": 7,
    "SRGB": 9,
}
"""The number formats of images up to gfx9 that all targets have."""

_IMAGE_MORE = (
    "8_SRGB 8_8_SRGB 8_8_8_8_SRGB {}5_9_9_9_FLOAT 5_6_5_UNORM 1_5_5_5_UNORM 5_5_5_1_UNORM 4_4_4_4_UNORM 4_4_UNORM "
    "1_UNORM 1_REVERSED_UNORM 32_FLOAT_CLAMP 8_24_UNORM 8_24_UINT 24_8_UNORM 24_8_UINT X24_8_32_UINT X24_8_32_FLOAT "
    "GB_GR_UNORM GB_GR_SNORM GB_GR_UINT GB_GR_SRGB BG_RG_UNORM BG_RG_SNORM BG_RG_UINT BG_RG_SRGB"
)
_IMAGE_BLOCKS = (
    "BC1_UNORM BC1_SRGB BC2_UNORM BC2_SRGB BC3_UNORM BC3_SRGB BC4_UNORM BC4_SNORM BC5_UNORM BC5_SNORM BC6_UFLOAT "
    "BC6_SFLOAT BC7_UNORM BC7_SRGB"
)
_FIRST_MORE_GFX10, _FIRST_BLOCK_GFX10, _FIRST_MORE_GFX11, _FIRST_BLOCK_GFX11 = 128, 169, 64, 109
_LAST_GFX11, _LAST_GFX12 = {"YCBCR_UNORM": 205, "YCBCR_SRGB": 206}, {"6E4_FLOAT": 227}


def image_formats(features: frozenset[str]) -> Mapping[str, int]:
    """The unified formats of images by name, including those of buffers; empty before gfx10."""
    if not is_unified(features):
        return {}
    found = {name.removeprefix("BUF_FMT_"): number for name, number in unified_formats(features).items()}
    is_gfx10 = holds("gfx10", features)
    more = _IMAGE_MORE.format("6E4_FLOAT " if is_gfx10 else "")
    first = _FIRST_MORE_GFX10 if is_gfx10 else _FIRST_MORE_GFX11
    found |= {name: first + number for number, name in enumerate(more.split())}
    first = _FIRST_BLOCK_GFX10 if is_gfx10 else _FIRST_BLOCK_GFX11
    found |= {name: first + number for number, name in enumerate(_IMAGE_BLOCKS.split())}
    if holds("gfx11+", features):
        found |= _LAST_GFX11
    if holds("gfx12+", features):
        found |= _LAST_GFX12
    return found
