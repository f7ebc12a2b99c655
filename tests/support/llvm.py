"""The reference assembler, a line at a time: what llvm-mc makes of AMDGPU instruction lines."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

USUAL = 23
LLVM_MC = f"llvm-mc-{USUAL}"
MISSING = f"{LLVM_MC} is not installed (Debian package llvm-23)"

_SECONDS, _LINES_A_SECOND = 20, 500

_LABEL = "gcn_lsp_line_"
_ENCODING = re.compile(rf"; encoding: \[([^\]]*)\]|^{_LABEL}\d+:", re.MULTILINE)
_FIXUP_LETTER = re.compile(r"\b[A-Z]\b")


class Reference(NamedTuple):
    """What became of a line: its bytes (fixups zero), or None with the one-based column and the message."""

    code: bytes | None
    column: int = 0
    message: str = ""


def available(version: int = USUAL) -> bool:
    """Whether the reference assembler of a version can be run."""
    return shutil.which(f"llvm-mc-{version}") is not None


def assemble(lines: Sequence[str], cpu: str, mattr: str = "", version: int = USUAL) -> list[Reference]:
    """The reference for each line, every one taken as a file of its own as far as one run allows."""
    # Some lines give an error and bytes beside it, others no encoding or two: labels tell which are whose.
    errors, encodings = _run(
        [part for index, line in enumerate(lines) for part in (_mark(index), line)], cpu, mattr, version
    )
    parts = _by_mark(encodings)
    if len(parts) == len(lines):
        return [errors.get(2 * index + 1, Reference(b"".join(part))) for index, part in enumerate(parts)]
    if len(lines) == 1:  # a crash, or LLVM is busy with it for ever
        return [errors.get(1, Reference(b""))]
    half = len(lines) // 2
    return assemble(lines[:half], cpu, mattr, version) + assemble(lines[half:], cpu, mattr, version)


def _mark(index: int) -> str:
    return f"{_LABEL}{index}:"


def _by_mark(encodings: Sequence[bytes | None]) -> list[list[bytes]]:
    """The encodings after each label; a label is None among them."""
    found: list[list[bytes]] = []
    for encoding in encodings:
        if encoding is None:
            found.append([])
        elif found:
            found[-1].append(encoding)
    return found


def _run(lines: Sequence[str], cpu: str, mattr: str, version: int) -> tuple[dict[int, Reference], "list[bytes | None]"]:
    """The errors by line, and what follows one another in the output: encodings, and None for a label of `_mark`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "lines.s")
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        command = [f"llvm-mc-{version}", "-triple=amdgcn-amd-amdhsa", f"-mcpu={cpu}", "-show-encoding", str(path)]
        if mattr:
            command.insert(3, f"-mattr={mattr}")
        limit = _SECONDS + len(lines) / _LINES_A_SECOND
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, timeout=limit)
        except subprocess.TimeoutExpired:  # some broken lines keep LLVM busy for ever
            return {1: Reference(None, 1, "LLVM does not come to an end")}, []
        errors: dict[int, Reference] = {}
        pattern = re.compile(re.escape(str(path)) + r":(\d+):(\d+): error: (.*)")
        for match in pattern.finditer(done.stderr):
            errors.setdefault(int(match[1]) - 1, Reference(None, int(match[2]), match[3]))
        encodings = [
            None if match[1] is None else bytes.fromhex(re.sub(r"0x|,|\s|'", "", _FIXUP_LETTER.sub("00", match[1])))
            for match in _ENCODING.finditer(done.stdout)
        ]
        return errors, encodings
