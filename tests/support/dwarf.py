"""Makes debug information of one line table, so that tests need no compiler."""

import struct

from tests.support.elf import Part

ROWS = bytes((0, 9, 2)) + bytes(8) + bytes((3, 6, 1, 2, 2, 3, 2, 5, 4, 1, 2, 2, 0, 1, 1))
"""The rows of `/src/k.cl`: line 7 at 0, column 4 of line 9 at 8, the end at 16."""


def table(rows: bytes = ROWS, line_range: int = 14) -> bytes:
    """The section `.debug_line`, of version 4, with one table for one file."""
    head = struct.pack("<BBBbBB", 4, 1, 1, -5, line_range, 13) + bytes((0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1))
    head += b"\0k.cl\0\0\0\0\0"
    body = struct.pack("<HI", 4, len(head)) + head + rows
    return struct.pack("<I", len(body)) + body


def parts(lines: bytes) -> list[Part]:
    """The sections of an object with that line table."""
    abbreviations = bytes((1, 0x11, 0, 0x10, 0x17, 0x1B, 0x08, 0, 0, 0))  # a unit: its line table, its folder
    unit = struct.pack("<HIB", 4, 0, 8) + bytes((1,)) + struct.pack("<I", 0) + b"/src\0"
    return [
        Part(".debug_info", struct.pack("<I", len(unit)) + unit),
        Part(".debug_abbrev", abbreviations),
        Part(".debug_str", b"\0"),
        Part(".debug_line", lines),
    ]
