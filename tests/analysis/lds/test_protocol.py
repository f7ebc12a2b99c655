"""Accesses of LDS that meet without the wait and the barrier between them."""

import pytest

from tests.analysis.lds import breaks, pipelines
from tests.analysis.lds.pipelines import Kernel

KERNELS = {kernel.name: kernel for kernel in pipelines.kernels()}
# One of each kind; `python -m tests.analysis.lds.breaks` tries all.
SOME = [
    KERNELS[name]
    for name in (
        *("dword-single-1", "dword-loop-2-2", "dwordx4-straight-3-2", "gfx1030-single-2", "global-straight-2-1"),
        *("async-loop-3-1", "async-toggled", "cluster-single-1", "tensor-straight-2-2", "dword-gfx90a-toggled"),
    )
]


@pytest.mark.parametrize("kernel", SOME, ids=lambda kernel: kernel.name)
def test_right_kernels_have_no_findings(kernel: Kernel) -> None:
    assert not breaks.noticed(kernel.target, kernel.text)


@pytest.mark.parametrize("kernel", SOME, ids=lambda kernel: kernel.name)
def test_each_mistake_is_noticed(kernel: Kernel) -> None:
    missed = [each.kind for each in pipelines.broken(kernel) if not breaks.noticed(each.target, each.text)]
    assert missed == []
