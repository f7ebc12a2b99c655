"""The lines of LLVM's own tests: bytes and decisions of each version, a slice by default; `-m slow` takes all."""

import pytest

from gcn_lsp.isa import versions
from tests.instruction import llvm_lines
from tests.support import llvm

pytestmark = pytest.mark.skipif(not llvm_lines.FOLDER.is_dir(), reason=llvm_lines.MISSING)

SLICE = 400  # one line in so many
REJECTED = 0.999  # of the rejected lines so many are rejected here
of_every_version = pytest.mark.parametrize("version", versions.VERSIONS)


def compare(version: int, every: int) -> None:
    if not llvm.available(version):
        pytest.skip(f"llvm-mc-{version} is not installed")
    refused, wrong, taken = 0, [], []
    for (cpu, mattr), lines in llvm_lines.sample(every).items():
        if cpu in llvm_lines.targets_of(version):
            counts, differences = llvm_lines.compare(cpu, mattr, lines, version)
            refused += counts["refused"]
            wrong += [str(difference) for difference in differences if difference.kind != "accepted here"]
            taken += [str(difference) for difference in differences if difference.kind == "accepted here"]
    assert not wrong, "\n".join(wrong[:20])
    assert len(taken) <= refused * (1 - REJECTED), "\n".join(taken[:20])


@of_every_version
def test_a_slice_of_the_lines(version: int) -> None:
    compare(version, SLICE)


@pytest.mark.slow
@of_every_version
def test_all_lines(version: int) -> None:
    compare(version, 1)
