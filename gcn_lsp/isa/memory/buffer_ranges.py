"""What is out of range in a buffer, by generation, and the sizes in the fields of its V#.

Sources: the ISA documents of gfx6 to gfx12, "Buffer resource" and "Range checking"; the entries of the buffer
instructions in `isa/documentation` say the same in words.
"""

from gcn_lsp.isa.conditions import holds

BYTES, RECORDS, RECORDS_AND_OFFSETS, EMPTY = "bytes", "records", "records and offsets", "empty"
"""`num_records` is compared with: the bytes of the offset; the index; the index, and the offset with the stride; only
whether it is 0."""

_SELECTED = (RECORDS_AND_OFFSETS, RECORDS, EMPTY, BYTES)
INDEX_STRIDES = (8, 16, 32, 64)
ELEMENT_SIZES = (2, 4, 8, 16)
_STRIDE_SCALES = (1, 4, 8, 32)


def check(features: frozenset[str], *, stride: int, swizzles: bool, has_index: bool, selected: "int | None") -> str:
    """What is compared. selected: the field `oob_select`, where there is one."""
    if holds("gfx125|gfx13+", features):
        return EMPTY if swizzles else BYTES
    if holds("gfx10+", features):
        return _SELECTED[selected or 0]
    if not stride:
        return BYTES
    if holds("gfx8", features) and not swizzles:
        return BYTES
    if holds("gfx9", features) and not has_index:
        return BYTES
    return RECORDS


def element_size(field: "int | None", swizzle: int, features: frozenset[str]) -> int:
    """The bytes of a record that swizzling puts side by side."""
    if field is not None:
        return ELEMENT_SIZES[field]
    return 16 if swizzle == _WIDE and holds("gfx11+", features) else 4


_WIDE = 3


def scale(field: "int | None") -> int:
    """The factor of the stride."""
    return 1 if field is None else _STRIDE_SCALES[field]
