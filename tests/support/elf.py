"""Makes small code objects, so that tests need no linker: sections, symbols and a header for a target."""

import struct
from collections.abc import Sequence
from typing import NamedTuple

_HEADER, _SECTION = 64, 64


class Part(NamedTuple):
    """A section. kind: SHT_*."""

    name: str
    data: bytes
    kind: int = 1
    flags: int = 0
    align: int = 4
    link: int = 0
    info: int = 0
    entry: int = 0


BUNDLE = b"__CLANG_OFFLOAD_BUNDLE__"


def bundle(*entries: tuple[str, bytes]) -> bytes:
    """A bundle of what clang makes for several targets: their ids and code objects."""
    head, body = BUNDLE + struct.pack("<Q", len(entries)), b""
    start = len(head) + sum(24 + len(name) for name, _ in entries)
    for name, data in entries:
        head += struct.pack("<QQQ", start + len(body), len(data), len(name)) + name.encode()
        body += data
    return head + body


def code_object(
    text: bytes,
    symbols: Sequence[tuple[str, int, int, int]] = (),
    more: Sequence[Part] = (),
    flags: int = 0x4C,
    abi: int = 3,
    function: int = 2,
) -> bytes:
    """An object for gfx942 with `text` in `.text`, section 1. symbols: name, value, size and section of functions.

    function: the type of the symbols of section 1, STT_*.
    """
    strings, table = b"\0", bytes(24)
    for name, value, size, section in symbols:
        info = 0x10 | function if section == 1 else 0x11
        table += struct.pack("<IBBHQQ", len(strings), info, 3, section, value, size)
        strings += name.encode() + b"\0"
    parts = [Part("", b"", 0), Part(".text", text, 1, 6, 256), *more]
    parts += [Part(".symtab", table, 2, 0, 8, len(parts) + 1, 1, 24), Part(".strtab", strings, 3)]
    return _file(parts, flags, abi)


def _file(parts: list[Part], flags: int, abi: int) -> bytes:
    names = b"\0"
    offsets = []
    for part in (*parts, Part(".shstrtab", b"", 3)):
        offsets.append(len(names) if part.name else 0)
        names += part.name.encode() + b"\0" if part.name else b""
    parts = [*parts, Part(".shstrtab", names, 3)]
    body, headers = b"", b""
    for part, name in zip(parts, offsets, strict=True):
        body += bytes(-(_HEADER + len(body)) % max(part.align, 1))
        headers += struct.pack(
            "<IIQQQQIIQQ", name, part.kind, part.flags, 0, _HEADER + len(body), len(part.data), part.link, part.info,
            part.align, part.entry,
        )  # fmt: skip
        body += part.data
    body += bytes(-len(body) % 8)
    ident = b"\x7fELF\2\1\1" + bytes((64, abi)) + bytes(7)
    header = ident + struct.pack(
        "<HHIQQQIHHHHHH", 1, 224, 1, 0, 0, _HEADER + len(body), flags, _HEADER, 0, 0, _SECTION, len(parts),
        len(parts) - 1,
    )  # fmt: skip
    return header + body + headers
