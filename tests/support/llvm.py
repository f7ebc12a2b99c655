"""The reference assembler, a line at a time: what llvm-mc of LLVM 22 makes of AMDGPU instruction lines."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

LLVM_MC = "llvm-mc-22"
MISSING = f"{LLVM_MC} is not installed (Debian package llvm-22)"

_SECONDS, _LINES_A_SECOND = 20, 500

_ENCODING = re.compile(r"; encoding: \[([^\]]*)\]")
_FIXUP_LETTER = re.compile(r"\b[A-Z]\b")


class Reference(NamedTuple):
    """What became of a line: its bytes (fixups zero), or None with the one-based column and the message."""

    code: bytes | None
    column: int = 0
    message: str = ""


def available() -> bool:
    """Whether the reference assembler can be run."""
    return shutil.which(LLVM_MC) is not None


def assemble(lines: Sequence[str], cpu: str, mattr: str = "") -> list[Reference]:
    """The reference for each line, every one taken as a file of its own as far as one run allows."""
    errors, encodings = _run(lines, cpu, mattr)
    accepted = [index for index in range(len(lines)) if index not in errors]
    if len(accepted) != len(encodings):  # a line that gives none or two encodings, or a crash or hang: halve to find it
        if len(lines) == 1:
            return [errors[0] if errors else Reference(b"".join(encodings))]
        half = len(lines) // 2
        return assemble(lines[:half], cpu, mattr) + assemble(lines[half:], cpu, mattr)
    found = dict(zip(accepted, encodings, strict=True))
    return [errors[index] if index in errors else Reference(found[index]) for index in range(len(lines))]


def _run(lines: Sequence[str], cpu: str, mattr: str) -> tuple[dict[int, Reference], list[bytes]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "lines.s")
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        command = [LLVM_MC, "-triple=amdgcn-amd-amdhsa", f"-mcpu={cpu}", "-show-encoding", str(path)]
        if mattr:
            command.insert(3, f"-mattr={mattr}")
        limit = _SECONDS + len(lines) / _LINES_A_SECOND
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, timeout=limit)
        except subprocess.TimeoutExpired:  # some broken lines keep LLVM busy for ever
            return ({0: Reference(None, 1, "LLVM does not come to an end")} if len(lines) == 1 else {}), []
        errors: dict[int, Reference] = {}
        pattern = re.compile(re.escape(str(path)) + r":(\d+):(\d+): error: (.*)")
        for match in pattern.finditer(done.stderr):
            errors.setdefault(int(match[1]) - 1, Reference(None, int(match[2]), match[3]))
        encodings = [
            bytes.fromhex(re.sub(r"0x|,|\s|'", "", _FIXUP_LETTER.sub("00", match[1])))
            for match in _ENCODING.finditer(done.stdout)
        ]
        return errors, encodings
