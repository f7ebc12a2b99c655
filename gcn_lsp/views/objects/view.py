"""The view of a file that holds machine code: the objects in it as text, one after the other."""

import re
from collections.abc import Callable

import msgspec

from gcn_lsp import isa
from gcn_lsp.views.objects import containers, disassembly, elf
from gcn_lsp.views.objects.elf import CodeObject, NotReadable, Section
from gcn_lsp.views.objects.lines import Lines
from gcn_lsp.views.view import View


def objects(data: bytes, target: str = "") -> list[tuple[containers.Part, CodeObject]]:
    """The code objects in a file, those for a processor if one is named. Raises NotReadable."""
    found = []
    for part in containers.parts(data):
        code = elf.read(part.data)
        if not target or code.target == target.partition(":")[0]:
            found.append((part, code))
    return found


def of(data: bytes, kernel: str = "", target: str = "") -> View:
    """The text of the first object in a file, the others named in comments. Raises NotReadable."""
    found = _chosen(data, kernel, target)
    part, code = found[0]
    view = disassembly.text_of(code, kernel)
    return msgspec.structs.replace(view, text=view.text + _notes(found), places=Lines(part.data))


def write(data: bytes, out: Callable[[bytes], object], kernel: str = "", target: str = "") -> None:
    """Pass the text on while it is made. Raises NotReadable before anything is passed on."""
    found = _chosen(data, kernel, target)
    code = found[0][1]
    if kernel and not any(symbol.name == kernel and code.is_code(symbol) for symbol in code.symbols):
        names = ", ".join(kernels(data, target)) or "none"
        raise NotReadable(f"it has no kernel {kernel}; its kernels: {names}")
    disassembly.write(code, out, kernel)
    out(_notes(found))


def _chosen(data: bytes, kernel: str, target: str) -> list[tuple[containers.Part, CodeObject]]:
    """The objects for a target, if one is named, those with the kernel only if there are any. Raises NotReadable."""
    found = objects(data, target)
    if not found:
        raise NotReadable(f"it holds no code for {target}" if target else "it holds no code for AMD GPUs")
    if kernel:
        found = [(part, code) for part, code in found if any(symbol.name == kernel for symbol in code.symbols)] or found
    return found


def _notes(found: list[tuple[containers.Part, CodeObject]]) -> bytes:
    """Comments that name all objects but the first."""
    others = [f"// {part.name or code.target_id}" for part, code in found[1:]]
    return "\n".join(("// Further code objects in this file, for `--target`:", *others, "")).encode() if others else b""


def kernels(data: bytes, target: str = "") -> list[str]:
    """The names of the kernels in a file."""
    found = (symbol.name for _, code in objects(data, target) for symbol in code.symbols)
    return [name.removesuffix(".kd") for name in found if name.endswith(".kd")]


def write_raw(data: bytes, out: Callable[[bytes], object], target: str) -> None:
    """Pass on the text of bare machine code, which is bytes or hexadecimal text. Raises NotReadable."""
    name = isa.resolve_target(target)
    if name is None:
        raise NotReadable(f"{target} is no target")
    words = _hexadecimal(data)
    code = data if words is None else words
    section = Section(".text", "PROGBITS", Section.ALLOCATED | Section.EXECUTABLE, 0, 0, len(code), 4, 0, code)
    target_id = ":".join((name, *target.split(":")[1:]))
    disassembly.write(CodeObject(name, target_id, 0, True, (section,), (), ()), out)


def _hexadecimal(data: bytes) -> bytes | None:
    """The bytes that text of words (`bf810000`) or of bytes (`0x00,0x00,0x81,0xbf`) says; None for no such text."""
    if re.fullmatch(rb"[0-9a-fA-FxX,\s]+", data) is None:
        return None
    parts = [part.lower().removeprefix(b"0x") for part in re.split(rb"[,\s]+", data.strip())]
    if all(len(part) <= 2 for part in parts):
        return bytes(int(part, 16) for part in parts if part)
    if all(len(part) <= 8 for part in parts):
        return b"".join(int(part, 16).to_bytes(4, "little") for part in parts if part)
    return None
