"""The arguments of data directives, and numbers as bytes."""

import re
import struct

from gcn_lsp.patterns import regex
from gcn_lsp.syntax.statement import Statement


def split_arguments(statement: Statement) -> list[tuple[int, int]]:
    """The byte columns of the arguments of a directive, separated by commas outside strings and brackets."""
    found: list[tuple[int, int]] = []
    line, start = statement.line, statement.rest_start
    depth = 0
    in_string = False
    position = start
    while position < statement.end:
        character = line[position]
        if in_string:
            if character == 0x5C:
                position += 1
            elif character == 0x22:
                in_string = False
        elif character == 0x22:
            in_string = True
        elif character in b"([":
            depth += 1
        elif character in b")]":
            depth -= 1
        elif character == 0x2C and depth <= 0:
            found.append(_trim(line, start, position))
            start = position + 1
        position += 1
    if start < statement.end or found:
        found.append(_trim(line, start, statement.end))
    return found


def _trim(line: bytes, start: int, end: int) -> tuple[int, int]:
    text = line[start:end]
    return start + len(text) - len(text.lstrip()), end - (len(text) - len(text.rstrip()))


_FLOAT = regex(
    r"([-+]?)\s*(?:(nan)|(inf|infinity)|(0x[0-9a-f]*\.?[0-9a-f]*p[-+]?\d+)|(\d+\.?\d*(?:e[-+]?\d+)?|\.\d+(?:e[-+]?\d+)?))",
    re.IGNORECASE,
)


def float_bytes(text: str, size: int) -> "bytes | None":
    """A floating-point number of 4 or 8 bytes; None if `text` is not one."""
    match = _FLOAT.fullmatch(text)
    if match is None or text.lower().startswith("0b"):
        return None
    sign, nan, infinite, hexadecimal, decimal = match.groups()
    if nan:  # LLVM sets all bits of the fraction
        pattern = (1 << (8 * size - 1)) - 1 | (sign == "-") << (8 * size - 1)
        return pattern.to_bytes(size, "little")
    try:
        value = float("inf") if infinite else float.fromhex(hexadecimal) if hexadecimal else float(decimal)
    except OverflowError:
        value = float("inf")
    value = -value if sign == "-" else value
    try:
        return struct.pack("<f" if size == 4 else "<d", value)
    except OverflowError:
        return struct.pack("<f", float("-inf") if value < 0 else float("inf"))


def leb128(value: int, *, signed: bool, size: int = 1) -> bytes:
    """`value` in DWARF's variable-length encoding, in at least `size` bytes."""
    data = bytearray()
    value = value if signed else value & 0xFFFF_FFFF_FFFF_FFFF
    while True:
        byte = value & 0x7F
        value >>= 7
        is_last = value == (-1 if byte & 0x40 else 0) if signed else value == 0
        if is_last and len(data) + 1 >= size:
            data.append(byte)
            return bytes(data)
        data.append(byte | 0x80)
