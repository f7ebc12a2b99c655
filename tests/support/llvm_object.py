"""The reference assembler, a file at a time: the sections of the object that llvm-mc makes of a program."""

import re
import struct
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.support.llvm import USUAL

_ERROR = re.compile(r"^<stdin>:(\d+):(\d+): error: (.*)$", re.MULTILINE)
_ANY_ERROR = re.compile(r"^.*error: (.*)$", re.MULTILINE)
_NOBITS = 8
# What takes longer expands without end, for all that matters.
LIMIT_SECONDS = 3
GAVE_UP = "it came to no end"
CRASHED = "it crashed"
_KINDS = frozenset((1, _NOBITS))  # SHT_PROGBITS, SHT_NOBITS


class Object(NamedTuple):
    """What became of a program: the bytes of its sections that are not empty, or the first error with its line."""

    sections: "dict[str, bytes] | None"
    line: int = 0
    message: str = ""


def assemble(text: bytes, cpu: str, mattr: str = "", options: Sequence[str] = (), version: int = USUAL) -> Object:
    """The object of a whole program, assembled with further options of llvm-mc."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "program.o")
        command = [f"llvm-mc-{version}", "-triple=amdgcn-amd-amdhsa", f"-mcpu={cpu}", *options]
        command += ["-filetype=obj", "-o", str(output), "-"]
        if mattr:
            command.insert(3, f"-mattr={mattr}")
        try:
            done = subprocess.run(command, input=text, capture_output=True, check=False, timeout=LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            return Object(None, 0, GAVE_UP)
        data = output.read_bytes() if done.returncode == 0 else b""
    messages = done.stderr.decode("utf-8", "replace")
    if done.returncode == 0:
        return Object(sections_of(data))
    if done.returncode < 0:
        return Object(None, 0, CRASHED)
    place = _ERROR.search(messages)
    if place is not None:
        return Object(None, int(place[1]), place[3])
    other = _ANY_ERROR.search(messages)
    return Object(None, 0, other[1] if other is not None else CRASHED)


def sections_of(data: bytes) -> dict[str, bytes]:
    """The bytes of each section of an ELF object that holds code or data, by name; several of a name are joined."""
    (offset,) = struct.unpack_from("<Q", data, 0x28)
    size, count, names_at = struct.unpack_from("<HHH", data, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, offset + size * index) for index in range(count)]
    names = headers[names_at][4]
    found: dict[str, bytes] = {}
    for name_at, kind, _, _, start, length, *_ in headers:
        if kind not in _KINDS or length == 0:
            continue
        name = data[names + name_at : data.index(b"\0", names + name_at)].decode()
        content = bytes(length) if kind == _NOBITS else data[start : start + length]
        found[name] = found.get(name, b"") + content
    return found
