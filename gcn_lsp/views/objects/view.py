"""The views of a file that holds machine code.

The first shows the first code object, up to as much code as an editor takes. Each further object has a view of its own,
and so has each function that is left out of the view of its object.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import msgspec

from gcn_lsp import isa
from gcn_lsp.text import split_lines
from gcn_lsp.views.objects import containers, disassembly, elf
from gcn_lsp.views.objects.elf import CodeObject, NotReadable, Section
from gcn_lsp.views.objects.lines import Lines
from gcn_lsp.views.view import Further, View

MOST_CODE = 1 << 20
"""Bytes of code in one view: five times those of the largest kernels known."""


def objects(data: bytes, target: str = "") -> list[tuple[containers.ContainedObject, CodeObject]]:
    """The code objects in a file, those for a target if one is named. Raises NotReadable if there are none."""
    found = [(part, elf.read(part.data)) for part in containers.parts(data)]
    if not found:
        raise NotReadable("it holds no code for AMD GPUs")
    chosen = [(part, code) for part, code in found if not target or _is_for(code, target)]
    if not chosen:
        names = ", ".join(dict.fromkeys(code.target_id for _, code in found))
        raise NotReadable(f"it holds no code for {target}, but for {names}")
    return chosen


def _is_for(code: CodeObject, target: str) -> bool:
    """Whether an object is for a target and does not differ in what the target says of xnack and sramecc."""
    name, *features = target.split(":")
    opposite = {feature[:-1] + ("-" if feature.endswith("+") else "+") for feature in features}
    return code.target == (isa.resolve_target(name) or name) and opposite.isdisjoint(code.target_id.split(":"))


def of(data: bytes, kernel: str = "", target: str = "") -> View:
    """The view of the first object in a file. Raises NotReadable. kernel, target: of the objects that count."""
    found = _chosen(data, kernel, target)
    part, code = found[0]
    view = disassembly.text_of(code, kernel, MOST_CODE, Lines(part.data))
    others = tuple(_others(found))
    lines = (*view.lines[:-1], *split_lines(view.lines[-1] + _notes(others)))
    return msgspec.structs.replace(view, lines=lines, further=(*view.further, *others))


def _others(found: Sequence[tuple[containers.ContainedObject, CodeObject]]) -> Iterator[Further]:
    """The views of all objects but the first. Where several have the same name, they are numbered."""
    names = Counter[str]()
    for index, (part, code) in enumerate(found):
        name = part.name or code.target_id
        names[name] += 1
        if index:
            label = f"{name}#{names[name]}" if names[name] > 1 else name
            yield Further(label, partial(disassembly.text_of, code, "", MOST_CODE, Lines(part.data)))


def write(data: bytes, out: Callable[[bytes], object], kernel: str = "", target: str = "") -> None:
    """Pass the text on while it is made. Raises NotReadable before anything is passed on."""
    found = _chosen(data, kernel, target)
    code = found[0][1]
    if kernel and not any(symbol.name == kernel and code.is_code(symbol) for symbol in code.symbols):
        names = ", ".join(kernels(data, target)) or "none"
        raise NotReadable(f"it has no kernel {kernel}; its kernels: {names}")
    disassembly.write(code, out, kernel)
    out(_notes(tuple(_others(found))))


def _chosen(data: bytes, kernel: str, target: str) -> list[tuple[containers.ContainedObject, CodeObject]]:
    """The objects for a target, if one is named, those with the kernel only if there are any. Raises NotReadable."""
    found = objects(data, target)
    if kernel:
        found = [(part, code) for part, code in found if any(symbol.name == kernel for symbol in code.symbols)] or found
    return found


def _notes(others: Sequence[Further]) -> bytes:
    """Comments that name further objects."""
    names = [f"// {each.name}" for each in others]
    return "\n".join(("// Further code objects in this file, for `--target`:", *names, "")).encode() if names else b""


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
