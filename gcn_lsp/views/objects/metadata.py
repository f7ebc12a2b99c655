"""The metadata note of a code object, as YAML for `.amdgpu_metadata` where the assembler makes the same bytes of it."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from gcn_lsp.isa.machine import elf_machines
from gcn_lsp.views.objects import elf
from gcn_lsp.views.objects.elf import CodeObject, Section

_KERNELS = "amdhsa.kernels"
_PLAIN = (str, int, bool)
_WORD = re.compile(r"\.?[A-Za-z_][\w./*-]*\Z", re.ASCII)
_RESERVED = frozenset(("false", "n", "no", "null", "off", "on", "true", "y", "yes", ".inf", ".nan"))


def document(code: CodeObject) -> "dict[str, Any] | None":
    """The metadata; None when there is none that can be read."""
    for section in code.sections:
        if section.kind == "NOTE":
            for owner, kind, content in elf.notes(section.data):
                if kind == elf_machines.METADATA_NOTE and owner.rstrip(b"\0") == elf_machines.METADATA_VENDOR.rstrip(
                    b"\0"
                ):
                    return _decoded(content)
    return None


@lru_cache(maxsize=4096)
def _is_plain_text(value: str) -> bool:
    if _is_word(value):
        return True
    import yaml  # late: nearly all text is words, and it takes a while to load

    try:
        return value.isprintable() and "'" not in value and isinstance(yaml.safe_load(value or "''"), str)
    except (yaml.YAMLError, ValueError):  # ValueError: a day that no month has
        return False


def register_counts(code: CodeObject) -> "Iterator[tuple[str, tuple[int | None, int | None]]]":
    """For each descriptor's symbol the VGPRs and SGPRs that the metadata says its kernel has."""
    for kernel, symbol in _kernels(document(code)):
        yield symbol, (_count(kernel.get(".vgpr_count")), _count(kernel.get(".sgpr_count")))


def _count(value: Any) -> "int | None":
    return value if type(value) is int and 0 <= value < 1 << 16 else None


class Note(msgspec.Struct, frozen=True):
    """Metadata, and its kernels by the symbols of their descriptors."""

    content: dict[str, Any]
    kernels: Mapping[str, dict[str, Any]]

    def lines(self, kernels: Iterable[str] | None = None) -> Iterator[str]:
        """The metadata as YAML; kernels: the symbols of those whose metadata are wanted, None for all."""
        if kernels is None:
            return _lines(self.content)
        return _lines(_with(self.content, (self.kernels[symbol] for symbol in kernels if symbol in self.kernels)))


def read(section: Section) -> Note | None:
    """The metadata of which the assembler makes just this section; None when it would make another one."""
    found = list(elf.notes(section.data))
    if len(found) != 1 or found[0][1] != elf_machines.METADATA_NOTE:
        return None
    content = _decoded(found[0][2])
    if content is None or not _is_plain(content) or msgspec.msgpack.encode(_sorted(content)) != found[0][2]:
        return None
    return Note(content, {symbol: kernel for kernel, symbol in _kernels(content)})


def symbols(content: Any) -> frozenset[str]:
    """The symbols of descriptors that metadata name."""
    return frozenset(symbol for _, symbol in _kernels(content))


def with_kernels(content: dict[str, Any], wanted: Callable[[str], bool]) -> dict[str, Any]:
    """Metadata with those kernels only whose descriptor's symbol is wanted."""
    return _with(content, (kernel for kernel, symbol in _kernels(content) if wanted(symbol)))


def _with(content: dict[str, Any], kernels: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Metadata with these kernels, if it is about kernels at all."""
    return {**content, _KERNELS: list(kernels)} if _KERNELS in content else content


def _kernels(content: Any) -> Iterator[tuple[dict[str, Any], str]]:
    """The kernels in metadata, each with the symbol of its descriptor; kernels without one are left out."""
    kernels = content.get(_KERNELS) if isinstance(content, dict) else None
    for kernel in kernels if isinstance(kernels, list) else ():
        if isinstance(kernel, dict) and isinstance(kernel.get(".symbol"), str):
            yield kernel, kernel[".symbol"]


def _is_word(value: str) -> bool:
    """Whether YAML writes a text as it is, and reads it as that text."""
    return _WORD.match(value) is not None and value.lower() not in _RESERVED


def _lines(value: Any) -> Iterator[str]:
    """A document in the block style of YAML."""
    if isinstance(value, dict) and value:
        for key in sorted(value):
            yield from _entry(f"{_scalar(key)}:", value[key])
    elif isinstance(value, list) and value:
        for each in value:
            first, *more = _lines(each)
            yield f"- {first}"
            yield from (f"  {line}" for line in more)
    else:
        yield _scalar(value)


def _entry(key: str, value: Any) -> Iterator[str]:
    if isinstance(value, dict | list) and value:
        yield key
        indent = "  " if isinstance(value, dict) else ""
        yield from (f"{indent}{line}" for line in _lines(value))
    else:
        yield f"{key} {_scalar(value)}"


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return value if _is_word(value) else _quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)  # a number, an empty list, an empty map


@lru_cache(maxsize=4096)
def _quoted(value: str) -> str:
    import yaml  # late: nearly all text is words, and it takes a while to load

    return yaml.safe_dump(value, width=10_000, allow_unicode=True).removesuffix("...\n").rstrip("\n")


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
