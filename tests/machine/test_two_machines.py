"""A slice of what `python -m tests.machine.two_machines` compares: generated kernels for targets of all generations."""

import shutil

import pytest

from tests.machine import two_machines

SEED = 4000


@pytest.mark.skipif(
    any(shutil.which(each) is None for each in (two_machines.CLANG, two_machines.NEWER)),
    reason=f"{two_machines.CLANG} or {two_machines.NEWER} is not installed",
)
@pytest.mark.parametrize(
    ("seed", "target", "level"),
    list(two_machines.jobs(SEED, 2 * len(two_machines.TARGETS), two_machines.TARGETS, two_machines.LEVELS))[::4],
)
def test_a_kernel_has_the_same_results_on_both_machines(seed: int, target: str, level: str) -> None:
    assert two_machines.compare(seed, target, level) > 100


def test_a_seed_decides_the_kernel() -> None:
    assert two_machines.Generator(7).text() == two_machines.Generator(7).text() != two_machines.Generator(8).text()
