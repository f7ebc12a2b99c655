"""What code objects come in: bundles, compressed bundles, host programs, archives. Gives the objects in a file.

Counts and sizes of a hostile file are checked against its length before anything is made of them; unpacked data are
limited.
"""

import struct
import zlib
from collections.abc import Callable, Iterator

from gcn_lsp.isa.machine import elf_machines
from gcn_lsp.records import NamedTuple
from gcn_lsp.views.objects import elf
from gcn_lsp.views.objects.elf import NotReadable
from gcn_lsp.views.objects.records import FILE, SECTION

_BUNDLE, _COMPRESSED, _ARCHIVE = b"__CLANG_OFFLOAD_BUNDLE__", b"CCOB", b"!<arch>\n"
_FAT_SECTION = ".hip_fatbin"
_MOST_ENTRIES, _DEEPEST = 4096, 3
MOST_UNPACKED = 64 * 1024 * 1024
"""The most bytes that a compressed bundle is unpacked to, beyond four times its own size."""
_AT_ONCE = 1 << 20
"""The bytes that are unpacked together."""
_METHODS = {0: "zlib", 1: "zstd"}
_BEGINNINGS = (elf.MAGIC, _BUNDLE, _COMPRESSED, _ARCHIVE)
_HEADER = 64  # bytes of an ELF file's header, the longest of them
_MEMBER = 60  # bytes of the header of an archive's member


class ContainedObject(NamedTuple):
    """A code object in a file. name: what the container calls it; empty for the file itself. offset: of its first byte
    in the file, or -1 when it was unpacked."""

    name: str
    data: bytes
    offset: int


def is_container(data: bytes) -> bool:
    """Whether a file is a code object or something that they come in, by its first bytes."""
    return data.startswith(_BEGINNINGS) or _is_cut(data)


def _is_cut(data: bytes) -> bool:
    """Whether a file ends before it says what it is."""
    least = 2 if data.startswith(elf.MAGIC[:1]) else 4  # what is shorter may be text
    return least <= len(data) < _HEADER and any(each[: len(data)] == data[: len(each)] for each in _BEGINNINGS)


def is_for_gpu(data: bytes) -> bool:
    """The same, without the ELF files of other machines that hold no code for GPUs."""
    if not data.startswith(elf.MAGIC):
        return data.startswith((_BUNDLE, _COMPRESSED))
    return elf.machine(data) == elf_machines.MACHINE or _fat_section(data) is not None


def is_object(data: bytes) -> bool:
    """Whether a file is read as code for GPUs: what holds some or is cut, and every archive, whose members say it."""
    return is_for_gpu(data) or data.startswith(_ARCHIVE) or _is_cut(data)


def parts(data: bytes) -> Iterator[ContainedObject]:
    """The code objects in a file, in their order. Raises NotReadable."""
    return _parts(data, "", 0, 0, _Unpacking(len(data)))


class _Unpacking:
    """How much may still be unpacked of a file of `size` bytes: more is no code, but meant to fill the memory."""

    def __init__(self, size: int) -> None:
        self.left = 4 * size + MOST_UNPACKED


def _parts(data: bytes, name: str, offset: int, depth: int, unpacking: _Unpacking) -> Iterator[ContainedObject]:
    if depth > _DEEPEST:
        raise NotReadable("containers are nested too deeply")
    if elf.machine(data) == elf_machines.MACHINE:
        yield ContainedObject(name, data, offset)
    elif data.startswith(_BUNDLE):
        yield from _bundled(data, name, offset, depth, unpacking)
    elif data.startswith(_COMPRESSED):
        size, unpacked = _unpacked(data, unpacking.left)
        unpacking.left -= len(unpacked)
        yield from _parts(unpacked, name, -1, depth + 1, unpacking)
        rest = data[size:].lstrip(b"\0") if size else b""
        if rest.startswith((_BUNDLE, _COMPRESSED)):
            yield from _parts(rest, name, -1, depth + 1, unpacking)
    elif data.startswith(_ARCHIVE):
        yield from _members(data, offset, depth, unpacking)
    elif _is_cut(data):
        raise NotReadable("it ends within its header")
    elif data.startswith(elf.MAGIC):
        found = _fat_section(data)
        if found is None:
            raise NotReadable("it holds no code for AMD GPUs")
        start, size = found
        yield from _parts(data[start : start + size].lstrip(b"\0"), name, -1, depth + 1, unpacking)
    else:
        raise NotReadable("it is not a code object, a bundle or an archive")


def _bundled(data: bytes, name: str, offset: int, depth: int, unpacking: _Unpacking) -> Iterator[ContainedObject]:
    """The entries of `__CLANG_OFFLOAD_BUNDLE__`, those of the host left out; bundles may follow one another."""
    at, end, held = 0, 0, 0
    while data.startswith(_BUNDLE, at):
        if at + 32 > len(data):
            raise NotReadable("the bundle ends within its header")
        count = struct.unpack_from("<Q", data, at + 24)[0]
        if count > _MOST_ENTRIES:
            raise NotReadable(f"the bundle claims {count} entries")
        place, end = at + 32, at + 32
        for _ in range(count):
            if place + 24 > len(data):
                raise NotReadable("the bundle ends within its list of entries")
            start, size, length = struct.unpack_from("<QQQ", data, place)
            place += 24
            if length > 4096 or place + length > len(data) or at + start + size > len(data):
                raise NotReadable("an entry of the bundle lies beyond its end")
            target = data[place : place + length].decode("utf-8", "replace")
            place += length
            end = max(end, place, at + start + size)
            held += size
            if held > 2 * len(data):
                raise NotReadable(f"the entries of the bundle overlap: they have more than {2 * len(data)} bytes")
            if size and not target.startswith("host"):
                label = f"{name}:{target}" if name else target
                entry_offset = offset + at + start if offset >= 0 else -1
                yield from _parts(data[at + start : at + start + size], label, entry_offset, depth + 1, unpacking)
        following = data.find(_BUNDLE, end)
        if following < 0 or data[end:following].strip(b"\0"):
            return
        at = following


