"""Runs every rule over assembly files as a user has them and counts what each says: `sweep files DIR...`.

Each file is checked in a separate process, so that nothing is kept from one to the next, and a file that raises or
hangs is reported instead of ending the sweep. Seconds are the processor's, with loading the target's tables.
"""

import multiprocessing
import re
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from gcn_lsp.cli import kernel
from gcn_lsp.findings.model import Severity
from gcn_lsp.project import Settings

SLOW = 10.0  # seconds that a file should not take
LIMIT = 300.0  # seconds until the check is given up

_WORST_FIRST = (Severity.ERROR, Severity.WARNING, Severity.INFORMATION, Severity.HINT)
# The row of a table, with which a message ends: `(S-22a)`.
_ROW = re.compile(r"\(([A-Z]+\d*(?:-\d+)?[a-z]?)\)$")


class Kind(NamedTuple):
    """Findings that go together. severity: its place in the order of the worst. row: empty for rules without tables."""

    severity: int
    rule: str
    row: str


class Checked(NamedTuple):
    """What came of a file. found: a kind and a line, counted from 1, for each finding. trouble: what went wrong."""

    path: str
    lines: int = 0
    seconds: float = 0.0
    found: tuple[tuple[Kind, int], ...] = ()
    trouble: str = ""


def below(folders: Iterable[str]) -> list[Path]:
    """The files that end in `.s` or `.asm` in folders and below them, and those that are named themselves."""
    found: dict[Path, None] = {}
    for name in folders:
        path = Path(name)
        several = sorted((*path.rglob("*.s"), *path.rglob("*.asm"))) if path.is_dir() else [path]
        found.update(dict.fromkeys(several))
    return list(found)


def check(path: str) -> Checked:
    """Every rule over one file, as `gcn-lsp check` runs them."""
    started = time.process_time()
    try:
        opened = kernel.open_kernel(path, Settings())
        found = opened.findings()
        lines = len(opened.program.source.lines) if opened.program is not None else 0
    except Exception:  # the sweep continues after any failure and reports it
        return Checked(path, seconds=time.process_time() - started, trouble=traceback.format_exc())
    kinds = []
    for each in found:
        row = _ROW.search(each.message)
        severity = _WORST_FIRST.index(each.severity)
        kinds.append((Kind(severity, each.rule, row[1] if row else ""), each.where.line + 1))
    return Checked(path, lines, time.process_time() - started, tuple(kinds))


def in_processes(paths: Iterable[Path], limit: float = LIMIT) -> Iterator[Checked]:
    """`check` of each file in a separate process, one after the other; `limit` is in seconds."""
    context = multiprocessing.get_context("spawn")
    for path in paths:
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_answer, args=(theirs, str(path)))
        process.start()
        theirs.close()
        try:
            yield ours.recv() if ours.poll(limit) else Checked(str(path), trouble=f"no answer in {limit:.0f} s")
        except EOFError:
            yield Checked(str(path), trouble="the process ended without an answer")
        finally:
            process.kill()
            process.join()
            ours.close()


def _answer(connection: Connection, path: str) -> None:
    connection.send(check(path))


def table(checked: Sequence[Checked]) -> Iterator[str]:
    """Lines: each kind with how many there are, in how many files, and where the first one is; then what went wrong."""
    counts: Counter[Kind] = Counter()
    files: Counter[Kind] = Counter()
    first: dict[Kind, str] = {}
    for each in checked:
        files.update({kind for kind, _ in each.found})
        for kind, line in each.found:
            counts[kind] += 1
            first.setdefault(kind, f"{each.path}:{line}")
    for kind, count in sorted(counts.items(), key=lambda item: (item[0].severity, -item[1], item[0])):
        severity = _WORST_FIRST[kind.severity].value
        yield f"{severity:11} {kind.rule:28} {kind.row:8} {count:7} in {files[kind]:5} files, first {first[kind]}"
    for each in checked:
        if each.trouble:
            yield f"TROUBLE {each.path}: {each.trouble.rstrip()}"
        elif each.seconds > SLOW:
            yield f"SLOW {each.path}: {each.seconds:.1f} s for {each.lines} lines"
    lines, seconds = sum(each.lines for each in checked), sum(each.seconds for each in checked)
    yield f"{len(checked)} files, {lines} lines, {seconds * 1e6 / max(lines, 1):.0f} us a line"
