"""Lines that disassemblers write and assemblers do not read: labels with their addresses, and what says what follows.

`llvm-objdump -d` of a code object gives `0000000000001c00 <name>:` for a label, `name.co: file format elf64-amdgpu` and
`Disassembly of section .text:` before the code, and `...` for zeros that it leaves out. All else in such a listing is
assembly, the addresses and bytes behind it are comments.
"""

import re

# How each of them ends: a quick look which leaves few lines to look into.
ENDS = (b":", b"-amdgpu", b"...")

_LABEL = re.compile(rb"[ \t]*(?:[0-9A-Fa-f]{8,16} )?<([^<>\r\n]+)>:$")
_NAME = re.compile(rb"[A-Za-z_.$][A-Za-z0-9_.$@]*")
_SECTION = re.compile(rb"Disassembly of section (\S+):$")
_TEXT = re.compile(rb"\S+:[ \t]+file format \S+-amdgpu$|[ \t]+\.\.\.$")


def label(line: bytes) -> tuple[int, int] | None:
    """The byte columns of the name in a label of a listing, half-open; None where `line` is none."""
    match = _LABEL.match(line)
    return match.span(1) if match is not None else None


def is_text(line: bytes) -> bool:
    """Whether a line of a listing only tells something: it stands for no statement."""
    return (_TEXT.match(line) or _SECTION.match(line)) is not None


def as_assembly(line: bytes) -> bytes | None:
    """A line of a listing as assemblers read it; None where `line` is one that they read.

    A section's title names the section. A name that needs quotes gets them.
    """
    if (section := _SECTION.match(line)) is not None:
        return b".text" if section[1] == b".text" else b".section " + section[1]
    if is_text(line):
        return b"// " + line.strip()
    columns = label(line)
    if columns is None:
        return None
    name = line[slice(*columns)]
    return (name if _NAME.fullmatch(name) else b'"' + name + b'"') + b":"
