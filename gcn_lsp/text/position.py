"""The one converter between byte columns and the columns that an editor counts.

Inside the program a column is a number of UTF-8 bytes from the start of the line, from 0. An LSP client
counts UTF-16 code units unless another encoding was negotiated. The command line prints characters, from 1.
"""

from typing import Literal

PositionEncoding = Literal["utf-8", "utf-16", "utf-32"]


def byte_to_column(line: bytes, byte: int, encoding: PositionEncoding) -> int:
    """Column, in units of `encoding`, of byte column `byte` (clipped to the line)."""
    if encoding == "utf-8" or line.isascii():
        return min(byte, len(line))
    text = line[:byte].decode("utf-8", "replace")
    if encoding == "utf-32":
        return len(text)
    return len(text) + sum(character > "\uffff" for character in text)


def column_to_byte(line: bytes, column: int, encoding: PositionEncoding) -> int:
    """Byte column of `column`, which counts units of `encoding` (clipped to the line)."""
    if encoding == "utf-8" or line.isascii():
        return max(0, min(column, len(line)))
    units = 0
    byte = 0
    for character in line.decode("utf-8", "surrogateescape"):
        if units >= column:
            break
        units += 2 if encoding == "utf-16" and character > "\uffff" else 1
        byte += len(character.encode("utf-8", "surrogateescape"))
    return byte


def character_end(line: bytes, start: int) -> int:
    """Byte column after the character at byte column `start`; a byte that starts no character counts as one."""
    end = start + 1
    if line[start] >= 0xC0:
        while end < min(len(line), start + 4) and line[end] & 0xC0 == 0x80:
            end += 1
    return end
