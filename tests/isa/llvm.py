"""What LLVM 23's assembler makes of lines, for tests that compare our tables with it."""

import re
import shutil
import subprocess
from collections.abc import Sequence

import pytest

LLVM_MC = "llvm-mc-23"

needs_llvm = pytest.mark.skipif(shutil.which(LLVM_MC) is None, reason=f"{LLVM_MC} is not installed (package llvm-23)")


def encodings(cpu: str, lines: Sequence[str]) -> list[bytes | None]:
    """The bytes of each line, None for one that is refused; one instruction a line."""
    command = [LLVM_MC, "-triple=amdgcn-amd-amdhsa", f"-mcpu={cpu}", "-show-encoding"]
    run = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True)
    refused = {int(number) - 1 for number in re.findall(r"^<stdin>:(\d+):\d+: error:", run.stderr, re.M)}
    found = iter(re.findall(r"; encoding: \[([^\]]*)\]", run.stdout))
    return [None if index in refused else _bytes(next(found)) for index in range(len(lines))]


def _bytes(text: str) -> bytes:
    return bytes(int(part, 16) if part.startswith("0x") else 0 for part in text.split(","))
