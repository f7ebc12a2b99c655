"""The metadata note of a code object, as YAML for `.amdgpu_metadata` where the assembler makes the same bytes of it."""

import struct
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec
import yaml

from gcn_lsp.isa import machines
from gcn_lsp.views.objects.elf import CodeObject, Section

_PLAIN = (str, int, bool)


def notes(section: Section) -> Iterator[tuple[bytes, int, bytes]]:
    """Owner, type and content of the notes in a section; what is broken ends it."""
    data, at = section.data, 0
    while at + 12 <= len(data):
        name_size, size, kind = struct.unpack_from("<III", data, at)
        start = at + 12 + -(-name_size // 4) * 4
        if start + size > len(data):
            return
        yield data[at + 12 : at + 12 + name_size], kind, data[start : start + size]
        at = start + -(-size // 4) * 4


def document(code: CodeObject) -> "dict[str, Any] | None":
    """The metadata; None when there is none that can be read."""
    for section in code.sections:
        if section.kind == "NOTE":
            for owner, kind, content in notes(section):
                if kind == machines.METADATA_NOTE and owner.rstrip(b"\0") == machines.METADATA_OWNER.rstrip(b"\0"):
                    return _decoded(content)
    return None


@lru_cache(maxsize=4096)
def _is_plain_text(value: str) -> bool:
    return value.isprintable() and "'" not in value and isinstance(yaml.safe_load(value or "''"), str)


def register_counts(code: CodeObject) -> "Iterator[tuple[str, tuple[int | None, int | None]]]":
    """For each descriptor's symbol the VGPRs and SGPRs that the metadata says its kernel has."""
    kernels = (document(code) or {}).get("amdhsa.kernels")
    for kernel in kernels if isinstance(kernels, list) else ():
        if isinstance(kernel, dict) and isinstance(kernel.get(".symbol"), str):
            vgprs, sgprs = kernel.get(".vgpr_count"), kernel.get(".sgpr_count")
            yield kernel[".symbol"], (_count(vgprs), _count(sgprs))


def _count(value: Any) -> "int | None":
    return value if type(value) is int and 0 <= value < 1 << 16 else None


def yaml_text(section: Section) -> str | None:
    """The YAML from which the assembler makes just this section; None when it would make another one."""
    found = list(notes(section))
    if len(found) != 1 or found[0][1] != machines.METADATA_NOTE:
        return None
    content = _decoded(found[0][2])
    if content is None or not _is_plain(content) or msgspec.msgpack.encode(_sorted(content)) != found[0][2]:
        return None
    return yaml.safe_dump(content, sort_keys=True, default_flow_style=False, width=10_000, allow_unicode=True)


def _decoded(content: bytes) -> "dict[str, Any] | None":
    try:
        found = msgspec.msgpack.decode(content)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    return found if isinstance(found, dict) else None


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(each) for each in value] if isinstance(value, list) else value


def _is_plain(value: Any) -> bool:
    """Whether YAML says the same: no text that reads as a number or a truth value, no bytes, no fractions."""
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_plain(key) and _is_plain(each) for key, each in value.items())
    if isinstance(value, list):
        return all(map(_is_plain, value))
    if isinstance(value, str):
        return _is_plain_text(value)
    return isinstance(value, _PLAIN)
