"""How names and bytes are written in the text of an object."""

import re

_NAME = re.compile(r"[A-Za-z_.$][\w.$@]*\Z")


def quoted(name: str) -> str:
    """A symbol's name, in quotes where it is not a word."""
    return name if _NAME.match(name) else '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def as_data(code: bytes) -> str:
    """Bytes as a directive: as words if they are whole words."""
    if code and len(code) % 4 == 0:
        words = (int.from_bytes(code[at : at + 4], "little") for at in range(0, len(code), 4))
        return ".long " + ", ".join(f"{word:#x}" for word in words)
    return ".byte " + ", ".join(f"{byte:#x}" for byte in code)
