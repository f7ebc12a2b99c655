"""The code objects of MGPUSim's benchmarks against numpy; `GCN_LSP_MGPUSIM` names a checkout of sarchlab/mgpusim."""

import os
from pathlib import Path

import pytest

from tests.running import mgpusim

CHECKOUT = Path(os.environ.get("GCN_LSP_MGPUSIM", ""))
OBJECTS = mgpusim.objects(CHECKOUT) if os.environ.get("GCN_LSP_MGPUSIM") else []

# Findings in right results: an old compiler copies an SGPR that holds nothing, and trusts the order of loads by FLAT;
# the descriptor of one new kernel does not ask for the number of the work-group along x, which it reads.
_FOUND = {"uninitialised-register", "missing-wait"}
_NEW_WITH_FINDINGS = "stencil2d/kernels_gfx942.hsaco"


@pytest.mark.skipif(not OBJECTS, reason="GCN_LSP_MGPUSIM names no checkout of MGPUSim")
@pytest.mark.parametrize("path", OBJECTS, ids=lambda path: str(path.relative_to(CHECKOUT)))
def test_an_object(path: Path) -> None:
    found = list(mgpusim.results(path))
    assert found
    for each in found:
        assert not each.problem, each
        has_none = "gfx942" in str(path) and not str(path).endswith(_NEW_WITH_FINDINGS)
        assert set(each.findings) <= (set() if has_none else _FOUND), each
