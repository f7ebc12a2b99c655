"""The packet with which a kernel is dispatched, which the dispatch packet pointer of a kernel points to.

Source: HSA Platform System Architecture Specification, "AQL kernel dispatch packet".
"""

from typing import NamedTuple

SIZE = 64


class Field(NamedTuple):
    """A field: its first byte, its size in bytes, and what it is."""

    offset: int
    size: int
    meaning: str


FIELDS = (
    Field(0, 2, "header"),
    Field(2, 2, "number of dimensions of the grid"),
    Field(4, 2, "work-items of a work-group along x"),
    Field(6, 2, "work-items of a work-group along y"),
    Field(8, 2, "work-items of a work-group along z"),
    Field(10, 2, "reserved"),
    Field(12, 4, "work-items of the grid along x"),
    Field(16, 4, "work-items of the grid along y"),
    Field(20, 4, "work-items of the grid along z"),
    Field(24, 4, "scratch bytes of a work-item"),
    Field(28, 4, "LDS bytes of a work-group"),
    Field(32, 8, "address of the kernel's descriptor"),
    Field(40, 8, "address of the kernarg segment"),
    Field(48, 8, "reserved"),
    Field(56, 8, "completion signal"),
)
