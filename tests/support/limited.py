"""Runs Python in a process of its own that may take so much processor time and memory, as bombs have to be run.

Processor time and not time, so that a busy machine fails no test.
"""

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

SECONDS = 10
MEMORY = 1 << 30


def run(
    arguments: Sequence[str],
    folder: Path,
    seconds: int = SECONDS,
    memory: int = MEMORY,
    *,
    environment: "Mapping[str, str] | None" = None,
    waiting: "float | None" = None,
) -> "subprocess.CompletedProcess[str]":
    """`python ARGUMENTS` in a folder. The process is killed when its time is up; beyond `memory` bytes it gets none.

    waiting: the seconds in all, after which it raises TimeoutExpired.
    """
    import resource  # late: Windows has none, and skips the tests that use this

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        preexec_fn=limit,
        env=environment,
        timeout=waiting,
    )
