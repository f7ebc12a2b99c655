"""The packet with which a kernel is dispatched, which the dispatch packet pointer of a kernel points to.

Source: HSA Platform System Architecture Specification, "AQL kernel dispatch packet".
"""

from gcn_lsp.records import NamedTuple

SIZE = 64


class PacketField(NamedTuple):
    """A field: its first byte, its size in bytes, and what it is."""

    offset: int
    size: int
    meaning: str


FIELDS = (
    PacketField(0, 2, "header"),
    PacketField(2, 2, "number of dimensions of the grid"),
    PacketField(4, 2, "work-items of a work-group along x"),
    PacketField(6, 2, "work-items of a work-group along y"),
    PacketField(8, 2, "work-items of a work-group along z"),
    PacketField(10, 2, "reserved"),
    PacketField(12, 4, "work-items of the grid along x"),
    PacketField(16, 4, "work-items of the grid along y"),
    PacketField(20, 4, "work-items of the grid along z"),
    PacketField(24, 4, "scratch bytes of a work-item"),
    PacketField(28, 4, "LDS bytes of a work-group"),
    PacketField(32, 8, "address of the kernel's descriptor"),
    PacketField(40, 8, "address of the kernarg segment"),
    PacketField(48, 8, "reserved"),
    PacketField(56, 8, "completion signal"),
)
