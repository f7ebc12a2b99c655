"""The recorded lines assemble to the recorded bytes, or are refused under the recorded rule."""

from pathlib import Path

import pytest

from tests.instruction import record
from tests.instruction.support import assemble

VECTORS = Path(__file__).parent / "vectors"


def _read(path: Path) -> list[tuple[str, str, str]]:
    rows = (row for row in path.read_text(encoding="utf-8").splitlines() if row and not row.startswith("#"))
    found = []
    for row in rows:
        cpu, rest = row.split(" | ", 1)
        line, expected = rest.rsplit(" | ", 1)
        found.append((cpu, line, expected))
    return found


@pytest.mark.parametrize("path", sorted(VECTORS.glob("*.txt")), ids=lambda path: path.stem)
def test_vectors(path: Path) -> None:
    wrong = []
    for cpu, line, expected in _read(path):
        instruction = assemble(line, cpu)
        found = instruction.code.hex() or f"error {instruction.problems[0].rule}"
        if found != expected:
            wrong.append(f"{cpu} {line}: expected {expected}, found {found} {instruction.problems}")
    assert not wrong, "\n".join(wrong[:20])


def test_there_are_vectors_of_every_target() -> None:
    names = {path.stem for path in VECTORS.glob("*.txt")}
    assert {f"{cpu}_{kind}" for cpu in record.TARGETS for kind in ("good", "broken")} <= names
