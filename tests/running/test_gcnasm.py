"""A GEMM by MFMA of gcnasm against numpy; `GCN_LSP_GCNASM` names a checkout of carlushuang/gcnasm."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from gcn_lsp.machine.arguments import Null
from gcn_lsp.running import api
from gcn_lsp.running.runs import Outcome

HGEMM = Path(os.environ.get("GCN_LSP_GCNASM", "gcnasm")) / "hgemm" / "hgemm128x128.MAI.s"
BEFORE_WRITES = ";Pre-Write NextLoop."

pytestmark = pytest.mark.skipif(not HGEMM.exists(), reason="GCN_LSP_GCNASM names no checkout of gcnasm")


def run(path: Path, m: int, n: int, k: int) -> "tuple[Outcome, NDArray[Any], NDArray[Any]]":
    """A run, its matrix and the right one. Four elements along k are side by side."""
    source = np.random.default_rng(m + n + k)
    a, b = (source.integers(-4, 5, (k // 4, rows, 4)).astype(np.float16) for rows in (m, n))
    c = np.zeros((n, m), np.float16)
    arguments: dict[str, Any] = {"ptr_c": c, "ptr_a": a, "ptr_b": b, "alpha": np.float32(1), "m": m, "n": n, "k": k}
    arguments |= {"lda": 4 * m, "ldb": 4 * n, "ldc": 4 * m, "print": Null()}
    grid = 256 * (m // 128) * (n // 128)
    outcome = api.run(path, target="gfx908", grid=grid, block=256, arguments=arguments, check=False)
    assert outcome.is_complete
    return outcome, c, np.einsum("kmi,kni->nm", a.astype(np.float64), b.astype(np.float64))


def test_a_loop_writes_lds_that_other_waves_still_read() -> None:
    outcome, c, expected = run(HGEMM, 128, 128, 96)
    assert "lds-race" in {each.rule for each in outcome.findings}
    assert (c != expected).any()


@pytest.mark.parametrize(("m", "n", "k"), [(128, 128, 64), (256, 128, 96)])
def test_it_is_right_with_the_barrier(m: int, n: int, k: int, tmp_path: Path) -> None:
    text = HGEMM.read_text()
    assert text.count(BEFORE_WRITES) == 1
    path = tmp_path / "hgemm.s"
    path.write_text(text.replace(BEFORE_WRITES, "\n s_waitcnt lgkmcnt(0)\n s_barrier"))
    outcome, c, expected = run(path, m, n, k)
    # The carry of an address goes into a register that nothing reads.
    assert {each.rule for each in outcome.findings} <= {"uninitialised-register"}
    assert (c == expected).all()
