"""Dimensions of images: the words of `dim:`, their numbers, and how many components an address has."""

from collections.abc import Mapping

import msgspec

PREFIX = "SQ_RSRC_IMG_"
"""May precede the name: `dim:2D` is `dim:SQ_RSRC_IMG_2D`."""


class Dimension(msgspec.Struct, frozen=True):
    """code: the field's value. coordinates, gradients: components of an address. has_samples: it addresses samples."""

    name: str
    code: int
    coordinates: int
    gradients: int
    has_samples: bool = False


DIMENSIONS: tuple[Dimension, ...] = (
    Dimension("1D", 0, 1, 2),
    Dimension("2D", 1, 2, 4),
    Dimension("3D", 2, 3, 6),
    Dimension("CUBE", 3, 3, 4),
    Dimension("1D_ARRAY", 4, 2, 2),
    Dimension("2D_ARRAY", 5, 3, 4),
    Dimension("2D_MSAA", 6, 3, 4, True),
    Dimension("2D_MSAA_ARRAY", 7, 4, 4, True),
)
"""In the order of their codes."""
CODES: Mapping[str, int] = {dimension.name: dimension.code for dimension in DIMENSIONS}