def _unpacked(data: bytes, limit: int) -> tuple[int, bytes]:
    """The size of a compressed bundle in the file, 0 when it does not say, and the bundle in it."""
    if len(data) < 24:
        raise NotReadable("the compressed bundle ends within its header")
    version, method = struct.unpack_from("<HH", data, 4)
    if version not in (1, 2, 3):
        raise NotReadable(f"the compressed bundle has version {version}, which is not known")
    if version == 1:
        total, claimed, header = 0, struct.unpack_from("<I", data, 8)[0], 20
    elif version == 2:
        total, claimed = struct.unpack_from("<II", data, 8)
        header = 24
    else:
        if len(data) < 32:
            raise NotReadable("the compressed bundle ends within its header")
        total, claimed = struct.unpack_from("<QQ", data, 8)
        header = 32
    if claimed > limit or (total and not header <= total <= len(data)):
        raise NotReadable(f"the compressed bundle claims {claimed} bytes")
    packed = data[header : total or len(data)]
    if _METHODS.get(method) == "zlib":
        return total, _all_of(_inflated, packed, limit)
    if _METHODS.get(method) == "zstd":
        return total, _all_of(_unzstd, packed, limit)
    raise NotReadable(f"the compressed bundle has method {method}, which is not known")


def _inflated(packed: bytes) -> Iterator[bytes]:
    unpacker = zlib.decompressobj()
    try:
        while packed and not unpacker.eof:
            yield unpacker.decompress(packed, _AT_ONCE)
            packed = unpacker.unconsumed_tail
    except zlib.error as error:
        raise NotReadable(f"the compressed bundle is broken: {error}") from error


def _unzstd(packed: bytes) -> Iterator[bytes]:
    try:
        import zstandard
    except ImportError:
        raise NotReadable("the bundle is compressed with zstd: install `gcn-lsp[zstd]` to read it") from None
    try:
        reader = zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(packed)
        while chunk := reader.read(_AT_ONCE):
            yield chunk
    except zstandard.ZstdError as error:
        raise NotReadable(f"the compressed bundle is broken: {error}") from error


def _all_of(unpack: Callable[[bytes], Iterator[bytes]], packed: bytes, limit: int) -> bytes:
    """What is packed, which is gone through once before any of it is kept. Raises NotReadable."""
    size = 0
    for chunk in unpack(packed):
        if not size and not is_container(chunk):
            raise NotReadable("the compressed bundle holds something else")
        size += len(chunk)
        if size > limit:
            raise NotReadable(f"the compressed bundle has more than {limit} bytes")
    return b"".join(unpack(packed))


def _members(data: bytes, offset: int, depth: int, unpacking: _Unpacking) -> Iterator[ContainedObject]:
    """The members of an archive that are for AMD GPUs."""
    at, names, count = len(_ARCHIVE), b"", 0
    while at + _MEMBER <= len(data) and count < _MOST_ENTRIES:
        header = data[at : at + _MEMBER]
        try:
            size = int(header[48:58])
        except ValueError:
            raise NotReadable("the archive has a member without a size") from None
        start = at + _MEMBER
        if size < 0 or start + size > len(data):
            raise NotReadable("a member of the archive lies beyond its end")
        name = header[:16].rstrip()
        content = data[start : start + size]
        if name == b"//":
            names = content
        elif is_for_gpu(content):
            place = offset + start if offset >= 0 else -1
            yield from _parts(content, _member_name(name, names), place, depth + 1, unpacking)
        at = start + size + size % 2
        count += 1


def _member_name(name: bytes, names: bytes) -> str:
    if name.startswith(b"/") and name[1:].isdigit():
        name = names[int(name[1:]) :].split(b"\n", 1)[0]
    return name.rstrip(b"/").decode("utf-8", "replace")


def _fat_section(data: bytes) -> "tuple[int, int] | None":
    """Offset and size of the code for GPUs in a host program; None when there is none."""
    if len(data) < FILE.size or data[4:6] != b"\2\1":
        return None
    table, entry, count, names = FILE.get(data, 0, "sections", "section_size", "section_count", "names")
    if entry != SECTION.size or names >= count or table + count * entry > len(data):
        return None
    strings = SECTION.one(data, table + names * entry, "offset")
    for index in range(count):
        at = table + index * entry
        name = strings + SECTION.one(data, at, "name")
        if data[name : name + len(_FAT_SECTION) + 1] == _FAT_SECTION.encode() + b"\0":
            offset, size = SECTION.get(data, at, "offset", "size")
            return (offset, size) if offset + size <= len(data) else None
    return None
