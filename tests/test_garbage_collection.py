"""Every process of ours sets the garbage collector's thresholds; one that checks many files frees memory too."""

import gc
import subprocess
import sys
import weakref

import pytest

from gcn_lsp import garbage_collection
from gcn_lsp.flow.kept import ByValue


@pytest.mark.parametrize("module", ["gcn_lsp.cli.main", "gcn_lsp.server.main", "gcn_lsp.server.project_process"])
def test_the_thresholds_are_set(module: str) -> None:
    program = f"import gc, {module}; print(gc.get_threshold())"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == str(garbage_collection.THRESHOLDS)


def test_what_a_kernel_leaves_is_freed_if_it_is_much(monkeypatch: pytest.MonkeyPatch) -> None:
    class Chunk:
        pass

    def cycle() -> "weakref.ref[Chunk]":
        chunk = Chunk()
        chunk.label = chunk  # type: ignore[attr-defined]
        return weakref.ref(chunk)

    gc.collect()
    monkeypatch.setattr(garbage_collection, "_MUCH", 100_000_000)
    left = cycle()
    garbage_collection.free_kernel(0)
    assert left() is not None
    monkeypatch.setattr(garbage_collection, "_MUCH", -1)
    results: ByValue[int, int] = ByValue(1000)
    for number in range(600):
        results.keep(number, number)
    garbage_collection.free_kernel(0)
    assert left() is None
    assert not results
