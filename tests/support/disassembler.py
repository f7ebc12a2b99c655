"""The reference disassembler: what llvm-mc makes of machine code, one instruction at a time."""

import re
import subprocess
from collections.abc import Iterable, Mapping

from tests.support.llvm import LLVM_MC

_LINE = re.compile(r"\s*(.*?)\s*(?:;|//) encoding: \[(.*?)\]")
_REFUSED = re.compile(r"^<stdin>:(\d+):\d+: (?:warning|error): invalid", re.MULTILINE)
_SECONDS = 120


def disassemble(codes: Iterable[bytes], cpu: str, mattr: str = "") -> Mapping[bytes, str]:
    """The text of each instruction, with single blanks; without those that LLVM does not take or writes otherwise."""
    return dict(_disassemble(sorted(set(codes)), cpu, mattr))


def _disassemble(codes: list[bytes], cpu: str, mattr: str) -> list[tuple[bytes, str]]:
    command = [LLVM_MC, "-triple=amdgcn", f"-mcpu={cpu}", *([f"-mattr={mattr}"] if mattr else []), "-disassemble"]
    lines = "\n".join(",".join(f"{byte:#04x}" for byte in code) for code in codes)
    done = subprocess.run(
        [*command, "-show-encoding"], input=lines, capture_output=True, text=True, check=False, timeout=_SECONDS
    )
    if done.returncode < 0:  # some bits make it crash
        if len(codes) == 1:
            return []
        half = len(codes) // 2
        return _disassemble(codes[:half], cpu, mattr) + _disassemble(codes[half:], cpu, mattr)
    found = (_LINE.match(line) for line in done.stdout.splitlines())
    return [
        (bytes(int(part, 16) for part in match[2].split(",")), " ".join(match[1].split()))
        for match in found
        if match is not None and re.fullmatch(r"[0-9a-fx,]+", match[2])
    ]


def texts(codes: Iterable[bytes], cpu: str, mattr: str = "") -> Mapping[bytes, str]:
    """The text of each instruction that LLVM takes, also of bits that its assembler would not write again."""
    return dict(_texts(sorted(set(codes)), cpu, mattr))


def _texts(codes: list[bytes], cpu: str, mattr: str) -> list[tuple[bytes, str]]:
    command = [LLVM_MC, "-triple=amdgcn", f"-mcpu={cpu}", *([f"-mattr={mattr}"] if mattr else []), "-disassemble"]
    lines = "\n".join(",".join(f"{byte:#04x}" for byte in code) for code in codes)
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False, timeout=_SECONDS)
    refused = {int(number) for number in _REFUSED.findall(done.stderr)}
    taken = [code for number, code in enumerate(codes, 1) if number not in refused]
    written = [line for line in done.stdout.splitlines() if line.startswith("\t") and not line.startswith("\t.")]
    if done.returncode >= 0 and len(written) == len(taken):
        return [(code, " ".join(text.split())) for code, text in zip(taken, written, strict=True)]
    if len(codes) == 1:  # some bits make it crash, others are several instructions
        return []
    half = len(codes) // 2
    return _texts(codes[:half], cpu, mattr) + _texts(codes[half:], cpu, mattr)
